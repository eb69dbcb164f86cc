//! The plots of the window as charts, which the window and files show.

use std::collections::BTreeSet;

use steerbox_core::sim::Simulation;
use steerbox_picture::render::theme::opaque;
use steerbox_project::plot::{
    Axis, Chart, Content, Entry, Hue, Line, Panel, Point, Spot, bars, labeled, rounded, share_ends,
};
use steerbox_scene::Color;

use super::plot::{Plot, PlotKind};
use super::sample::of_units;
use super::{Key, Measure, Plots, Quantity, Subject};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// A run whose values are plotted.
#[derive(Clone, Copy)]
pub(crate) struct PlottedRun<'a> {
    /// The letter of one of two compared runs; else empty.
    pub(crate) letter: &'static str,
    pub(crate) plots: &'a Plots,
    pub(crate) simulation: &'a Simulation,
}

impl PlottedRun<'_> {
    /// The title of a panel of this run.
    fn titled(&self, title: &str) -> String {
        if self.letter.is_empty() { title.to_owned() } else { format!("{}: {title}", self.letter) }
    }
}

impl ViewState {
    /// The run whose values are plotted, or the two runs of a comparison.
    pub(crate) fn plotted_runs<'a>(&'a self, session: &'a LiveSession) -> Vec<PlottedRun<'a>> {
        let (plots, simulation) = (&self.plots, &session.run.simulation);
        match session.run.variant() {
            None => vec![PlottedRun { letter: "", plots, simulation }],
            Some(variant) => vec![
                PlottedRun { letter: "A", plots, simulation },
                PlottedRun { letter: "B", plots: &self.second.plots, simulation: &variant.simulation },
            ],
        }
    }

    /// The color of a series, legible on the background of plots.
    pub(crate) fn series_color(&self, key: &Key) -> Color {
        let theme = self.prefs.theme.theme();
        match (key.quantity, key.subject) {
            (Quantity::Force, _) => opaque(theme.legible(self.colors.rule(key.at))),
            (_, Subject::Group(group)) => opaque(theme.legible(self.colors.group(group))),
            (_, Subject::Unit) => theme.world.selection,
        }
    }

    /// Describes a drawn value of a plot's chart: its series, and its coordinates or its range and number.
    pub(crate) fn words_at(&self, chart: &Chart, plot: &Plot, spot: &Spot) -> Option<String> {
        let panel = chart.panels.get(spot.panel)?;
        let (key, words) = match &panel.content {
            Content::Lines(lines) | Content::Points(lines) => {
                let [line, at] = spot.item;
                let [x, y] = lines.get(line)?.points.get(at)?.at.map(rounded);
                let of_y = if panel.y.label.is_empty() { &panel.title } else { &panel.y.label };
                (plot.keys.get(line), format!("{}: {x}\n{of_y}: {y}", panel.x.label))
            }
            Content::Bars(bars) => {
                let bar = bars.get(spot.item[1])?;
                let [from, to] = bar.ends.map(rounded);
                let key = plot.keys.iter().find(|key| Hue::Own(self.series_color(key)) == bar.hue);
                let counted = match (&*panel.y.label, bar.rows.len()) {
                    (label, 1) => label.trim_end_matches('s'),
                    (label, _) => label,
                };
                (key, format!("{}: {from} to {to}\n{} {counted}", panel.x.label, bar.rows.len()))
            }
            Content::Cells(..) => return None,
        };
        let series = key.map_or_else(String::new, |key| format!("{}\n", self.plots.name_in_plot(key)));
        Some(format!("{series}{words}"))
    }

    /// Some plots as a chart. Two runs share the panels of plots over time, and have one each of others.
    pub(crate) fn chart(&self, session: &LiveSession, plots: &[Plot]) -> Chart {
        let (mut chart, mut notes) = (Chart::default(), BTreeSet::new());
        let runs = self.plotted_runs(session);
        for plot in plots {
            let lines: Vec<_> = plot.keys.iter().map(|key| (key, Hue::Own(self.series_color(key)))).collect();
            for (key, hue) in &lines {
                let entry = Entry { name: self.plots.name_in_plot(key), hue: *hue };
                if !chart.entries.contains(&entry) {
                    chart.entries.push(entry);
                }
            }
            let title = labeled(&self.plots.title(&plot.name));
            let figure = Figure { lines, title, span: self.plots.span.unwrap_or(ALWAYS) };
            let first = chart.panels.len();
            match &plot.kind {
                PlotKind::OverTime => {
                    chart.panels.push(figure.over_time(&runs));
                    if runs.len() > 1 {
                        notes.insert("A solid, B dashed".to_owned());
                    }
                }
                PlotKind::Histogram => {
                    for run in &runs {
                        let (panel, note) = figure.histogram(run);
                        chart.panels.push(panel);
                        notes.insert(note);
                    }
                }
                PlotKind::Against(measure) => {
                    chart.panels.extend(runs.iter().map(|run| figure.against(run, measure)));
                    notes.extend(self.plots.span.map(words));
                }
            }
            share_ends(&mut chart.panels[first..]);
        }
        chart.notes.extend(notes);
        chart
    }
}

/// The span of all times.
const ALWAYS: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

fn words([from, to]: [f32; 2]) -> String {
    format!("samples from {from:.1} to {to:.1} s")
}

/// The limits of a value axis that contains 0 and, if it is known, the greatest possible value.
pub(crate) fn ends_of(bounds: impl Iterator<Item = [f32; 2]>, most: Option<f32>) -> [f64; 2] {
    let ends = bounds.fold([0.0, most.unwrap_or(0.0)], |[a, b], [least, most]| [a.min(least), b.max(most)]);
    let [least, most] = ends.map(f64::from);
    if most > least { [least, most] } else { [least, least + 1.0] }
}

/// The least and the greatest of some numbers; of none, 0 and 1.
fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = values.fold(None, |ends: Option<[f64; 2]>, value| {
        let [least, most] = ends.unwrap_or([value; 2]);
        Some([least.min(value), most.max(value)])
    });
    ends.unwrap_or([0.0, 1.0])
}

/// The series of a plot with their colors, its title, and the span of time of its samples.
struct Figure<'a> {
    lines: Vec<(&'a Key, Hue)>,
    title: String,
    span: [f32; 2],
}

impl Figure<'_> {
    fn is_in_span(&self, time: f32) -> bool {
        (self.span[0]..=self.span[1]).contains(&time)
    }

    fn over_time(&self, runs: &[PlottedRun<'_>]) -> Panel {
        let mut lines = Vec::new();
        for (run, is_dashed) in runs.iter().zip([false, true]) {
            for (key, hue) in &self.lines {
                let point = |at| Point { at, interval: None, rows: Vec::new() };
                lines.extend(run.plots.series().lines(key).into_iter().map(|points| {
                    let points = points.into_iter().map(point).collect();
                    Line { hue: *hue, is_dashed, points }
                }));
            }
        }
        let ends = runs.iter().filter_map(|run| run.plots.series().ends()).flatten();
        let times = bounds(ends.map(f64::from));
        let of_run = |run: &PlottedRun<'_>| {
            let series = run.plots.series();
            self.lines.iter().filter_map(|(key, _)| series.bounds(key)).collect::<Vec<_>>()
        };
        let values = ends_of(runs.iter().flat_map(of_run), self.lines[0].0.quantity.most());
        Panel {
            title: self.title.clone(),
            x: Axis::of_interval(labeled("time"), times),
            y: Axis::of_interval(String::new(), values),
            content: Content::Lines(lines),
            reference: Vec::new(),
        }
    }

    /// Numbers of units, or of samples, by ranges of values. Returns a note, too, that names the counted values.
    fn histogram(&self, run: &PlottedRun<'_>) -> (Panel, String) {
        let of_units = |(key, hue): &(&Key, Hue)| {
            let values = of_units(run.simulation, key)?.into_iter();
            let values = values.filter(|(_, value)| value.is_finite());
            Some((*hue, values.map(|(unit, value)| (f64::from(value), unit as u32)).collect::<Vec<_>>()))
        };
        let parts: Option<Vec<_>> = self.lines.iter().map(of_units).collect();
        let (parts, counted, note) = if let Some(parts) = parts {
            (parts, "units", format!("units at {:.1} s", run.simulation.world().time()))
        } else {
            let of_time = |(key, hue): &(&Key, Hue)| {
                let values = run.plots.series().values(key).filter(|(time, _)| self.is_in_span(*time));
                (*hue, values.zip(0..).map(|((_, value), row)| (f64::from(value), row)).collect())
            };
            let [from, to] = run.plots.series().ends().unwrap_or_default();
            let span = [from.max(self.span[0]), to.min(self.span[1])];
            (self.lines.iter().map(of_time).collect(), "samples", words(span))
        };
        let panel = bars(&parts, (run.titled(&self.title), self.title.clone()), counted);
        (panel, note)
    }

    /// The values against those of another measure of the same subject at the same time.
    fn against(&self, run: &PlottedRun<'_>, measure: &Measure) -> Panel {
        let series = run.plots.series();
        let line = |(key, hue): &(&Key, Hue)| {
            let x = series.key(measure, key.subject);
            let pairs = x.into_iter().flat_map(|x| series.pairs(x, key));
            let pairs = pairs.filter(|(time, _)| self.is_in_span(*time));
            let point = |(_, pair): (f32, [f32; 2])| Point {
                at: pair.map(f64::from),
                interval: None,
                rows: Vec::new(),
            };
            Line { hue: *hue, is_dashed: false, points: pairs.map(point).collect() }
        };
        let lines: Vec<_> = self.lines.iter().map(line).collect();
        let ends =
            |axis: usize| bounds(lines.iter().flat_map(|line| &line.points).map(|point| point.at[axis]));
        let of = labeled(&measure.title());
        Panel {
            title: run.titled(&format!("{} against {of}", self.title)),
            x: Axis::of_interval(of, ends(0)),
            y: Axis::of_interval(self.title.clone(), ends(1)),
            content: Content::Points(lines),
            reference: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_axis_contains_0_and_the_greatest_possible_value() {
        assert_eq!(ends_of([[2.0, 83.4]].into_iter(), None).map(|end| end as f32), [0.0, 83.4]);
        assert_eq!(ends_of([].into_iter(), None), [0.0, 1.0]);
        assert_eq!(ends_of([[0.2, 0.3]].into_iter(), Some(1.0)), [0.0, 1.0]);
        assert_eq!(ends_of([[-2.0, -1.0]].into_iter(), None), [-2.0, 0.0]);
    }
}
