//! Orientation over the world: the keys that leave full screen, and the legend of colors, arrows and rings.

use std::time::Duration;

use egui::{
    Align2, Area, Color32, FontId, Frame, Id, Label, Margin, Order, Rect, Sense, Stroke, TextStyle, Ui, Vec2,
    vec2,
};
use steerbox_picture::render::theme::{self, color32};

use super::parts::{CORNERS, chip, fill};
use super::{coloring, compare};
use crate::commands::action::Action;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Seconds for which a message is new.
const DURATION: f64 = 5.0;
/// Margins between the border of the world and text, and around text, points.
const GAP: f32 = 12.0;
const PADDING: Vec2 = vec2(10.0, 5.0);
/// Margin below the names of two runs, points.
const NAMES: f32 = 42.0;
/// Size of text, radius of a dot, and length of the sample of an arrow, points.
const TEXT_SIZE: f32 = 12.5;
const DOT: f32 = 4.0;
const ARROW: f32 = 16.0;
/// Extra gap between two entries, points.
const ENTRY_GAP: f32 = 6.0;
/// Maximum number of entries for groups and marks.
const MAX_GROUPS: usize = 8;

/// Shows the keys that leave full screen at the top for some seconds, and the legend at the bottom left. Returns the rectangle of the legend; without
/// one, it has no area.
pub(super) fn show(
    ui: &Ui,
    free: Rect,
    session: &LiveSession,
    view: &ViewState,
    actions: &mut Vec<Action>,
) -> Rect {
    let none = Rect::from_min_size(free.left_bottom(), Vec2::ZERO);
    if session.run.waits() {
        return none;
    }
    if let Some(hint) = leaving(ui, view) {
        let font = FontId::proportional(15.0);
        let words = ui.painter().layout(hint, font, theme::of(ui).bright, free.width() - 6.0 * GAP);
        let size = words.size() + 2.0 * PADDING;
        let below = if session.run.variant().is_some() { NAMES } else { GAP };
        let place = free.center_top() + vec2(-size.x * 0.5, below);
        chip(ui, free, Rect::from_min_size(place, size));
        ui.painter_at(free).galley(place + PADDING, words, theme::of(ui).bright);
    }
    if !is_needed(session, view) {
        return none;
    }
    let area = Area::new(Id::unique("legend")).order(Order::Background).pivot(Align2::LEFT_BOTTOM);
    let place = free.left_bottom() + vec2(GAP, -GAP);
    let suited = theme::of(ui);
    let shown = area.fixed_pos(place).constrain_to(free).show(ui.ctx(), |ui| {
        theme::apply(ui, suited);
        let margin = Margin::symmetric(PADDING.x as i8, PADDING.y as i8);
        let frame = Frame::new().fill(fill(ui)).corner_radius(CORNERS).inner_margin(margin);
        frame.show(ui, |ui| {
            ui.set_max_width(free.width() - 2.0 * (GAP + PADDING.x));
            for style in [TextStyle::Body, TextStyle::Button] {
                ui.style_mut().text_styles.insert(style, FontId::proportional(TEXT_SIZE));
            }
            ui.spacing_mut().interact_size.y = 0.0;
            ui.spacing_mut().item_spacing.y = 3.0;
            groups(ui, session, view);
            coloring::scale(ui, session, view, actions);
            coloring::grids(ui, session, view);
            arrows(ui, view);
            compare::legend(ui, session);
        });
    });
    shown.response.rect.intersect(free)
}

/// The keys that leave full screen or restore the panel, for some seconds after the change.
fn leaving(ui: &Ui, view: &ViewState) -> Option<String> {
    let state = [view.window.presenting, view.window.full_screen];
    let words = match (view.window.full_screen, view.window.presenting) {
        (_, true) => "Shift+F11 or Esc shows the panel",
        (true, false) => "F11 or Esc leaves full screen",
        (false, false) => "",
    };
    (is_new(ui, Id::unique("hidden"), state) && !words.is_empty()).then(|| words.to_owned())
}

/// True for some seconds after `state` changed. Requests a redraw when they end.
pub(super) fn is_new<S: Clone + PartialEq + Send + Sync + 'static>(ui: &Ui, id: Id, state: S) -> bool {
    let now = ui.input(|input| input.time);
    let known: Option<(S, f64)> = ui.data(|data| data.get_temp(id));
    let since = match known {
        Some((known, since)) if known == state => since,
        _ => {
            ui.data_mut(|data| data.insert_temp(id, (state, now)));
            now
        }
    };
    let left = DURATION - (now - since);
    if left > 0.0 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
    }
    left > 0.0
}

/// True if the picture contains anything that the legend explains.
fn is_needed(session: &LiveSession, view: &ViewState) -> bool {
    !session.run.generation.scene.groups.is_empty()
        || view.color_by.is_some()
        || view.window.vectors
        || session.run.variant().is_some()
}

/// A dot and a name for each color of units, the first `MAX_GROUPS`.
fn groups(ui: &mut Ui, session: &LiveSession, view: &ViewState) {
    let entries = entries(session, view);
    if entries.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (color, words) in entries.into_iter().take(MAX_GROUPS) {
            sample(ui, 2.0 * DOT, |ui, rect| {
                ui.painter().circle_filled(rect.center(), DOT, color);
            });
            whole(ui, words);
        }
    });
}

/// Name and count of each group and of each mark that has its own color; empty while colors show a value.
fn entries(session: &LiveSession, view: &ViewState) -> Vec<(Color32, String)> {
    if view.color_by.is_some() {
        return Vec::new();
    }
    let world = session.run.simulation.world();
    let mut entries: Vec<(Color32, String)> = Vec::new();
    let mut marks = Vec::new();
    let groups = session.run.generation.scene.groups.iter().zip(&world.groups).enumerate();
    for (index, (plan, group)) in groups {
        let (name, count) = (&plan.common.name, group.units.len());
        if plan.look.color_by.is_none() {
            let text = if plan.is_player { name.clone() } else { format!("{name}  {count}") };
            entries.push((color32(view.colors.group(index)), text));
        }
        for (place, (mark, color)) in plan.look.marks.iter().enumerate() {
            let known = marks.iter().any(|(_, other)| *other == mark);
            // Units with a transparent mark are not drawn.
            if !known && color.a > 0 {
                marks.push((color32(view.colors.mark(index, place)), mark));
            }
        }
    }
    let count = |mark: &str| {
        let bit = world.marks.bit(mark).unwrap_or(0);
        world.units.marks.iter().filter(|marks| **marks & bit != 0).count()
    };
    entries.extend(marks.into_iter().map(|(color, mark)| (color, format!("{mark}  {}", count(mark)))));
    entries
}

/// The meaning of arrows, while all units show them.
fn arrows(ui: &mut Ui, view: &ViewState) {
    if !view.window.vectors {
        return;
    }
    let colors = &view.colors.world;
    ui.horizontal_wrapped(|ui| {
        let arrows =
            [(colors.note.with_alpha(0.5), "velocity"), (colors.resultant, "force (sum of all rules)")];
        for (color, words) in arrows {
            sample(ui, ARROW, |ui, rect| {
                let stroke = Stroke::new(1.4, color32(color));
                ui.painter().arrow(rect.left_center(), vec2(rect.width(), 0.0), stroke);
            });
            whole(ui, words);
        }
    });
}

/// Text in one line if it fits, else wrapped.
fn whole(ui: &mut Ui, words: impl Into<String>) {
    let words = words.into();
    let laid =
        ui.painter().layout_no_wrap(words.clone(), FontId::proportional(TEXT_SIZE), Color32::PLACEHOLDER);
    let fits = laid.size().x + ARROW + ENTRY_GAP <= ui.max_rect().width();
    ui.add(if fits { Label::new(words).extend() } else { Label::new(words).wrap() });
}

/// A sample followed by its text.
fn sample(ui: &mut Ui, width: f32, draw: impl FnOnce(&Ui, Rect)) {
    let is_first = ui.min_rect().width() == 0.0;
    ui.spacing_mut().item_spacing.x = 6.0;
    if !is_first {
        ui.add_space(ENTRY_GAP);
    }
    let height = ui.text_style_height(&TextStyle::Body);
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    draw(ui, rect);
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;
    use steerbox_scene::ColorBy;

    use super::*;
    use crate::model::config::Config;

    const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [
        (name: \"plain\", body: \"m\", count: 2, look: (marks: {\"strike\": \"red\"})),
        (name: \"fast\", body: \"m\", count: 3, look: (color_by: Speed, marks: {\"hit\": \"blue\", \"out\": \"#00000000\"}))])";

    #[test]
    fn the_legend_names_only_colors_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        std::fs::write(&path, SCENE).unwrap();
        let options = Options { threads: Some(1), ..Options::new(Place::of_scene(&path)) };
        let session = LiveSession::start(options).unwrap();
        let mut view = ViewState::new(Config::default());
        view.colors.update(&session.run.generation.scene, view.prefs.theme.theme());
        let words = |view: &ViewState| {
            entries(&session, view).into_iter().map(|(_, words)| words).collect::<Vec<_>>()
        };
        assert_eq!(words(&view), ["plain  2", "strike  0", "hit  0"]);
        view.color_by = Some(ColorBy::Speed);
        assert!(words(&view).is_empty());
    }
}
