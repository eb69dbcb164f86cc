//! The panes around the world: their arrangement, tabs, and the dragging of a pane to another dock.

use egui::containers::panel::PanelState;
use egui::{
    Align2, CursorIcon, FontId, Id, LayerId, Order, Panel, Popup, Rect, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, vec2,
};
use steerbox_picture::render::theme;

use super::grip::{Dragged, GRIP, drag, dragged_id, grip_at, menu};
use super::parts::{HALF, Kit, within};
use super::{console, editor, notes, plots, results, side, status, timeline};
use crate::commands::action::{Action, ViewAction};
use crate::model::layout::Layout;
use crate::model::live_session::LiveSession;
use crate::model::panes::{Dock, Pane, Panes, Sizes, Strip, arrange};
use crate::model::view_state::ViewState;

/// Maximum shares of the window that docks at the sides and at the bottom occupy together.
const SIDES: f32 = 0.6;
const BELOW: f32 = 0.65;
/// Maximum share of the window that the panel occupies at a side.
const PANEL: f32 = 0.4;
/// Maximum number of rows of a log with errors whose height the user has not set.
const LOUD_ROWS: usize = 6;
/// Share of the window at each edge in which a dragged pane docks there.
const EDGE: f32 = 0.28;
/// Minimum change of a size that is a drag of the border, points.
const DRAGGED: f32 = 0.6;
/// Shows all panes that are docked, and the timeline, around the rest of `ui`.
pub(super) fn show(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    layout: &mut Layout,
    actions: &mut Vec<Action>,
) {
    let plan = Plan::new(ui, session, view, &layout.panes);
    for strip in &plan.sides {
        show_strip(ui, strip, session, view, layout, actions);
    }
    let status = Panel::bottom("status").show(ui, |ui| {
        within(ui, |ui| status::show(ui, &mut Kit { session, view, actions }));
    });
    let (outer, inner) = plan.below.split_at(plan.outer());
    for strip in outer {
        show_strip(ui, strip, session, view, layout, actions);
    }
    let shown = Panel::bottom("timeline").show(ui, |ui| {
        within(ui, |ui| timeline::show(ui, &mut Kit { session, view, actions }));
    });
    ui.data_mut(|data| data.insert_temp(fixed_id(), [&status, &shown].map(|row| row.response.rect.height())));
    editor::offered(ui, view, actions);
    for strip in inner {
        show_strip(ui, strip, session, view, layout, actions);
    }
    if view.editor.shown().is_none() {
        editor::leave(ui, view);
    }
}

/// The strips of both axes, outermost first.
struct Plan {
    sides: Vec<Strip>,
    below: Vec<Strip>,
    /// Heights of the status line and of the timeline, points.
    fixed: [f32; 2],
}

impl Plan {
    fn new(ui: &mut Ui, session: &LiveSession, view: &ViewState, panes: &Panes) -> Self {
        let window = ui.max_rect().size();
        // An editor below the world shows the errors of its text, and does not move while one is typed.
        let is_edited = view.editor.shown().is_some() && panes.dock(Pane::Editor) == Dock::Bottom;
        let is_loud = session.log.has_open_errors() && !is_edited;
        let is_open = |pane: &Pane| match pane {
            Pane::Controls => true,
            Pane::Notes => view.notes.open && session.run.generation.scene.notes.is_some(),
            // The status line shows the last line of a log that fits its content.
            Pane::Log => view.prefs.log_open && (is_loud || panes.is_sized(Pane::Log)),
            Pane::Plots => view.plots.open,
            Pane::Results => view.results.as_ref().is_some_and(|results| results.open),
            Pane::Editor => view.editor.open_name().is_some(),
        };
        let open: Vec<_> = Pane::ALL.into_iter().filter(is_open).collect();
        let across = |pane| {
            let (least, most) = match pane {
                Pane::Controls => (240.0, (window.x * PANEL).min(560.0)),
                Pane::Notes | Pane::Log | Pane::Plots | Pane::Results => (240.0, window.x * HALF),
                Pane::Editor => (320.0, window.x * HALF),
            };
            let least = (window.x * HALF).min(least);
            Sizes { wanted: panes.size(pane), least, most: most.max(least) }
        };
        let [quiet, loud] = [1, LOUD_ROWS].map(|rows| console::height(ui, rows));
        let down = |pane| {
            let (size, half) = (panes.size(pane), window.y * HALF);
            let (wanted, least, most) = match pane {
                Pane::Log if size == 0.0 && is_loud => (loud, quiet, half.min(500.0)),
                Pane::Log => (size, quiet, half.min(500.0)),
                Pane::Controls | Pane::Notes | Pane::Plots | Pane::Results => (size, 150.0, half),
                Pane::Editor => (size, 90.0, half),
            };
            Sizes { wanted, least, most: most.max(least) }
        };
        let fixed: [f32; 2] = ui.data(|data| data.get_temp(fixed_id())).unwrap_or([34.0; 2]);
        let sides = arrange(panes, &open, &[Dock::Right, Dock::Left], window.x * SIDES, across);
        let below = arrange(panes, &open, &[Dock::Bottom], window.y * BELOW - fixed[0] - fixed[1], down);
        Self { sides, below, fixed }
    }

    /// The number of strips below the timeline: that of the log alone.
    fn outer(&self) -> usize {
        usize::from(self.below.first().is_some_and(|strip| strip.panes == [Pane::Log]))
    }

    /// The rectangle of a pane in a window.
    fn rect(&self, window: Rect, pane: Pane) -> Option<Rect> {
        let mut rest = window;
        let mut cut = |dock, size: f32| {
            let whole = rest;
            match dock {
                Dock::Left => rest.min.x += size,
                Dock::Right => rest.max.x -= size,
                Dock::Bottom | Dock::World => rest.max.y -= size,
            }
            match dock {
                Dock::Left => whole.with_max_x(rest.min.x),
                Dock::Right => whole.with_min_x(rest.max.x),
                Dock::Bottom | Dock::World => whole.with_min_y(rest.max.y),
            }
        };
        let outer = self.outer();
        let bottoms = self.below.iter().enumerate().map(|(at, strip)| (Some(at), strip));
        for (at, strip) in self.sides.iter().map(|strip| (None, strip)).chain(bottoms) {
            for (row, _) in [0, outer].into_iter().enumerate().filter(|(_, above)| at == Some(*above)) {
                cut(Dock::Bottom, self.fixed[row]);
            }
            let rect = cut(strip.dock, strip.size);
            if strip.panes.contains(&pane) {
                return Some(rect);
            }
        }
        None
    }
}

fn fixed_id() -> Id {
    Id::unique("heights of the rows below the world")
}

/// Shows a strip, and stores the size to which its border is dragged.
fn show_strip(
    ui: &mut Ui,
    strip: &Strip,
    session: &LiveSession,
    view: &ViewState,
    layout: &mut Layout,
    actions: &mut Vec<Action>,
) {
    let Some(front) = layout.front(&strip.panes) else {
        return;
    };
    let salt = ("strip", strip.dock, strip.panes[0]);
    // Replaces the size of the frame before, which egui stores.
    let outer_rect = Rect::from_min_size(ui.max_rect().min, Vec2::splat(strip.size));
    ui.data_mut(|data| data.insert_persisted(ui.scope_id().with(salt), PanelState { outer_rect }));
    let panel = match strip.dock {
        Dock::Left => Panel::left(salt),
        Dock::Right => Panel::right(salt),
        Dock::Bottom | Dock::World => Panel::bottom(salt),
    };
    let shown = panel.resizable(true).size_range(strip.range[0]..=strip.range[1]).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        // Content that is higher than the strip is clipped: it would move the edge of the world.
        let mut inner = ui.new_child(UiBuilder::new().max_rect(room));
        within(&mut inner, |ui| {
            if strip.panes.len() > 1 {
                tabs(ui, &strip.panes, front, view, actions);
            }
            pane(ui, front, session, view, actions);
        });
        // A strip does not shrink to its content.
        ui.expand_to_include_rect(room);
    });
    let shown = shown.response.rect.size();
    let shown = if strip.dock == Dock::Bottom { shown.y } else { shown.x };
    if (shown - strip.size).abs() > DRAGGED {
        for pane in &strip.panes {
            let is_quiet = *pane == Pane::Log && strip.dock == Dock::Bottom && shown < strip.range[0] + 1.0;
            layout.panes.resize(*pane, if is_quiet { 0.0 } else { shown });
        }
    }
}

/// The content of a pane.
fn pane(ui: &mut Ui, pane: Pane, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    match pane {
        Pane::Controls => side::show(ui, session, view, actions),
        Pane::Log => {
            // The grip has a column of its own: beside the first of one row, too.
            let room = ui.available_rect_before_wrap();
            let text = room.with_max_x(room.right() - GRIP.x - 4.0);
            console::show(&mut ui.new_child(UiBuilder::new().max_rect(text)), session, actions);
            let corner = egui::pos2(room.right() - GRIP.x, room.top());
            let place = Rect::from_min_size(corner, vec2(GRIP.x, GRIP.y.min(room.height())));
            grip_at(ui, place, Pane::Log, view, actions);
        }
        Pane::Notes => notes::show(ui, session, view, actions),
        Pane::Plots => plots::docked(ui, session, view, actions),
        Pane::Results => results::show(ui, view, actions),
        Pane::Editor => editor::show(ui, session, view, actions),
    }
}

/// The tabs of a strip: a click brings a pane in front, a drag moves it.
fn tabs(ui: &mut Ui, panes: &[Pane], front: Pane, view: &ViewState, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        for pane in panes {
            let tab = egui::Button::selectable(*pane == front, pane.words()[0]);
            let tab = ui.add(tab.sense(Sense::click_and_drag()));
            if tab.clicked() {
                actions.push(ViewAction::RaisePane(*pane).into());
            }
            drag(&tab, *pane);
            Popup::context_menu(&tab).show(|ui| menu(ui, *pane, view, actions));
        }
    });
}

/// Shows the place at which a dragged pane docks, and docks it when it is released.
pub(super) fn drop(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let id = dragged_id();
    let dragged: Option<Dragged> = ui.data(|data| data.get_temp(id));
    ui.data_mut(|data| data.remove::<Dragged>(id));
    let window = ui.max_rect();
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let (Some(Dragged(pane, is_released)), Some(pointer)) = (dragged, pointer) else {
        return;
    };
    let Some(dock) = dock_at(window, pointer, pane) else {
        ui.set_cursor_icon(CursorIcon::NoDrop);
        return;
    };
    if is_released {
        actions.push(ViewAction::DockPane(pane, dock).into());
        return;
    }
    ui.set_cursor_icon(CursorIcon::Grabbing);
    let mut panes = view.layout.panes;
    panes.move_to(pane, dock);
    let rect = Plan::new(ui, session, view, &panes).rect(window, pane);
    let rect =
        rect.unwrap_or(Rect::from_center_size(view.layout.world.center(), view.layout.world.size() * 0.5));
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("place of a pane")));
    let theme = theme::of(ui);
    painter.rect_filled(rect, 4.0, theme.accent.gamma_multiply(0.25));
    painter.rect_stroke(rect, 4.0, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
    let words = format!("{} {}", pane.words()[0], dock.words());
    painter.text(rect.center(), Align2::CENTER_CENTER, words, FontId::proportional(15.0), theme.bright);
}

/// The dock at a place in the window: at the nearest edge; in the middle, over the world if the pane can be there.
fn dock_at(window: Rect, place: egui::Pos2, pane: Pane) -> Option<Dock> {
    if !window.contains(place) {
        return None;
    }
    let [x, y] = [
        (place.x - window.left()) / window.width().max(1.0),
        (window.bottom() - place.y) / window.height().max(1.0),
    ];
    let edges = [(Dock::Left, x), (Dock::Right, 1.0 - x), (Dock::Bottom, y)];
    let (dock, distance) = edges.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let dock = if distance < EDGE { dock } else { Dock::World };
    Some(dock).filter(|dock| pane.docks().contains(dock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn a_pane_docks_at_the_nearest_edge() {
        let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 500.0));
        let at = |x: f32, y: f32, pane| dock_at(window, pos2(x, y), pane);
        assert_eq!(at(100.0, 200.0, Pane::Log), Some(Dock::Left));
        assert_eq!(at(900.0, 400.0, Pane::Log), Some(Dock::Right));
        assert_eq!(at(500.0, 450.0, Pane::Log), Some(Dock::Bottom));
        assert_eq!(at(500.0, 200.0, Pane::Log), None);
        assert_eq!(at(500.0, 200.0, Pane::Plots), Some(Dock::World));
        assert_eq!(at(-5.0, 200.0, Pane::Plots), None);
    }
}
