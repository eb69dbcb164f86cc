//! Two runs side by side: their views, their names, and the distance of each unit to itself in the other run.

use egui::containers::menu::MenuButton;
use egui::{Align2, Button, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2};
use steerbox_core::sim::rounded;
use steerbox_core::world::World;
use steerbox_picture::render::camera::Lens as _;
use steerbox_picture::render::interpolated_poses::InterpolatedPoses;
use steerbox_picture::render::theme;

use super::parts::chip;
use crate::commands::action::{Action, CompareWith, SessionAction};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Maximum number of units that have a ring.
const MAX_MARKED: usize = 4000;
/// Share of the largest distance below which a unit has no ring.
const MIN_SHARE: f32 = 0.04;
/// Gap between a unit and its ring, and width of the ring, points.
const AROUND: f32 = 4.0;
const WIDTH: f32 = 1.2;
/// Opacity of the rings of the least and of the most distant units.
const OPACITY: [f32; 2] = [0.08, 0.7];
/// Margins between the border of the world and the names of the runs, and around the names, points.
const GAP: f32 = 8.0;
const PADDING: Vec2 = vec2(10.0, 4.0);
/// Number of rings in the legend, and the size of each, points.
const SAMPLES: usize = 3;
const SAMPLE: f32 = 12.0;

/// The part of the world's rectangle that shows the first run.
pub(super) fn first(free: Rect, session: &LiveSession) -> Rect {
    if session.run.variant().is_none() {
        return free;
    }
    Rect::from_min_max(free.min, pos2(free.center().x.round(), free.bottom()))
}

/// Draws names and rings over both views.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) {
    let Some(variant) = session.run.variant() else {
        return;
    };
    let (first, theme) = (first(free, session), theme::of(ui));
    let painter = ui.painter_at(free);
    painter.vline(first.right(), free.y_range(), Stroke::new(1.0, theme.line));
    let (a, b) = (session.run.simulation.world(), variant.simulation.world());
    if a.units.len().max(b.units.len()) <= MAX_MARKED {
        let apart = [false, true].map(|second| session.distances(second));
        let most = farthest(&apart[0]);
        let worlds =
            [(a, &session.poses, first, 0.0), (b, &session.compared.poses, second(first), first.width())];
        for ((world, shown, part, shift), apart) in worlds.into_iter().zip(&apart).filter(|_| most > 0.0) {
            rings(ui, part, shift, (world, shown), view, (apart, most));
        }
    }
    let middle = first.right_top() + vec2(0.0, GAP);
    name(ui, free, ("A", "as it runs"), middle - vec2(GAP, 0.0), Align2::RIGHT_TOP);
    name(ui, free, ("B", &session.compared.name), middle + vec2(GAP, 0.0), Align2::LEFT_TOP);
}

/// The largest distance, at least 0.
fn farthest(apart: &[f32]) -> f32 {
    apart.iter().copied().fold(0.0, f32::max)
}

/// The letter and the name of a run, with a corner at a position.
fn name(ui: &Ui, free: Rect, (letter, words): (&str, &str), place: Pos2, corner: Align2) {
    let theme = theme::of(ui);
    let lay = |text: &str, size: f32, color| {
        ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), color)
    };
    let (letter, words) = (lay(letter, 24.0, theme.accent), lay(words, 15.0, theme.bright));
    let apart = PADDING.x;
    let size = vec2(letter.size().x + apart + words.size().x, letter.size().y.max(words.size().y));
    let rect = corner.anchor_size(place, size + 2.0 * PADDING);
    chip(ui, free, rect);
    let painter = ui.painter_at(free);
    let at = |x: f32, height: f32| pos2(rect.left() + PADDING.x + x, rect.center().y - height * 0.5);
    let next = letter.size().x + apart;
    let [letter_at, words_at] = [at(0.0, letter.size().y), at(next, words.size().y)];
    painter.galley(letter_at, letter, theme.accent);
    painter.galley(words_at, words, theme.bright);
}

fn second(first: Rect) -> Rect {
    first.translate(vec2(first.width(), 0.0))
}

/// A ring around each unit that is elsewhere in the other run; opacity increases with the distance.
fn rings(
    ui: &Ui,
    part: Rect,
    shift: f32,
    (world, shown): (&World, &InterpolatedPoses),
    view: &ViewState,
    (apart, most): (&[f32], f32),
) {
    let (painter, sight) = (ui.painter_at(part), view.camera.sight());
    let scale = ui.ctx().pixels_per_point();
    for (unit, apart) in apart.iter().enumerate().take(world.units.len()) {
        let share = apart / most;
        let Some(spot) = sight.project(shown.position(world, unit)).filter(|_| share > MIN_SHARE) else {
            continue;
        };
        let radius = (world.body_of(unit).radius() * spot.scale / scale).max(3.0) + AROUND;
        let place = pos2(spot.pixel.x / scale + shift, spot.pixel.y / scale);
        painter.circle_stroke(place, radius, ring(ui, share));
    }
}

/// The ring for a share of the largest distance.
fn ring(ui: &Ui, share: f32) -> Stroke {
    let [least, most] = OPACITY;
    Stroke::new(WIDTH, theme::of(ui).bright.gamma_multiply(least + (most - least) * share))
}

/// A row of the legend: the meaning of rings, while two runs are compared.
pub(super) fn legend(ui: &mut Ui, session: &LiveSession) {
    if session.run.variant().is_none() {
        return;
    }
    let most = farthest(&session.distances(false));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for at in 1..=SAMPLES {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(SAMPLE), Sense::hover());
            let share = at as f32 / SAMPLES as f32;
            ui.painter().circle_stroke(rect.center(), SAMPLE * 0.5 - 1.0, ring(ui, share));
        }
        ui.label(match most {
            0.0 => "no difference yet".to_owned(),
            most => format!("up to {} from the same unit in the other run", rounded(most)),
        });
    });
}

/// Buttons that end the comparison, and the step at which the runs diverge.
pub(super) fn ways(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let Some(pair) = session.compared_runs() else {
        return;
    };
    for (text, hint, action) in [
        (
            "Continue with A",
            "End the comparison and continue with A (X)",
            SessionAction::ContinueRun(false).into(),
        ),
        (
            "Continue with B",
            "End the comparison and continue with B and its rules; the recording starts again",
            SessionAction::ContinueRun(true).into(),
        ),
    ] {
        if ui.button(text).on_hover_text(hint).clicked() {
            actions.push(action);
        }
    }
    let [words, details] = session.words_of(&pair, ["A", "B"]);
    let label = ui.label(egui::RichText::new(words).color(theme::of(ui).text));
    if !details.is_empty() {
        label.on_hover_text(details);
    }
}

/// A menu of everything that the current run can be compared with.
pub(super) fn menu(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    if session.run.variant().is_some() {
        let button = Button::new("End A | B");
        if ui.add(button).on_hover_text("End the comparison and continue with A (X)").clicked() {
            actions.push(SessionAction::ContinueRun(false).into());
        }
        return;
    }
    let hint = "Run the scene with other values or rules beside this run, from the same state (X)";
    let button = Button::new("A | B");
    let (button, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(180.0);
        let mut entry = |ui: &mut Ui, enabled: bool, with: CompareWith| {
            let refusal = match with {
                CompareWith::Files => "No value is tuned",
                _ => "No file was saved yet",
            };
            let button = Button::new(with.words());
            if ui.add_enabled(enabled, button).on_disabled_hover_text(refusal).clicked() {
                actions.push(SessionAction::Compare(with).into());
            }
        };
        ui.label("Compare with");
        entry(ui, session.run.newest().tuned().next().is_some(), CompareWith::Files);
        entry(ui, session.run.knows_earlier(), CompareWith::Earlier);
        for name in &session.snapshot_names {
            entry(ui, true, CompareWith::Snapshot(name.clone()));
        }
    });
    if button.on_hover_text(hint).clicked() {
        actions.push(SessionAction::ListSnapshots.into());
    }
}
