//! `steerbox run`: a scene without a window.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::args::RunArgs;
use super::interrupt::Interrupt;
use super::lines::OutputError;
use super::print::{err, faults, is_closed};
use super::results::{self, Results};
use super::summary::{Summary, Voice};
use super::{failures, scene, set};
use crate::reload::{Command, Generation, Loader, Project, Running};
use crate::sim::{Phases, Simulation};

/// Stack of the threads that run scripts: they nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// Most simulated time that a late step makes up for, seconds of wall time.
const MOST_LAG: f64 = 0.1;
/// Longest wait for anything, so that an interrupt is noticed.
const PATIENCE: Duration = Duration::from_millis(20);

/// A run in progress.
struct Run {
    simulation: Simulation,
    generation: Generation,
    pool: rayon::ThreadPool,
    results: Results,
    interrupt: Interrupt,
    voice: Voice,
    seed: Option<u64>,
    phases: Phases,
    /// Units times steps.
    unit_steps: u64,
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let (mut run, project) = Run::start(args)?;
    let begin = Instant::now();
    let steps = if args.watch {
        args.steps
    } else {
        args.steps.or(Some(1000))
    };
    let stepped = match run.begin() {
        Err(error) => Err(error.into()),
        Ok(()) if args.watch => run.watch(project, steps),
        Ok(()) => run.all(steps.unwrap_or_default()),
    };
    run.end(stepped, begin.elapsed(), steps)
}

impl Run {
    fn start(args: &RunArgs) -> anyhow::Result<(Self, Project)> {
        let common = &args.common;
        let settings = set::parse_all(&common.set)?;
        let streamed = results::check(args)?;
        let place = scene::place(&args.scene)?;
        let interrupt = Interrupt::listen().context("no thread to hear signals")?;
        let opening = || format!("cannot run {}", args.scene.display());
        let (project, generation) = Loader::load_as(place, settings.clone(), common.execution())
            .map_err(|error| error.naming(&args.scene))
            .with_context(opening)?;
        set::check(&generation, &settings)?;
        let threads = common.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .build()?;
        let run = Self {
            simulation: generation.start(common.seed),
            generation,
            pool,
            results: Results::open(args, &project.place().files())?,
            interrupt,
            voice: Voice {
                quiet: args.quiet,
                streamed,
            },
            seed: common.seed,
            phases: Phases::default(),
            unit_steps: 0,
        };
        Ok((run, project))
    }

    /// Writes and says what there is before the first step.
    fn begin(&mut self) -> Result<(), OutputError> {
        if !self.voice.quiet {
            faults(&self.generation.warnings);
        }
        self.tell(false)?;
        self.results.record(&self.simulation)
    }

    /// Makes all steps as fast as they go.
    fn all(&mut self, steps: u64) -> anyhow::Result<()> {
        let bar = self.voice.progress(steps);
        let interrupt = self.interrupt.clone();
        let mut due = (0..steps).take_while(|_| !interrupt.is_asked());
        let stepped = due.try_for_each(|_| {
            bar.inc(1);
            self.step()
        });
        bar.finish_and_clear();
        Ok(stepped?)
    }

    /// Keeps to real time and swaps in what is saved meanwhile.
    fn watch(&mut self, project: Project, steps: Option<u64>) -> anyhow::Result<()> {
        let loader = Loader::start(project).context("no thread to watch the files")?;
        let mut due = Instant::now();
        let more = |run: &Self| steps.is_none_or(|steps| run.simulation.world().steps < steps);
        while more(self) && !self.interrupt.is_asked() {
            if loader.wants_running() {
                let (scene, sample) =
                    (Arc::clone(&self.generation.scene), self.simulation.sample());
                loader.ask(Command::Run(Box::new(Running { scene, sample })));
            }
            for generation in loader.ready() {
                self.swap(generation)?;
            }
            for trouble in loader.answers().filter_map(Result::err) {
                faults(&[trouble]);
            }
            self.step()?;
            let scene = &self.generation.scene;
            due +=
                Duration::from_secs_f64(f64::from(scene.world.step / scene.speed).clamp(0.0, 10.0));
            let now = Instant::now();
            // What is late by more than this is not made up for.
            due = due.max(
                now.checked_sub(Duration::from_secs_f64(MOST_LAG))
                    .unwrap_or(now),
            );
            self.wait(&loader, due)?;
        }
        Ok(())
    }

    /// Waits for the next step, and swaps in what becomes ready meanwhile.
    fn wait(&mut self, loader: &Loader, due: Instant) -> Result<(), OutputError> {
        while !self.interrupt.is_asked() {
            let now = Instant::now();
            let until = due.min(now + PATIENCE);
            match loader.wait(until.saturating_duration_since(now)) {
                Some(generation) => self.swap(generation)?,
                // A loader that has died does not wait.
                None => std::thread::sleep(until.saturating_duration_since(Instant::now())),
            }
            if due <= now {
                break;
            }
        }
        Ok(())
    }

    fn swap(&mut self, generation: Generation) -> Result<(), OutputError> {
        let before = Arc::clone(&self.generation.scene);
        let notes = generation.swap_into(&mut self.simulation, &before, self.seed);
        self.generation = generation;
        self.tell(!self.voice.quiet)?;
        if !notes.is_empty() && !self.voice.quiet {
            err(format!("scene: {}", notes.join(", ")));
        }
        Ok(())
    }

    /// Hands on the events of the generation that runs now.
    fn tell(&mut self, aloud: bool) -> Result<(), OutputError> {
        let step = self.simulation.world().steps;
        for event in std::mem::take(&mut self.generation.events) {
            self.results.event(&event.to_json(step))?;
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
        Ok(())
    }

    /// Makes a step, unless the program is asked to end while behaviors decide.
    fn step(&mut self) -> Result<(), OutputError> {
        let (simulation, asked) = (&mut self.simulation, self.interrupt.asked());
        if !self.pool.install(|| simulation.try_step(asked)) {
            return Ok(());
        }
        let made = self.simulation.phases;
        self.phases.perceive += made.perceive;
        self.phases.decide += made.decide;
        self.phases.act += made.act;
        self.unit_steps += self.simulation.world().units.len() as u64;
        self.results.record(&self.simulation)
    }

    /// Ends in order, whatever ended the steps: every output is written as far as it can be.
    fn end(
        mut self,
        stepped: anyhow::Result<()>,
        wall: Duration,
        steps: Option<u64>,
    ) -> anyhow::Result<ExitCode> {
        let finished = self
            .results
            .finish(&self.generation.scene, &self.simulation);
        let written = match stepped.and(finished.map_err(anyhow::Error::new)) {
            Err(error) if is_closed(&error) => return Err(error),
            written => written,
        };
        let failed = failures::tell(&self.generation, &self.simulation);
        let status = self.interrupt.status();
        if status.is_some() {
            let made = self.simulation.world().steps;
            let all = steps.map_or(String::new(), |steps| format!(" of {steps}"));
            err(format!("interrupted after {made}{all} steps"));
        }
        let told = self.voice.tell(&Summary {
            generation: &self.generation,
            simulation: &self.simulation,
            wall,
            unit_steps: self.unit_steps,
            phases: self.phases,
        });
        written?;
        match (status, told) {
            // The terminal may have gone with whoever asked.
            (Some(status), Err(error)) if error.is_gone() => return Ok(status),
            (_, told) => told?,
        }
        let ended = if failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        };
        Ok(status.unwrap_or(ended))
    }
}
