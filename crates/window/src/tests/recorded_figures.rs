//! Figures that the window computes from the recorded past and from the shown state.

use std::collections::BTreeMap;

use egui::Key;
use steerbox_core::sim::metrics;
use steerbox_core::world::SolidKind;
use steerbox_picture::render::coloring;
use steerbox_script::probe::{ProbedValue, SiteKind};

use super::time_travel::{recording, shown};
use super::{input, pressed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::history::Plotted;
use crate::model::plots::{Key as SeriesKey, PlotSubject, Quantity, Subject};
use crate::model::switch::Switch;

/// Draws frames until no computation is pending.
fn settle(app: &mut App) {
    app.idle(1);
    app.until(|app| app.session.run.simulation.busy().is_none() && !app.session.run.is_seeking());
}

#[test]
fn opposing_rules_are_named_while_paused_after_edits_and_in_the_past() {
    let mut app = recording();
    app.press(Key::Space);
    for _ in 0..20 {
        app.press(Key::Period);
    }
    let words = |app: &App| coloring::disagreement(&app.session.run.simulation);
    let last = words(&app);
    assert!(last.0.contains(" oppose each other in ") && last.1.is_some(), "{last:?}");
    let is_computed = |(words, unit): &(String, Option<usize>)| {
        words.contains(" oppose each other in ") && words.ends_with(" in the next step") && unit.is_some()
    };
    app.act(ViewAction::AddObstacle(SolidKind::Ball));
    assert_eq!(words(&app).0, "computed with the next step");
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    app.act(SessionAction::Undo);
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    app.act(ViewAction::Select(vec![5, 6, 7]));
    app.act(ViewAction::RemoveSelected);
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    // In the past, the forces of the shown step; before the first step, those of the next.
    let hash = app.hash();
    app.go_to(12);
    let (past, _) = words(&app);
    assert!(past.contains(" oppose each other in ") && !past.ends_with("next step"), "{past}");
    app.go_to(0);
    settle(&mut app);
    assert!(words(&app).0.ends_with("in the next step"), "{:?}", words(&app));
    shown(&mut app, &pressed(Key::End));
    assert_eq!(app.hash(), hash);
    app.act(SessionAction::Restart);
    settle(&mut app);
    assert!(words(&app).0.ends_with("in the next step"), "{:?}", words(&app));
}

/// Draws frames until all figures are filled from the recorded past.
fn fill(app: &mut App) {
    settle(app);
    app.until(|app| !app.view.refill.is_busy());
}

/// Makes `count` single steps. Returns the value of `of` after each, by the bits of its time.
fn recorded_values<T>(app: &mut App, count: u32, of: impl Fn(&App) -> T) -> BTreeMap<u32, T> {
    let mut recorded_values = BTreeMap::new();
    for _ in 0..count {
        app.press(Key::Period);
        recorded_values.insert(app.world().time().to_bits(), of(app));
    }
    recorded_values
}

/// Compares the values of a series with those recorded at the same times. Returns the number of compared values.
fn compare(series: impl Iterator<Item = (f32, f32)>, recorded_values: &BTreeMap<u32, f32>) -> usize {
    let mut count = 0;
    for (time, value) in series {
        if let Some(recorded_values) = recorded_values.get(&time.to_bits()) {
            assert_eq!(value, *recorded_values, "at {time} s");
            count += 1;
        }
    }
    count
}

#[test]
fn plots_are_filled_from_the_recorded_past_when_they_open_and_where_they_were_closed() {
    let mut app = recording();
    app.press(Key::Space);
    let polarization = |app: &App| metrics::of_groups(app.world())[0].named("polarization").unwrap();
    let key = SeriesKey::new(Quantity::named("polarization").unwrap(), Subject::Group(0));
    let mut all = recorded_values(&mut app, 200, polarization);
    let hash = app.hash();
    app.act(ViewAction::Toggle(Switch::Plots));
    fill(&mut app);
    // A sample every 0.1 s, back to the first step.
    let samples = |app: &App, all: &BTreeMap<u32, f32>| compare(app.view.plots.series().values(&key), all);
    assert!((33..=35).contains(&samples(&app, &all)), "{}", samples(&app, &all));
    app.act(ViewAction::Toggle(Switch::Plots));
    all.append(&mut recorded_values(&mut app, 90, polarization));
    app.act(ViewAction::Toggle(Switch::Plots));
    fill(&mut app);
    assert!((48..=51).contains(&samples(&app, &all)), "{}", samples(&app, &all));
    assert_eq!(app.view.plots.series().lines(&key).len(), 1, "the line has no gap");
    // Another quantity, and a unit, in the past.
    app.go_to(40);
    app.act(ViewAction::TogglePlot(Quantity::Force));
    let clusters = Quantity::named("clusters").unwrap();
    app.act(ViewAction::TogglePlot(clusters));
    app.act(ViewAction::PlotOf(PlotSubject::Unit));
    app.act(ViewAction::Select(vec![3]));
    fill(&mut app);
    let count = |quantity, subject, at, name: &str| {
        let key = SeriesKey::named(quantity, subject, at, name);
        app.view.plots.series().values(&key).count()
    };
    assert!(count(clusters, Subject::Group(1), 0, "") > 45);
    assert!(count(Quantity::Force, Subject::Group(0), 1, "alignment") > 45);
    assert!(count(Quantity::Force, Subject::Unit, 1, "alignment") > 45);
    shown(&mut app, &pressed(Key::End));
    assert_ne!(app.hash(), hash);
    let last = *app.session.run.recorded().unwrap().end();
    app.act(SessionAction::GoToStep(last - 90));
    shown(&mut app, &input());
    assert_eq!(app.hash(), hash, "the run is unchanged");
}

#[test]
fn sparklines_and_lines_of_scripts_are_filled_for_a_unit_that_was_never_selected() {
    let mut app = recording();
    app.press(Key::Space);
    app.act(ViewAction::Select(vec![3]));
    app.idle(1);
    let force = |app: &App| {
        let explained = app.session.run.simulation.explained();
        explained.map_or(f32::NAN, |explained| explained.facts.rules[1].weighted.length())
    };
    let all = recorded_values(&mut app, 150, force);
    let hash = app.hash();
    app.act(ViewAction::Select(vec![8]));
    fill(&mut app);
    assert!(app.view.history.of_rule(1, "alignment").count() >= 149);
    app.act(ViewAction::Select(vec![3]));
    fill(&mut app);
    let filled = compare(app.view.history.of_rule(1, "alignment"), &all);
    assert!(filled >= 149, "{filled}");
    // A list is plotted by its length.
    app.act(ViewAction::OpenScript(1));
    fill(&mut app);
    let explained = app.session.run.simulation.explained().unwrap();
    let values = explained.lines[1].as_ref().unwrap().values();
    let is_list = |log: &steerbox_script::probe::SiteLog| {
        log.entries().last().is_some_and(|entry| matches!(entry.value, ProbedValue::Units(_)))
    };
    let (site, _) =
        values.iter().find(|(site, log)| site.kind != SiteKind::Statement && is_list(log)).unwrap();
    let plotted = Plotted { rule: 1, file: site.file, line: site.span.start.0 };
    let (length, what) = plotted.figure(explained).unwrap();
    assert_eq!(what, ", number of units");
    app.act(ViewAction::PlotLine(plotted));
    fill(&mut app);
    let lengths: Vec<_> = app.view.history.of_plotted().collect();
    assert!(lengths.len() >= 149, "{}", lengths.len());
    assert_eq!(lengths.last().map(|(_, value)| *value), Some(length));
    assert_eq!(app.hash(), hash);
}
