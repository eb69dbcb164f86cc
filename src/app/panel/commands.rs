//! The list of all commands: what is typed filters it, arrows and Enter choose.

use egui::{
    Align2, FontId, Id, Key, Modifiers, Rect, Response, ScrollArea, Sense, TextEdit, TextStyle, Ui, Window,
    vec2,
};

use crate::app::action::Action;
use crate::app::commands::{Listed, found};
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::app::view_state::ViewState;

/// Width of the list, height of a row, and of all rows that are seen at once, points.
const WIDTH: f32 = 560.0;
const ROW: f32 = 26.0;
const HEIGHT: f32 = ROW * 13.0;
/// From the top of the window to the list.
const TOP: f32 = 56.0;

/// What was typed, and which row is chosen.
#[derive(Clone, Default)]
struct State {
    typed: String,
    chosen: usize,
    /// Whether it was shown in the frame before.
    is_open: bool,
}

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let id = Id::unique("list of commands");
    if !view.lists_commands {
        ui.data_mut(|data| data.remove::<State>(id));
        return;
    }
    let mut state: State = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let (screen, mut asked) = (ui.ctx().content_rect(), Vec::new());
    Window::new("commands")
        .title_bar(false)
        .resizable(false)
        .order(egui::Order::Foreground)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(screen.center_top() + vec2(0.0, TOP))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(screen.width() - 40.0));
            asked = list(ui, &mut state, session, view);
        });
    // The next time, it is empty again.
    let kept = if asked.is_empty() { state } else { State::default() };
    ui.data_mut(|data| data.insert_temp(id, kept));
    actions.extend(asked);
}

/// Shows field and rows; what was chosen, and that the list closes with it.
fn list(ui: &mut Ui, state: &mut State, session: &LiveSession, view: &ViewState) -> Vec<Action> {
    let pressed = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (up, down) = (pressed(ui, Key::ArrowUp), pressed(ui, Key::ArrowDown));
    let (enter, escape) = (pressed(ui, Key::Enter), ui.input(|input| input.key_pressed(Key::Escape)));
    let field = TextEdit::singleline(&mut state.typed)
        .hint_text("type a command")
        .font(TextStyle::Heading)
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    field.request_focus();
    if field.changed() {
        state.chosen = 0;
    }
    let rows = found(&state.typed, session, view);
    let last = rows.len().saturating_sub(1);
    state.chosen = match (up, down) {
        (true, _) => state.chosen.checked_sub(1).unwrap_or(last),
        (_, true) if state.chosen >= last => 0,
        (_, true) => state.chosen + 1,
        _ => state.chosen.min(last),
    };
    let clicked = shown(ui, &rows, state, up || down);
    if escape || ui.input(|input| input.pointer.any_pressed()) && state.is_open && leaves(ui) {
        return vec![Action::ToggleCommands];
    }
    state.is_open = true;
    let chosen = clicked.or(Some(state.chosen).filter(|_| enter));
    let Some(Ok(action)) = chosen.and_then(|at| rows.get(at)).map(|listed| listed.action.clone()) else {
        return Vec::new();
    };
    if action == Action::TellCommand {
        ui.ctx().copy_text(session.command());
    }
    vec![Action::ToggleCommands, action]
}

/// Whether the pointer is beside the list.
fn leaves(ui: &Ui) -> bool {
    let outside = |pointer: egui::Pos2| !ui.clip_rect().contains(pointer);
    ui.input(|input| input.pointer.interact_pos()).is_some_and(outside)
}

/// Shows the rows; the one that was clicked. One that was chosen by key scrolls into view.
fn shown(ui: &mut Ui, rows: &[Listed], state: &State, by_key: bool) -> Option<usize> {
    if rows.is_empty() {
        ui.add_space(6.0);
        super::hint::weak(ui, "no command has these letters in this order");
        return None;
    }
    let mut clicked = None;
    ui.add_space(4.0);
    ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT).auto_shrink([false, true]).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (at, listed) in rows.iter().enumerate() {
                let row = row(ui, listed, at == state.chosen);
                if at == state.chosen && by_key {
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

/// A row: the name, more about it as far as there is room, and its keys on the right.
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
        Err(lacks) => (lacks, theme.weak),
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
