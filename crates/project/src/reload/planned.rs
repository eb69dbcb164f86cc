//! A behavior in its place in a group, and its values that can be tuned; a measure.

use std::sync::Arc;

use steerbox_core::perception::Queries;
use steerbox_core::sim::NamedMeasure;
use steerbox_core::world::ParamValue;
use steerbox_script::{Need, ParamRange, Script, ScriptBehavior};

use super::tuned::{Handle, KnobName};

/// A tunable value in its current state.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// The name of the value.
    pub name: KnobName,
    /// The value in effect.
    pub value: ParamValue,
    /// The value in the files.
    pub file: ParamValue,
    /// The values that it accepts.
    pub range: ParamRange,
    /// True if it was tuned by the user and differs from the files. A value that differs otherwise was set by a key.
    pub tuned: bool,
    /// The reason why the value has no effect at present, if so.
    pub idle: Option<String>,
}

/// A behavior in its place in a group.
#[derive(Clone)]
pub struct Planned {
    /// The identity of the behavior in the scene.
    pub handle: Handle,
    /// The key of its random draws and its memory.
    pub key: u64,
    /// The behavior that runs, if any version of the script compiled.
    pub behavior: Option<Arc<ScriptBehavior>>,
    /// Its weight.
    pub gain: f32,
    /// True if it runs.
    pub enabled: bool,
    /// Gain, switch and parameters.
    pub knobs: Vec<Knob>,
    /// The version of the script that runs.
    pub script: Option<Arc<Script>>,
}

/// A measure and the script that computes it.
#[derive(Clone)]
pub struct PlannedMeasure {
    /// The measure.
    pub named: NamedMeasure,
    /// The script, if a version of it works.
    pub script: Option<Arc<Script>>,
}

impl Planned {
    /// True if it reads a part that only some scenes have, under the present values of its parameters.
    pub(super) fn requires(&self, need: Need) -> bool {
        let requirements = self.behavior.iter().flat_map(|behavior| behavior.requirements());
        requirements.into_iter().any(|requirement| requirement.need == need)
    }
}

/// The queries of a behavior by its group and slot, as far as they follow from its script.
pub(super) fn queries(behaviors: &[Vec<Planned>], group: usize, slot: usize) -> Queries {
    let planned = behaviors.get(group).and_then(|behaviors| behaviors.get(slot));
    let Some((planned, script)) = planned.and_then(|planned| Some((planned, planned.script.as_ref()?)))
    else {
        return Queries::default();
    };
    let is_interpreted = planned.behavior.as_ref().is_some_and(|behavior| !behavior.is_native());
    Queries { interpreted: is_interpreted, ..script.queries() }
}
