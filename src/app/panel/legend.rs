//! What is laid over the world for orientation: a hint what hands can do, and which color is which group.

use std::sync::Arc;
use std::time::Duration;

use egui::{Color32, CornerRadius, FontId, Galley, Id, Rect, Ui, Vec2, pos2, vec2};

use crate::app::live_session::LiveSession;
use crate::app::theme::{self, color32};
use crate::app::view_state::ViewState;

/// Seconds for which the hint is shown after a scene was opened.
const SHOWN: f64 = 6.0;
/// From the border of the world, and around words, points.
const GAP: f32 = 12.0;
const PADDING: Vec2 = vec2(10.0, 5.0);
/// Width of a dot with the room behind it, and between two entries, points.
const DOT: f32 = 14.0;
const APART: f32 = 16.0;
/// Most entries of the legend.
const MOST: usize = 8;

/// Notes that the pointer rests on the scene's title, or does not.
pub(super) fn title_hovered(ui: &Ui, hovered: bool) {
    ui.data_mut(|data| data.insert_temp(Id::unique("title hovered"), hovered));
}

/// Returns what is left of the world above the legend.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) -> Rect {
    if session.run.waits() {
        return free;
    }
    if let Some(hint) = hint(session).filter(|_| is_hinting(ui, session)) {
        let font = FontId::proportional(15.0);
        let words = ui.painter().layout(hint, font, theme::of(ui).bright, free.width() - 6.0 * GAP);
        let size = words.size() + 2.0 * PADDING;
        let place = free.center_top() + vec2(-size.x * 0.5, GAP);
        chip(ui, free, Rect::from_min_size(place, size));
        ui.painter_at(free).galley(place + PADDING, words, theme::of(ui).bright);
    }
    let legend = if view.presenting { None } else { legend(ui, free, session, view) };
    legend.map_or(free, |legend| free.with_max_y(legend.top()))
}

/// What the scene says that hands can do, or else what can be derived from it.
fn hint(session: &LiveSession) -> Option<String> {
    let scene = &session.run.generation.scene;
    if let Some(hint) = &scene.hint {
        return Some(hint.clone());
    }
    let target = session.run.generation.asks_target();
    let player = scene.groups.iter().any(|group| group.is_player);
    match (player, target) {
        (true, true) => Some("Arrows steer the player. Right click sets the target".to_owned()),
        (true, false) => Some("Arrows steer the player".to_owned()),
        (false, true) => Some("Right click sets the target".to_owned()),
        (false, false) => None,
    }
}

/// Whether the hint is due: for a while after the scene was opened, and while the pointer rests on its title.
fn is_hinting(ui: &Ui, session: &LiveSession) -> bool {
    let (now, path) = (ui.input(|input| input.time), &session.run.generation.scene.path);
    let id = Id::unique("hinted scene");
    let known: Option<(String, f64)> = ui.data(|data| data.get_temp(id));
    let opened = match known {
        Some((known, opened)) if known == *path => opened,
        _ => {
            ui.data_mut(|data| data.insert_temp(id, (path.clone(), now)));
            now
        }
    };
    let left = SHOWN - (now - opened);
    if left > 0.0 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
    }
    left > 0.0 || ui.data(|data| data.get_temp(Id::unique("title hovered"))).unwrap_or(false)
}

/// A dot, a name and a count for each group, and a dot and a name for each mark with a color.
fn legend(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) -> Option<Rect> {
    let theme = theme::of(ui);
    let world = session.run.simulation.world();
    let font = FontId::proportional(12.5);
    let lay = |text: String| ui.painter().layout_no_wrap(text, font.clone(), theme.text);
    let mut entries: Vec<(Color32, Arc<Galley>)> = Vec::new();
    let mut marks = Vec::new();
    let groups = session.run.generation.scene.groups.iter().zip(&world.groups).enumerate();
    for (index, (plan, group)) in groups {
        let (name, count) = (&plan.common.name, group.units.len());
        let text = if plan.is_player { name.clone() } else { format!("{name}  {count}") };
        entries.push((color32(view.colors.group(index)), lay(text)));
        for (place, (mark, _)) in plan.look.marks.iter().enumerate() {
            let known = marks.iter().any(|(_, other)| *other == mark);
            if !known {
                marks.push((color32(view.colors.mark(index, place)), mark));
            }
        }
    }
    entries.extend(marks.into_iter().map(|(color, mark)| (color, lay(mark.clone()))));
    // As many as there is room for.
    let mut width = 2.0 * PADDING.x - APART;
    let fits = |(_, words): &&(Color32, Arc<Galley>)| {
        width += DOT + words.size().x + APART;
        width <= free.width() - 2.0 * GAP
    };
    let count = entries.iter().take(MOST).take_while(fits).count();
    entries.truncate(count);
    let height = entries.iter().map(|(_, words)| words.size().y).reduce(f32::max)?;
    let widths = entries.iter().map(|(_, words)| DOT + words.size().x + APART);
    let size = vec2(2.0 * PADDING.x - APART + widths.sum::<f32>(), height + 2.0 * PADDING.y);
    let place = free.left_bottom() + vec2(GAP, -GAP - size.y);
    let rect = Rect::from_min_size(place, size);
    chip(ui, free, rect);
    let mut at = place + PADDING;
    let painter = ui.painter_at(free);
    for (color, words) in entries {
        painter.circle_filled(pos2(at.x + 4.0, at.y + height * 0.5), 4.0, color);
        let next = at.x + DOT + words.size().x + APART;
        painter.galley(pos2(at.x + DOT, at.y), words, theme.text);
        at.x = next;
    }
    Some(rect)
}

/// The ground of words over the world.
pub(super) fn chip(ui: &Ui, free: Rect, rect: Rect) {
    let fill = theme::of(ui).panel.gamma_multiply(0.82);
    ui.painter_at(free).rect_filled(rect, CornerRadius::same(8), fill);
}
