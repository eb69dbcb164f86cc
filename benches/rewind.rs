//! The cost of recording the past, and the time to restore a step of it: the default scene at several sizes with the
//! same density, for a minute. Then the latency of edits: a preview, a change of the past, and an edit that is undone.
//! `hour` measures the memory of an hour instead.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use scaled::scaled;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Generation, KnobName, Loader, Place, Project, read_dir_sorted};
use steerbox_project::session::{Input, Keep, Options, Session};
use steerbox_script::Execution;

#[path = "scenes/scaled.rs"]
mod scaled;

/// Numbers of units, and of recorded steps: a minute.
const SIZES: [(usize, u64); 3] = [(400, 3_600), (1_000, 3_600), (10_000, 3_600)];
/// Number of consecutive steps with and without recording, in turns.
const TURN: u64 = 120;
/// Number of restored steps.
const LOOKS: u64 = 60;

fn main() -> Result<()> {
    if std::env::args().any(|argument| argument == "hour") {
        return hour();
    }
    edits()?;
    println!();
    recording()
}

/// Number of edits for a median; times are in milliseconds from an edit to its display.
const EDITS: usize = 9;

fn edits() -> Result<()> {
    let mut rows: Vec<(&str, Vec<f64>)> = Vec::new();
    let mut note = |row: &'static str, since: Instant| {
        let time = since.elapsed().as_secs_f64() * 1e3;
        match rows.iter_mut().find(|(other, _)| *other == row) {
            Some((_, times)) => times.push(time),
            None => rows.push((row, vec![time])),
        }
    };
    let (mut session, mut project) = (open(Keep::USUAL, 400)?, project()?);
    let handle = session.generation.planned().next().context("a behavior")?.handle.clone();
    run(&mut session, 900);
    for edit in 0..EDITS {
        let keys = session.simulation.world().units.key[..1].to_vec();
        session.preview_units(keys);
        for (row, gain) in [("a value is tuned", 1.0), ("and undone", 0.5)] {
            let begin = Instant::now();
            project.tune(handle.clone(), KnobName::Gain, ParamValue::Number(gain + edit as f32 * 0.01));
            swap(&mut session, &mut project)?;
            note(row, begin);
            while session.is_previewing() {
                session.settle_preview(Duration::MAX);
            }
            note("preview of 5 s for one unit of 400", begin);
        }
        session.preview_units([]);
        run(&mut session, 60);
    }
    for edit in 0..EDITS {
        let last = session.simulation.world().steps;
        look(&mut session, last - 600);
        let begin = Instant::now();
        project.tune(handle.clone(), KnobName::Gain, ParamValue::Number(2.0 + edit as f32 * 0.01));
        swap(&mut session, &mut project)?;
        while session.is_seeking() {
            session.settle(Duration::MAX);
        }
        note("a change 10 s ago to both runs, 400 units", begin);
        session.discard();
        run(&mut session, 60);
    }
    let (mut session, mut project) = (open(Keep::USUAL, 1_000)?, self::project()?);
    run(&mut session, 3_600);
    for edit in 0..EDITS {
        look(&mut session, 1);
        let begin = Instant::now();
        project.tune(handle.clone(), KnobName::Gain, ParamValue::Number(2.0 + edit as f32 * 0.01));
        swap(&mut session, &mut project)?;
        while session.first_difference().is_none() && session.is_rerunning() {
            session.settle(Duration::from_millis(1));
        }
        note("a change 60 s ago to the first difference, 1,000 units", begin);
        session.discard();
    }
    let saves = saves()?;
    rows.push(("a save to a preview of 5 s for one unit of 400", saves.0));
    rows.push(("the save to the swap", saves.1));
    println!("| from an edit to | best ms | median |");
    println!("|---|--:|--:|");
    for (row, mut times) in rows {
        let median = median(&mut times);
        println!("| {row} | {:.1} | {median:.1} |", times[0]);
    }
    Ok(())
}

/// Returns milliseconds from the close of a script's file to the preview of one unit with it, and to the swap.
fn saves() -> Result<(Vec<f64>, Vec<f64>)> {
    const LINE: &str = "(1.0 - offset.length / DISTANCE)";
    const COUNT: &str = "count: 300";
    let folder = tempfile::tempdir()?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["scripts", "scenes"] {
        std::fs::create_dir(folder.path().join(name))?;
    }
    for script in read_dir_sorted(&repository.join("scripts"))? {
        let name = script.file_name().unwrap_or_default();
        std::fs::copy(&script, folder.path().join("scripts").join(name))?;
    }
    let text = std::fs::read_to_string(scene())?;
    ensure!(text.contains(COUNT), "the default scene does not say {COUNT}");
    let scene = folder.path().join("scenes/flock.ron");
    std::fs::write(&scene, text.replace(COUNT, "count: 310"))?;
    let script = folder.path().join("scripts/separation.rhai");
    let text = std::fs::read_to_string(&script)?;
    ensure!(text.contains(LINE), "separation.rhai does not say {LINE}");
    let mut session: Session = Session::open(Options::new(Place::of_scene(&scene)))?;
    session.watch()?;
    let (mut previews, mut swaps) = (Vec::new(), Vec::new());
    run(&mut session, 900);
    for edit in 0..EDITS {
        let keys = session.simulation.world().units.key[..1].to_vec();
        session.preview_units(keys);
        // Frame by frame, as during editing.
        for _ in 0..40 {
            run(&mut session, 1);
            std::thread::sleep(Duration::from_millis(16));
        }
        std::fs::write(&script, text.replace(LINE, &format!("(1.0{edit} - offset.length / DISTANCE)")))?;
        let begin = Instant::now();
        let (mut preview, mut swap) = (None, None);
        while preview.is_none() || swap.is_none() || session.is_previewing() {
            ensure!(begin.elapsed() < Duration::from_secs(5), "the save did not arrive");
            let now = || begin.elapsed().as_secs_f64() * 1e3;
            session.send_sample();
            session.preview_draft();
            for generation in session.ready() {
                session.swap(generation);
                swap.get_or_insert(now());
            }
            // A window polls once per frame. More frequent polling takes time from the steps on two processors.
            if session.settle_preview(Duration::from_millis(4)) {
                preview.get_or_insert(now());
            } else if !session.is_previewing() {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        previews.extend(preview);
        swaps.extend(swap);
        session.preview_units([]);
        run(&mut session, 60);
    }
    Ok((previews, swaps))
}

fn scene() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/flock.ron")
}

/// The files of the default scene.
fn project() -> Result<Project> {
    let (project, _) = Loader::load_as(Place::of_scene(&scene()), Vec::new(), Execution::default())?;
    Ok(project)
}

/// Applies tuned values to the running world.
fn swap(session: &mut Session, project: &mut Project) -> Result<()> {
    let generation = project.compose()?;
    let scene = Arc::clone(&session.newest().scene);
    session.swap(Generation { scene, ..generation });
    Ok(())
}

fn recording() -> Result<()> {
    println!(
        "| units | step ms, plain | recorded | more | MiB of a minute | recorded s | look ms: median | most | one back |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let only = std::env::args().find_map(|argument| argument.parse::<usize>().ok());
    for (units, steps) in SIZES.into_iter().filter(|(units, _)| only.is_none_or(|only| only == *units)) {
        let (mut plain, mut recorded) = (open(Keep::NOTHING, units)?, open(Keep::USUAL, units)?);
        let (mut times, mut made) = ([Vec::new(), Vec::new()], 0);
        while made < steps {
            for (session, times) in [&mut plain, &mut recorded].into_iter().zip(&mut times) {
                times.push(run(session, TURN) / TURN as f64);
            }
            made += TURN;
        }
        // Other load only slows turns down, so the best ones are used.
        let [plain, with] = times.each_ref().map(|times| best(times) * 1e3);
        let range = recorded.recorded().context("nothing is recorded")?;
        let seconds = (range.end() - range.start()) as f64 / 60.0;
        let (first, count) = (*range.start(), range.end() - range.start());
        // Distant steps, by the golden section of the whole. The best of three rounds.
        let places: Vec<_> = (0..LOOKS).map(|look| first + (look * 377 + 1) * count / 610 % count).collect();
        let rounds =
            [(); 3].map(|()| places.iter().map(|step| look(&mut recorded, *step)).collect::<Vec<_>>());
        let mut looks: Vec<_> =
            (0..places.len()).map(|at| best(&rounds.each_ref().map(|round| round[at]))).collect();
        let from = first + count / 2;
        look(&mut recorded, from);
        let mut backs: Vec<_> = (1..LOOKS).map(|back| look(&mut recorded, from - back)).collect();
        let mebibytes = recorded.recorded_bytes() as f64 / f64::from(1 << 20);
        println!(
            "| {units} | {plain:.3} | {with:.3} | {:+.1} % | {mebibytes:.0} | {seconds:.0} | {:.1} | {:.1} | {:.1} |",
            (with / plain - 1.0) * 100.0,
            median(&mut looks),
            looks[looks.len() - 1],
            median(&mut backs),
        );
    }
    Ok(())
}

/// Prints the memory of an hour of 1,000 units, with an input every second, at maximum speed.
fn hour() -> Result<()> {
    const MINUTE: u64 = 3_600;
    println!("| minutes | recorded s | MiB recorded | MiB of the process | look ms: median | most |");
    println!("|--:|--:|--:|--:|--:|--:|");
    let mut session = open(Keep::USUAL, 1_000)?;
    for minute in 1..=60 {
        for second in 0..60 {
            run(&mut session, MINUTE / 60);
            let target = glam::Vec3::new((second * 20) as f32, (minute * 10) as f32, 0.0);
            session.input(Input::Target(Some(target)));
        }
        if minute != 1 && minute % 10 != 0 {
            continue;
        }
        let range = session.recorded().context("nothing is recorded")?;
        let (first, count) = (*range.start(), range.end() - range.start());
        let mut looks: Vec<_> =
            (0..20).map(|at| look(&mut session, first + (at * 377 + 1) * count / 610 % count)).collect();
        session.return_to_present();
        let median = median(&mut looks);
        let mebibytes = session.recorded_bytes() as f64 / f64::from(1 << 20);
        let (seconds, process) =
            (count as f64 / 60.0, resident().map_or("–".to_owned(), |it| it.to_string()));
        println!("| {minute} | {seconds:.0} | {mebibytes:.0} | {process} | {median:.1} | {:.1} |", looks[19]);
    }
    Ok(())
}

/// Returns the resident memory in MiB, if the system provides it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib >> 10)
}

fn open(keep: Keep, units: usize) -> Result<Session> {
    let mut session: Session = Session::open(Options { keep, ..Options::new(Place::of_scene(&scene())) })?;
    session.generation.scene = Arc::new(scaled(&session.generation.scene, units, None));
    session.restart();
    Ok(session)
}

/// Returns the seconds for `steps` steps in the background, as in a window.
fn run(session: &mut Session, steps: u64) -> f64 {
    let (begin, last) = (Instant::now(), session.simulation.world().steps + steps);
    while session.simulation.world().steps < last {
        if !session.simulation.step(&AtomicBool::new(false)) {
            break;
        }
    }
    begin.elapsed().as_secs_f64()
}

/// Returns milliseconds until a step is restored.
fn look(session: &mut Session, step: u64) -> f64 {
    let begin = Instant::now();
    session.show_step(step);
    while session.is_seeking() {
        session.settle(Duration::MAX);
    }
    begin.elapsed().as_secs_f64() * 1e3
}

fn best(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
