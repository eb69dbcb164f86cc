//! Units colored by a value: the menu in the panel, the color scale in the legend, and the pair of behaviors
//! that oppose each other most.

use egui::{ComboBox, Rect, RichText, Sense, Ui, pos2, vec2};
use steerbox_core::sim::rounded;
use steerbox_picture::render::coloring;
use steerbox_picture::render::picture::grids::colored_grids;
use steerbox_picture::render::theme::{self, color32};
use steerbox_scene::{Color, ColorBy};

use super::hint::weak;
use super::parts::sentence;
use crate::commands::action::{Action, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// The name of the scene's own colors.
const OF_SCENE: &str = "Scene default";
/// Size of the scale, points.
const SCALE: egui::Vec2 = vec2(72.0, 8.0);

/// The menu of values that colors can show.
pub(super) fn choice(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let words = |of: &Option<ColorBy>| {
        of.as_ref().map_or_else(|| OF_SCENE.to_owned(), |of| sentence(&coloring::words(of).0))
    };
    let shown = words(&view.color_by);
    ui.label("Color");
    let choices = ComboBox::from_id_salt("colors").selected_text(shown).width(112.0).show_ui(ui, |ui| {
        let all = coloring::choices(&session.run.generation.scene, session.run.simulation.world());
        let all = std::iter::once(None).chain(all.into_iter().map(Some));
        for choice in all {
            if ui.selectable_label(view.color_by == choice, words(&choice)).clicked() {
                actions.push(ViewAction::ColorBy(choice).into());
            }
        }
    });
    choices.response.on_hover_text("Quantity shown by the colors of units (C: next)");
}

/// A row of the legend: the color scale of the shown value, if any; for disagreement, also the two behaviors.
pub(super) fn scale(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let groups = &session.run.generation.scene.groups;
    let of_scene = || groups.iter().find_map(|group| group.look.color_by.as_ref());
    let Some(shown) = view.color_by.as_ref().or_else(of_scene) else {
        return;
    };
    let (name, [from, to]) = coloring::words(shown);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(name);
        weak(ui, from);
        let world = &theme::of(ui).world;
        gradient(ui, |share| Some(world.of_share(share)));
        weak(ui, to);
    });
    if *shown == ColorBy::Disagreement {
        disagreement(ui, session, actions);
    }
}

/// A row of the legend for each environment grid: its colors from 0 to its greatest value.
pub(super) fn grids(ui: &mut Ui, session: &LiveSession, view: &ViewState) {
    let (run, palette) = (&session.run, &view.colors.world);
    for colored in colored_grids(&run.generation.scene, run.simulation.world(), palette) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(&colored.grid.name);
            weak(ui, "0");
            gradient(ui, |share| colored.color(share));
            weak(ui, rounded(colored.greatest));
        });
    }
}

/// The colors from the minimum to the maximum, one column per point.
fn gradient(ui: &mut Ui, color: impl Fn(f32) -> Option<Color>) {
    let (rect, _) = ui.allocate_exact_size(SCALE, Sense::hover());
    let count = rect.width() as usize;
    for at in 0..count {
        let place = pos2(rect.left() + at as f32, rect.top());
        let column = Rect::from_min_size(place, vec2(1.0, rect.height()));
        if let Some(color) = color(at as f32 / (count - 1) as f32) {
            ui.painter().rect_filled(column, 0.0, color32(color));
        }
    }
}

/// The behaviors that oppose each other in most units, and the unit in which they cancel each other most.
fn disagreement(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let (words, unit) = coloring::disagreement(&session.run.simulation);
    let Some(unit) = unit else {
        weak(ui, words);
        return;
    };
    ui.label(RichText::new(words).color(theme::of(ui).warning));
    let link = ui.link(format!("most in unit {unit}"));
    if link.on_hover_text("Select this unit and show it").clicked() {
        actions.push(ViewAction::Find(unit).into());
    }
}
