//! Times of the language service: from a key press to the faults, and to completions.
//!
//! Each round changes one character of the text, as a key does, so that nothing is cached.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use steerbox_project::language::Workspace;
use steerbox_project::reload::embedded_scripts;

/// Number of measured key presses.
const ROUNDS: u32 = 200;
/// Number of warm-up rounds.
const WARM_UP: u32 = 5;

/// A request after a key press: workspace, path and cursor.
type Request = fn(&Workspace, &Path, usize) -> usize;

fn main() -> Result<()> {
    let (name, script) =
        embedded_scripts().max_by_key(|(_, text)| text.len()).context("there are scripts")?;
    let long = format!("{script}\n{}", functions(460));
    let scene = scene(1000);
    let documents = [
        (
            PathBuf::from(format!("/p/scripts/{name}")),
            script.to_owned(),
            format!("{name}, {} lines", lines(script)),
        ),
        (PathBuf::from("/p/scripts/long.rhai"), long.clone(), format!("a script of {} lines", lines(&long))),
        (PathBuf::from("/p/scenes/large.ron"), scene.clone(), format!("a scene of {} lines", lines(&scene))),
    ];
    let requests: [(&str, Request); 4] = [
        ("faults", |workspace, path, _| workspace.diagnostics(path).len()),
        ("completion", |workspace, path, at| workspace.complete(path, at).len()),
        ("hover", |workspace, path, at| workspace.hover(path, at).map_or(0, |hover| hover.markdown.len())),
        ("tokens", |workspace, path, _| workspace.tokens(path).len()),
    ];
    println!("| text | request | median ms | worst of {ROUNDS} |");
    println!("|---|---|--:|--:|");
    for (path, text, shown) in &documents {
        for (request, answer) in requests {
            let times = measured(path, text, answer);
            let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
            println!("| {shown} | {request} | {:.2} | {:.2} |", ms(median), ms(worst));
        }
    }
    Ok(())
}

/// Returns the sorted times of a request after each key press.
fn measured(path: &Path, text: &str, answer: Request) -> Vec<Duration> {
    let mut workspace = Workspace::default();
    let at = text.find("me.").or_else(|| text.find("name:")).map_or(0, |at| at + 3);
    let mut times = Vec::new();
    for round in 0..WARM_UP + ROUNDS {
        let changed = format!("{text}// {round}\n");
        let start = Instant::now();
        workspace.set_buffer(path, changed.into());
        std::hint::black_box(answer(&workspace, path, at));
        if round >= WARM_UP {
            times.push(start.elapsed());
        }
    }
    times.sort();
    times
}

/// Returns functions with this number of lines; a script has at most 64 of them.
fn functions(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count / 10 {
        let _ = write!(
            text,
            "fn part{number}(me, world) {{\n    let mates = me.neighbors.within(20.0);\n    if mates.is_empty {{ return vec(0, 0); }}\n    let push = vec(0, 0);\n    for mate in mates {{\n        let gap = me.position - mate.position;\n        push += gap / max(gap.dot(gap), 1.0);\n    }}\n    push + mates.mean_position - me.position\n}}\n"
        );
    }
    text
}

/// Returns a scene with this number of lines.
fn scene(count: usize) -> String {
    let mut text =
        "(\n    world: Plane(size: (8000, 6000)),\n    bodies: {\"m\": Mover()},\n    groups: [\n".to_owned();
    for number in 0..count / 4 {
        let _ = write!(
            text,
            "        (\n            name: \"group{number}\", body: \"m\", count: 2,\n            behaviors: [(script: \"wander\", gain: 0.5)],\n        ),\n"
        );
    }
    text + "    ],\n)\n"
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
