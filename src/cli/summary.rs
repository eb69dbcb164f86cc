//! Summary of a run.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use steerbox_core::diagnostics::counted;
use steerbox_core::sim::{Phases, Simulation};
use steerbox_project::reload::Generation;

use super::execution::Interpreted;
use super::lines::OutputError;
use super::print::{err, out};
use super::profile;
use super::results::Streamed;

/// Destination of messages during a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Console {
    pub(super) quiet: bool,
    pub(super) streamed: Streamed,
}

impl Console {
    /// Returns a progress bar, hidden if the terminal is not available or shows data.
    pub(super) fn progress(self, steps: u64) -> indicatif::ProgressBar {
        let shows_data = self.streamed != Streamed::Summary && io::stdout().is_terminal();
        if self.quiet || shows_data {
            return indicatif::ProgressBar::hidden();
        }
        let bar = indicatif::ProgressBar::new(steps);
        let template = "{bar:40} {pos}/{len} steps  {per_sec}  {eta} left";
        if let Ok(style) = indicatif::ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar
    }

    /// Prints a line of the summary, separate from data.
    fn line(self, line: String) -> Result<(), OutputError> {
        match self.streamed {
            _ if self.quiet => Ok(()),
            Streamed::Summary => out(line),
            Streamed::Events | Streamed::Data => {
                err(line);
                Ok(())
            }
        }
    }

    /// Prints the summary of a run.
    pub(super) fn print(self, summary: &Summary<'_>) -> Result<(), OutputError> {
        let (simulation, phases) = (summary.simulation, summary.phases);
        Interpreted::new(summary.generation).print(|line| self.line(line))?;
        let seconds = summary.wall.as_secs_f64().max(1e-9);
        let (steps, units) = (summary.steps, simulation.world().units.len());
        let [made, of] = [counted(steps, ["step", "steps"]), counted(units as u64, ["unit", "units"])];
        self.line(format!("{made} of {of} in {seconds:.2} s"))?;
        self.line(format!("{:.1} steps/s", steps as f64 / seconds))?;
        self.line(format!("{:.0} unit-steps/s", summary.unit_steps as f64 / seconds))?;
        let total = phases.total().as_secs_f64().max(1e-9);
        let share = |phase: Duration| phase.as_secs_f64() / total * 100.0;
        let [perceive, decide, act] = [phases.perceive, phases.decide, phases.act].map(share);
        self.line(format!("perceive {perceive:.1} %, decide {decide:.1} %, act {act:.1} %"))?;
        if simulation.costing {
            profile::print(summary.generation, simulation, phases, |line| self.line(line))?;
        }
        let hash = format!("hash: {:016x}", simulation.hash());
        if self.streamed == Streamed::Data {
            err(hash);
            return Ok(());
        }
        out(hash)
    }
}

/// The results of a run.
pub(super) struct Summary<'a> {
    pub(super) generation: &'a Generation,
    pub(super) simulation: &'a Simulation,
    pub(super) wall: Duration,
    /// Number of steps of this run.
    pub(super) steps: u64,
    /// Sum of the number of units over them.
    pub(super) unit_steps: u64,
    pub(super) phases: Phases,
}
