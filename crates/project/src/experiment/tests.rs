//! Plans, runs and tables of a small scene.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use steerbox_script::Execution;

use super::*;
use crate::reload::{Place, Texts};
use crate::session::{Options, Session};

const SCENE: &str = "(world: Plane(size: (200, 100)), seed: 3, bodies: { \"m\": Mover(max_speed: 20) },
    groups: [(name: \"a\", body: \"m\", count: 5, behaviors: [(script: \"turn\", gain: 0.5)])])";
const TURN: &str = "const WIDE = param(1.0, 0.0, 9.0);
fn steer(me, world) { WIDE * me.random_between(-1, 1) }";

fn rules() -> Rules {
    let texts = Texts {
        name: "s.ron".to_owned(),
        scene: SCENE.to_owned(),
        scripts: [("turn".to_owned(), TURN.to_owned())].into(),
        ..Texts::default()
    };
    Rules::load(Place::of_texts(texts), &[], Execution::default()).expect("the scene is valid")
}

fn request() -> Request {
    Request {
        vary: vec!["a.turn.WIDE=0,2".to_owned(), "a.count=3..5:2".to_owned()],
        measures: vec!["speed, a.count".to_owned()],
        seeds: 3,
        steps: 12,
        warmup: 2,
        ..Request::default()
    }
}

fn plan(shard: Shard) -> Plan {
    Plan::new(&request(), &rules(), shard).expect("it fits the scene")
}

fn table(plan: &Plan, threads: usize) -> String {
    let mut text = plan.header();
    let run_at = |position| plan.shard.run(position);
    let never = AtomicBool::new(false);
    execute((plan, &rules()), 0..plan.len(), &run_at, threads, &never, |lines| {
        text.extend(lines.iter().map(|line| line.text.as_str()));
        Ok(())
    })
    .expect("the runs are made");
    text
}

#[test]
fn rows_have_the_order_of_values_and_seeds_on_any_number_of_threads() {
    let plan = plan(Shard::WHOLE);
    let text = table(&plan, 1);
    assert_eq!(text, table(&plan, 5));
    let starts: Vec<_> =
        text.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(starts[..5], ["a.turn.WIDE a.count seed", "0.0 3 3", "0.0 3 4", "0.0 3 5", "0.0 5 3"]);
    assert_eq!(text.lines().next(), Some("a.turn.WIDE,a.count,seed,speed,a.count,hash"));
    assert_eq!(starts.len(), 13);
    let counts: Vec<_> = text.lines().skip(1).filter_map(|line| line.split(',').nth(4)).collect();
    assert_eq!(counts[..4], ["3.0", "3.0", "3.0", "5.0"]);
}

#[test]
fn an_unfinished_table_is_scanned_up_to_its_last_whole_line() {
    let plan = plan(Shard::WHOLE);
    let text = table(&plan, 2);
    for end in 0..=text.len() {
        let scanned = scan(&text.as_bytes()[..end], &plan).expect("it is the start of the table");
        let whole = text[..end].rfind('\n').map_or(0, |at| at + 1);
        assert_eq!((scanned.bytes, scanned.runs), (whole as u64, (text[..end].lines_of(whole))), "{end}");
    }
    let zeros = format!("{}\0\0\0", &text[..text.len() - 9]);
    assert_eq!(scan(zeros.as_bytes(), &plan).expect("a table").runs, 11);
    assert!(scan(text.replace("0.0,5,4,", "0.0,5,9,").as_bytes(), &plan).is_err());
    assert!(scan(text.replace("speed", "milling").as_bytes(), &plan).is_err());
}

trait Lines {
    /// Returns the number of runs in the first bytes of a table.
    fn lines_of(&self, bytes: usize) -> u64;
}

impl Lines for str {
    fn lines_of(&self, bytes: usize) -> u64 {
        (self[..bytes].lines().count() as u64).saturating_sub(1)
    }
}

#[test]
fn mistakes_of_a_request_are_named() {
    let rules = rules();
    for (vary, part) in [
        ("a.turn.WDIE=1,2", "did you mean \"WIDE\"?"),
        ("a.trun.WIDE=1,2", "did you mean \"turn\"?"),
        ("aa.count=1,2", "did you mean \"a\"?"),
        ("a.count=1,x", "not a number of units"),
        ("a.turn.WIDE=0..10:2", "--vary a.turn.WIDE=10"),
        ("a.turn.gain=1,wide", "gain must be a number"),
        ("WIDE=1", "expected GROUP.SCRIPT.PARAM=a..b:n"),
        ("a.count=0..2000000:2", "--vary a.count=2000000"),
    ] {
        let request = Request { vary: vec![vary.to_owned()], ..request() };
        let error = format!("{:#}", Plan::new(&request, &rules, Shard::WHOLE).expect_err(vary));
        assert!(error.contains(part), "{vary}: {error}");
    }
    let refused = |request: Request| format!("{:#}", Plan::new(&request, &rules, Shard::WHOLE).unwrap_err());
    let twice = vec!["a.turn.WIDE=1,2".to_owned(), "a.turn.wide=1,2".to_owned()];
    assert!(refused(Request { vary: twice, ..request() }).contains("varied twice"));
    assert!(refused(Request { warmup: 12, ..request() }).contains("none would be measured"));
    let measures = vec!["polarisation".to_owned()];
    assert!(refused(Request { measures, ..request() }).contains("did you mean"));
}

#[test]
fn a_design_has_a_point_per_line() {
    let design = |text: &str| {
        let (design, vary) = (Some(text.to_owned()), Vec::new());
        Plan::new(&Request { design, vary, seeds: 2, ..request() }, &rules(), Shard::WHOLE)
    };
    let plan = design("\u{feff}a.count, a.turn.wide\r\n3,0.5\r\n\r\n3,\"1\"\r\n4,0.5\r\n").expect("it fits");
    let rows: Vec<_> = (0..plan.len()).map(|run| plan.prefix(run)).collect();
    assert_eq!(rows, ["3,0.5,3,", "3,0.5,4,", "3,1.0,3,", "3,1.0,4,", "4,0.5,3,", "4,0.5,4,"]);
    let german = design("a.count;a.turn.wide\r\n3;0,5\r\n3;1\r\n4;0,5\r\n").expect("it fits");
    assert_eq!((0..german.len()).map(|run| german.prefix(run)).collect::<Vec<_>>(), rows);
    assert!(plan.header().starts_with("a.count,a.turn.wide,seed,"));
    let manifest = manifest(
        &Request {
            design: Some("a.count\n4\n3\n".to_owned()),
            vary: Vec::new(),
            independent_seeds: true,
            ..request()
        },
        &rules(),
        Shard::WHOLE,
    );
    let row = manifest.row(5).expect("a row");
    assert_eq!((row.seed, row.texts.scene.contains("count: 3")), (7, true));
    for (text, part) in [
        ("", "the table is empty"),
        ("a.count\n", "no points below its first line"),
        ("a.count,a.turn.WIDE\n3\n", "line 2 has 1 cells, the first line has 2"),
        ("a.count,a.turn.WIDE\n3,\n", "--design: line 2, column 3: there is no value of a.turn.WIDE"),
        ("a.count,a.cuont\n3,3\n", "--design: line 1, column 9: expected GROUP.SCRIPT.PARAM"),
        ("a.count,id\n3,1\n", "--design: line 1, column 9: id is not a variable, such as GROUP.SCRIPT.PARAM"),
        ("a.count\nx\n", "--design: line 2, column 1: `x` is not a number of units"),
        ("a.turn.WIDE\n1\n10\n", "--design: line 3, column 1: WIDE is 10, but"),
        ("a.count,a.count\n1,2\n", "varied twice"),
    ] {
        let error = format!("{:#}", design(text).expect_err(text));
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_sample_covers_the_ranges_of_its_variables() {
    let sampled = |vary: &[&str], sample: &str| {
        let vary = vary.iter().map(|text| (*text).to_owned()).collect();
        let sample = Some(sample.parse().expect("a sample"));
        Plan::new(&Request { vary, sample, seeds: 1, ..request() }, &rules(), Shard::WHOLE)
    };
    let plan = sampled(&["a.turn.WIDE=1..3", "a.count=2..5"], "sobol:4").expect("it fits");
    let rows: Vec<_> = (0..plan.len()).map(|run| plan.prefix(run)).collect();
    assert_eq!(rows, ["1.0,2,3,", "2.0,4,3,", "2.5,3,3,", "1.5,5,3,"]);
    let plan = sampled(&["a.count=1..20"], "latin:20").expect("it fits");
    let mut counts: Vec<_> = plan.variables[0].values.iter().map(|text| text.parse().unwrap_or(0)).collect();
    counts.sort_unstable();
    assert_eq!(counts, (1..=20).collect::<Vec<_>>());
    let refused =
        |vary: &[&str], sample| format!("{:#}", sampled(vary, sample).expect_err("it does not fit"));
    assert!(refused(&["a.turn.WIDE=1..3:4"], "latin:3").contains("a sample needs bounds: expected a..b"));
    assert!(refused(&["a.turn.WIDE=3..1"], "latin:3").contains("3 is not below 1"));
    assert!(refused(&[], "latin:3").contains("name variables by --vary PATH=a..b"));
}

#[test]
fn merged_parts_are_the_whole() {
    let whole = table(&plan(Shard::WHOLE), 2);
    let parts: Vec<_> = (1..=5).map(|index| table(&plan(Shard { index, count: 5 }), 1)).collect();
    let header = plan(Shard::WHOLE).header();
    let merge = |parts: &[String]| {
        let mut merged = Vec::new();
        let mut readers: Vec<_> = parts.iter().map(String::as_bytes).collect();
        let result = merge(&mut readers, &header, 12, &mut merged);
        result.map(|()| String::from_utf8(merged).expect("text"))
    };
    assert_eq!(merge(&parts).expect("complete parts"), whole);
    let mut short = parts.clone();
    short[2].truncate(parts[2].len() - 1);
    assert_eq!(merge(&short).expect_err("it is unfinished").part, Some(2));
    let mut long = parts;
    long[4].push_str("0,0,0\n");
    assert_eq!(merge(&long).expect_err("it has another run").part, Some(4));
}

fn manifest(request: &Request, rules: &Rules, shard: Shard) -> Manifest {
    let host = Host { name: String::new(), system: String::new(), processor: String::new(), threads: 1 };
    let plan = Plan::new(request, rules, shard).expect("it fits");
    Manifest::of(&plan, rules, "s.ron".to_owned(), host)
}

#[test]
fn a_summary_has_a_row_for_each_point_and_measure() {
    let table = "a.turn.WIDE,a.count,seed,speed,a.count,hash\n\
        0.0,3,3,1,3,0\n0.0,3,4,2,3,0\n0.0,3,5,,,error: x\n\
        0.0,5,3,1,5,0\n0.0,5,4,1,5,0\n0.0,5,5,4,5,0\n\
        2.0,3,3,,,error: x\n2.0,3,4,,,error: x\n2.0,3,5,,,error: x\n\
        2.0,5,3,1,5,0\n2.0,5,4,,,error: x\n2.0,5,5,,,error: x\n";
    let manifest = manifest(&request(), &rules(), Shard::WHOLE);
    let mut summary = Vec::new();
    summarize(table.as_bytes(), &manifest, &mut summary).expect("a complete table");
    let summary = String::from_utf8(summary).expect("text");
    let lines: Vec<_> = summary.lines().collect();
    assert_eq!(lines[0], "a.turn.WIDE,a.count,measure,n,mean,deviation,low,high");
    assert!(lines[1].starts_with("0.0,3,speed,2,1.5,0.70710678"), "{}", lines[1]);
    assert!(lines[1].contains(",-4.8531") && lines[1].contains(",7.8531"), "{}", lines[1]);
    assert_eq!(lines[2], "0.0,3,a.count,2,3.0,0.0,3.0,3.0");
    assert!(lines[3].starts_with("0.0,5,speed,3,2.0,1.73205"), "{}", lines[3]);
    assert_eq!(
        lines[5..],
        ["2.0,3,speed,0,,,,", "2.0,3,a.count,0,,,,", "2.0,5,speed,1,1.0,,,", "2.0,5,a.count,1,5.0,,,"]
    );
    let short = &table[..table.len() - 3];
    assert!(summarize(short.as_bytes(), &manifest, &mut Vec::new()).is_err());
}

#[test]
fn statistics_and_the_end_of_a_run_depend_on_its_steps() {
    let request = Request {
        vary: Vec::new(),
        measures: vec![
            "final(step), min(step), max(step), mean(step, 2..3)".to_owned(),
            "first(step > 4)".to_owned(),
        ],
        until: Some("a.count == 5 && step >= 6".to_owned()),
        seeds: 1,
        ..request()
    };
    let plan = Plan::new(&request, &rules(), Shard::WHOLE).expect("it fits");
    let text = table(&plan, 1);
    let mut lines = text.lines();
    let header = "seed,final(step),min(step),max(step),\"mean(step, 2..3)\",first(step > 4),hash";
    assert_eq!(lines.next(), Some(header));
    let row = lines.next().expect("a run");
    assert!(row.starts_with("3,6,3,6,2.5,5,"), "{row}");
    // Steps of the warm-up do not end a run.
    let early = Request { until: Some("step >= 1".to_owned()), ..request.clone() };
    let plan = Plan::new(&early, &rules(), Shard::WHOLE).expect("it fits");
    assert!(table(&plan, 1).contains("\n3,3,3,3,2.5,,"), "{}", table(&plan, 1));
    let mistaken = |until: &str| {
        let request = Request { until: Some(until.to_owned()), ..request.clone() };
        format!("{:#}", Plan::new(&request, &rules(), Shard::WHOLE).expect_err(until))
    };
    assert!(mistaken("a.sped > 1").contains("--until a.sped > 1: `a` has no measure `sped`"));
    assert!(mistaken("step").contains("compare"));
}

#[test]
fn a_run_beyond_its_time_is_an_error_and_a_limit_identifies_no_sweep() {
    let limited = Request { time_limit: Some(Duration::ZERO), ..request() };
    let plan = Plan::new(&limited, &rules(), Shard::WHOLE).expect("it fits");
    let text = table(&plan, 1);
    for (row, run) in text.lines().skip(1).zip(0..) {
        let reason = "error: stopped after 0 s by --time-limit: 1 of 12 steps are done";
        assert!(row.starts_with(&plan.prefix(run)) && row.ends_with(reason), "{row}");
    }
    let scanned = scan(text.as_bytes(), &plan).expect("it is the table of the plan");
    assert_eq!(scanned.failed.len() as u64, plan.len());
    let [limited, free] = [limited, request()].map(|request| manifest(&request, &rules(), Shard::WHOLE));
    assert_eq!(limited.difference(&free), None);
    let patient = Request { time_limit: Some(Duration::MAX), ..request() };
    let patient = Plan::new(&patient, &rules(), Shard::WHOLE).expect("it fits");
    let free = Plan::new(&request(), &rules(), Shard::WHOLE).expect("it fits");
    assert_eq!(table(&patient, 2), table(&free, 1));
}

#[test]
fn parts_must_be_all_parts_of_one_sweep() {
    let rules = rules();
    let manifest = |request: &Request, index, count| manifest(request, &rules, Shard { index, count });
    let [one, two] = [1, 2].map(|index| manifest(&request(), index, 2));
    assert_eq!(Manifest::parse(one.text().expect("JSON").as_bytes()), Ok(one.clone()));
    let order = |parts: &[Manifest]| {
        let names = ["x.csv", "y.csv", "z.csv"].map(str::to_owned);
        parts_in_order(&names[..parts.len()], parts)
    };
    assert_eq!(order(&[two.clone(), one.clone()]).expect("complete"), [1, 0]);
    let refused = |parts: &[Manifest]| order(parts).expect_err("they do not fit").to_string();
    assert_eq!(refused(std::slice::from_ref(&two)), "part 1/2 is missing");
    assert_eq!(refused(&[one.clone(), two.clone(), one.clone()]), "x.csv and z.csv are both part 1/2");
    let other = manifest(&Request { steps: 13, ..request() }, 2, 2);
    assert_eq!(
        refused(&[one, other]),
        "x.csv and y.csv are of different sweeps: --steps is `12` there, `13` here"
    );
}

#[test]
fn the_last_step_of_a_row_gives_its_hash_also_if_a_condition_ends_the_run() {
    for until in [None, Some("step > 6".to_owned())] {
        let request = Request { until, ..request() };
        let plan = Plan::new(&request, &rules(), Shard::WHOLE).expect("it fits the scene");
        let manifest = manifest(&request, &rules(), Shard::WHOLE);
        let text = table(&plan, 2);
        let never = AtomicBool::new(false);
        for row in [1, 8] {
            let moment = manifest.before_last_step(row, &never).expect("a row").expect("not canceled");
            let mut session: Session = Session::open(Options::at(moment)).expect("a session");
            assert!(session.simulation.step(&never));
            let hash = format!("{:016x}", session.simulation.hash());
            let line = text.lines().nth(row as usize).expect("a line");
            assert!(line.ends_with(&hash), "{line}: {hash} after {}", session.simulation.world().steps);
        }
        assert!(manifest.before_last_step(99, &never).is_err());
    }
}

#[test]
fn a_sensitivity_needs_a_complete_table_of_its_sample() {
    let sampled = |sample: &str| Request {
        vary: vec!["a.turn.WIDE=0..2".to_owned(), "a.count=2..3".to_owned()],
        sample: Some(sample.parse().expect("a sample")),
        ..request()
    };
    let rules = rules();
    for (sample, header, count) in [
        ("morris:3", "mu,mu_star,mu_star_low,mu_star_high,sigma", 3),
        ("saltelli:4", "S1,S1_low,S1_high,ST,", 4),
    ] {
        let request = sampled(sample);
        let manifest = manifest(&request, &rules, Shard::WHOLE);
        let text = table(&Plan::new(&request, &rules, Shard::WHOLE).expect("it fits"), 2);
        let written = |text: &str, manifest: &Manifest| {
            sensitivity_of(text.as_bytes(), manifest).map_err(|error| format!("{error:#}"))
        };
        let result = written(&text, &manifest).expect("a complete table");
        assert!(result.starts_with(&format!("measure,variable,n,{header}")), "{result}");
        assert!(result.contains(&format!("\nspeed,a.turn.WIDE,{count},")), "{result}");
        assert_eq!((result.lines().count(), Ok(&result)), (5, written(&text, &manifest).as_ref()));
        let refused = |text: &str, manifest: &Manifest| written(text, manifest).expect_err("it does not fit");
        let last = text.trim_end().rfind('\n').expect("lines");
        assert!(refused(&text[..=last], &manifest).contains("of the table is missing"));
        assert!(refused(&text.replacen(",3,", ",9,", 1), &manifest).contains("is not that of the manifest"));
        let part = Manifest { shard: Shard { index: 1, count: 2 }, ..manifest.clone() };
        assert!(refused(&text, &part).contains("it is part 1/2: `steerbox merge`"));
        for (sample, message) in [
            (None, "its manifest has no `sample`: `steerbox sweep … --sample morris:N`"),
            (Some("latin:12"), "its sample is latin:12, from which no sensitivity can be computed"),
            (Some("morris:7"), "morris:7 of 2 variables has 21"),
        ] {
            let other = Manifest { sample: sample.map(str::to_owned), ..manifest.clone() };
            assert!(refused(&text, &other).contains(message));
        }
    }
}
