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
mod docks;
mod editor;
mod files;
mod filming;
mod ghosts;
mod grip;
mod groups;
mod help;
mod hint;
mod icons;
mod inspector;
mod item;
mod knobs;
mod legend;
mod loop_table;
mod menu;
mod new_rule;
mod notes;
mod overlay;
mod page;
mod parts;
mod pause_when;
mod placing;
mod plots;
mod preview;
mod question;
mod results;
mod side;
mod snapshots;
mod spots;
mod status;
mod timeline;
mod tuned;
mod unit_facts;
mod welcome;

use egui::{Rect, Ui, UiBuilder};
use steerbox_picture::render::theme;

pub(super) use dialog::settle;

use crate::commands::action::Action;
use crate::model::dialog::Dialog;
use crate::model::layout::Layout;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Width above which a window is wide, points.
const WIDE: f32 = 1500.0;

/// Lays out everything. Returns the rectangle of the world, or of the first of two views, points, and the layout.
pub(super) fn show(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    actions: &mut Vec<Action>,
) -> (Rect, Layout) {
    let mut layout = view.layout;
    layout.panes.is_wide = ui.max_rect().width() > WIDE;
    if !view.window.presenting {
        docks::show(ui, session, view, &mut layout, actions);
    }
    let whole = ui.available_rect_before_wrap();
    layout.world = whole;
    let free = compare::first(whole, session);
    let above = if view.window.presenting { whole } else { timeline::ways_out(ui, whole, session, actions) };
    // Text over the world has the theme that suits its background.
    let over = &mut ui.new_child(UiBuilder::new());
    theme::apply(over, view.colors.theme);
    let legend = legend::show(over, free.intersect(above), session, view, actions);
    let above = above.with_max_y(legend.top());
    ghosts::show(over, free, session, view);
    preview::show(over, free, session, view);
    compare::show(over, whole, session, view);
    overlay::show(over, [free, whole], legend, session, view);
    inspector::show(ui, [above, whole], session, view, actions);
    plots::show(ui, whole, session, view, actions);
    welcome::show(ui, free, session, view, actions);
    banner::show(ui, whole, session, view, actions);
    filming::show(ui, free, session, view, actions);
    match view.open_dialog() {
        None => {}
        Some(Dialog::Commands) => commands::show(ui, session, view, actions),
        Some(Dialog::Scenes) => browser::show(ui, session, view, actions),
        Some(Dialog::PauseWhen) => pause_when::show(ui, whole, session, actions),
        Some(Dialog::Snapshots) => snapshots::show(ui, whole, session, actions),
        Some(Dialog::NewRule) => new_rule::show(ui, session, view, actions),
        Some(Dialog::Help) => help::show(ui, session, actions),
        Some(Dialog::Question) => question::show(ui, view, actions),
    }
    docks::drop(ui, session, view, actions);
    (free, layout)
}
