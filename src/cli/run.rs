//! `steerbox run`: a scene without a window.

use std::fs::File;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::args::RunArgs;
use super::execution::Executions;
use super::metrics::Metrics;
use super::print::{err, faults, out};
use super::trace::Trace;
use super::{events, failures, output, set};
use crate::app::{self, EventSink};
use crate::reload::{Command, Generation, Loader, Place, Project, Running};
use crate::sim::{Phases, Simulation};

/// Stack of the threads that run scripts: they nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// Size of a picture, pixels.
const PICTURE: (usize, usize) = (1280, 800);
/// Most simulated time that a late step makes up for, seconds of wall time.
const MOST_LAG: f64 = 0.1;

/// A run in progress.
struct Run {
    simulation: Simulation,
    generation: Generation,
    pool: rayon::ThreadPool,
    trace: Option<Trace>,
    metrics: Option<Metrics>,
    image: Option<File>,
    events: Option<EventSink>,
    seed: Option<u64>,
    phases: Phases,
    /// Units times steps.
    unit_steps: u64,
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let (mut run, project) = Run::start(args)?;
    let begin = Instant::now();
    let stepping = if args.watch {
        run.watch(project, args.steps)
    } else {
        run.all(args.steps.unwrap_or(1000))
    };
    stepping.context("cannot write what was asked for")?;
    let wall = begin.elapsed();
    if let Some(file) = &run.image {
        picture(&run, file).context("cannot write the image")?;
    }
    let steps = run.simulation.world().steps;
    let failed = failures::tell(&run.generation, &run.simulation);
    run.summary(wall, steps);
    run.finish().context("cannot write what was asked for")?;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl Run {
    fn start(args: &RunArgs) -> anyhow::Result<(Self, Project)> {
        let common = &args.common;
        let settings = common
            .set
            .iter()
            .map(|text| set::parse(text))
            .collect::<Result<Vec<_>, _>>()?;
        let opening = || format!("cannot run {}", args.scene.display());
        anyhow::ensure!(
            args.scene.exists(),
            "there is no scene {}",
            args.scene.display()
        );
        let (project, generation) = Loader::load_as(
            Place::of_scene(&args.scene),
            settings.clone(),
            common.execution(),
        )
        .map_err(|error| error.naming(&args.scene))
        .with_context(opening)?;
        set::check(&generation, &settings)?;
        let [trace, metrics, image, events] = output::open(
            [
                ("--trace", args.trace.as_deref()),
                ("--metrics", args.metrics.as_deref()),
                ("--image", args.image.as_deref()),
                ("--events", common.events.as_deref()),
            ],
            &project.place().files(),
        )?;
        let threads = common.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .build()?;
        let mut run = Self {
            simulation: generation.start(common.seed),
            generation,
            pool,
            trace: trace.map(Trace::new),
            metrics: metrics.map(Metrics::new).transpose()?,
            image,
            events: events::sink(common.events.as_deref(), events),
            seed: common.seed,
            phases: Phases::default(),
            unit_steps: 0,
        };
        faults(&run.generation.warnings);
        run.tell(false);
        run.record()?;
        Ok((run, project))
    }

    /// Makes all steps as fast as they go.
    fn all(&mut self, steps: u64) -> std::io::Result<()> {
        let bar = progress(steps);
        for _ in 0..steps {
            self.step()?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Keeps to real time and swaps in what is saved meanwhile.
    fn watch(&mut self, project: Project, steps: Option<u64>) -> std::io::Result<()> {
        let loader = Loader::start(project)?;
        let mut due = Instant::now();
        while steps.is_none_or(|steps| self.simulation.world().steps < steps) {
            if loader.wants_running() {
                let (scene, sample) =
                    (Arc::clone(&self.generation.scene), self.simulation.sample());
                loader.ask(Command::Run(Box::new(Running { scene, sample })));
            }
            for generation in loader.ready() {
                self.swap(generation);
            }
            for trouble in loader.answers().filter_map(Result::err) {
                faults(&[trouble]);
            }
            self.step()?;
            let scene = &self.generation.scene;
            due += Duration::from_secs_f64(f64::from(scene.step / scene.speed).clamp(0.0, 10.0));
            let now = Instant::now();
            // What is late by more than this is not made up for.
            due = due.max(
                now.checked_sub(Duration::from_secs_f64(MOST_LAG))
                    .unwrap_or(now),
            );
            if let Some(generation) = loader.wait(due.saturating_duration_since(now)) {
                self.swap(generation);
            }
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        Ok(())
    }

    fn swap(&mut self, generation: Generation) {
        let before = Arc::clone(&self.generation.scene);
        let notes = generation.swap_into(&mut self.simulation, &before, self.seed);
        self.generation = generation;
        self.tell(true);
        if !notes.is_empty() {
            err(format!("scene: {}", notes.join(", ")));
        }
    }

    /// Hands on the events of the generation that runs now.
    fn tell(&mut self, aloud: bool) {
        let step = self.simulation.world().steps;
        for event in std::mem::take(&mut self.generation.events) {
            if let Some(sink) = &mut self.events {
                sink(&event.to_json(step));
            }
            if aloud {
                err(format!(
                    "step {step}: {} {:?} (generation {})",
                    event.path, event.kind, event.generation
                ));
                for fault in event.error.iter().chain(&event.others) {
                    faults(std::slice::from_ref(fault));
                }
            }
        }
    }

    fn step(&mut self) -> std::io::Result<()> {
        self.pool.install(|| self.simulation.step());
        let made = self.simulation.phases;
        self.phases.perceive += made.perceive;
        self.phases.decide += made.decide;
        self.phases.act += made.act;
        self.unit_steps += self.simulation.world().units.len() as u64;
        self.record()
    }

    fn record(&mut self) -> std::io::Result<()> {
        if let Some(trace) = &mut self.trace {
            trace.write(&self.simulation)?;
        }
        if let Some(metrics) = &mut self.metrics {
            metrics.write(&self.simulation)?;
        }
        Ok(())
    }

    fn summary(&self, wall: Duration, steps: u64) {
        Executions::of(&self.generation).tell();
        let seconds = wall.as_secs_f64().max(1e-9);
        let units = self.simulation.world().units.len();
        out(format!("{steps} steps of {units} units in {seconds:.2} s"));
        out(format!("{:.1} steps/s", steps as f64 / seconds));
        out(format!(
            "{:.0} unit-steps/s",
            self.unit_steps as f64 / seconds
        ));
        let total = self.phases.total().as_secs_f64().max(1e-9);
        let share = |phase: Duration| phase.as_secs_f64() / total * 100.0;
        let Phases {
            perceive,
            decide,
            act,
        } = self.phases;
        out(format!(
            "perceive {:.1} %, decide {:.1} %, act {:.1} %",
            share(perceive),
            share(decide),
            share(act)
        ));
        out(format!("hash: {:016x}", self.simulation.hash()));
    }

    fn finish(self) -> std::io::Result<()> {
        self.trace.map_or(Ok(()), Trace::finish)?;
        self.metrics.map_or(Ok(()), Metrics::finish)
    }
}

/// A bar on the terminal; nothing where there is none.
fn progress(steps: u64) -> indicatif::ProgressBar {
    let bar = indicatif::ProgressBar::new(steps);
    let style = indicatif::ProgressStyle::with_template(
        "{bar:40} {pos}/{len} steps  {per_sec}  {eta} left",
    );
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

fn picture(run: &Run, file: &File) -> std::io::Result<()> {
    let canvas = app::picture(&run.generation.scene, &run.simulation, PICTURE.0, PICTURE.1);
    app::canvas::write_png(file, &canvas)
}
