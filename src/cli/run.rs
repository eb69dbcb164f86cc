//! `steerbox run`: runs a scene without a window.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use steerbox_core::sim::{Phases, Simulation};
use steerbox_project::reload::{Generation, News};
use steerbox_project::session::{Incident, Keep, Observed, Session, note_failures};

use super::args::RunArgs;
use super::interrupt::{self, blocking};
use super::lines::OutputError;
use super::print::{err, faults, is_closed, is_unread, print_error};
use super::results::{self, Results};
use super::summary::{Console, Summary};
use super::{expectations, failures, scene};

/// Maximum lag behind real time that is caught up, in seconds.
const MAX_LAG: f64 = 0.1;
/// Maximum duration of a wait, so that an interrupt is handled in time.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// A run in progress.
struct Run {
    session: Session,
    results: Results,
    console: Console,
    /// True to print what each reload continues and drops.
    verbose: bool,
    made: Made,
}

/// Statistics of the steps of a run.
#[derive(Default)]
struct Made {
    phases: Phases,
    /// Number of steps; a run from a state has more before them.
    steps: u64,
    /// Sum of the number of units over all steps.
    unit_steps: u64,
}

impl Made {
    /// Counts the last step.
    fn count(&mut self, simulation: &Simulation) {
        self.phases.perceive += simulation.phases.perceive;
        self.phases.decide += simulation.phases.decide;
        self.phases.act += simulation.phases.act;
        self.steps += 1;
        self.unit_steps += simulation.world().units.len() as u64;
    }
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let mut run = Run::start(args)?;
    let begin = Instant::now();
    let steps = args.steps.or((!args.watch).then_some(1000));
    let stepped = match run.begin() {
        Err(error) => Err(error.into()),
        Ok(()) if args.watch => run.watch(steps),
        Ok(()) => run.all(steps.unwrap_or_default()),
    };
    run.end(stepped, begin.elapsed(), steps)
}

impl Run {
    fn start(args: &RunArgs) -> anyhow::Result<Self> {
        let streamed = results::check(args)?;
        interrupt::listen()?;
        let mut inputs = Vec::new();
        let mut session = scene::open_from(args, |options| {
            inputs = options.place.files();
            inputs.extend(args.from.clone());
            if args.replay.is_some() {
                options.keep = Keep::ALL;
            }
        })?;
        let results = Results::open(args, &inputs, &session)?;
        session.events = results.event_sink();
        let watching = args.metrics.is_some() || session.verdicts().need_watching();
        let costing = args.profile;
        session.simulation.observe(Observed { watching, costing, ..Observed::default() });
        let console = Console { quiet: args.quiet, streamed };
        Ok(Self { session, results, console, verbose: args.verbose, made: Made::default() })
    }

    /// Writes the initial output before the first step.
    fn begin(&mut self) -> Result<(), OutputError> {
        if !self.console.quiet {
            faults(&self.session.generation.warnings);
        }
        self.session.take_events();
        let suspended = self.session.note_failures();
        self.print(suspended.iter().flat_map(Incident::news));
        self.results.check_events()?;
        self.results.states.record(&self.session.generation.scene, &self.session.simulation)
    }

    /// Makes all steps at full speed.
    fn all(&mut self, steps: u64) -> anyhow::Result<()> {
        let bar = self.console.progress(steps);
        let Self { session, results, made, .. } = self;
        let Session { simulation, generation, failures, events, .. } = session;
        let (scene, results) = (Arc::clone(&generation.scene), &mut *results);
        let stepped = simulation.steps(steps, interrupt::flag(), |simulation| {
            blocking(|| bar.inc(1));
            made.count(simulation);
            note_failures(failures, simulation, generation, events);
            results.states.record(&scene, simulation)
        });
        blocking(|| bar.finish_and_clear());
        Ok(stepped?)
    }

    /// Steps in real time and swaps in saved files.
    fn watch(&mut self, steps: Option<u64>) -> anyhow::Result<()> {
        self.session.watch()?;
        let mut due = Instant::now();
        let more = |run: &Self| steps.is_none_or(|steps| run.made.steps < steps);
        while more(self) && !interrupt::is_requested() {
            self.session.send_sample();
            self.session.resume_rewritten();
            for generation in self.session.ready() {
                self.swap(generation)?;
            }
            for trouble in self.session.answers().into_iter().filter_map(Result::err) {
                faults(&[trouble]);
            }
            self.step()?;
            let scene = &self.session.generation.scene;
            let seconds = f64::from(scene.world.step / scene.speed);
            due += Duration::from_secs_f64(seconds.clamp(0.0, 10.0));
            let now = Instant::now();
            // A longer lag is not caught up.
            let latest = now.checked_sub(Duration::from_secs_f64(MAX_LAG));
            due = due.max(latest.unwrap_or(now));
            self.wait(due)?;
        }
        Ok(())
    }

    /// Waits for the next step, and swaps in generations that become ready.
    fn wait(&mut self, due: Instant) -> Result<(), OutputError> {
        while !interrupt::is_requested() {
            let now = Instant::now();
            let until = due.min(now + MAX_WAIT);
            match self.session.wait(until.saturating_duration_since(now)) {
                Some(generation) => self.swap(generation)?,
                // A failed loader returns at once.
                None => std::thread::sleep(until.saturating_duration_since(Instant::now())),
            }
            if due <= now {
                break;
            }
        }
        Ok(())
    }

    fn swap(&mut self, generation: Generation) -> Result<(), OutputError> {
        let swapped = self.session.swap(generation);
        self.results.check_events()?;
        self.print(swapped.news(&self.session.generation));
        if self.verbose {
            let line = swapped.continuity(&self.session.simulation);
            self.print(line.map(News::World));
        }
        self.print(swapped.incidents.iter().flat_map(Incident::news));
        Ok(())
    }

    /// Prints lines about a reload or a failure.
    fn print(&self, lines: impl IntoIterator<Item = News>) {
        if self.console.quiet {
            return;
        }
        let step = self.session.simulation.world().steps;
        for news in lines {
            match news {
                News::Loaded(text)
                | News::Interpreted(text)
                | News::Kept(text)
                | News::World(text)
                | News::Dropped(text) => err(format!("step {step}: {text}")),
                News::Fault(fault) => faults(&[fault]),
            }
        }
    }

    /// Makes a step, unless a signal cancels it during the decide phase, and prints its failures.
    fn step(&mut self) -> Result<(), OutputError> {
        if !self.session.simulation.step(interrupt::flag()) {
            return Ok(());
        }
        let incidents = self.session.note_failures();
        self.print(incidents.iter().flat_map(Incident::news));
        self.results.check_events()?;
        let Session { generation, simulation, .. } = &self.session;
        self.made.count(simulation);
        self.results.states.record(&generation.scene, simulation)
    }

    /// Ends the run: completes every output as far as possible.
    fn end(
        mut self,
        stepped: anyhow::Result<()>,
        wall: Duration,
        steps: Option<u64>,
    ) -> anyhow::Result<ExitCode> {
        // A measure is computed where a file or a check requires it.
        self.session.note_failures();
        let finished = self.results.finish(&self.session);
        let Session { generation, simulation, .. } = &self.session;
        let written = match stepped.and(finished.map_err(anyhow::Error::new)) {
            Err(error) if is_closed(&error) => return Err(error),
            // Printing the rest may block as well.
            Err(error) if is_unread(&error) => {
                print_error(&error);
                Ok(())
            }
            written => written,
        };
        let failed = failures::print(generation, simulation, self.session.failures.all())
            | expectations::print(self.session.verdicts(), self.console.quiet);
        let status = interrupt::status();
        if status.is_some() {
            let made = self.made.steps;
            let all = steps.map_or(String::new(), |steps| format!(" of {steps}"));
            err(format!("interrupted after {made}{all} steps"));
        }
        let printed = self.console.print(&Summary {
            generation,
            simulation,
            wall,
            steps: self.made.steps,
            unit_steps: self.made.unit_steps,
            phases: self.made.phases,
        });
        written?;
        match (status, printed) {
            // The terminal may have been closed.
            (Some(status), Err(error)) if error.is_gone() => return Ok(status),
            (_, printed) => printed?,
        }
        let ended = if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        Ok(status.unwrap_or(ended))
    }
}
