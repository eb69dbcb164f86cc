//! The search bar.

use std::ops::Range;

use egui::text_edit::TextEditState;
use egui::{Id, Key, Modifiers, RichText, TextEdit, Ui};
use steerbox_core::diagnostics::counted;

use crate::commands::action::{Action, EditorAction};
use crate::model::editor::buffer::Buffer;
use crate::model::editor::lines::{byte_of, character_of};
use crate::model::editor::typing::{current, neighbor, replaced};
use crate::model::editor::{Editor, Request};
use crate::model::view_state::ViewState;
use crate::panel::hint;

/// Width of a field, points, and most characters in it.
const WIDTH: f32 = 140.0;
const MAX_CHARACTERS: usize = 1000;

/// Shows the bar if it is open. Returns the match to select, as a byte range.
pub(super) fn bar(
    ui: &mut Ui,
    view: &ViewState,
    buffer: &Buffer,
    actions: &mut Vec<Action>,
) -> Option<Range<usize>> {
    let before = view.editor.find.as_ref()?;
    let (mut find, mut text) = (before.clone(), buffer.text().to_owned());
    let mut cursor = cursor(ui, &text, buffer);
    let found = find.matches(&text);
    let (mut steps, mut changed) = (None, None);
    ui.horizontal_wrapped(|ui| {
        let [searched, replacement] = Editor::find_fields();
        if view.editor.request == Some(Request::FocusFind) {
            ui.memory_mut(|memory| memory.request_focus(searched));
        }
        steps = field(ui, searched, &mut find.text, "Find");
        let case = ui.selectable_label(find.matches_case, RichText::new("Aa").small());
        find.matches_case ^= case.on_hover_text("Match case: capital and small letters differ").clicked();
        if find.replaces {
            let enter = field(ui, replacement, &mut find.replacement, "Replace by").is_some();
            if ui.button("Replace").clicked() || enter {
                if let Some(at) = current(&found, cursor) {
                    changed = Some(replaced(&text, &found[at..=at], &find.replacement));
                    cursor = found[at].start + find.replacement.len();
                }
                steps = Some(true);
            }
            if ui.button("All").clicked() {
                changed = Some(replaced(&text, &found, &find.replacement));
            }
        }
        if ui.button("<").on_hover_text("Shift+Enter").clicked() {
            steps = Some(false);
        }
        if ui.button(">").on_hover_text("Enter").clicked() {
            steps = Some(true);
        }
        hint::weak(ui, count(find.text.is_empty(), current(&found, cursor), found.len()));
    });
    if let Some(changed) = changed {
        text.clone_from(&changed);
        actions.push(EditorAction::replace(&buffer.name, changed).into());
    }
    let searches = (&find.text, find.matches_case) != (&before.text, before.matches_case);
    if searches {
        // A longer word is sought from the start of the match of the shorter one.
        cursor = current(&found, cursor).map_or(cursor, |at| found[at].start);
        steps = Some(true);
    }
    let found = find.matches(&text);
    let next = steps.and_then(|forward| neighbor(&found, cursor, forward));
    if *before != find {
        actions.push(EditorAction::Find(find).into());
    }
    next.map(|at| found[at].clone())
}

/// The number of the current match and that of all.
fn count(is_empty: bool, current: Option<usize>, all: usize) -> String {
    match current {
        _ if is_empty => String::new(),
        _ if all == 0 => "no match".to_owned(),
        Some(at) => format!("{} of {all}", at + 1),
        None => counted(all, ["match", "matches"]),
    }
}

/// A field. Returns true if Enter was pressed in it, false for Shift+Enter.
fn field(ui: &mut Ui, id: Id, text: &mut String, words: &str) -> Option<bool> {
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let pressed =
        |ui: &Ui, modifiers| has_focus && ui.input_mut(|input| input.consume_key(modifiers, Key::Enter));
    let (back, forward) = (pressed(ui, Modifiers::SHIFT), pressed(ui, Modifiers::NONE));
    let field = TextEdit::singleline(text).id(id).hint_text(words.to_owned());
    ui.add(field.desired_width(WIDTH).char_limit(MAX_CHARACTERS));
    (back || forward).then_some(forward)
}

/// The place of the cursor in the text, bytes. A selection without the focus is lost: its end remains.
fn cursor(ui: &Ui, text: &str, buffer: &Buffer) -> usize {
    let state = TextEditState::load(ui.ctx(), Editor::field_of(&buffer.name));
    let range = state.and_then(|state| state.cursor.char_range());
    range.map_or(0, |range| byte_of(text, range.as_sorted_char_range().end.0))
}

/// Selects a byte range in the text field.
pub(super) fn select(ui: &Ui, id: Id, text: &str, range: Range<usize>) {
    use egui::text::{CCursor, CCursorRange};
    let cursor = |byte| CCursor::new(character_of(text, byte));
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(cursor(range.start), cursor(range.end))));
    state.store(ui.ctx(), id);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_names_the_current_match() {
        assert_eq!(count(false, Some(1), 6), "2 of 6");
        assert_eq!([count(false, None, 6), count(false, None, 1)], ["6 matches", "1 match"]);
        assert_eq!([count(false, None, 0), count(true, None, 0)], ["no match", ""]);
    }
}
