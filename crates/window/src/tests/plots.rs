//! Kinds and files of plots.

use std::path::Path;

use egui::{Key, PointerButton};
use steerbox_picture::record::PlotFormat;
use steerbox_project::plot::{Content, Spot};

use super::compare_and_presets::tune;
use super::filming::{files, filming};
use super::pointing_with;
use crate::App;
use crate::commands::action::{CompareWith, PlotFile, SessionAction, ViewAction};
use crate::model::plots::{Measure, PlotKind, PlotName, PlotSubject, Quantity};
use crate::model::switch::Switch;

const SVG: PlotFile = PlotFile::Picture(PlotFormat::Svg);
const PNG: PlotFile = PlotFile::Picture(PlotFormat::Png);

fn measure(name: &str) -> Measure {
    Measure { quantity: Quantity::named(name).expect("a quantity"), name: String::new() }
}

fn name(of: &str) -> PlotName {
    PlotName::Measure(measure(of))
}

/// An application that writes into a folder, after a second with open plots.
fn plotting() -> (tempfile::TempDir, App) {
    let (folder, mut app) = filming();
    app.press(Key::Space);
    app.act(ViewAction::Toggle(Switch::Plots));
    for _ in 0..60 {
        app.press(Key::Period);
    }
    (folder, app)
}

/// Saves a plot, or all. Returns the bytes of the file.
fn saved(app: &mut App, folder: &Path, plot: Option<&str>, file: PlotFile) -> Vec<u8> {
    let before = files(folder);
    app.act(ViewAction::SavePlot(plot.map(name), file));
    let new: Vec<_> = files(folder).into_iter().filter(|path| !before.contains(path)).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    assert_eq!(new[0].extension().and_then(|end| end.to_str()), Some(file.extension()));
    let written = new[0].display().to_string();
    assert!(app.session.log.lines().any(|line| line.text.ends_with(&written)), "{written}");
    std::fs::read(&new[0]).expect("a file")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("a text")
}

#[test]
fn each_plot_and_all_plots_are_saved_as_svg_png_and_csv() {
    let (folder, mut app) = plotting();
    let picture = text(saved(&mut app, folder.path(), Some("speed"), SVG));
    for word in ["speed (length/s)", "time (s)"] {
        assert!(picture.contains(word), "{word}: {picture}");
    }
    assert!(!picture.contains("polarization"), "one plot");
    let all = text(saved(&mut app, folder.path(), None, SVG));
    assert!(all.contains("polarization") && all.contains("speed (length/s)"));
    let bytes = saved(&mut app, folder.path(), Some("speed"), PNG);
    let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    assert_eq!(reader.info().width, 1920, "2 pixels per point");
    let table = text(saved(&mut app, folder.path(), None, PlotFile::Csv));
    assert!(table.starts_with("time,of,polarization,speed,nearest\n"), "{table}");
    let table = text(saved(&mut app, folder.path(), Some("speed"), PlotFile::Csv));
    assert!(table.starts_with("time,of,speed\n"), "{table}");
    app.act(ViewAction::SavePlot(Some(name("milling")), SVG));
    assert!(app.logs("no plot is visible"), "an invisible plot is refused");
}

#[test]
fn a_histogram_counts_the_units_of_the_shown_step_or_the_samples_of_the_marked_span() {
    let (folder, mut app) = plotting();
    app.act(ViewAction::PlotAs(name("speed"), PlotKind::Histogram));
    app.act(ViewAction::PlotAs(name("polarization"), PlotKind::Histogram));
    let counts = |app: &App| {
        let plots = app.view.plots.plots();
        let chart = app.view.chart(&app.session, &plots[..2]);
        let of_panel = |panel: &steerbox_project::plot::Panel| match &panel.content {
            Content::Bars(bars) => {
                let count: f64 = bars.iter().map(|bar| bar.counts[1] - bar.counts[0]).sum();
                (panel.title.clone(), panel.y.label.clone(), count as usize)
            }
            _ => panic!("a histogram"),
        };
        (chart.panels.iter().map(of_panel).collect::<Vec<_>>(), chart.notes)
    };
    let world = app.world();
    let (units, time) = (world.units.len(), world.time());
    let samples =
        text(saved(&mut app, folder.path(), Some("polarization"), PlotFile::Csv)).lines().count() - 1;
    let expected = [("polarization", "samples", samples), ("speed (length/s)", "units", units)];
    let owned = |(title, label, count): (&str, &str, usize)| (title.to_owned(), label.to_owned(), count);
    let (panels, notes) = counts(&app);
    assert_eq!(panels, expected.map(owned));
    assert!(notes.contains(&format!("units at {time:.1} s")), "{notes:?}");
    // A row for each unit, with the value of this step.
    let table = text(saved(&mut app, folder.path(), Some("speed"), PlotFile::Csv));
    let world = app.world();
    let speed = world.units.velocity[units - 1].length();
    assert!(table.starts_with("time,of,unit,speed\n"), "{table}");
    assert_eq!(table.lines().count(), units + 1);
    let last = table.lines().last().expect("a row");
    assert!(last.contains(&format!(",{},", units - 1)) && last.ends_with(&speed.to_string()), "{last}");
    app.act(ViewAction::MarkSpan(Some([0.3, 0.6])));
    let (panels, notes) = counts(&app);
    assert!((4..=8).contains(&panels[0].2) && panels[1].2 == units, "{panels:?}");
    assert!(notes.contains(&"samples from 0.3 to 0.6 s".to_owned()), "{notes:?}");
    let table = text(saved(&mut app, folder.path(), Some("polarization"), PlotFile::Csv));
    assert_eq!(table.lines().count() - 1, panels[0].2, "{table}");
    // Of one unit, samples: it has one value in each step.
    app.act(ViewAction::Select(vec![0]));
    app.act(ViewAction::PlotOf(PlotSubject::Unit));
    app.until(|app| !app.view.plots.plots().is_empty());
    let plots = app.view.plots.plots();
    let speed = plots.iter().find(|plot| plot.name == name("speed")).expect("the speed");
    let chart = app.view.chart(&app.session, std::slice::from_ref(speed));
    assert_eq!(chart.panels[0].y.label, "samples");
}

#[test]
fn a_plot_against_another_measure_pairs_values_of_the_same_time() {
    let (folder, mut app) = plotting();
    let plots = app.view.plots.plots();
    let speed = plots.iter().find(|plot| plot.name == name("speed")).expect("the speed");
    let against = PlotKind::Against(measure("spread"));
    let kinds = app.view.plots.kinds_of(speed);
    assert!(kinds.contains(&against), "a measure that is not plotted is known: {kinds:?}");
    assert!(!kinds.contains(&PlotKind::Against(measure("speed"))), "{kinds:?}");
    app.act(ViewAction::PlotAs(name("speed"), against));
    let plots = app.view.plots.plots();
    let chart = app.view.chart(&app.session, &plots[1..2]);
    let panel = &chart.panels[0];
    assert_eq!((&*panel.x.label, &*panel.y.label), ("spread (length)", "speed (length/s)"));
    let Content::Points(lines) = &panel.content else { panic!("{panel:?}") };
    let points: Vec<_> = lines.iter().flat_map(|line| &line.points).map(|point| point.at).collect();
    let table = text(saved(&mut app, folder.path(), Some("speed"), PlotFile::Csv));
    assert!(table.starts_with("time,of,spread,speed\n"), "{table}");
    let rows = table.lines().skip(1).map(|row| {
        let cells: Vec<_> =
            row.split(',').skip(2).map(|cell| cell.parse::<f32>().expect("a number")).collect();
        [f64::from(cells[0]), f64::from(cells[1])]
    });
    // A table is in the order of times, a plot in that of groups.
    let sorted = |mut points: Vec<[f64; 2]>| {
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    assert_eq!(sorted(rows.collect()), sorted(points.clone()));
    assert!(points.len() > 5, "{points:?}");
    // The plot above one over time has a label of its own.
    app.act(ViewAction::PlotAs(name("polarization"), PlotKind::Against(measure("spread"))));
    let all = text(saved(&mut app, folder.path(), None, SVG));
    assert_eq!(all.matches(">spread (length)<").count(), 2, "{all}");
}

#[test]
fn values_of_histograms_and_points_are_described_under_the_pointer() {
    let (_folder, mut app) = plotting();
    let against = PlotKind::Against(measure("spread"));
    for (kind, parts) in [
        (PlotKind::Histogram, ["speed (length/s): ", " unit"]),
        (against, ["spread (length): ", "\nspeed (length/s): "]),
    ] {
        app.act(ViewAction::PlotAs(name("speed"), kind));
        let plots = app.view.plots.plots();
        let plot = plots.iter().find(|plot| plot.name == name("speed")).expect("the speed");
        let chart = app.view.chart(&app.session, std::slice::from_ref(plot));
        let spot = Spot { corners: [glam::Vec2::ZERO; 2], panel: 0, item: [0, 0] };
        let words = app.view.words_at(&chart, plot, &spot).expect("a value");
        let group = app.view.plots.name_in_plot(&plot.keys[0]);
        assert!(words.starts_with(&format!("{group}\n{}", parts[0])), "{words}");
        assert!(words.contains(parts[1]), "{words}");
        let out = Spot { item: [99, 999_999], ..spot };
        assert_eq!(app.view.words_at(&chart, plot, &out), None);
    }
}

#[test]
fn two_runs_have_dashed_lines_over_time_and_a_panel_each_otherwise() {
    let (folder, mut app) = plotting();
    tune(&mut app, 0, 2.0);
    app.idle(1);
    app.act(SessionAction::Compare(CompareWith::Files));
    app.until(|app| app.session.run.variant().is_some());
    for _ in 0..30 {
        app.press(Key::Period);
    }
    app.act(ViewAction::PlotAs(name("speed"), PlotKind::Histogram));
    let plots = app.view.plots.plots();
    let chart = app.view.chart(&app.session, &plots[..2]);
    let Content::Lines(lines) = &chart.panels[0].content else { panic!("{chart:?}") };
    let dashed: Vec<_> = lines.iter().map(|line| line.is_dashed).collect();
    assert!(dashed.contains(&true) && dashed.contains(&false), "{dashed:?}");
    let titles: Vec<_> = chart.panels.iter().map(|panel| &*panel.title).collect();
    assert_eq!(titles, ["polarization", "A: speed (length/s)", "B: speed (length/s)"]);
    assert_eq!(chart.panels[1].x.ends, chart.panels[2].x.ends);
    let table = text(saved(&mut app, folder.path(), None, PlotFile::Csv));
    assert!(table.starts_with("run,time,of,") && table.contains("\nA,") && table.contains("\nB,"), "{table}");
}

#[test]
fn a_right_click_on_a_plot_opens_its_menu_and_a_drag_with_that_button_marks_no_span() {
    let (_folder, mut app) = plotting();
    let place = egui::pos2(app.view.camera.view().1.x - 200.0, 240.0);
    let frame = |app: &mut App, at: egui::Pos2, pressed: Option<bool>| {
        app.step(&pointing_with(PointerButton::Secondary, at, pressed));
    };
    frame(&mut app, place, None);
    frame(&mut app, place, Some(true));
    for x in [20.0, 40.0, 80.0] {
        frame(&mut app, place + egui::vec2(x, 0.0), None);
    }
    frame(&mut app, place + egui::vec2(80.0, 0.0), Some(false));
    assert_eq!(app.view.plots.span, None);
    let is_open = |app: &App| app.context.any_popup_open();
    frame(&mut app, place, None);
    assert!(!is_open(&app), "a drag opens no menu");
    frame(&mut app, place, Some(true));
    frame(&mut app, place, Some(false));
    frame(&mut app, place, None);
    assert!(is_open(&app), "a click does");
}
