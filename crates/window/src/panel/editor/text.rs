//! The text field with line numbers, colors, marks and values.

use std::ops::Range;
use std::sync::Arc;

use egui::text_edit::{TextEditOutput, TextEditState};
use egui::{
    Align, Align2, Event, EventFilter, FontId, Frame, Id, Key, Margin, Modifiers, Rect, ScrollArea, Sense,
    Shape, TextBuffer, TextEdit, TextStyle, Ui, pos2,
};
use steerbox_core::diagnostics::{Fault, Severity, offset_of};
use steerbox_picture::render::theme;
use steerbox_scene::MAX_LENGTH;

use super::assist::{self, At};
use super::layout::Layout;
use super::marks::{self, Rows};
use super::values::Values;
use super::{drag, find};
use crate::commands::action::{Action, EditorAction, SessionAction, ViewAction};
use crate::model::editor::buffer::Buffer;
use crate::model::editor::changes::Joins;
use crate::model::editor::lines::byte_of;
use crate::model::editor::scan;
use crate::model::editor::typing::{self, STEP};
use crate::model::editor::{Editor, Request};
use crate::model::history::Plotted;
use crate::model::view_state::ViewState;

/// Minimum number of columns of a line number with its gap, and the rightmost column at which values begin.
const NUMBER: usize = 5;
const VALUES: usize = 50;

/// The text and what is shown with it.
pub(super) struct Shown<'a> {
    pub(super) buffer: &'a Buffer,
    pub(super) faults: &'a [Fault],
    pub(super) values: &'a Values<'a>,
    /// The byte range to select.
    pub(super) selected: Option<Range<usize>>,
}

/// Removes the focus from the text of a file that was closed.
pub(in crate::panel) fn leave(ui: &Ui, view: &ViewState) {
    if view.editor.request == Some(Request::Leave) {
        ui.memory_mut(|memory| memory.focused().map(|focused| memory.surrender_focus(focused)));
    }
}

/// Shows the text; `below` points stay free.
pub(super) fn show(ui: &mut Ui, shown: &Shown<'_>, view: &ViewState, below: f32, actions: &mut Vec<Action>) {
    let name = &shown.buffer.name;
    let id = Editor::field_of(name);
    let mut text = latest(actions, name).unwrap_or(shown.buffer.text()).to_owned();
    let mut scrolls = prepare(ui, id, &text, shown, view, actions);
    let cursor_before = cursor_of(ui, id);
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = (ui.available_height() - below).max(40.0);
    let area = ScrollArea::both().id_salt(("text", name)).auto_shrink(false).max_height(height);
    area.show(ui, |ui| {
        let below_text = ui.painter().add(Shape::Noop);
        let output = field(ui, id, &mut text, shown);
        let rows = Rows { galley: &output.galley, corner: output.galley_pos };
        let layout = Layout::of(ui, &text, shown.values);
        let starts = &layout.starts;
        let is_typed = output.response.changed();
        if is_typed {
            let (name, text) = (name.clone(), text.clone());
            actions.push(EditorAction::Type { name, text, joins: Joins::Typing, runs: false }.into());
        }
        let cursor_after = cursor_of(ui, id);
        let cursor = output.cursor_range.map(|range| byte_of(&text, range.primary.index.0));
        // Without the focus there is no cursor, and a search needs its place.
        let place = output.state.cursor.char_range().map(|range| range.as_sorted_char_range().end.0);
        let place = place.map(|place| byte_of(&text, place));
        let shapes = highlights(ui, &text, &layout, &rows, (cursor, place), view);
        ui.painter().set(below_text, Shape::Vec(shapes));
        numbers(ui, &rows, shown.faults);
        beside(ui, &rows, shown, view, actions);
        marks::underline(ui, &rows, shown.faults);
        let at = At { text: &text, starts, buffer: shown.buffer, rows: &rows, faults: shown.faults, cursor };
        assist::follow(&at, (is_typed, cursor_after != cursor_before), view, actions);
        assist::show(ui, &at, view, actions);
        drag::drag(ui, name, (&text, starts), &rows, actions);
        scrolls |= output.response.has_focus() && cursor_of(ui, id) != cursor_before;
        if let Some(Request::Show(line)) = view.editor.request
            && let Some(rect) = rows.line(line.saturating_sub(1))
        {
            ui.scroll_to_rect(rect, Some(Align::TOP));
        }
        if scrolls && let Some(range) = output.state.cursor.char_range() {
            let cursor = rows.galley.pos_from_cursor(range.primary).translate(rows.corner.to_vec2());
            let align = matches!(view.editor.request, Some(Request::GoTo(..))).then_some(Align::TOP);
            ui.scroll_to_rect(cursor.expand(20.0), align);
        }
    });
}

/// The character at which the cursor stands.
fn cursor_of(ui: &Ui, id: Id) -> Option<usize> {
    let state = TextEditState::load(ui.ctx(), id)?;
    state.cursor.char_range().map(|range| range.primary.index.0)
}

/// The text of a file as changed by the last action, if any.
fn latest<'a>(actions: &'a [Action], name: &str) -> Option<&'a str> {
    actions.iter().rev().find_map(|action| match action {
        Action::View(ViewAction::Edit(EditorAction::Type { name: of, text, .. })) if of == name => {
            Some(&**text)
        }
        _ => None,
    })
}

/// Executes requests, and converts keys that write more than their letter. Returns true if the cursor is to be visible.
fn prepare(
    ui: &Ui,
    id: Id,
    text: &str,
    shown: &Shown<'_>,
    view: &ViewState,
    actions: &mut Vec<Action>,
) -> bool {
    match &view.editor.request {
        Some(Request::GoTo(line, column)) => {
            let at = offset_of(text, (*line, *column));
            find::select(ui, id, text, at..at);
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        Some(Request::Focus) => ui.memory_mut(|memory| memory.request_focus(id)),
        Some(Request::Leave) => ui.memory_mut(|memory| memory.surrender_focus(id)),
        Some(Request::Select(range)) => {
            find::select(ui, id, text, range.clone());
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        Some(Request::FocusName(range)) => find::select(ui, id, text, range.clone()),
        Some(Request::FocusFind | Request::Show(_) | Request::Help(_)) | None => {}
    }
    if let Some(range) = &shown.selected {
        find::select(ui, id, text, range.clone());
    }
    if ui.memory(|memory| memory.has_focus(id)) {
        assist::keys(ui, view, actions);
        undo(ui, id, actions);
        refuse_long(ui, text, actions);
        type_more(ui, id, text);
    }
    let moves =
        |request: &Request| matches!(request, Request::GoTo(..) | Request::Select(_) | Request::FocusName(_));
    shown.selected.is_some() || view.editor.request.as_ref().is_some_and(moves)
}

/// Converts the keys of undo and redo to actions. The field would undo movements of the cursor, too; what it stores for that
/// is dropped.
fn undo(ui: &Ui, id: Id, actions: &mut Vec<Action>) {
    for (modifiers, key, is_redo) in [
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z, true),
        (Modifiers::COMMAND, Key::Z, false),
        (Modifiers::COMMAND, Key::Y, true),
    ] {
        let count = ui.input_mut(|input| input.count_and_consume_key(modifiers, key));
        actions.extend((0..count).map(|_| Action::from(EditorAction::UndoText(is_redo))));
    }
    if let Some(mut state) = TextEditState::load(ui.ctx(), id) {
        state.clear_undoer();
    }
}

/// Drops a text that is pasted if the whole could neither run nor be saved.
fn refuse_long(ui: &Ui, text: &str, actions: &mut Vec<Action>) {
    let is_long =
        |event: &Event| matches!(event, Event::Paste(pasted) if text.len() + pasted.len() > MAX_LENGTH);
    let is_refused = ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !is_long(event));
        input.events.len() < before
    });
    if is_refused {
        let why = format!("nothing was pasted: no file has more than {MAX_LENGTH} bytes");
        actions.push(SessionAction::Refuse(why).into());
    }
}

/// Converts Enter, Tab and closing brackets to the texts that they insert.
fn type_more(ui: &Ui, id: Id, text: &str) {
    let state = TextEditState::load(ui.ctx(), id);
    let Some(range) = state.as_ref().and_then(|state| state.cursor.char_range()) else {
        return;
    };
    let sorted = range.as_sorted_char_range();
    let (start, is_empty) = (byte_of(text, sorted.start.0), range.is_empty());
    let closes =
        |event: &Event| matches!(event, Event::Text(typed) if typed == "}" || typed == ")" || typed == "]");
    let outdent = if is_empty { typing::outdent(text, start) } else { 0 };
    let is_closing = ui.input(|input| input.events.iter().any(closes));
    if is_closing && outdent > 0 {
        find::select(ui, id, text, start - outdent..start);
    } else if is_empty
        && ui.input(|input| input.events.iter().any(|event| *event == Event::Text(")".to_owned())))
        && typing::is_closed(text, start)
    {
        find::select(ui, id, text, start..start + 1);
    }
    ui.input_mut(|input| {
        for event in &mut input.events {
            let Event::Key { key, pressed: true, modifiers, .. } = event else {
                continue;
            };
            match key {
                Key::Enter if modifiers.is_none() => *event = Event::Paste(typing::new_line(text, start)),
                Key::Tab if modifiers.is_none() => *event = Event::Paste(STEP.to_owned()),
                _ => {}
            }
        }
    });
}

fn letter(ui: &Ui) -> (FontId, f32) {
    let font = TextStyle::Monospace.resolve(ui.style());
    let width = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    (font, width)
}

fn field(ui: &mut Ui, id: Id, text: &mut String, shown: &Shown<'_>) -> TextEditOutput {
    let (_, letter) = letter(ui);
    let lines = Layout::of(ui, text, shown.values).starts.len();
    let columns = NUMBER.max(lines.to_string().len() + 2);
    let margin = Margin { left: (columns as f32 * letter) as i8, ..Margin::ZERO };
    let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| {
        Arc::clone(&Layout::of(ui, text.as_str(), shown.values).galley)
    };
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    TextEdit::multiline(text)
        .id(id)
        .frame(Frame::NONE.inner_margin(margin))
        .desired_width(f32::INFINITY)
        .min_size(ui.available_size())
        .event_filter(filter)
        .layouter(&mut layouter)
        .show(ui)
}

/// Backgrounds of matches of the search, the current one stronger, and of the bracket at the cursor and its counterpart.
fn highlights(
    ui: &Ui,
    text: &str,
    layout: &Layout,
    rows: &Rows<'_>,
    (cursor, place): (Option<usize>, Option<usize>),
    view: &ViewState,
) -> Vec<Shape> {
    let theme = theme::of(ui);
    let found = view.editor.matches(text);
    let current = place.and_then(|place| typing::current(&found, place));
    let brackets =
        cursor.and_then(|cursor| scan::matching(text, &layout.pieces, cursor)).into_iter().flatten();
    let found = found.into_iter().enumerate().map(|(at, found)| (found, current == Some(at)));
    let ranges = found.chain(brackets.map(|at| (at..at + 1, false)));
    let rects = ranges.flat_map(|(range, is_current)| {
        rows.bytes(text, &layout.starts, &range).into_iter().map(move |rect| (rect, is_current))
    });
    let visible = rects.filter(|(rect, _)| ui.clip_rect().intersects(*rect));
    let shape = |(rect, is_current)| {
        let fill = if is_current { theme.accent.gamma_multiply(0.5) } else { theme.selected };
        Shape::rect_filled(rect, 2.0, fill)
    };
    visible.map(shape).collect()
}

/// The numbers of the visible lines; those with faults in the color of the fault.
fn numbers(ui: &Ui, rows: &Rows<'_>, faults: &[Fault]) {
    let ((font, letter), theme) = (letter(ui), theme::of(ui));
    let x = rows.corner.x - 1.5 * letter;
    for line in visible(ui, rows) {
        let Some(rect) = rows.line(line) else {
            continue;
        };
        let worst = faults.iter().filter(|fault| fault.line == line + 1).map(|fault| fault.severity).min();
        let color = match worst {
            Some(Severity::Error) => theme.bad,
            Some(Severity::Warning) => theme.warning,
            None => theme.weak.gamma_multiply(0.6),
        };
        let place = pos2(x, rect.top());
        ui.painter().text(place, Align2::RIGHT_TOP, line + 1, font.clone(), color);
    }
}

/// The lines in the visible part.
fn visible(ui: &Ui, rows: &Rows<'_>) -> Range<usize> {
    let clip = ui.clip_rect().translate(-rows.corner.to_vec2());
    let rows = &rows.galley.rows;
    let first = rows.partition_point(|row| row.max_y() < clip.top());
    first..rows.partition_point(|row| row.min_y() <= clip.bottom())
}

/// The values beside the visible lines; a click on one plots it.
fn beside(ui: &mut Ui, rows: &Rows<'_>, shown: &Shown<'_>, view: &ViewState, actions: &mut Vec<Action>) {
    if shown.values.lines.is_empty() {
        return;
    }
    let ((font, letter), theme) = (letter(ui), theme::of(ui));
    let widths = rows.galley.rows.iter().map(|row| row.rect().width());
    let most = VALUES.min((ui.clip_rect().width() / letter * 0.6) as usize) as f32 * letter;
    let column = widths.filter(|width| *width <= most).fold(0.0, f32::max) + 3.0 * letter;
    for number in visible(ui, rows) {
        let (Some(line), Some(rect)) = (shown.values.lines.get(&number), rows.line(number)) else {
            continue;
        };
        let (words, color) = match line.failure {
            Some(failure) => (failure.to_owned(), theme.bad),
            None => (line.values.join("; "), theme.accent),
        };
        let Some(rule) = view.script.filter(|_| !words.is_empty()) else {
            continue;
        };
        let plotted = Plotted { rule, file: shown.values.file, line: line.number };
        let galley = ui.painter().layout_no_wrap(words.clone(), font.clone(), color);
        let left = rows.corner.x + column.max(rect.width() + 3.0 * letter);
        let place = Rect::from_min_size(pos2(left, rect.top()), galley.size());
        let response = ui.interact(place, ui.scope_id().with(("value", number)), Sense::click());
        ui.expand_to_include_x(place.right() + letter);
        if view.history.plotted == Some(plotted) || response.hovered() {
            let fill = ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.5);
            ui.painter().rect_filled(place.expand(1.0), 2.0, fill);
        }
        ui.painter().galley(place.min, galley, color);
        if response.on_hover_text(format!("{words}\n\nClick: plot this value over time")).clicked() {
            actions.push(ViewAction::PlotLine(plotted).into());
        }
    }
}
