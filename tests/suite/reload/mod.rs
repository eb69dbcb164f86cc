//! The meaning of saves: `steerbox run --watch` with saves while it runs. Each row of [`meaning`] is a row of the table
//! *What a save keeps* in docs/scenes.md.

mod meaning;

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Instant;

use serde_json::Value;

use crate::cli::signals::kill;
use crate::common::project::{PATIENCE, ProjectDir, Running, json_lines, text_of};

/// Steps before the first save and after each one.
const STEPS: u64 = 12;
/// A scene of three units that rest.
const SCENE: &str = "(world: Plane(size: (100, 100)), step: 0.01, speed: 2, bodies: {\"m\": Mover(max_speed: 30)}, views: {\"v\": Around(radius: 30)},
    groups: [(name: \"a\", body: \"m\", count: 3, view: \"v\", spawn: At([(position: (20, 50)), (position: (40, 50)), (position: (60, 50))]),
        behaviors: [(script: \"z\", gain: 0)])])";
/// A rule whose contribution, which has no effect, is a count of steps in memory and a parameter.
const RULE: &str = "const K = param(1.0, 0.0, 9.0);
const MEMORY = #{ n: 0.0 };
fn steer(me, world) { this.n += 1.0; vec(this.n, K) }";

/// A change of files while a scene runs.
struct Row {
    /// The change, and what it means: a row of the documentation.
    change: &'static str,
    meaning: &'static str,
    /// Files besides or instead of [`SCENE`] and [`RULE`].
    files: Vec<(&'static str, String)>,
    /// Additional arguments.
    args: &'static [&'static str],
    /// The saves; each goes live, or is rejected, before the next one.
    saves: Vec<(&'static str, String)>,
    check: fn(&Seen),
}

/// A run with saves.
struct Seen {
    /// The step of the event of each save.
    saved: Vec<u64>,
    /// The lines of the trace.
    trace: Vec<Value>,
    events: Vec<Value>,
    stderr: String,
}

impl Seen {
    /// Returns the line of a unit after a step.
    fn line(&self, step: u64, unit: u64) -> Option<&Value> {
        self.trace.iter().find(|line| line["step"] == step && line["unit"] == unit)
    }

    /// Returns the contribution of rule `z` to unit 0 in a step.
    fn rule(&self, step: u64) -> [f64; 2] {
        self.rule_of(step, 0, "z")
    }

    fn rule_of(&self, step: u64, unit: u64, rule: &str) -> [f64; 2] {
        let line = self.line(step, unit).unwrap_or_else(|| panic!("unit {unit} in step {step}"));
        let push = &line["steering"][rule]["push"];
        [0, 1].map(|at| push[at].as_f64().unwrap_or(f64::NAN))
    }

    /// Asserts that the memory counts on across all saves.
    fn counts_on(&self) {
        let first = self.rule(1)[0];
        for step in 1..=self.last() {
            assert_eq!(self.rule(step)[0], first + (step - 1) as f64, "step {step}");
        }
    }

    /// Asserts that the last reload is listed by `--verbose` with this line.
    fn lists(&self, line: &str) {
        let lines = self.stderr.lines().filter_map(|line| line.split_once(": ").map(|(_, line)| line));
        let mut listed = lines.filter(|line| line.starts_with("continue: "));
        assert_eq!(listed.next_back(), Some(line), "{}", self.stderr);
    }

    fn last(&self) -> u64 {
        self.trace.last().and_then(|line| line["step"].as_u64()).unwrap_or(0) - 1
    }

    /// Returns the kinds of all events but those of the start.
    fn kinds(&self) -> Vec<&str> {
        let later = self.events.iter().filter(|event| event["generation"] != 1 || event["step"] != 0);
        later.filter_map(|event| event["event"].as_str()).collect()
    }
}

/// Runs a project with the saves of a row.
fn run(row: &Row) -> Seen {
    let project = ProjectDir::with(&[("scenes/s.ron", SCENE), ("scripts/z.rhai", RULE)]);
    for (path, text) in &row.files {
        project.save(path, text);
    }
    let fixed = ["run", "scenes/s.ron", "--watch", "--verbose", "--events", "events", "--steps", "1000000"];
    let trace = ["--trace", "-", "--trace-fields", "position,velocity,steering,key"];
    let mut command = project.command(&[&fixed[..], &trace, row.args].concat());
    let stderr = project.path("stderr");
    command.stdout(Stdio::piped()).stderr(std::fs::File::create(&stderr).unwrap());
    let mut child = Running(command.spawn().unwrap());
    let (mut trace, mut saved, mut saves) = (Vec::new(), Vec::new(), row.saves.iter());
    let (mut due, mut known, give_up) = (Some(STEPS), 0, Instant::now() + PATIENCE);
    let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    for line in lines.map_while(Result::ok) {
        let line: Value = serde_json::from_str(&line).unwrap();
        let step = line["step"].as_u64().unwrap();
        trace.push(line);
        let events = || json_lines(&text_of(&project.path("events")));
        assert!(Instant::now() < give_up, "{}: {:?} {}", row.change, events(), text_of(&stderr));
        match due {
            Some(at) if step >= at => match saves.next() {
                Some((path, text)) => {
                    known = events().len();
                    project.save(path, text);
                    due = None;
                }
                None => kill("TERM", &child.0),
            },
            None => {
                if let Some(event) = events().get(known) {
                    saved.push(event["step"].as_u64().unwrap());
                    due = Some(step + STEPS);
                }
            }
            Some(_) => {}
        }
    }
    child.0.wait().unwrap();
    let events = json_lines(&text_of(&project.path("events")));
    Seen { saved, trace, events, stderr: text_of(&stderr) }
}
