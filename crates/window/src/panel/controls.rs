//! Time: pause, step, restart, speed, and the cost of a frame and a step.

use egui::{Align, Button, Id, Key, Label, Layout, RichText, Slider, TextEdit, TextStyle, Ui, vec2};
use steerbox_picture::render::theme;

use super::dialog::focus;
use super::{coloring, grip, hint, legend};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::commands::keys;
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::model::panes::Pane;
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;

/// Width of the buttons if the rest of the panel is beside them, points.
pub(super) const WIDTH: f32 = 330.0;
/// Width below which buttons are arranged in two rows, points.
const NARROW: f32 = 230.0;
/// Height of the buttons beside the title, and their total width, points.
const SMALL: f32 = 18.0;
const BUTTONS_WIDTH: f32 = 196.0;
/// Share of the requested speed below which the panel shows a warning.
const SLOW: f32 = 0.93;

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    ui.add_space(4.0);
    title(ui, session, view, actions);
    ui.add_space(2.0);
    buttons(ui, session, actions);
    let mut speed = session.speed;
    ui.horizontal(|ui| {
        ui.label("Speed");
        // The width that remains beside label and number.
        ui.spacing_mut().slider_width = (ui.available_width() - 66.0).max(40.0);
        let slider = Slider::new(&mut speed, 0.05..=20.0).logarithmic(true).fixed_decimals(2).suffix("×");
        let slider = ui.add(slider);
        if slider.changed() {
            actions.push(SessionAction::Speed(speed).into());
        }
        if let Some(pace) = hint::pace(session) {
            hint::text(&slider, &pace);
        }
    });
    switches(ui, session, actions);
    figures(ui, session, view);
    ui.horizontal_wrapped(|ui| {
        find(ui, view, actions);
        coloring::choice(ui, session, view, actions);
    });
}

/// The scene's full title and the buttons that open dialogs: beside the title if they fit, else below it.
fn title(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let title = RichText::new(&session.run.generation.scene.title).heading();
    let font = TextStyle::Heading.resolve(ui.style());
    let laid = ui.painter().layout_no_wrap(title.text().to_owned(), font, theme::of(ui).text);
    let is_beside = laid.size().x + BUTTONS_WIDTH <= ui.available_width();
    let show = |ui: &mut Ui| {
        let title = ui.add(Label::new(title).wrap());
        legend::title_hovered(ui, title.hovered());
    };
    if is_beside {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                // The buttons precede it in the order of Tab.
                let place = grip::grip_space(ui);
                opening(ui, actions);
                grip::grip_at(ui, place, Pane::Controls, view, actions);
                ui.with_layout(Layout::left_to_right(Align::Center), show);
            });
        });
    } else {
        show(ui);
        ui.horizontal_wrapped(|ui| {
            opening(ui, actions);
            grip::grip(ui, Pane::Controls, view, actions);
        });
    }
}

/// The buttons that open dialogs.
fn opening(ui: &mut Ui, actions: &mut Vec<Action>) {
    let half = RichText::new("◐").monospace();
    let mut all: [(RichText, &str, Action); 4] = [
        (half, "Switch between dark and light (N)", ViewAction::ToggleTheme.into()),
        (
            "?".into(),
            "Keys and mouse (H); all commands: Ctrl+K",
            ViewAction::ToggleDialog(Dialog::Help).into(),
        ),
        ("Plots".into(), "Figures of the groups over time (G)", ViewAction::Toggle(Switch::Plots).into()),
        ("Scenes".into(), "Open another scene (Ctrl+O)", ViewAction::ToggleDialog(Dialog::Scenes).into()),
    ];
    if ui.layout().prefer_right_to_left() {
        all.reverse();
    }
    for (text, hint, action) in all {
        let button = Button::new(text).small().min_size(vec2(0.0, SMALL));
        if ui.add(button).on_hover_text(hint).clicked() {
            actions.push(action);
        }
    }
}

/// A field for the number of a unit.
fn find(ui: &mut Ui, view: &ViewState, actions: &mut Vec<Action>) {
    let id = Id::unique("find a unit");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.label("Unit");
    if view.unit_prompt {
        focus(ui, id);
        text.clear();
    }
    let field = TextEdit::singleline(&mut text).id(id).hint_text("number").desired_width(74.0);
    let field = ui.add(field).on_hover_text("Find a unit by its number (Ctrl+F)");
    let is_done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    match text.trim().parse() {
        Ok(unit) if is_done => actions.push(ViewAction::Find(unit).into()),
        Err(_) if is_done && !text.trim().is_empty() => {
            actions
                .push(SessionAction::Refuse(format!("`{}` is not the number of a unit", text.trim())).into());
        }
        _ => {}
    }
    if is_done {
        text.clear();
    }
    ui.data_mut(|data| data.insert_temp(id, text));
}

/// The switches for the scene's own keys.
fn switches(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    if scene.keys.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for plan in &scene.keys {
            let text = format!("{}  {}", plan.key, keys::meaning(&plan.action, scene));
            let button = Button::selectable(session.key_is_on(&plan.action), text);
            if ui.add(button.frame_when_inactive(true)).clicked() {
                actions.push(SessionAction::SceneKey(plan.action.clone()).into());
            }
        }
    });
}

fn buttons(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        // In a narrow panel, two buttons share a row.
        let columns = if ui.available_width() < NARROW { 2.0 } else { 4.0 };
        let width = (ui.available_width() - (columns - 1.0) * ui.spacing().item_spacing.x) / columns;
        let width = width.floor();
        let mut button = |text: &str, hint: &str, action: Action| {
            let button = Button::new(text).min_size(vec2(width, super::parts::BUTTON));
            if ui.add(button).on_hover_text(hint).clicked() {
                actions.push(action);
            }
        };
        let pause = if session.paused { "Resume" } else { "Pause" };
        button(pause, "Space", SessionAction::TogglePause.into());
        button("Step", "Make one step and pause (.)", SessionAction::Step.into());
        button("Restart", "Restart the scene (R)", SessionAction::Restart.into());
        button("Fit", "Fit the world in the window (F)", ViewAction::Fit.into());
    });
}

fn figures(ui: &mut Ui, session: &LiveSession, view: &ViewState) {
    let world = session.run.simulation.world();
    let line = |ui: &mut Ui, text: String| {
        ui.add(Label::new(RichText::new(text).monospace().color(theme::of(ui).weak)).truncate())
    };
    let (steps, time, units) = (world.steps, world.time(), world.units.len());
    let all = format!("step {steps}  {time:.1} s  {units} units");
    // One row, whatever is in it: the controls below do not move.
    let row = vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        behind(ui, session);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| line(ui, all));
    });
    if let Some(pace) = hint::pace(session) {
        line(ui, pace);
    }
    let (step, frame) = (ms(session.run.simulation.step_time()), ms(view.window.frame_time));
    let every = view.window.frame_every.as_secs_f32().max(1e-4);
    let costs = line(ui, format!("{step:.2} ms/step  {frame:.2} ms/frame  {:.0}/s", 1.0 / every));
    costs.on_hover_text("computing time of a step and of a frame, and frames per second");
}

/// Shows that the simulation is slower than requested, if it is.
fn behind(ui: &mut Ui, session: &LiveSession) {
    if session.pace < SLOW && !session.paused {
        let text = format!("behind: {:.0} %", session.pace * 100.0);
        let label = ui.label(RichText::new(text).color(theme::of(ui).warning));
        label.on_hover_text("Steps take too long for the selected speed");
    }
}

fn ms(time: std::time::Duration) -> f32 {
    time.as_secs_f32() * 1000.0
}
