//! Recordings in progress: elapsed time, size, and the time left, over the world.

use egui::containers::menu::MenuButton;
use egui::{Align2, Area, Button, Id, Order, Rect, RichText, Ui, vec2};
use steerbox_picture::render::theme;

use super::commands;
use super::page::card;
use crate::commands::action::{Action, FilmStep, ViewAction};
use crate::commands::keys;
use crate::model::filming::Job;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Distance from the top of the world, points.
const GAP: f32 = 10.0;
/// Interval of redraws, milliseconds.
const EVERY: u64 = 200;

pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    if view.filming.jobs.is_empty() {
        return;
    }
    ui.ctx().request_repaint_after(std::time::Duration::from_millis(EVERY));
    let area = Area::new(Id::unique("recordings")).order(Order::Middle);
    let area =
        area.fixed_pos(free.center_top() + vec2(0.0, GAP)).pivot(Align2::CENTER_TOP).constrain_to(free);
    area.show(ui.ctx(), |ui| {
        let theme = theme::of(ui);
        card(theme.card, theme.weak).show(ui, |ui| {
            for job in view.filming.jobs.iter().enumerate() {
                ui.horizontal(|ui| row(ui, session, job, actions));
            }
        });
    });
}

/// The menu of pictures, recordings and the command line.
pub(super) fn menu(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let button = Button::new("Share");
    let (button, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for command in keys::SHARING {
            let refusal = command.when.refusal(session, view);
            let button = ui.add_enabled(refusal.is_none(), Button::new(command.name));
            if button.on_hover_text(command.about).clicked() {
                let action = command.action(session);
                commands::copy(ui, session, &action);
                actions.push(action);
            }
        }
    });
    button.on_hover_text("Pictures, recordings, replays and the command line of this run");
}

fn row(ui: &mut Ui, session: &LiveSession, (at, job): (usize, &Job), actions: &mut Vec<Action>) {
    let color = if job.is_live() { theme::of(ui).bad } else { theme::of(ui).text };
    ui.label(RichText::new(words(session, job)).color(color));
    if job.is_live() && ui.button("Stop").on_hover_text("Complete the file").clicked() {
        actions.push(ViewAction::Film(FilmStep::Toggle).into());
    }
    if ui.button("Cancel").on_hover_text("Write no file").clicked() {
        actions.push(ViewAction::Film(FilmStep::Cancel(at)).into());
    }
}

fn words(session: &LiveSession, job: &Job) -> String {
    let kind = job.format.extension().to_uppercase();
    let size = job.bytes() as f32 / 1e6;
    if job.is_live() {
        let seconds = job.seconds(session) as u64;
        return format!("Recording {kind}: {}:{:02}, {size:.1} MB", seconds / 60, seconds % 60);
    }
    let share = job.film.as_ref().map_or(0.0, steerbox_project::session::Film::progress) * 100.0;
    let left = job.time_left().map_or(String::new(), |left| format!(", {} s left", left.as_secs() + 1));
    format!("{kind}: {share:.0} %, {size:.1} MB{left}")
}
