//! Tests of plots.

use std::fmt::Write as _;

use glam::Vec2;
use steerbox_scene::Color;

use super::*;

const SWEEP: &str = "a.rule.X,a.count,seed,a.polarization,a.speed,hash\n\
    0.5,10,1,0.2,3,00\n\
    0.5,10,2,0.4,5,01\n\
    0.5,20,1,0.6,,02\n\
    0.5,20,2,,,error: \"a, b\"\n\
    1,10,1,0.8,1,03\n\
    1,10,2,0.8,2,04\n\
    1,20,1,0.1,3,05\n";

fn table(text: &str) -> Table {
    Table::read(text.as_bytes()).expect("a table")
}

fn plotted(text: &str, choice: &Choice) -> Result<Chart, String> {
    let table = Table::read(text.as_bytes())?;
    chart_of(&table, &Query::of(&table, choice)?)
}

fn named(x: &str, y: &str, by: &str, kind: Option<Kind>) -> Choice {
    let some = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
    Choice { x: some(x), y: some(y).into_iter().collect(), by: some(by), kind }
}

fn lines(panel: &Panel) -> &[Line] {
    match &panel.content {
        Content::Lines(lines) | Content::Points(lines) => lines,
        _ => panic!("no lines: {panel:?}"),
    }
}

/// The columns of a query by name.
fn columns(text: &str, choice: &Choice) -> (Kind, [Vec<String>; 4]) {
    let table = table(text);
    let query = Query::of(&table, choice).expect("columns");
    let name = |at: Vec<usize>| at.into_iter().map(|at| table.columns[at].name.clone()).collect::<Vec<_>>();
    let one = |at: Option<usize>| name(at.into_iter().collect());
    (query.kind, [one(query.x), name(query.y), one(query.by), one(query.third)])
}

#[test]
fn a_table_has_the_numbers_of_its_rows_and_skips_failed_ones() {
    let table = table(SWEEP);
    assert_eq!((table.source, table.failed), (Source::Sweep, 1));
    assert_eq!((table.rows, table.seeds), (vec![1, 2, 3, 5, 6, 7], vec![1, 2, 1, 1, 2, 1]));
    let unfinished = SWEEP.to_owned() + "1,20,2,0.";
    assert_eq!(self::table(&unfinished).rows.len(), 6);
    let texts = self::table("g.s.on,seed,m,hash\ntrue,1,2,0\nfalse,1,3,0\ntrue,2,nan,0\n");
    let column = &texts.columns[0];
    assert_eq!(
        (&column.values[..], &column.labels[..]),
        (&[0.0, 1.0, 0.0][..], &["true".into(), "false".into()][..])
    );
    assert!(texts.columns[2].values[2].is_nan());
}

#[test]
fn a_file_that_is_no_table_is_refused_with_the_reason() {
    for (text, reason) in [
        ("", "it is not a table of results"),
        ("x,y\n1,2\n", "it is not a table of results"),
        ("a,measure,n,mean,deviation,low,high\n", "it is a summary"),
        ("a,seed,m,hash\n", "it has no rows"),
        ("a,seed,m,hash\n1,2\n", "line 2 has 2 cells, the first line 4"),
        ("a,seed,m,hash\n1,x,2,0\n", "line 2: `x` is not a seed"),
        ("a,seed,m,hash\n1,2,,error: no\n", "all 1 runs failed"),
    ] {
        let error = Table::read(text.as_bytes()).expect_err(text);
        assert!(error.starts_with(reason), "{error}");
    }
    assert!(Table::read(&b"\xff\xfe"[..]).is_err_and(|error| error.contains("UTF-8")));
}

#[test]
fn missing_options_follow_from_the_table() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (kind, found) = columns(SWEEP, &Choice::default());
    assert_eq!(kind, Kind::Line);
    assert_eq!(
        found,
        [names(&["a.rule.X"]), names(&["a.polarization", "a.speed"]), names(&["a.count"]), vec![]]
    );
    let (kind, found) = columns(SWEEP, &named("a.speed", "a.polarization", "", None));
    assert_eq!(
        (kind, &found[0], &found[1]),
        (Kind::Scatter, &names(&["a.speed"]), &names(&["a.polarization"]))
    );
    let (_, found) = columns(SWEEP, &named("a.count", "", "", None));
    assert_eq!(found[2], names(&["a.rule.X"]));
    let (kind, found) = columns(SWEEP, &named("", "", "", Some(Kind::Histogram)));
    assert_eq!((kind, &found[0]), (Kind::Histogram, &vec![]));
    let (kind, _) = columns("x,seed,m,hash\n1,1,2,0\n1,2,4,0\n", &Choice::default());
    assert_eq!(kind, Kind::Histogram, "no variable varies");
    let mut grid = "x,y,seed,m,hash\n".to_owned();
    for at in 0..100 {
        let _ = writeln!(grid, "{},{},1,{at},0", at % 10, at / 10);
    }
    assert_eq!(columns(&grid, &Choice::default()).0, Kind::Heat);
    let mut sample = "x,y,seed,m,hash\n".to_owned();
    for at in 0..30 {
        let _ = writeln!(sample, "{at},{},1,{at},0", at * 7 % 30);
    }
    assert_eq!(columns(&sample, &Choice::default()).0, Kind::Scatter);
    let mut three = "x,y,z,seed,m,hash\n".to_owned();
    for at in 0..8 {
        let _ = writeln!(three, "{},{},{},1,{at},0", at & 1, at >> 1 & 1, at >> 2);
    }
    let (_, found) = columns(&three, &Choice::default());
    assert_eq!([&found[0], &found[2], &found[3]], [&names(&["x"]), &names(&["y"]), &names(&["z"])]);
    assert_eq!(plotted(&three, &Choice::default()).map(|chart| chart.panels.len()), Ok(2));
}

#[test]
fn curves_are_means_with_the_interval_of_their_runs() {
    let chart = plotted(SWEEP, &named("", "a.polarization", "", None)).expect("a chart");
    let [panel] = &chart.panels[..] else { panic!("{chart:?}") };
    let [few, many] = lines(panel) else { panic!("{panel:?}") };
    assert_eq!(few.points[0].at.map(|value| (value * 1e6).round() / 1e6), [0.5, 0.3]);
    let [low, high] = few.points[0].interval.expect("two seeds");
    assert!((low + 0.970_62).abs() < 1e-4 && (high - 1.570_62).abs() < 1e-4, "{low} {high}");
    assert_eq!(few.points[0].rows, [0, 1]);
    assert_eq!((many.points.len(), many.points[0].interval), (2, None), "one seed has no interval");
    let names: Vec<_> = chart.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!((&*chart.legend, &names[..]), ("a.count (units)", &["10", "20"][..]));
    assert!(chart.notes.iter().any(|note| note == "1 failed run skipped"), "{:?}", chart.notes);
}

#[test]
fn curves_have_gaps_where_values_are_missing() {
    let points = |text: &str| {
        let chart = plotted(text, &Choice::default()).expect("a chart");
        lines(&chart.panels[0]).iter().map(|line| line.points.len()).collect::<Vec<_>>()
    };
    let of_run = "step,time,a.speed\n0,0.0,\n1,0.5,2.0\n2,1.0,2.5\n3,1.5,\n4,2.0,nan\n5,2.5,1.0\n";
    assert_eq!(points(of_run), [2, 1]);
    let of_sweep = "g.k,seed,a.speed,hash\n1.0,1,5.0,aa\n2.0,1,4.0,aa\n3.0,1,,aa\n4.0,1,2.0,aa\n";
    assert_eq!(points(of_sweep), [2, 1]);
}

#[test]
fn a_heat_map_has_a_cell_for_each_pair_of_values() {
    let chart = plotted(SWEEP, &named("", "a.polarization", "", Some(Kind::Heat))).expect("a chart");
    let Content::Cells(cells, scale) = &chart.panels[0].content else { panic!("{chart:?}") };
    let means: Vec<_> = cells.iter().map(|cell| (cell.at, (cell.value * 10.0).round())).collect();
    assert_eq!(means, [([0.5, 10.0], 3.0), ([1.0, 10.0], 8.0), ([0.5, 20.0], 6.0), ([1.0, 20.0], 1.0)]);
    assert_eq!((cells[0].ends, scale.ends), ([[0.25, 0.75], [5.0, 15.0]], [0.0, 1.0]));
}

#[test]
fn a_histogram_counts_each_value_once() {
    let chart = plotted(SWEEP, &named("", "a.speed", "", Some(Kind::Histogram))).expect("a chart");
    let Content::Bars(bars) = &chart.panels[0].content else { panic!("{chart:?}") };
    let rows: usize = bars.iter().map(|bar| bar.rows.len()).sum();
    assert_eq!(rows, 5);
    let last = bars.iter().find(|bar| bar.ends[1] == 5.0).expect("the greatest value has a bar");
    assert_eq!(last.rows, [1]);
}

#[test]
fn figures_of_a_run_have_a_panel_and_groups_have_colors() {
    let text = "step,time,a.speed,b.speed,a.polarization\n0,0,1,2,0.5\n1,0.5,2,3,0.6\n";
    let chart = plotted(text, &Choice::default()).expect("a chart");
    let titles: Vec<_> = chart.panels.iter().map(|panel| (&*panel.title, lines(panel).len())).collect();
    assert_eq!(titles, [("speed (length/s)", 2), ("polarization", 1)]);
    assert_eq!(chart.panels[0].x.label, "time (s)");
    assert_eq!(chart.entries.len(), 2);
}

#[test]
fn what_cannot_be_plotted_is_named_with_a_remedy() {
    for (choice, reason) in [
        (
            named("a.rule.Y", "", "", None),
            "--x a.rule.Y: the table has no such column: did you mean `a.rule.X`?",
        ),
        (named("", "speed", "", None), "--y speed: the table has no such column: did you mean `a.speed`?"),
        (named("", "sped", "", None), "--y sped: the table has no such column: did you mean `a.speed`?"),
        (named("", "q", "", None), "--y q: the table has no such column: it has a.rule.X, a.count, seed,"),
        (named("a.count", "", "a.count", None), "--by a.count: it is the x-axis, too"),
        (named("a.count", "", "", Some(Kind::Histogram)), "--x a.count: the x-axis of a histogram"),
    ] {
        let error = plotted(SWEEP, &choice).expect_err("nothing to plot");
        assert!(error.starts_with(reason), "{error}");
    }
    let empty = "x,seed,m,hash\n1,1,,0\n2,1,,0\n";
    assert_eq!(
        plotted(empty, &Choice::default()),
        Err("nothing to plot: no measure of the table has a value".to_owned())
    );
    assert!(
        plotted(empty, &named("", "m", "", None))
            .is_err_and(|error| error == "--y m: the column has no numbers")
    );
    let one = "x,seed,m,hash\n1,1,2,0\n2,1,3,0\n";
    let error = plotted(one, &named("", "", "", Some(Kind::Heat))).expect_err("one variable");
    assert!(error.starts_with("--kind heat: two variables must vary"), "{error}");
}

fn drawn(chart: &Chart, size: Vec2) -> Drawing {
    let color = Color::rgb(0, 0, 0);
    let palette = [color; 8];
    let look = Look { text: color, weak: color, line: color, palette: &palette, scale: &|_| color };
    draw(chart, size, &look, &|text, size| text.chars().count() as f32 * size * 0.5)
}

#[test]
fn every_value_has_a_spot_within_the_drawing() {
    let choices = [None, Some(Kind::Heat), Some(Kind::Scatter), Some(Kind::Histogram)];
    for kind in choices {
        let chart = plotted(SWEEP, &named("", "", "", kind)).expect("a chart");
        for size in [Vec2::new(900.0, 600.0), Vec2::new(240.0, 150.0), Vec2::new(100.0, 100.0)] {
            let drawing = drawn(&chart, size);
            assert!(!drawing.spots.is_empty());
            for spot in drawing.spots.iter().filter(|_| size.x > 200.0) {
                let middle = (spot.corners[0] + spot.corners[1]) * 0.5;
                assert!(
                    middle.cmpge(Vec2::ZERO).all() && middle.cmple(size).all(),
                    "{kind:?} {size} {spot:?}"
                );
                let found = drawing.spot(middle, 1.0).expect("it is under the pointer");
                let gap = |spot: &Spot| middle.clamp(spot.corners[0], spot.corners[1]).distance(middle);
                assert_eq!(gap(found), 0.0);
            }
            let is_finite = |ink: &Ink| match ink {
                Ink::Area(points, _) | Ink::Path(points, ..) => points.iter().all(|point| point.is_finite()),
                Ink::Rect(corners, _) => corners.iter().all(|point| point.is_finite()),
                Ink::Disc(at, ..) | Ink::Text { at, .. } => at.is_finite(),
            };
            assert!(drawing.inks.iter().all(is_finite));
        }
    }
}

#[test]
fn extreme_values_are_drawn_without_a_panic() {
    let numbers = ["1e308", "-1e308", "5e-324", "0", "-0", "inf", "1e16", "x", ""];
    for a in numbers {
        for b in numbers {
            let text = format!("v,seed,m,hash\n{a},1,{b},0\n{b},2,{a},0\n{a},3,1,0\n");
            for kind in [None, Some(Kind::Line), Some(Kind::Scatter), Some(Kind::Histogram)] {
                if let Ok(chart) = plotted(&text, &named("", "", "", kind)) {
                    drawn(&chart, Vec2::new(300.0, 200.0));
                }
            }
        }
    }
}

#[test]
fn long_curves_are_thinned_and_their_extremes_remain() {
    let mut text = "step,time,a.speed\n".to_owned();
    for at in 0..50_000 {
        let _ = writeln!(text, "{at},{},{}", at as f64 * 0.01, if at == 777 { 99 } else { at % 3 });
    }
    let chart = plotted(&text, &Choice::default()).expect("a chart");
    let drawing = drawn(&chart, Vec2::new(400.0, 300.0));
    let curve = drawing.inks.iter().filter_map(|ink| match ink {
        Ink::Path(points, ..) if points.len() > 2 => Some(points),
        _ => None,
    });
    let curve: Vec<_> = curve.collect();
    assert!(curve.len() == 1 && curve[0].len() < 4000, "{}", curve[0].len());
    let top = curve[0].iter().fold(f32::INFINITY, |top, point| top.min(point.y));
    let peak = drawing.spots.iter().map(|spot| spot.corners[0].y).fold(f32::INFINITY, f32::min);
    assert_eq!(top, peak);
}

#[test]
fn a_variable_that_follows_from_another_divides_nothing() {
    let mut text = "g.count,g.s.SCALE,g.s.NOISE,seed,m,hash\n".to_owned();
    for (count, scale) in [(40, 3), (100, 2), (400, 1)] {
        for noise in 0..5 {
            let _ = writeln!(text, "{count},{scale},{noise},1,0.{noise},0");
        }
    }
    let (_, [x, _, by, third]) = columns(&text, &named("g.s.NOISE", "", "g.count", None));
    assert_eq!((x, by, third), (vec!["g.s.NOISE".to_owned()], vec!["g.count".to_owned()], Vec::new()));
    let (_, [x, _, by, _]) = columns(&text, &Choice::default());
    assert_eq!((x, by), (vec!["g.count".to_owned()], vec!["g.s.NOISE".to_owned()]));
    // With more values than colors, it is the x-axis.
    for (count, scale) in [(40, 3), (100, 2), (400, 1)] {
        for noise in 5..11 {
            let _ = writeln!(text, "{count},{scale},{noise},1,0.1,0");
        }
    }
    let (kind, [x, _, by, third]) = columns(&text, &Choice::default());
    assert_eq!((kind, x, by), (Kind::Line, vec!["g.s.NOISE".to_owned()], vec!["g.count".to_owned()]));
    assert!(third.is_empty());
}
