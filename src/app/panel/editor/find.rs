//! The search bar.

use std::ops::Range;

use egui::text_edit::TextEditState;
use egui::{Id, Key, Modifiers, TextEdit, Ui};

use crate::app::commands::action::{Action, EditorAction};
use crate::app::model::editor::buffer::Buffer;
use crate::app::model::editor::lines::{byte_of, character_of};
use crate::app::model::editor::typing::matches;
use crate::app::model::editor::{Editor, Find, Request};
use crate::app::model::view_state::ViewState;
use crate::app::panel::hint;
use crate::diagnostics::counted;

/// Width of a field, points.
const WIDTH: f32 = 140.0;

/// Shows the bar if it is open. Returns the match to select, as a byte range.
pub(super) fn bar(
    ui: &mut Ui,
    view: &ViewState,
    buffer: &Buffer,
    actions: &mut Vec<Action>,
) -> Option<Range<usize>> {
    let mut find = view.editor.find.clone()?;
    let text = buffer.text();
    let (mut steps, mut replaced) = (None, None);
    ui.horizontal_wrapped(|ui| {
        let [searched, replacement] = Editor::find_fields();
        if view.editor.request == Some(Request::FocusFind) {
            ui.memory_mut(|memory| memory.request_focus(searched));
        }
        steps = field(ui, searched, &mut find.text, "Find");
        let found = matches(text, &find.text);
        if find.replaces {
            let enter = field(ui, replacement, &mut find.replacement, "Replace by").is_some();
            if ui.small_button("Replace").clicked() || enter {
                replaced = replace(ui, text, &found, &find, buffer);
                steps = Some(true);
            }
            if ui.small_button("All").clicked() {
                replaced = Some(all_replaced(text, &found, &find.replacement));
            }
        }
        if ui.small_button("<").on_hover_text("Shift+Enter").clicked() {
            steps = Some(false);
        }
        if ui.small_button(">").on_hover_text("Enter").clicked() {
            steps = Some(true);
        }
        hint::weak(ui, counted(found.len(), ["match", "matches"]));
    });
    let changed = replaced.map(|text| EditorAction::Type { name: buffer.name.clone(), text, runs: false });
    let text = match &changed {
        Some(EditorAction::Type { text, .. }) => text.clone(),
        _ => text.to_owned(),
    };
    actions.extend(changed.map(Action::from));
    let found = matches(&text, &find.text);
    let typed = view.editor.find.as_ref().is_some_and(|before| before.text != find.text);
    let next = match steps {
        Some(forward) => neighbor(&found, selection(ui, &text, buffer), forward),
        None if typed => found.iter().find(|found| found.end > selection(ui, &text, buffer).start).cloned(),
        None => None,
    };
    if view.editor.find.as_ref() != Some(&find) {
        actions.push(EditorAction::Find(find).into());
    }
    next
}

/// A field. Returns true if Enter was pressed in it, false for Shift+Enter.
fn field(ui: &mut Ui, id: Id, text: &mut String, words: &str) -> Option<bool> {
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let pressed =
        |ui: &Ui, modifiers| has_focus && ui.input_mut(|input| input.consume_key(modifiers, Key::Enter));
    let (back, forward) = (pressed(ui, Modifiers::SHIFT), pressed(ui, Modifiers::NONE));
    ui.add(TextEdit::singleline(text).id(id).hint_text(words.to_owned()).desired_width(WIDTH));
    (back || forward).then_some(forward)
}

/// The selected byte range of the text.
fn selection(ui: &Ui, text: &str, buffer: &Buffer) -> Range<usize> {
    let state = TextEditState::load(ui.ctx(), Editor::field_of(&buffer.name));
    let range = state.and_then(|state| state.cursor.char_range());
    range.map_or(0..0, |range| {
        let range = range.as_sorted_char_range();
        byte_of(text, range.start.0)..byte_of(text, range.end.0)
    })
}

/// The match after or before a selection; from the end, the search continues at the start.
fn neighbor(found: &[Range<usize>], from: Range<usize>, forward: bool) -> Option<Range<usize>> {
    let next = if forward {
        found.iter().find(|found| found.start >= from.end && **found != from).or(found.first())
    } else {
        found.iter().rev().find(|found| found.end <= from.start && **found != from).or(found.last())
    };
    next.cloned()
}

/// The text with the selected match replaced; `None` if no match is selected.
fn replace(ui: &Ui, text: &str, found: &[Range<usize>], find: &Find, buffer: &Buffer) -> Option<String> {
    let selected = selection(ui, text, buffer);
    let is_selected = found.contains(&selected);
    is_selected.then(|| all_replaced(text, &[selected], &find.replacement))
}

fn all_replaced(text: &str, found: &[Range<usize>], replacement: &str) -> String {
    let (mut result, mut at) = (String::with_capacity(text.len()), 0);
    for found in found {
        result.push_str(&text[at..found.start]);
        result.push_str(replacement);
        at = found.end;
    }
    result + &text[at..]
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
    fn the_search_continues_at_the_other_end() {
        let found = [1..3, 5..7];
        let next = |from, forward| neighbor(&found, from, forward);
        assert_eq!(next(0..0, true), Some(1..3));
        assert_eq!(next(1..3, true), Some(5..7));
        assert_eq!(next(5..7, true), Some(1..3));
        assert_eq!(next(1..3, false), Some(5..7));
        assert_eq!(next(5..7, false), Some(1..3));
        assert_eq!(neighbor(&[], 0..0, true), None);
    }

    #[test]
    fn all_matches_are_replaced() {
        assert_eq!(all_replaced("a b a", &[0..1, 4..5], "xy"), "xy b xy");
    }
}
