//! Plots of the groups' figures over the last minute.

use egui::{Id, Rect, RichText, Ui, Window, vec2};
use egui_plot::{Line, Plot, PlotPoints};

use crate::app::action::Action;
use crate::app::live_session::LiveSession;
use crate::app::plots::METRICS;
use crate::app::theme::{self, color32};
use crate::app::view_state::ViewState;

/// Width at first, and height of one plot, points.
const WIDTH: f32 = 400.0;
const HEIGHT: f32 = 92.0;

/// Shows the plots, if they are open.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let plots = &view.plots;
    let mut open = plots.open;
    let width = WIDTH.min(free.width() * 0.9);
    Window::new("Plots")
        .id(Id::unique("plots"))
        .open(&mut open)
        .default_width(width)
        .default_pos(free.right_top() + vec2(-width - 24.0, 34.0))
        .resizable([true, false])
        .constrain_to(free)
        .show(ui.ctx(), |ui| page(ui, session, view, actions));
    if open != plots.open {
        actions.push(Action::TogglePlots);
    }
}

fn page(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let plots = &view.plots;
    ui.horizontal_wrapped(|ui| {
        for (at, metric) in METRICS.iter().enumerate() {
            let label = ui.selectable_label(plots.chosen[at], metric.name);
            if label.on_hover_text(metric.about).clicked() {
                actions.push(Action::TogglePlot(at));
            }
        }
        let hint = "write the last minute into a new file in the folder that steerbox was started in";
        if ui.small_button("Save CSV").on_hover_text(hint).clicked() {
            actions.push(Action::SavePlots);
        }
    });
    for (at, metric) in METRICS.iter().enumerate().filter(|(at, _)| plots.chosen[*at]) {
        ui.label(RichText::new(metric.name).small().color(theme::of(ui).weak));
        let plot = Plot::new(metric.name)
            .height(HEIGHT)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .show_grid([false, true])
            .include_y(0.0)
            .include_y(metric.most.unwrap_or(0.0))
            .y_axis_min_width(34.0);
        plot.show(ui, |plot| {
            for (index, group) in session.run.generation.scene.groups.iter().enumerate() {
                let points: PlotPoints<'_> = plots.points(at, index).collect();
                let line = Line::new(group.common.name.as_str(), points).width(1.5);
                plot.line(line.color(color32(view.colors.group(index))));
            }
        });
    }
}
