//! The panel: groups, values, files and errors. It returns actions and changes nothing itself.

mod about;
mod banner;
mod behavior;
mod browser;
mod coloring;
mod commands;
mod compare;
mod console;
mod controls;
mod costs;
mod dialog;
mod files;
mod ghosts;
mod groups;
mod help;
mod hint;
mod inspector;
mod knobs;
mod legend;
mod loop_table;
mod overlay;
mod page;
mod parts;
mod pause_when;
mod placing;
mod plots;
mod preview;
mod question;
mod script_pane;
mod snapshots;
mod timeline;
mod tuned;
mod unit_facts;
mod welcome;

use egui::containers::panel::PanelState;
use egui::{Id, Panel, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

pub(super) use dialog::settle;
use parts::{HALF, at_most};

use crate::app::commands::action::Action;
use crate::app::model::dialog::Dialog;
use crate::app::model::layout::Layout;
use crate::app::model::live_session::LiveSession;
use crate::app::model::view_state::ViewState;

/// Default width of the panel as a share of the window.
const FIRST: f32 = 0.4;
/// Height of a panel below which all of it scrolls, points.
const LOW: f32 = 480.0;
/// Margin around content for outlines, points.
const MARGIN: f32 = 4.0;
/// Least width of the panel, points.
const MIN_WIDTH: f32 = 240.0;
/// Most rows of a log with errors whose height the user has not set.
const LOUD_ROWS: usize = 6;
const LOG: &str = "log";
const SIDE: &str = "panel";

/// Lays out everything. Returns the rectangle of the world, or of the first of two views, points, and the sizes
/// of the parts.
pub(super) fn show(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    actions: &mut Vec<Action>,
) -> (Rect, Layout) {
    let mut layout = view.layout;
    if !view.presenting {
        layout.panel = side_panel(ui, session, view, actions);
        if view.log_visible {
            layout.log = log_panel(ui, session, view, actions);
        }
        if session.run.records() {
            Panel::bottom("timeline").show(ui, |ui| within(ui, |ui| timeline::show(ui, session, actions)));
        }
        script_pane::show(ui, session, view, actions);
    }
    let whole = ui.available_rect_before_wrap();
    layout.world = whole;
    let free = compare::first(whole, session);
    let above = if view.presenting { whole } else { timeline::ways_out(ui, whole, session, actions) };
    let above = legend::show(ui, free.intersect(above), session, view, actions).with_max_x(whole.right());
    ghosts::show(ui, free, session, view);
    preview::show(ui, free, session, view);
    compare::show(ui, whole, session, view);
    overlay::show(ui, [free, whole], session, view);
    inspector::show(ui, [above, whole], session, view, actions);
    plots::show(ui, whole, session, view, actions);
    welcome::show(ui, free, session, view, actions);
    banner::show(ui, whole, session, actions);
    match view.open_dialog() {
        None => {}
        Some(Dialog::Commands) => commands::show(ui, session, view, actions),
        Some(Dialog::Scenes) => browser::show(ui, session, view, actions),
        Some(Dialog::PauseWhen) => pause_when::show(ui, whole, session, actions),
        Some(Dialog::Snapshots) => snapshots::show(ui, whole, session, actions),
        Some(Dialog::Help) => help::show(ui, session, actions),
        Some(Dialog::Question) => question::show(ui, view, actions),
    }
    (free, layout)
}

/// Shows the panel and returns the width that the user set; a small window may show less of it.
fn side_panel(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) -> f32 {
    let width = ui.max_rect().width();
    let shown_before = Id::unique("width of window and panel");
    let before: Option<(f32, f32)> = ui.data(|data| data.get_temp(shown_before));
    if before.is_some_and(|(window, _)| window != width) {
        ui.data_mut(|data| data.remove::<PanelState>(ui.scope_id().with(SIDE)));
    }
    let panel = Panel::right(SIDE)
        .resizable(true)
        .default_size(view.layout.panel.min((width * FIRST).max(MIN_WIDTH)))
        .size_range(at_most(width * HALF, MIN_WIDTH, 560.0))
        .show(ui, |ui| {
            hint::begin(ui.ctx(), ui.max_rect().left());
            within(ui, |ui| side(ui, session, view, actions));
        });
    let shown = panel.response.rect.width();
    ui.data_mut(|data| data.insert_temp(shown_before, (width, shown)));
    let is_dragged = before.is_some_and(|(window, panel)| window == width && (panel - shown).abs() > 0.5);
    if is_dragged { shown } else { view.layout.panel }
}

/// The content of the panel: in a low one all of it scrolls, else only the part below the separator.
fn side(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let head = |ui: &mut Ui, actions: &mut Vec<Action>| {
        controls::show(ui, session, view, actions);
        tuned::show(ui, session, actions);
        ui.separator();
    };
    let is_low = ui.available_height() < LOW;
    if !is_low {
        head(ui, actions);
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        inspector::show_in_panel(ui, session, view, actions);
        if is_low {
            head(ui, actions);
        }
        groups::show(ui, session, view, actions);
        costs::show(ui, session, view, actions);
        files::show(ui, session, view);
    });
}

/// Lays out content in the full width. Wider content is clipped: it would move the edge of the
/// panel, and with it the world.
fn within(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(UiBuilder::new().max_rect(room));
    inner.shrink_clip_rect(room.expand(MARGIN));
    content(&mut inner);
    let used = Rect::from_x_y_ranges(room.x_range(), inner.min_rect().y_range());
    ui.allocate_rect(used, Sense::hover());
}

/// Shows the log and returns its height: 0 while it fits its content, else the height that the user set.
fn log_panel(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) -> f32 {
    let (log, quiet) = (view.layout.log, console::height(ui, 1));
    let range = at_most(ui.max_rect().height() * HALF, quiet, 500.0);
    let follows = console::height(ui, if session.log.has_open_errors() { LOUD_ROWS } else { 1 });
    let height = if log == 0.0 { follows } else { log }.clamp(*range.start(), *range.end());
    // Replaces the height of the frame before, which egui stores.
    let outer_rect = Rect::from_min_size(ui.max_rect().min, vec2(ui.max_rect().width(), height));
    ui.data_mut(|data| data.insert_persisted(ui.scope_id().with(LOG), PanelState { outer_rect }));
    let panel = Panel::bottom(LOG).resizable(true).size_range(range);
    let shown = panel.show(ui, |ui| console::show(ui, session, actions)).response.rect.height();
    let is_dragged = (shown - height).abs() > 1.0;
    match (is_dragged, shown > quiet + 1.0) {
        (false, _) => log,
        (true, true) => shown,
        (true, false) => 0.0,
    }
}
