//! The status line below the world: the last message of the log or the hint of the scene, and the figures of the run.

use egui::{Align, CursorIcon, Id, Label, Layout, RichText, Sense, Ui, vec2};
use steerbox_picture::render::theme;

use super::icons::{self, Icon};
use super::parts::{HEIGHT, Kit};
use super::{console, hint, legend};
use crate::commands::action::ViewAction;
use crate::model::live_session::LiveSession;
use crate::model::switch::Switch;

/// Width below which there are fewer figures, points.
const NARROW: f32 = 640.0;
/// Share of the requested speed below which a warning is shown.
const SLOW: f32 = 0.93;

pub(super) fn show(ui: &mut Ui, kit: &mut Kit<'_>) {
    let row = vec2(ui.available_width(), HEIGHT);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        figures(ui, kit, row.x < NARROW);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let log = icons::plain(ui, Icon::Fold).on_hover_text("Show or hide the log (J)");
            kit.act(&log, ViewAction::Toggle(Switch::Log));
            message(ui, kit);
        });
    });
}

/// The last line of the log while it is new or an error; otherwise the hint of the scene until it is dismissed.
fn message(ui: &mut Ui, kit: &mut Kit<'_>) {
    let (session, lines) = (kit.session, kit.session.log.lines());
    let last = lines.len();
    let is_new = lines
        .last()
        .is_some_and(|line| legend::is_new(ui, Id::unique("last line"), (last, line.text.clone())));
    let has_news = session.log.has_open_errors() || is_new && last > 1;
    let hint = hint_of(session).filter(|_| !kit.view.hint_hidden);
    let Some(words) = hint.filter(|_| !has_news) else {
        return console::last(ui, session, is_new, kit.actions);
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let close = icons::plain(ui, Icon::Close).on_hover_text("Dismiss the hint");
        kit.act(&close, ViewAction::Toggle(Switch::Hint));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(words).color(theme::of(ui).bright)).truncate());
        });
    });
}

/// The scene's own hint, or else one derived from the scene.
fn hint_of(session: &LiveSession) -> Option<String> {
    let scene = &session.run.generation.scene;
    if let Some(hint) = &scene.hint {
        return Some(hint.replace('`', ""));
    }
    let target = session.run.generation.reads_target();
    let player = scene.groups.iter().any(|group| group.is_player);
    match (player, target) {
        (true, true) => Some("Arrow keys steer the player. Right-click sets the target".to_owned()),
        (true, false) => Some("Arrow keys steer the player".to_owned()),
        (false, true) => Some("Right-click sets the target".to_owned()),
        (false, false) => None,
    }
}

/// Step, time and units; a warning if the simulation is slower than requested. Computing times are in the tooltip.
fn figures(ui: &mut Ui, kit: &mut Kit<'_>, is_narrow: bool) {
    let (session, theme) = (kit.session, theme::of(ui));
    let world = session.run.simulation.world();
    let mut words = format!("{:.1} s  {} units", world.time(), world.units.len());
    let every = kit.view.window.frame_every.as_secs_f32().max(1e-4);
    if !is_narrow {
        words = format!("step {}  {words}  {:.0}/s", world.steps, 1.0 / every);
    }
    let figures = Label::new(RichText::new(words).monospace().color(theme.weak)).sense(Sense::click());
    let figures = ui.add(figures).on_hover_cursor(CursorIcon::PointingHand);
    kit.act(&figures, ViewAction::Toggle(Switch::Costs));
    figures.on_hover_ui(|ui| {
        let [step, frame] = [session.run.simulation.step_time(), kit.view.window.frame_time]
            .map(|time| time.as_secs_f32() * 1e3);
        ui.label(format!(
            "{step:.2} ms per step, {frame:.2} ms per frame, {:.0} frames per second",
            1.0 / every
        ));
        if let Some(pace) = hint::pace(session) {
            hint::weak(ui, pace);
        }
        hint::weak(ui, "Click: cost by rule");
    });
    if session.pace < SLOW && !session.paused {
        let text = format!("behind: {:.0} %", session.pace * 100.0);
        let label = ui.label(RichText::new(text).color(theme.warning));
        label.on_hover_text("Steps take too long for the selected speed");
    }
}
