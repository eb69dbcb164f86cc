//! Plots of the groups, or of the inspected unit, over the last minute.

use egui::{
    Button, Color32, ComboBox, Id, PointerButton, Popup, Rect, Response, RichText, ScrollArea, Sense,
    TextStyle, Ui, Window, pos2, vec2,
};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, Plot, PlotPoints, PlotUi, Span, VLine};
use steerbox_core::sim::rounded;
use steerbox_picture::render::chart::{drawing, paint};
use steerbox_picture::render::theme::{self, color32};
use steerbox_project::plot::{labeled, ticks};

use super::{grip, hint, spots};
use crate::commands::action::{Action, PlotFile, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::panes::{Dock, Pane};
use crate::model::plots::chart::ends_of;
use crate::model::plots::{self as model, Key, PlotKind, PlotSubject, Plots, Quantity};
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;

/// Default width, and height of one plot, points.
const WIDTH: f32 = 400.0;
const HEIGHT: f32 = 72.0;
/// Height of a plot that is not over time, and greatest height of the menu of measures, points.
const PAINTED: f32 = 190.0;
const MENU: f32 = 240.0;
/// Height of the time labels below the last plot, points.
const AXIS: f32 = 16.0;
/// Minimum distance of a tick from the ends of an axis, as a share of it; most tick intervals of the time axis and of
/// value axes.
const TICK_GAP: f64 = 0.2;
const MAX_TICKS: [usize; 2] = [6, 3];
/// Height of a pane below which the menus scroll, too, points.
const LOW: f32 = 260.0;
/// Height of title and menus above the plots, and of the title with the frame, points.
const HEAD: f32 = 124.0;
const TITLE: f32 = 48.0;
/// Width below which a world is small, points, and the greatest share of its height that plots cover if it is, or not.
const SMALL: f32 = 640.0;
const MAX_HEIGHT: [f32; 2] = [0.5, 0.75];
/// Maximum number of lines whose values are labeled above a plot.
const NAMED: usize = 8;
/// Shortest span that can be marked, seconds: a shorter drag is a click.
const SHORTEST: f32 = 0.05;

/// The id of the window of the plots.
pub(super) fn id() -> Id {
    Id::unique("plots")
}

/// Shows the plots in a pane of a dock or a window.
pub(super) fn docked(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let is_low = ui.available_height() < LOW;
    let area = ScrollArea::vertical().auto_shrink(false);
    if is_low {
        area.show(ui, |ui| {
            head(ui, session, view, actions);
            all(ui, session, view, past(session), actions);
        });
    } else {
        head(ui, session, view, actions);
        area.show(ui, |ui| all(ui, session, view, past(session), actions));
    }
}

/// The time of the shown step of the past, seconds.
fn past(session: &LiveSession) -> Option<f32> {
    session.run.past_step().map(|_| session.run.simulation.world().time())
}

/// Shows the plots over the world, if they are open and there.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let plots = &view.plots;
    if view.layout.panes.dock(Pane::Plots) != Dock::World {
        return;
    }
    let mut open = plots.open;
    let width = WIDTH.min(free.width() * 0.9);
    // In a small world they are at the bottom: the inspector is at the top.
    let is_small = free.width() < SMALL;
    let height = free.height() * MAX_HEIGHT[usize::from(!is_small)];
    let height = height.max(HEAD + HEIGHT + 2.0 * AXIS).min(free.height() - 16.0);
    let place = if is_small {
        pos2(free.right() - width - 8.0, free.bottom() - height - 8.0)
    } else {
        free.right_top() + vec2(-width - 24.0, 34.0)
    };
    Window::new("Plots")
        .id(id())
        .open(&mut open)
        .default_width(width)
        .default_pos(place)
        .resizable([true, false])
        .constrain_to(free)
        .show(ui.ctx(), |ui| {
            ui.set_height((height - TITLE).max(AXIS));
            docked(ui, session, view, actions);
        });
    if open != plots.open {
        actions.push(ViewAction::Toggle(Switch::Plots).into());
    }
}

/// The menus for the quantities and their subject.
fn head(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let plots = &view.plots;
    let has_signals = !session.run.simulation.world().signals.all().is_empty();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
        grip::grip(ui, Pane::Plots, view, actions);
        for quantity in Quantity::all() {
            if quantity == Quantity::Signal && !has_signals {
                continue;
            }
            let (name, about) = quantity.words();
            let button = Button::selectable(plots.chosen.contains(&quantity), RichText::new(name).small());
            if ui.add(button.frame_when_inactive(true)).on_hover_text(about).clicked() {
                actions.push(ViewAction::TogglePlot(quantity).into());
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        let groups = &session.run.simulation.world().groups;
        let choices = [PlotSubject::Groups, PlotSubject::Unit]
            .into_iter()
            .chain((0..groups.len()).map(PlotSubject::Group));
        let name = |shown| match shown {
            PlotSubject::Groups => "all groups",
            PlotSubject::Unit => "selected unit",
            PlotSubject::Group(group) => groups.get(group).map_or("", |group| &group.name),
        };
        ComboBox::from_id_salt("of").selected_text(name(plots.shown)).show_ui(ui, |ui| {
            for choice in choices {
                if ui.selectable_label(plots.shown == choice, name(choice)).clicked() {
                    actions.push(ViewAction::PlotOf(choice).into());
                }
            }
        });
        let hint = "Write the values of all plots over time into a new file in the working folder";
        if ui.button("Save CSV").on_hover_text(hint).clicked() {
            actions.push(ViewAction::SavePlot(None, PlotFile::Csv).into());
        }
        match plots.span {
            Some([from, to]) => {
                let words = format!("{from:.1} to {to:.1} s: mean (least to most)  ×");
                if ui.button(words).on_hover_text("Clear the marked span").clicked() {
                    actions.push(ViewAction::MarkSpan(None).into());
                }
            }
            None if session.run.variant().is_some() => hint::weak(ui, "A solid, B dashed"),
            None => hint::weak(ui, "Drag to mark a span"),
        }
    });
}

/// All plots.
fn all(ui: &mut Ui, session: &LiveSession, view: &ViewState, past: Option<f32>, actions: &mut Vec<Action>) {
    let plots = &view.plots;
    let shown = plots.plots();
    if shown.is_empty() {
        let words = match plots.shown {
            PlotSubject::Unit => "Select a unit and a quantity",
            _ => "Select a quantity; its values start with the next step",
        };
        hint::weak(ui, words);
    }
    let pointed = Id::unique("pointed time");
    let time: Option<f32> = ui.data(|data| data.get_temp(pointed));
    let mut next = None;
    let last = shown.iter().rposition(|plot| plot.kind == PlotKind::OverTime);
    for (at, plot) in shown.iter().enumerate() {
        let response = if plot.kind == PlotKind::OverTime {
            let (response, time) =
                over_time(ui, session, view, (plot, Some(at) == last), [time, past], actions);
            next = next.or(time);
            response
        } else {
            painted(ui, session, view, plot)
        };
        Popup::context_menu(&response).show(|ui| menu(ui, plots, plot, actions));
    }
    ui.data_mut(|data| {
        data.remove::<f32>(pointed);
        if let Some(time) = next {
            data.insert_temp(pointed, time);
        }
    });
}

/// The menu of a plot: its kinds and files.
fn menu(ui: &mut Ui, plots: &Plots, plot: &model::Plot, actions: &mut Vec<Action>) {
    let mut choice = |ui: &mut Ui, kind: PlotKind, words: &str| {
        if ui.selectable_label(plot.kind == kind, words).clicked() {
            actions.push(ViewAction::PlotAs(plot.name.clone(), kind).into());
            ui.close();
        }
    };
    let (measures, others): (Vec<_>, Vec<_>) =
        plots.kinds_of(plot).into_iter().partition(|kind| matches!(kind, PlotKind::Against(_)));
    for kind in others {
        let words = if kind == PlotKind::Histogram { "Histogram" } else { "Over time" };
        choice(ui, kind, words);
    }
    ui.menu_button("Against", |ui| {
        ScrollArea::vertical().max_height(MENU).show(ui, |ui| {
            for kind in measures {
                let PlotKind::Against(measure) = &kind else { continue };
                let words = labeled(&measure.title());
                choice(ui, kind, &words);
            }
        });
    });
    ui.separator();
    for file in PlotFile::all() {
        if ui.button(format!("Save as {}", file.extension().to_uppercase())).clicked() {
            actions.push(ViewAction::SavePlot(Some(plot.name.clone()), file).into());
            ui.close();
        }
    }
}

/// A plot that is not over time, as a file shows it.
fn painted(ui: &mut Ui, session: &LiveSession, view: &ViewState, plot: &model::Plot) -> Response {
    let size = vec2(ui.available_width(), PAINTED);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let painter = ui.painter_at(rect);
    let chart = view.chart(session, std::slice::from_ref(plot));
    let drawing = drawing(&chart, glam::Vec2::new(size.x, size.y), theme::of(ui), &painter);
    paint(&painter, rect.min, &drawing);
    let pointed = spots::pointed(&response, rect, &drawing);
    if let Some((spot, words)) = pointed.and_then(|spot| Some((spot, view.words_at(&chart, plot, &spot)?))) {
        spots::ring(ui, &painter, rect, &spot);
        return response.on_hover_ui_at_pointer(|ui| _ = ui.label(words));
    }
    response
}

/// A plot over time, the last one with time labels, with vertical lines at the time under the pointer and at the shown
/// time of the past. Returns the time under the pointer, too.
fn over_time(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    (plot, is_last): (&model::Plot, bool),
    [time, past]: [Option<f32>; 2],
    actions: &mut Vec<Action>,
) -> (Response, Option<f32>) {
    let time = time.or(past);
    let (plots, theme, keys) = (&view.plots, theme::of(ui), &plot.keys);
    let (series, title) = (plots.series(), plots.title(&plot.name));
    let color_of = |key: &Key| color32(view.series_color(key));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        ui.label(RichText::new(labeled(&title)).small().color(theme.weak));
        for key in keys.iter().take(NAMED) {
            let (name, of_first) = (plots.name_in_plot(key), value(plots, key, time));
            let words = if session.run.variant().is_some() {
                format!("{name}: A {of_first}, B {}", value(&view.second.plots, key, time))
            } else {
                format!("{name} {of_first}")
            };
            ui.label(RichText::new(words).small().color(color_of(key)));
        }
    });
    let second = view.second.plots.series();
    let values = keys.iter().flat_map(|key| [series.bounds(key), second.bounds(key)]).flatten();
    let values = ends_of(values, keys[0].quantity.most());
    let times = series.ends().map_or([0.0, 1.0], |ends| ends.map(f64::from));
    let plot = Plot::new((title, "plot"))
        .height(if is_last { HEIGHT + AXIS } else { HEIGHT })
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_axes([is_last, true])
        .grid_color(theme.line)
        .show_x(false)
        .show_y(false)
        .include_x(times[0])
        .include_x(times[1])
        .include_y(values[0])
        .include_y(values[1])
        .x_grid_spacer(move |_| marks(times, MAX_TICKS[0]))
        .y_grid_spacer(move |_| marks(values, MAX_TICKS[1]));
    let (font, weak) = (TextStyle::Small.resolve(ui.style()), theme.weak);
    let quiet = |axis: AxisHints<'static>| axis.tick_label_color(weak).tick_label_font(font.clone());
    let times = AxisHints::new_x().formatter(|mark, _| format!("{} s", label(mark.value)));
    let values = AxisHints::new_y().min_thickness(34.0).formatter(|mark, _| label(mark.value));
    let plot = plot.custom_x_axes(vec![quiet(times)]).custom_y_axes(vec![quiet(values)]);
    let shown = plot.show(ui, |plot| {
        for key in keys {
            for points in series.lines(key) {
                let line = Line::new(plots.name_in_plot(key), PlotPoints::new(points)).width(1.5);
                plot.line(line.color(color_of(key)).allow_hover(false));
            }
        }
        // The lines of the second run are dashed.
        for key in keys {
            for points in view.second.plots.series().lines(key) {
                let line = Line::new(plots.name_in_plot(key), PlotPoints::new(points))
                    .style(LineStyle::dashed_dense());
                plot.line(line.color(color_of(key)).width(1.5).allow_hover(false));
            }
        }
        if let Some(time) = past {
            plot.add(VLine::new("", time).color(theme.warning).width(1.5).allow_hover(false));
        }
        // A line outside of the plotted times would widen the axis in every frame.
        if let Some(time) = time.filter(|time| series.has(*time)) {
            plot.add(VLine::new("", time).color(theme.weak).width(1.0).allow_hover(false));
        }
        marked(plot, plots, theme.accent, actions)
    });
    (shown.response, shown.inner)
}

/// The ticks of an axis: its ends, and round values between them at a distance from both.
fn marks([first, last]: [f64; 2], most: usize) -> Vec<GridMark> {
    let width = last - first;
    let between = first + TICK_GAP * width..last - TICK_GAP * width;
    let between = ticks([first, last], most).0.into_iter().filter(|value| between.contains(value));
    // A tick is labeled if ticks are far enough apart.
    let mark = |value| GridMark { value, step_size: width };
    [first, last].into_iter().chain(between).map(mark).collect()
}

/// Handles pointer input for the marked span. Returns the time under the pointer.
fn marked(plot: &mut PlotUi<'_>, plots: &Plots, accent: Color32, actions: &mut Vec<Action>) -> Option<f32> {
    let (response, begun) = (plot.response().clone(), Id::unique("where a span begins"));
    let time = plot.pointer_coordinate().map(|point| point.x as f32);
    if let Some([from, to]) = plots.span {
        let span = Span::new("", f64::from(from)..=f64::from(to)).fill(accent.gamma_multiply(0.16));
        plot.add(span.border_color(accent.gamma_multiply(0.6)).border_width(1.0));
    }
    let begin: Option<f32> = response.ctx.data(|data| data.get_temp(begun));
    if response.drag_started_by(PointerButton::Primary)
        && let Some(origin) = response.ctx.input(|input| input.pointer.press_origin())
    {
        let from = plot.plot_from_screen(origin).x as f32;
        response.ctx.data_mut(|data| data.insert_temp(begun, from));
    } else if let (true, Some(from), Some(to)) = (response.dragged_by(PointerButton::Primary), begin, time) {
        let span = [from.min(to), from.max(to)];
        actions.push(ViewAction::MarkSpan(Some(span).filter(|[from, to]| to - from >= SHORTEST)).into());
    }
    if response.double_clicked() {
        actions.push(ViewAction::MarkSpan(None).into());
    }
    time.filter(|_| response.hovered() || response.dragged())
}

/// The value of a line: the mean in the marked span, else at the time under the pointer, else the last one.
fn value(plots: &Plots, key: &Key, time: Option<f32>) -> String {
    let (series, none) = (plots.series(), "–".to_owned());
    match (time, plots.span) {
        (None, Some(span)) => series.summary(key, span).map_or(none, |summary| {
            let [mean, least, most] = [summary.mean, summary.least, summary.most].map(short);
            format!("{mean} ({least} to {most})")
        }),
        _ => series.value(key, time).map_or(none, short),
    }
}

/// Formats a number of an axis.
fn label(value: f64) -> String {
    let words = short(value as f32);
    words.strip_suffix(".0").map(str::to_owned).unwrap_or(words)
}

/// Formats a number with three digits.
fn short(value: f32) -> String {
    match value.abs() {
        100.0..1e6 => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => rounded(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::plots::PlotName;
    use crate::tests::{app, has_tooltip};
    use egui::{CentralPanel, Context, Event, Key as Button, RawInput};

    #[test]
    fn a_value_of_a_histogram_has_a_ring_and_a_tooltip() {
        let mut app = app();
        app.act(ViewAction::Toggle(Switch::Plots));
        app.press(Button::Space);
        app.press(Button::Period);
        app.idle(1);
        let speed = |app: &crate::App| {
            let plots = app.view.plots.plots();
            let named = |plot: &&model::Plot| matches!(&plot.name, PlotName::Measure(it) if it.quantity == Quantity::named("speed").expect("a quantity"));
            plots.iter().find(named).cloned().expect("the speed")
        };
        let name = speed(&app).name;
        app.act(ViewAction::PlotAs(name, PlotKind::Histogram));
        let plot = speed(&app);
        // The shapes of a frame with the pointer at a place; the place of the first value.
        let context = Context::default();
        let frame = |at: egui::Pos2, is_moved: bool| {
            let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(400.0, 300.0));
            let input = RawInput {
                screen_rect: Some(screen),
                events: is_moved.then_some(Event::PointerMoved(at)).into_iter().collect(),
                ..RawInput::default()
            };
            let mut first = at;
            let output = context.run_ui(input, |ui| {
                CentralPanel::default().show(ui, |ui| {
                    let rect = painted(ui, &app.session, &app.view, &plot).rect;
                    let chart = app.view.chart(&app.session, std::slice::from_ref(&plot));
                    let size = glam::Vec2::new(rect.width(), rect.height());
                    let spots = drawing(&chart, size, theme::of(ui), ui.painter()).spots;
                    let middle = (spots[0].corners[0] + spots[0].corners[1]) * 0.5;
                    first = rect.min + vec2(middle.x, middle.y);
                });
            });
            let rings = output
                .shapes
                .iter()
                .filter(|one| matches!(&one.shape, egui::Shape::Circle(ring) if ring.stroke.width > 1.0));
            (first, rings.count())
        };
        let (value, _) = frame(pos2(395.0, 295.0), true);
        assert_eq!(frame(pos2(395.0, 295.0), true).1, 0, "the pointer is beside the plot");
        assert!(!has_tooltip(&context));
        // A tooltip appears above a pointer that rests.
        for at in 0..60 {
            frame(value, at == 0);
        }
        assert_eq!(frame(value, false).1, 1);
        assert!(has_tooltip(&context));
    }

    #[test]
    fn an_axis_has_ticks_at_both_ends_and_round_ones_between() {
        let values = |ends, most| marks(ends, most).iter().map(|mark| mark.value).collect::<Vec<_>>();
        assert_eq!(values([0.0, 83.4], 3), [0.0, 83.4, 50.0]);
        assert_eq!(values([0.0, 1.0], 3), [0.0, 1.0, 0.5]);
        assert_eq!(values([-1.0, 0.0], 3), [-1.0, 0.0, -0.5]);
        assert_eq!(values([3.2, 63.2], 6), [3.2, 63.2, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(values([7.0, 7.0], 6), [7.0, 7.0]);
        assert_eq!([0.0, 5.0, 10.0, 20.4, 100.0].map(label), ["0", "5", "10", "20.4", "100"]);
    }
}
