//! Titles of rules and groups: a click selects, a drag moves in the list, a right click opens the menu.

use egui::{CursorIcon, EventFilter, Response, Stroke, StrokeKind, Ui};
use steerbox_picture::render::theme;
use steerbox_scene::{ListItem, Rearrange};

use super::menu;
use super::parts::Kit;
use crate::commands::action::{EditorAction, ViewAction};
use crate::commands::palette::Listed;

/// A dragged item and its index in its list.
struct Dragged(ListItem, usize);

impl Dragged {
    /// True for another item of the same list.
    fn is_beside(&self, item: &ListItem) -> bool {
        match (&self.0, item) {
            (ListItem::Group(_), ListItem::Group(_)) => self.0 != *item,
            (ListItem::Behavior(group, ..), ListItem::Behavior(other, ..)) => {
                group == other && self.0 != *item
            }
            _ => false,
        }
    }
}

/// Handles the pointer over the title of an item, and over its whole place, which receives dragged items. `others` are
/// commands of its menu in addition to its edits.
pub(super) fn show(
    ui: &Ui,
    kit: &mut Kit<'_>,
    (item, at): (&ListItem, usize),
    (title, place): (&Response, &Response),
    others: impl FnOnce() -> Vec<Listed>,
) {
    let select = ViewAction::SelectItem(item.clone());
    if title.clicked() || title.gained_focus() {
        kit.actions.push(select.clone().into());
    }
    if title.has_focus() {
        // Alt+Up and Alt+Down move the item instead of the focus.
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(title.id, filter));
    }
    title.dnd_set_drag_payload(Dragged(item.clone(), at));
    if title.dragged() {
        ui.set_cursor_icon(CursorIcon::Grabbing);
    }
    let stroke = Stroke::new(1.5, theme::of(ui).accent);
    if kit.view.selection.item() == Some(item) {
        ui.painter().rect_stroke(place.rect, 6.0, stroke, StrokeKind::Inside);
    }
    if let Some(dragged) = place.dnd_hover_payload::<Dragged>().filter(|dragged| dragged.is_beside(item)) {
        let edge = if dragged.1 > at { place.rect.top() } else { place.rect.bottom() };
        ui.painter().hline(place.rect.x_range(), edge, stroke);
    }
    if let Some(dragged) = place.dnd_release_payload::<Dragged>().filter(|dragged| dragged.is_beside(item)) {
        let by = Rearrange::Move(at.cast_signed() - dragged.1.cast_signed());
        kit.actions.push(EditorAction::Rearrange(dragged.0.clone(), by).into());
    }
    if title.secondary_clicked() {
        kit.actions.push(select.into());
    }
    let commands = || {
        let edits = [
            ViewAction::DuplicateSelected,
            ViewAction::RemoveSelected,
            ViewAction::RearrangeSelected(Rearrange::Move(-1)),
            ViewAction::RearrangeSelected(Rearrange::Move(1)),
        ];
        let edits = edits.into_iter().filter_map(|edit| Listed::of(edit, kit.session, kit.view));
        others().into_iter().chain(edits).collect()
    };
    menu::show(title, commands, kit.actions);
}
