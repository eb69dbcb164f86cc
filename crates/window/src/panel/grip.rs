//! The handle of a pane and its menu.

use egui::{CursorIcon, Id, Popup, Rect, Response, Sense, Ui, Vec2, vec2};
use steerbox_picture::render::theme;

use crate::commands::action::{Action, ViewAction};
use crate::model::panes::{Dock, Pane};
use crate::model::view_state::ViewState;

/// Size of a grip, points, its dots in columns and rows, and their distance.
pub(super) const GRIP: Vec2 = vec2(16.0, 18.0);
const DOTS: [usize; 2] = [2, 3];
const DOT_GAP: f32 = 4.0;

/// A handle of a pane: a drag moves it to another dock, a click opens its menu.
pub(super) fn grip(ui: &mut Ui, pane: Pane, view: &ViewState, actions: &mut Vec<Action>) {
    let place = grip_space(ui);
    grip_at(ui, place, pane, view, actions);
}

/// The space of a grip that is added later.
pub(super) fn grip_space(ui: &mut Ui) -> Rect {
    ui.allocate_exact_size(GRIP, Sense::hover()).0
}

/// As [`grip`], at a place.
pub(super) fn grip_at(ui: &Ui, place: Rect, pane: Pane, view: &ViewState, actions: &mut Vec<Action>) {
    let response = ui.interact(place, Id::unique("grip").with(pane), Sense::click_and_drag());
    let theme = theme::of(ui);
    let is_active = response.hovered() || response.dragged() || response.has_focus();
    let color = if is_active { theme.bright } else { theme.weak };
    for column in 0..DOTS[0] {
        for row in 0..DOTS[1] {
            let at = |index: usize, count: usize| (index as f32 - (count - 1) as f32 * 0.5) * DOT_GAP;
            let center = place.center() + vec2(at(column, DOTS[0]), at(row, DOTS[1]));
            ui.painter().circle_filled(center, 1.2, color);
        }
    }
    drag(&response, pane);
    Popup::menu(&response).show(|ui| menu(ui, pane, view, actions));
    let words = format!("Drag: dock {} at another side; click: menu", pane.words()[1]);
    response.on_hover_cursor(CursorIcon::Grab).on_hover_text(words);
}

/// The docks of a pane, and what else applies to it.
pub(super) fn menu(ui: &mut Ui, pane: Pane, view: &ViewState, actions: &mut Vec<Action>) {
    for dock in pane.docks() {
        let is_here = view.layout.panes.dock(pane) == *dock;
        let words = match dock {
            Dock::World => "Over the world".to_owned(),
            _ => format!("Dock {}", dock.words()),
        };
        if ui.selectable_label(is_here, words).clicked() {
            actions.push(ViewAction::DockPane(pane, *dock).into());
        }
    }
    ui.separator();
    let hide = match pane {
        Pane::Editor => Some(ViewAction::CloseScript),
        _ => pane.switch().map(ViewAction::Toggle),
    };
    if let Some(hide) = hide
        && ui.button("Close").clicked()
    {
        actions.push(hide.into());
    }
    if ui.button("Reset layout").on_hover_text("Docks and sizes of all panes").clicked() {
        actions.push(ViewAction::ResetLayout.into());
    }
}

/// A pane that is dragged, and if it is released.
#[derive(Clone, Copy)]
pub(super) struct Dragged(pub(super) Pane, pub(super) bool);

/// Stores that a handle of a pane is dragged.
pub(super) fn drag(handle: &Response, pane: Pane) {
    if handle.dragged() || handle.drag_stopped() {
        let dragged = Dragged(pane, handle.drag_stopped());
        handle.ctx.data_mut(|data| data.insert_temp(dragged_id(), dragged));
    }
}

/// The key of the pane that is dragged.
pub(super) fn dragged_id() -> Id {
    Id::unique("dragged pane")
}
