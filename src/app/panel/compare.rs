//! Two runs side by side: where each is seen, what they are, and how far units are apart.

use egui::{Align2, FontId, Rect, Stroke, Ui, pos2, vec2};

use super::coloring::paint_gradient;
use super::legend::chip;
use crate::app::action::{Action, CompareWith};
use crate::app::camera::Lens as _;
use crate::app::live_session::LiveSession;
use crate::app::shown::Shown;
use crate::app::theme::{self, color32};
use crate::app::view_state::ViewState;
use crate::sim::rounded;
use crate::world::World;

/// Most units that are ringed by how far they are apart.
const MOST: usize = 4000;
/// Share of the largest distance below which a unit has no ring.
const LEAST: f32 = 0.04;
/// Between the two views and words, points.
const GAP: f32 = 10.0;
/// Room below the names for what the pointer can do, points.
const HINT: f32 = 24.0;
/// Size of the scale of distances, points.
const SCALE: egui::Vec2 = vec2(64.0, 8.0);

/// The part of the world's place that the first run has.
pub(super) fn first(free: Rect, session: &LiveSession) -> Rect {
    if session.run.variant().is_none() {
        return free;
    }
    Rect::from_min_max(free.min, pos2(free.center().x.round(), free.bottom()))
}

/// Lays names and rings over both views; `view` is where the first is.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) {
    let Some(variant) = session.run.variant() else {
        return;
    };
    let (first, theme) = (first(free, session), theme::of(ui));
    let painter = ui.painter_at(free);
    painter.vline(first.right(), free.y_range(), Stroke::new(1.0, theme.line));
    let apart: Vec<f32> = (0..session.run.simulation.world().units.len())
        .map(|unit| session.apart(unit).unwrap_or_default())
        .collect();
    let most = apart.iter().copied().fold(0.0, f32::max);
    if most > 0.0 && apart.len() <= MOST {
        let worlds = [
            (session.run.simulation.world(), &session.shown, first, 0.0),
            (variant.simulation.world(), &session.compared.shown, second(first), first.width()),
        ];
        for (world, shown, part, shift) in worlds {
            rings(ui, part, shift, (world, shown), view, &apart);
        }
    }
    let name = |at: egui::Pos2, letter: &str, text: &str| {
        let font = FontId::proportional(14.0);
        let words = painter.layout_no_wrap(format!("{letter}  {text}"), font, theme.bright);
        let rect = Align2::RIGHT_BOTTOM.anchor_size(at, words.size() + vec2(16.0, 8.0));
        chip(ui, free, rect);
        painter.galley(rect.min + vec2(8.0, 4.0), words, theme.bright);
    };
    let bottom = free.bottom() - GAP - HINT;
    name(pos2(first.right() - GAP, bottom), "A", "as it runs");
    name(pos2(second(first).right() - GAP, bottom), "B", &session.compared.name);
    scale(ui, second(first), most);
}

fn second(first: Rect) -> Rect {
    first.translate(vec2(first.width(), 0.0))
}

/// A ring round each unit that is elsewhere in the other run, in the color of how far.
fn rings(ui: &Ui, part: Rect, shift: f32, (world, shown): (&World, &Shown), view: &ViewState, apart: &[f32]) {
    let (painter, sight) = (ui.painter_at(part), view.camera.sight());
    let (colors, scale) = (&theme::of(ui).world, ui.ctx().pixels_per_point());
    let most = apart.iter().copied().fold(0.0, f32::max);
    for (unit, apart) in apart.iter().enumerate().take(world.units.len()) {
        let share = apart / most;
        let Some(spot) = sight.project(shown.position(world, unit)).filter(|_| share > LEAST) else {
            continue;
        };
        let radius = (world.group_of(unit).body.radius() * spot.scale / scale).max(3.0) + 2.0;
        let place = pos2(spot.pixel.x / scale + shift, spot.pixel.y / scale);
        painter.circle_stroke(place, radius, Stroke::new(1.4, color32(colors.of_share(share))));
    }
}

/// Which color of a ring is how far.
fn scale(ui: &Ui, part: Rect, most: f32) {
    let (theme, painter) = (theme::of(ui), ui.painter_at(part));
    let font = FontId::proportional(12.5);
    let text =
        if most > 0.0 { format!("0 to {} apart", rounded(most)) } else { "no difference yet".to_owned() };
    let words = painter.layout_no_wrap(text, font, theme.text);
    let size = vec2(words.size().x + SCALE.x + 28.0, words.size().y + 10.0);
    let rect = Rect::from_min_size(part.left_bottom() + vec2(GAP, -GAP - size.y), size);
    chip(ui, part, rect);
    let bar = Rect::from_min_size(pos2(rect.left() + 10.0, rect.center().y - SCALE.y * 0.5), SCALE);
    paint_gradient(&painter, bar, &theme.world);
    painter.galley(pos2(bar.right() + 8.0, rect.top() + 5.0), words, theme.text);
}

/// Below the timeline: ways to end the comparison, and where the two runs part.
pub(super) fn strip(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let Some(parted) = session.compared_runs() else {
        return;
    };
    for (text, hint, action) in [
        ("Keep A", "go on with A alone (X)", Action::KeepRun(false)),
        (
            "Keep B",
            "go on with B alone, under its rules; what is recorded begins anew",
            Action::KeepRun(true),
        ),
    ] {
        if ui.button(text).on_hover_text(hint).clicked() {
            actions.push(action);
        }
    }
    let [words, details] = session.words_of(&parted, ["A", "B"]);
    let label = ui.add(egui::Label::new(egui::RichText::new(words).color(theme::of(ui).text)).truncate());
    if !details.is_empty() {
        label.on_hover_text(details);
    }
}

/// A menu of what can be compared with what runs.
pub(super) fn menu(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    if session.run.variant().is_some() {
        if ui.small_button("End A | B").on_hover_text("go on with A alone (X)").clicked() {
            actions.push(Action::KeepRun(false));
        }
        return;
    }
    let hint = "run the scene under other values or rules beside this one, from the same state (X)";
    let menu = ui.menu_button(egui::RichText::new("A | B").small(), |ui| {
        ui.set_min_width(180.0);
        let mut entry = |ui: &mut Ui, enabled: bool, with: CompareWith| {
            let button = egui::Button::new(with.words());
            if ui.add_enabled(enabled, button).clicked() {
                actions.push(Action::Compare(with));
            }
        };
        ui.label("Compare with the");
        entry(ui, session.run.newest().tuned().next().is_some(), CompareWith::Files);
        entry(ui, session.run.knows_earlier(), CompareWith::Earlier);
        for name in &session.named_values {
            entry(ui, true, CompareWith::Values(name.clone()));
        }
    });
    if menu.response.on_hover_text(hint).clicked() {
        actions.push(Action::ListValues);
    }
}
