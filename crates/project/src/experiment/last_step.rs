//! The end of the run of a row.

use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use steerbox_core::sim::{MeasureNames, Measured};
use steerbox_script::Condition;

use super::manifest::Manifest;
use super::row::RowRun;
use crate::reload::Place;
use crate::session::{Moment, Observed, Options, Session};

impl RowRun {
    /// Returns the options of the run.
    pub fn options(self) -> Options {
        Options {
            settings: self.settings,
            seed: Some(self.seed),
            ..Options::new(Place::of_texts(self.texts))
        }
    }
}

impl Manifest {
    /// Returns the moment before the last measured step of the run of a row, counted from 1, so that this step can be
    /// made and explained; `None` if `cancel` was set meanwhile.
    ///
    /// # Errors
    /// If there is no such row, or the run cannot be repeated.
    pub fn before_last_step(&self, row: u64, cancel: &AtomicBool) -> anyhow::Result<Option<Moment>> {
        let run = self.row(row)?;
        let open = || -> anyhow::Result<Session> {
            Session::open(Options { threads: Some(1), ..run.clone().options() })
        };
        let mut session = open()?;
        let mut last = self.steps;
        if let Some(text) = &self.until {
            let invalid = |error: String| anyhow!("--until {text}: {error}");
            let until = Condition::parse(text, &MeasureNames::of(&session.simulation)).map_err(invalid)?;
            session.simulation.observe(Observed { watching: true, ..Observed::default() });
            for step in 1..=self.steps {
                if !session.simulation.step(cancel) {
                    return Ok(None);
                }
                if step > self.warmup && until.holds(&Measured::new(&session.simulation)).map_err(invalid)? {
                    last = step;
                    break;
                }
            }
            session = open()?;
        }
        for _ in 1..last {
            if !session.simulation.step(cancel) {
                return Ok(None);
            }
        }
        let moment = Moment::of(&session.generation, &session.simulation, Some(run.seed));
        moment.map(Some).map_err(|fault| anyhow!("{}", fault.summary()))
    }
}
