//! The panel of values, groups and files.

use egui::{ScrollArea, Ui, UiBuilder, Vec2};

use super::parts::{HALF, Kit};
use super::{controls, costs, files, groups, hint, inspector};
use crate::commands::action::Action;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Height of a panel below which all of it scrolls, points.
const LOW: f32 = 480.0;

/// The content of the panel: in a low one all of it scrolls, else only the part below the separator; in one that is low
/// and wide, that part is beside the rest.
pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    hint::begin(ui);
    let head =
        |ui: &mut Ui, actions: &mut Vec<Action>| controls::show(ui, &mut Kit { session, view, actions });
    let room = ui.available_rect_before_wrap();
    let is_flat = is_flat(room.size());
    let is_low = !is_flat && room.height() < LOW;
    let mut rest = room;
    if is_flat {
        let left = room.with_max_x(room.left() + controls::WIDTH);
        let mut left = ui.new_child(UiBuilder::new().max_rect(left));
        ScrollArea::vertical().id_salt("head").auto_shrink(false).show(&mut left, |ui| head(ui, actions));
        rest.min.x += controls::WIDTH + 2.0 * ui.spacing().item_spacing.x;
    } else if !is_low {
        head(ui, actions);
        ui.separator();
        rest = ui.available_rect_before_wrap();
    }
    let mut rest = ui.new_child(UiBuilder::new().max_rect(rest));
    ScrollArea::vertical().auto_shrink(false).show(&mut rest, |ui| {
        let width = ui.available_width();
        inspector::show_in_panel(ui, session, view, actions);
        // A wide inspector does not widen the rest.
        ui.scope(|ui| {
            ui.set_max_width(width);
            if is_low {
                head(ui, actions);
                ui.separator();
            }
            groups::show(ui, session, view, actions);
            costs::show(ui, session, view, actions);
            files::show(ui, session, view, actions);
        });
    });
}

/// The buttons of a pane that is wide and low are beside the rest.
fn is_flat(room: Vec2) -> bool {
    room.x > 2.0 * controls::WIDTH && room.y < room.x * HALF
}
