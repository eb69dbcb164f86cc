//! Help at the cursor and under the pointer: completions, changes, signatures, documentation, faults, renaming.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align2, Area, FontId, Frame, Id, Key, Modifiers, Order, Rect, RichText, ScrollArea, Sense, TextEdit,
    TextStyle, Ui, Vec2, vec2,
};
use steerbox_core::diagnostics::{Fault, Severity, offset_of};
use steerbox_picture::render::theme;
use steerbox_project::language::{Document, Signature};

use super::find;
use super::marks::Rows;
use crate::commands::action::{Action, AssistStep};
use crate::model::editor::assist::Offer;
use crate::model::editor::buffer::Buffer;
use crate::model::editor::lines::byte_of;
use crate::model::editor::{Help, Request};
use crate::model::view_state::ViewState;

/// Width of the list, and most heights of its rows, points.
const WIDTH: f32 = 340.0;
const HEIGHT: f32 = 190.0;
/// Usual height of the description below the list with the frame, points.
const ABOUT: f32 = 60.0;
/// Height of a list with the frame below which it opens on the side with more room, points.
const MIN_HEIGHT: f32 = 130.0;
/// Maximum width of a signature, and its usual height, points.
const SIGNATURE: Vec2 = vec2(480.0, 50.0);

/// Maximum number of characters of a new name.
const MAX_NAME: usize = 200;

/// Longest text in bytes that is read again for each key and each place of the pointer; in longer ones, help comes on request.
const MAX_FOLLOWED: usize = 256 << 10;

/// A signature, for the text and the cursor of which it is.
type Known = (Arc<Document>, usize, Option<Signature>);

/// A place in the text.
pub(super) struct At<'a> {
    pub(super) text: &'a str,
    pub(super) starts: &'a [usize],
    pub(super) buffer: &'a Buffer,
    pub(super) rows: &'a Rows<'a>,
    pub(super) faults: &'a [Fault],
    /// The cursor, bytes.
    pub(super) cursor: Option<usize>,
}

/// Converts keys of an open list to its steps, so that the text does not receive them.
pub(super) fn keys(ui: &Ui, view: &ViewState, actions: &mut Vec<Action>) {
    if view.editor.assist.offer.is_none() {
        return;
    }
    for (key, step) in [
        (Key::ArrowDown, AssistStep::Choose(1)),
        (Key::ArrowUp, AssistStep::Choose(-1)),
        (Key::Enter, AssistStep::Accept(None)),
        (Key::Tab, AssistStep::Accept(None)),
    ] {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            actions.push(step.into());
        }
    }
}

/// Requests what follows from a key: the list is renewed while a word is typed, and closed when the cursor moves.
pub(super) fn follow(
    at: &At<'_>,
    (is_typed, is_moved): (bool, bool),
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    let Some(cursor) = at.cursor else {
        return;
    };
    if let Some(Request::Help(help)) = view.editor.request {
        actions.push(match help {
            Help::Complete => AssistStep::Complete(cursor).into(),
            Help::Fix => AssistStep::Offer(around(at, cursor)).into(),
            Help::Define => AssistStep::Define(cursor).into(),
            Help::Rename => AssistStep::StartRenaming(cursor).into(),
        });
        return;
    }
    let before = &at.text[..cursor];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let begins = before.ends_with(is_word) || before.ends_with('.') || before.ends_with("::");
    let is_open = view.editor.assist.offer.is_some();
    let accepts = actions.iter().any(|action| *action == AssistStep::Accept(None).into());
    let is_long = at.text.len() > MAX_FOLLOWED;
    if is_typed && begins && !accepts && !is_long {
        actions.push(AssistStep::Complete(cursor).into());
    } else if is_open && (is_typed || is_moved) && !accepts {
        actions.push(AssistStep::Dismiss.into());
    }
}

/// The part of the text that a fix concerns: the fault at the cursor, or the cursor.
fn around(at: &At<'_>, cursor: usize) -> std::ops::Range<usize> {
    let of = |fault: &Fault| steerbox_project::language::is_shown_at(at.text, fault);
    let mut faults = at.faults.iter().map(of).filter(|range| (range.start..=range.end).contains(&cursor));
    faults.next().unwrap_or(cursor..cursor)
}

/// Shows the list at the cursor, or the signature of the call there, and help for the word under the pointer.
pub(super) fn show(ui: &mut Ui, at: &At<'_>, view: &ViewState, actions: &mut Vec<Action>) {
    let (assist, is_long) = (&view.editor.assist, at.text.len() > MAX_FOLLOWED);
    match assist.offer.as_ref().filter(|offer| offer.name == at.buffer.name) {
        Some(offer) => list(ui, at, offer, actions),
        None if is_long => {}
        None => signature(ui, at, view, actions),
    }
    faults(ui, at);
    if !is_long {
        hover(ui, at, view);
    }
}

/// The rectangle of a place of the text.
fn place(at: &At<'_>, byte: usize) -> Option<Rect> {
    at.rows.bytes(at.text, at.starts, &(byte..byte)).first().copied()
}

fn list(ui: &Ui, at: &At<'_>, offer: &Offer, actions: &mut Vec<Action>) {
    let Some(rect) = place(at, offer.at.min(at.text.len())) else {
        return;
    };
    let area = Area::new(Id::unique("offer of the editor")).order(Order::Foreground);
    // The line that is typed stays visible.
    let screen = ui.ctx().content_rect();
    let (above, below) = (rect.top() - screen.top(), screen.bottom() - rect.bottom());
    let row = ui.text_style_height(&TextStyle::Monospace) + ui.spacing().item_spacing.y;
    let height = (offer.entries.len() as f32 * row).min(HEIGHT);
    let (pivot, corner, room) = if below < MIN_HEIGHT.min(height + ABOUT) && above > below {
        (Align2::LEFT_BOTTOM, rect.left_top() - vec2(0.0, 2.0), above)
    } else {
        (Align2::LEFT_TOP, rect.left_bottom() + vec2(0.0, 2.0), below)
    };
    let height = HEIGHT.min(room - ABOUT).max(row);
    area.pivot(pivot).fixed_pos(corner).constrain(true).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_width(WIDTH);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                for (index, entry) in offer.entries.iter().enumerate() {
                    let theme = theme::of(ui);
                    let is_chosen = index == offer.chosen;
                    let row = ui.horizontal(|ui| {
                        let label = RichText::new(&entry.label).monospace();
                        ui.label(if is_chosen { label.color(theme.accent).strong() } else { label });
                        ui.label(RichText::new(&entry.detail).color(theme.weak).small());
                    });
                    let response = ui.interact(row.response.rect, ui.scope_id().with(index), Sense::click());
                    if is_chosen {
                        ui.painter().rect_filled(row.response.rect, 2.0, theme.selected.gamma_multiply(0.4));
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        actions.push(AssistStep::Accept(Some(index)).into());
                    }
                }
            });
            let about = offer.entries.get(offer.chosen).map_or("", |entry| &entry.about);
            if !about.is_empty() {
                ui.separator();
                ui.label(plain(about));
            }
        });
    });
}

/// Shows the signature of the call around the cursor, above its line or, in the first lines, below it.
fn signature(ui: &Ui, at: &At<'_>, view: &ViewState, actions: &mut Vec<Action>) {
    let has_focus = view.editor.has_focus(ui.ctx());
    let found = at.cursor.filter(|_| has_focus).and_then(|cursor| found_signature(ui, at, cursor, view));
    let known = view.editor.assist.signature.as_ref();
    let is_known = known.map(|known| &known.label) == found.as_ref().map(|found| &found.label);
    if !is_known {
        actions.push(AssistStep::Sign(found.as_ref().map(|found| found.label.clone())).into());
    }
    let is_closed = is_known && known.is_some_and(|known| known.is_closed);
    let place = at.cursor.and_then(|cursor| place(at, cursor));
    let (Some(found), Some(rect), false) = (found, place, is_closed) else {
        return;
    };
    let (clip, theme) = (ui.clip_rect(), theme::of(ui));
    let active = found.parameters.get(found.active).cloned().unwrap_or_default();
    let mut parts = LayoutJob::default();
    let font = FontId::monospace(TextStyle::Small.resolve(ui.style()).size);
    for (part, color) in [
        (0..active.start, theme.text),
        (active.clone(), theme.accent),
        (active.end..found.label.len(), theme.text),
    ] {
        parts.append(&found.label[part], 0.0, TextFormat::simple(font.clone(), color));
    }
    let (pivot, corner) = if rect.top() - clip.top() < SIGNATURE.y {
        (Align2::LEFT_TOP, rect.left_bottom())
    } else {
        (Align2::LEFT_BOTTOM, rect.left_top())
    };
    let area = Area::new(signature_id()).order(Order::Foreground).interactable(false);
    area.pivot(pivot).fixed_pos(corner).constrain_to(clip).show(ui.ctx(), |ui| {
        let frame = Frame::popup(ui.style());
        ui.set_max_width(SIGNATURE.x.min(clip.width() - frame.total_margin().sum().x));
        frame.show(ui, |ui| ui.label(parts));
    });
}

fn signature_id() -> Id {
    Id::unique("signature of the editor")
}

/// The signature of the call around the cursor, computed once for a text and a cursor: an unfinished call is parsed several
/// times.
fn found_signature(ui: &Ui, at: &At<'_>, cursor: usize, view: &ViewState) -> Option<Signature> {
    let assist = &view.editor.assist;
    let path = assist.path_of(&at.buffer.name);
    let document = assist.workspace.document(&path)?;
    let id = signature_id();
    let known = ui.data(|data| data.get_temp::<Known>(id));
    let known = known.filter(|(of, at, _)| Arc::ptr_eq(of, document) && *at == cursor);
    let found = known.map_or_else(|| assist.workspace.signature(&path, cursor), |(.., found)| found);
    ui.data_mut(|data| data.insert_temp::<Known>(id, (Arc::clone(document), cursor, found.clone())));
    found
}

/// Shows the fault under the pointer with its help.
fn faults(ui: &Ui, at: &At<'_>) {
    let pointer = ui.ctx().pointer_hover_pos().filter(|pointer| ui.clip_rect().contains(*pointer));
    let Some(pointer) = pointer else {
        return;
    };
    let place = |fault: &Fault| at.rows.fault(fault).filter(|rect| rect.contains(pointer));
    let found: Vec<(&Fault, Rect)> =
        at.faults.iter().filter_map(|fault| Some((fault, place(fault)?))).collect();
    let Some((_, rect)) = found.first() else {
        return;
    };
    let id = ui.scope_id().with(("fault", &at.buffer.name));
    ui.interact(*rect, id, Sense::hover()).on_hover_ui(|ui| {
        for (fault, _) in &found {
            let theme = theme::of(ui);
            let color = if fault.severity == Severity::Error { theme.bad } else { theme.warning };
            ui.label(RichText::new(&fault.message).color(color));
            if let Some(help) = &fault.help {
                ui.label(RichText::new(help).color(theme.accent));
            }
        }
    });
}

/// Shows the documentation of the name under the pointer, unless it is at fault.
fn hover(ui: &Ui, at: &At<'_>, view: &ViewState) {
    let pointer = ui.ctx().pointer_hover_pos().filter(|pointer| ui.clip_rect().contains(*pointer));
    let Some(pointer) = pointer else {
        return;
    };
    let cursor = at.rows.galley.cursor_from_pos(pointer - at.rows.corner);
    let byte = byte_of(at.text, cursor.index.0);
    let assist = &view.editor.assist;
    let Some(found) = assist.workspace.hover(&assist.path_of(&at.buffer.name), byte) else {
        return;
    };
    let is_at_fault = at.faults.iter().any(|fault| {
        let start = offset_of(at.text, (fault.line, fault.column));
        found.range.contains(&start)
    });
    let rects = at.rows.bytes(at.text, at.starts, &found.range);
    let under = rects.into_iter().find(|rect| rect.contains(pointer)).filter(|_| !is_at_fault);
    if let Some(rect) = under {
        let id = ui.scope_id().with(("documentation", &at.buffer.name, found.range.start));
        ui.interact(rect, id, Sense::hover()).on_hover_ui(|ui| {
            ui.label(plain(&found.markdown));
        });
    }
}

/// Returns Markdown without its marks.
fn plain(markdown: &str) -> String {
    let lines = markdown.lines().filter(|line| !line.starts_with("```"));
    let lines: Vec<_> = lines.map(|line| line.replace("**", "")).collect();
    lines.join("\n")
}

/// Shows the field of a new name while something is renamed, and the reason why a name does not fit.
pub(super) fn renaming(ui: &mut Ui, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(renaming) = &view.editor.assist.renaming else {
        return;
    };
    let id = Id::unique("new name of the editor");
    ui.horizontal_wrapped(|ui| {
        ui.label("Rename to");
        let mut new = renaming.new.clone();
        if matches!(view.editor.request, Some(Request::FocusName(_))) {
            find::select(ui, id, &new, 0..new.len());
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        let pressed = |key| has_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let (enter, escape) = (pressed(Key::Enter), pressed(Key::Escape));
        ui.add(TextEdit::singleline(&mut new).id(id).desired_width(180.0).char_limit(MAX_NAME));
        if new != renaming.new {
            actions.push(AssistStep::TypeName(new).into());
        }
        if ui.button("Rename").clicked() || enter {
            actions.push(AssistStep::Rename.into());
        }
        if ui.button("Cancel").clicked() || escape {
            actions.push(AssistStep::Dismiss.into());
        }
        if let Some(why) = &renaming.refusal {
            ui.label(RichText::new(why).color(theme::of(ui).bad));
        }
    });
}
