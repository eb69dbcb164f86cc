//! Explanation of one unit in one step: the facts, and the values of the lines of its scripts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steerbox_core::sim::{Contribution, Decided, InspectedRule, Inspection, Simulation};
use steerbox_core::world::{ParamValue, World};
use steerbox_script::Script;
use steerbox_script::probe::{Probed, Recording};

use crate::reload::{KnobName, Planned};

/// Explanation of one unit in one step.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Perception, contributions and motion.
    pub facts: Inspection,
    /// Values of the lines of each behavior's script, or the reason why there are none.
    pub lines: Vec<Result<Recording, String>>,
    /// True if these values were requested.
    pub has_values: bool,
}

/// The steps in which the values of lines are recorded, if they are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordedSteps {
    /// All steps.
    #[default]
    All,
    /// The last one of the steps that are made together.
    Last,
    /// None, except to explain a step while no further one is made.
    None,
}

/// A unit that is inspected in every step.
pub struct Inspected {
    unit: usize,
    /// Key of the unit: its index may change while steps are running.
    key: u64,
    /// Probes of the behaviors of its group; `None` if values are not requested.
    probes: Option<Vec<Probe>>,
}

/// The probed script of one behavior.
#[derive(Clone)]
struct Probe {
    script: Option<Arc<Script>>,
    values: Vec<(String, ParamValue)>,
    probed: Result<Arc<Probed>, String>,
}

impl Inspected {
    /// Returns a unit of a world for inspection; `None` if there is no such unit. With `values`, compiles probes for
    /// the scripts of its group, from `behaviors` by group; reuses those of `before`.
    pub(super) fn new(
        behaviors: &[Vec<Planned>],
        world: &World,
        (unit, values): (usize, bool),
        before: Option<&Self>,
    ) -> Option<Self> {
        let (group, key) = (*world.units.group.get(unit)? as usize, *world.units.key.get(unit)?);
        let known = before.and_then(|before| before.probes.as_deref()).unwrap_or_default();
        let planned = behaviors.get(group).into_iter().flatten();
        let probes = || planned.map(|planned| Probe::new(planned, known)).collect();
        Some(Self { unit, key, probes: values.then(probes) })
    }

    /// Returns true if the values of lines are requested.
    pub fn has_values(&self) -> bool {
        self.probes.is_some()
    }

    /// Returns the index of the unit in a world, [`usize::MAX`] if it is not there.
    pub(super) fn index_in(&self, world: &World) -> usize {
        world.units.index_of(self.key, self.unit)
    }

    /// Returns the key of the unit.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// Returns true if the unit decided in the last step of a world: it was not born after it.
    pub(super) fn has_decided(&self, world: &World) -> bool {
        let born = world.units.born.get(self.index_in(world));
        born.is_some_and(|born| *born < world.steps)
    }

    /// Makes a step like [`Simulation::try_step`] and explains the unit if it exists, with the values of lines if they are
    /// requested and `values` is true; returns false if the step was not made. The explanation reads copies and does not
    /// affect the step.
    pub(super) fn step(
        &self,
        simulation: &mut Simulation,
        values: bool,
        cancel: &AtomicBool,
    ) -> (bool, Option<Explained>) {
        let mut explained = None;
        let world = simulation.world();
        let unit = Some(self.index_in(world)).filter(|unit| *unit < world.units.len());
        let made = simulation.try_step_with(cancel, |decided| {
            explained = unit.map(|unit| self.explain(decided, unit, values));
        });
        let mut explained = explained.filter(|_| made);
        if let Some(explained) = &mut explained {
            explained.facts.finish(simulation);
        }
        (made, explained)
    }

    fn explain(&self, decided: &Decided<'_>, unit: usize, values: bool) -> Explained {
        let facts = Inspection::new(decided, unit);
        let mut lines: Vec<_> = facts.rules.iter().map(|rule| Err(reason_not_run(rule))).collect();
        let Some(probes) = self.probes.as_ref().filter(|_| values) else {
            lines.fill(Err("they come with the next step".to_owned()));
            return Explained { facts, lines, has_values: false };
        };
        decided.call_again(unit, |at, context, memory| {
            let probed = probes.get(at).map(|probe| probe.probed.clone());
            let probed = probed.unwrap_or_else(|| Err("its script is not known".to_owned()));
            lines[at] = probed.and_then(|probed| verified(probed.run(context, memory), &facts.rules[at]));
        });
        Explained { facts, lines, has_values: true }
    }
}

impl Probe {
    fn new(planned: &Planned, known: &[Self]) -> Self {
        let values = planned.knobs.iter().filter_map(|knob| match &knob.name {
            KnobName::Param(name) => Some((name.clone(), knob.value.clone())),
            _ => None,
        });
        let (script, values) = (planned.script.clone(), values.collect::<Vec<_>>());
        let is_same = |other: &&Self| {
            let scripts = script.as_ref().zip(other.script.as_ref());
            scripts.is_some_and(|(a, b)| Arc::ptr_eq(a, b)) && other.values == values
        };
        if let Some(known) = known.iter().find(is_same) {
            return known.clone();
        }
        let probed = match &script {
            Some(script) => Probed::compile(script, &values).map(Arc::new),
            None => Err("no version of its script works".to_owned()),
        };
        Self { script, values, probed }
    }
}

/// Returns the reason why a behavior did not run.
fn reason_not_run(rule: &InspectedRule) -> String {
    match (rule.enabled, rule.suspended) {
        (false, _) => "it is switched off".to_owned(),
        (true, Some(_)) => "it is suspended".to_owned(),
        (true, None) => "it did not run".to_owned(),
    }
}

/// Returns the recording if its result equals that of the step bit by bit.
fn verified(recording: Recording, rule: &InspectedRule) -> Result<Recording, String> {
    let ran = match &rule.call {
        Some(Ok(contribution)) => contribution.has_bits_of(&rule.contribution),
        Some(Err(_)) => rule.contribution == Contribution::None,
        None => false,
    };
    if !ran {
        return Err("it took more than its share of the step and was left out".to_owned());
    }
    let agrees = rule.call.as_ref().is_some_and(|call| recording.agrees_with(call));
    agrees.then_some(recording).ok_or_else(|| {
        let words = "the recording differs from the run, so that no value is shown";
        format!("{words}: this is a bug in steerbox, please report it")
    })
}
