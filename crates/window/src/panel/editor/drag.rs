//! Dragging of a value in the text, with Ctrl, as with a slider: a number, a vector, a color.

use egui::color_picker::{Alpha, color_picker_color32};
use egui::{CursorIcon, Id, Popup, PopupCloseBehavior, Rect, Sense, SetOpenCommand, Stroke, Ui, Vec2, vec2};
use steerbox_picture::render::theme;
use steerbox_project::reload::is_script;
use steerbox_scene::Color;

use super::marks::Rows;
use crate::commands::action::{Action, EditorAction};
use crate::model::editor::changes::Joins;
use crate::model::editor::draggable::{Draggable, color_text};
use crate::model::editor::lines::byte_of;

/// A drag in progress, or a color whose picker is open.
#[derive(Clone)]
struct Drag {
    /// The value at its place in the text now.
    value: Draggable,
    /// Its text when the drag began, and the points since.
    original: String,
    way: Vec2,
    /// True if it has changed the text: a drag is undone in one step.
    has_changed: bool,
    /// True if the picker of the color is open.
    picks: bool,
}

/// Changes the value under the pointer while it is dragged with Ctrl; the text runs as soon as it passes the checks. A click
/// on a color opens a picker.
pub(super) fn drag(
    ui: &Ui,
    name: &str,
    (text, starts): (&str, &[usize]),
    rows: &Rows<'_>,
    actions: &mut Vec<Action>,
) {
    let id = Id::unique("dragged value").with(name);
    let before: Option<Drag> = ui.data(|data| data.get_temp(id));
    let before = before.filter(|drag| text.get(drag.value.range.clone()).is_some());
    let value = before.as_ref().map(|drag| drag.value.clone()).or_else(|| pointed(ui, name, text, rows));
    let Some(value) = value else {
        return;
    };
    let Some(rect) = rows.bytes(text, starts, &value.range).first().copied() else {
        return;
    };
    let is_color = value.color().is_some();
    let sense = if is_color { Sense::click_and_drag() } else { Sense::drag() };
    let icon = if value.is_flat() { CursorIcon::ResizeHorizontal } else { CursorIcon::Move };
    let response = ui.interact(rect.expand2(vec2(5.0, 1.0)), id, sense).on_hover_cursor(icon);
    ui.painter()
        .line_segment([rect.left_bottom(), rect.right_bottom()], Stroke::new(1.5, theme::of(ui).accent));
    let begin = || Drag {
        original: text[value.range.clone()].to_owned(),
        way: Vec2::ZERO,
        has_changed: false,
        picks: false,
        value: value.clone(),
    };
    let clicked = is_color && response.clicked();
    let is_open = before.as_ref().is_some_and(|drag| drag.picks);
    if !response.dragged() && !clicked && !is_open {
        ui.data_mut(|data| data.remove::<Drag>(id));
        return;
    }
    let mut drag = before.unwrap_or_else(begin);
    drag.picks |= clicked;
    let changed = if drag.picks {
        pick(ui, id, rect, clicked, &mut drag)
    } else {
        ui.ctx().set_cursor_icon(icon);
        drag.way += response.drag_delta();
        drag.value.moved(&drag.original, [drag.way.x, -drag.way.y])
    };
    if let Some(changed) = changed.filter(|changed| text[drag.value.range.clone()] != *changed) {
        let range = &mut drag.value.range;
        let (start, end) = (range.start, range.end);
        let text = format!("{}{changed}{}", &text[..start], &text[end..]);
        range.end = start + changed.len();
        let joins = if drag.has_changed { Joins::Always } else { Joins::Never };
        drag.has_changed = true;
        actions.push(EditorAction::Type { name: name.to_owned(), text, joins, runs: true }.into());
    }
    ui.data_mut(|data| data.insert_temp(id, drag));
}

/// Shows the picker of a color below it. Returns the text of a color that was picked.
fn pick(ui: &Ui, id: Id, rect: Rect, opens: bool, drag: &mut Drag) -> Option<String> {
    let popup = Popup::new(id.with("picker"), ui.ctx().clone(), rect, ui.layer_id())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .open_memory(opens.then_some(SetOpenCommand::Bool(true)));
    let mut color = theme::color32(drag.value.color()?);
    let shown = popup.show(|ui| color_picker_color32(ui, &mut color, Alpha::OnlyBlend));
    drag.picks = shown.is_some();
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let color = Color { r, g, b, a };
    shown.filter(|shown| shown.inner)?;
    drag.value.set_color(color);
    Some(color_text(color))
}

/// The value under the pointer while Ctrl is held.
fn pointed(ui: &Ui, name: &str, text: &str, rows: &Rows<'_>) -> Option<Draggable> {
    let is_held = ui.input(|input| input.modifiers.command);
    let pointer =
        ui.ctx().pointer_hover_pos().filter(|pointer| is_held && ui.clip_rect().contains(*pointer))?;
    let cursor = rows.galley.cursor_from_pos(pointer - rows.corner);
    let byte = byte_of(text, cursor.index.0);
    let at = |byte| Draggable::at(text, byte, !is_script(std::path::Path::new(name)));
    at(byte).or_else(|| at(byte.checked_sub(1)?))
}
