//! The variants that run the same rules.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use glam::Vec3;
use steerbox_core::sim::{Behavior, Phases, Simulation, Slot, slot_key};
use steerbox_core::world::World;
use steerbox_script::Execution;

use crate::form::Form;
use crate::limit::Limit;
use crate::peers::Peer;
use crate::rules;
use crate::scripts;

/// The implementation of the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Native,
    Interpreted,
    Rust,
    /// Another embedded language.
    Peer(Peer),
    /// None: the queries are made and their results are ignored.
    Host,
    Limit,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "scripts, native",
            Self::Interpreted => "scripts, interpreted",
            Self::Rust => "Rust",
            Self::Peer(peer) => peer.name(),
            Self::Host => "the host alone",
            Self::Limit => "stand-alone",
        }
    }
}

/// A running flock.
pub(crate) struct Variant {
    pub(crate) kind: Kind,
    pub(crate) form: Form,
    /// True if it should be machine code and is not.
    pub(crate) falls_back: bool,
    units: usize,
    engine: Engine,
}

enum Engine {
    Simulation(Box<Simulation>),
    Limit(Box<Limit>),
}

impl Variant {
    /// Creates a variant that continues from `world`.
    pub(crate) fn new(kind: Kind, form: Form, world: &World) -> Result<Self> {
        let mut falls_back = false;
        let behaviors = match kind {
            Kind::Native => {
                let (behaviors, native) = scripts::behaviors(form, Execution::Native)?;
                falls_back = !native;
                behaviors
            }
            Kind::Interpreted => scripts::behaviors(form, Execution::Interpreted)?.0,
            Kind::Rust if form == Form::Means => rules::over_means(),
            Kind::Rust => rules::as_loops(),
            Kind::Peer(peer) => peer.behaviors(form),
            Kind::Host => rules::host_alone(form),
            Kind::Limit => Vec::new(),
        };
        let engine = if kind == Kind::Limit {
            Engine::Limit(Box::new(Limit::new(world)))
        } else {
            Engine::Simulation(Box::new(simulation(world, behaviors)))
        };
        Ok(Self { kind, form, falls_back, units: world.units.len(), engine })
    }

    pub(crate) fn name(&self) -> String {
        let note = if self.falls_back { " (fell back to the interpreter)" } else { "" };
        format!("{}{note}", self.kind.name())
    }

    /// Returns a smaller number of steps for the interpreter, which is a hundred times slower.
    pub(crate) fn affordable(&self, steps: u32) -> u32 {
        if self.falls_back || self.kind == Kind::Interpreted { (steps / 40).max(1) } else { steps }
    }

    /// Makes steps; returns nanoseconds of each phase per unit and step.
    pub(crate) fn run(&mut self, steps: u32) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for _ in 0..steps {
            let Phases { perceive, decide, act } = self.step();
            for (sum, phase) in sum.iter_mut().zip([perceive, decide, act]) {
                *sum += phase.as_secs_f64();
            }
        }
        sum.map(|seconds| seconds * 1e9 / f64::from(steps) / self.units as f64)
    }

    fn step(&mut self) -> Phases {
        match &mut self.engine {
            Engine::Simulation(simulation) => {
                simulation.step();
                simulation.phases
            }
            Engine::Limit(limit) => {
                let start = Instant::now();
                limit.sort();
                let sorted = Instant::now();
                limit.act();
                Phases { perceive: sorted - start, decide: sorted.elapsed(), ..Phases::default() }
            }
        }
    }

    pub(crate) fn positions(&self) -> Vec<Vec3> {
        match &self.engine {
            Engine::Simulation(simulation) => simulation.world().units.position.clone(),
            Engine::Limit(limit) => limit.positions(),
        }
    }

    /// The world, if it runs in one.
    pub(crate) fn world(&self) -> Option<&World> {
        match &self.engine {
            Engine::Simulation(simulation) => Some(simulation.world()),
            Engine::Limit(_) => None,
        }
    }

    /// Fails if a rule has failed: failing rules are fast and wrong.
    pub(crate) fn ensure_sound(&self) -> Result<()> {
        if let Engine::Simulation(simulation) = &self.engine {
            let reports = simulation.reports();
            ensure!(reports.is_empty(), "{} failed: {reports:?}", self.name());
        }
        Ok(())
    }
}

fn simulation(world: &World, behaviors: Vec<Arc<dyn Behavior>>) -> Simulation {
    let slots = behaviors.into_iter().enumerate().map(|(number, behavior)| {
        let key = slot_key("rule", number);
        Slot::new(format!("rule {number}"), key, Some(behavior))
    });
    Simulation::new(world.clone(), vec![slots.collect()])
}
