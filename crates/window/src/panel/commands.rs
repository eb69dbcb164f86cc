//! The command palette: typed text filters the list; arrow keys and Enter select.

use egui::{Align2, FontId, Key, Rect, Response, ScrollArea, Sense, TextStyle, Ui, Window, vec2};
use steerbox_picture::render::theme;

use super::dialog::{Typed, pressed};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::commands::palette::{Listed, found};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Width of the list, height of a row, and height of all visible rows, points.
const WIDTH: f32 = 560.0;
const ROW: f32 = 26.0;
const HEIGHT: f32 = ROW * 13.0;
/// Distance from the top of the window to the list, points.
const TOP: f32 = 56.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let mut typed = Typed::load(ui, Dialog::Commands, String::new);
    let screen = ui.ctx().content_rect();
    Window::new("commands")
        .title_bar(false)
        .resizable(false)
        .order(egui::Order::Foreground)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(screen.center_top() + vec2(0.0, TOP))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(screen.width() - 40.0));
            actions.extend(list(ui, &mut typed, session, view));
        });
    typed.store(ui);
}

/// Shows the field and the rows. Returns the selected action and closes the list, or returns `None` while it is open.
fn list(ui: &mut Ui, typed: &mut Typed, session: &LiveSession, view: &ViewState) -> Vec<Action> {
    let (up, down) = (pressed(ui, Key::ArrowUp), pressed(ui, Key::ArrowDown));
    let (_, enter) = typed.field(ui, |field| {
        field.hint_text("Type a command").font(TextStyle::Heading).desired_width(f32::INFINITY)
    });
    let rows = found(&typed.text, session, view);
    let last = rows.len().saturating_sub(1);
    typed.chosen = match (up, down) {
        (true, _) => typed.chosen.checked_sub(1).unwrap_or(last),
        (_, true) if typed.chosen >= last => 0,
        (_, true) => typed.chosen + 1,
        _ => typed.chosen.min(last),
    };
    let clicked = shown(ui, &rows, typed.chosen, up || down);
    if ui.input(|input| input.pointer.any_pressed()) && typed.is_shown && leaves(ui) {
        return vec![ViewAction::ToggleDialog(Dialog::Commands).into()];
    }
    let chosen = clicked.or(Some(typed.chosen).filter(|_| enter));
    let Some(Ok(action)) = chosen.and_then(|at| rows.get(at)).map(|listed| listed.action.clone()) else {
        return Vec::new();
    };
    copy(ui, session, &action);
    vec![ViewAction::ToggleDialog(Dialog::Commands).into(), action]
}

/// Copies the command line into the clipboard, which belongs to the context of the panel, if the action is to copy it.
pub(super) fn copy(ui: &Ui, session: &LiveSession, action: &Action) {
    if *action == SessionAction::CopyCommand.into() {
        ui.ctx().copy_text(session.command());
    }
}

/// True if the pointer is outside of the list.
fn leaves(ui: &Ui) -> bool {
    let outside = |pointer: egui::Pos2| !ui.clip_rect().contains(pointer);
    ui.input(|input| input.pointer.interact_pos()).is_some_and(outside)
}

/// Shows the rows. Returns the clicked one. A row that was selected by key scrolls into view.
fn shown(ui: &mut Ui, rows: &[Listed], chosen: usize, by_key: bool) -> Option<usize> {
    if rows.is_empty() {
        ui.add_space(6.0);
        super::hint::weak(ui, "No command matches");
        return None;
    }
    let mut clicked = None;
    ui.add_space(4.0);
    ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT).auto_shrink([false, true]).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (at, listed) in rows.iter().enumerate() {
                let row = row(ui, listed, at == chosen);
                if at == chosen && by_key {
                    row.scroll_to_me(None);
                }
                if row.clicked() {
                    clicked = Some(at);
                }
            }
        },
    );
    clicked
}

/// A row: the name, as much of the description as fits, and the keys on the right.
fn row(ui: &mut Ui, listed: &Listed, is_chosen: bool) -> Response {
    let (rect, row) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::CLICK);
    if !ui.is_rect_visible(rect) {
        return row;
    }
    let (theme, painter) = (theme::of(ui), ui.painter());
    if is_chosen {
        painter.rect_filled(rect, 4.0, theme.selected);
    } else if row.hovered() {
        painter.rect_filled(rect, 4.0, theme.faint);
    }
    let (left, right) = (rect.left_center() + vec2(8.0, 0.0), rect.right_center() - vec2(8.0, 0.0));
    let (keys, color) = match listed.action {
        Ok(_) => (listed.keys.as_str(), theme.text),
        Err(refusal) => (refusal, theme.weak),
    };
    let font = |size| FontId::proportional(size);
    let mono = if listed.action.is_ok() { FontId::monospace(12.5) } else { font(12.0) };
    let key_color = match listed.action {
        Ok(_) if is_chosen => theme.bright,
        Ok(_) => theme.accent,
        Err(_) => theme.weak,
    };
    let keys = painter.text(right, Align2::RIGHT_CENTER, keys, mono, key_color);
    let name = painter.text(left, Align2::LEFT_CENTER, &listed.name, font(14.0), color);
    if !listed.about.is_empty() {
        let room = Rect::from_min_max(name.right_top(), keys.left_bottom()).shrink2(vec2(8.0, 0.0));
        let place = egui::pos2(room.left(), name.center().y + 0.5);
        ui.painter_at(room.expand2(vec2(0.0, 8.0))).text(
            place,
            Align2::LEFT_CENTER,
            listed.about,
            font(12.0),
            theme.weak,
        );
    }
    row
}
