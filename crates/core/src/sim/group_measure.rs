//! Measures of groups that are computed by code, such as scripts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glam::Vec3;

use super::failure::Failure;
use super::frozen::Frozen;
use super::report::{Report, Reports};

/// A measure of a group.
pub trait GroupMeasure: Send + Sync {
    /// Returns its value for a group with at least one unit in a state; `None` if it has none there.
    ///
    /// # Errors
    /// If it cannot be computed.
    fn value(&self, frozen: &Arc<Frozen>, group: usize) -> Result<Option<MeasureValue>, Failure>;
}

/// The value of a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasureValue {
    /// A number.
    Number(f32),
    /// A vector with the components `.x`, `.y` and `.z`.
    Vector(Vec3),
    /// Numbers with the components `.0`, `.1` and so on.
    List(Arc<[f32]>),
}

/// A part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    /// An axis of a vector.
    Axis(usize),
    /// An element of a list.
    Element(usize),
}

/// A measure and its name.
#[derive(Clone)]
pub struct NamedMeasure {
    /// The name, unique among measures.
    pub name: String,
    /// The script, as in reports.
    pub script: String,
    /// The measure, or the reason why it has no value in any state.
    pub measure: Result<Arc<dyn GroupMeasure>, String>,
}

/// The measures of a simulation, and their failures. Copies of the simulation share both.
#[derive(Default)]
pub struct Measures {
    all: Vec<NamedMeasure>,
    failures: Mutex<Reports>,
}

impl PartialEq for NamedMeasure {
    fn eq(&self, other: &Self) -> bool {
        let address = |measure: &Arc<dyn GroupMeasure>| Arc::as_ptr(measure).cast::<()>();
        (&self.name, &self.script) == (&other.name, &other.script)
            && self.measure.as_ref().map(address) == other.measure.as_ref().map(address)
    }
}

impl NamedMeasure {
    /// Returns the name, with the reason why it has no value in any state.
    pub(super) fn state(&self) -> (String, Result<(), String>) {
        (self.name.clone(), self.measure.as_ref().map(drop).map_err(Clone::clone))
    }
}

impl MeasureValue {
    /// Returns the number, the length of the vector, or `None` for a list.
    pub fn size(&self) -> Option<f32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Vector(vector) => Some(vector.as_dvec3().length() as f32),
            Self::List(_) => None,
        }
    }

    /// Returns its kind in messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Number(_) => "a number, without components".to_owned(),
            Self::Vector(_) => "a vector with the components .x, .y and .z".to_owned(),
            Self::List(list) if list.is_empty() => "an empty list".to_owned(),
            Self::List(list) => format!("a list with the components .0 to .{}", list.len() - 1),
        }
    }

    pub(super) fn component(&self, component: Component) -> Option<f32> {
        match (self, component) {
            (Self::Vector(vector), Component::Axis(axis)) => vector.to_array().get(axis).copied(),
            (Self::List(list), Component::Element(at)) => list.get(at).copied(),
            _ => None,
        }
    }

    /// Returns all components, of a vector in a plane without z.
    pub(super) fn components(&self, is_plane: bool) -> Vec<Component> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Vector(_) => (0..if is_plane { 2 } else { 3 }).map(Component::Axis).collect(),
            Self::List(list) => (0..list.len()).map(Component::Element).collect(),
        }
    }
}

impl Measures {
    /// Creates measures without failures.
    pub fn new(all: Vec<NamedMeasure>) -> Self {
        Self { all, failures: Mutex::default() }
    }

    /// All measures.
    pub fn all(&self) -> &[NamedMeasure] {
        &self.all
    }

    /// Returns the failures so far, by group and cause.
    pub fn reports(&self) -> Vec<Report> {
        self.failures().all().to_vec()
    }

    /// Returns the value of a measure for a group with at least one unit; `None` if it has none, fails, or exceeded its
    /// work limit before.
    pub(super) fn value(&self, name: &str, frozen: &Arc<Frozen>, group: usize) -> Option<MeasureValue> {
        let named = self.all.iter().find(|named| named.name == name)?;
        let measure = named.measure.as_ref().ok()?;
        let is_exhausted = |report: &Report| report.failure.exhausted && report.script == named.script;
        if self.failures().all().iter().any(is_exhausted) {
            return None;
        }
        let failed = |failure| {
            let (unit, step) = (frozen.world.groups[group].units.start, frozen.world.steps);
            self.failures().add(group, &named.script, unit, failure, step);
        };
        measure.value(frozen, group).map_err(failed).ok().flatten()
    }

    fn failures(&self) -> MutexGuard<'_, Reports> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Group, World};

    /// Fails in every state, by its work limit or otherwise.
    struct Failing(bool);

    impl GroupMeasure for Failing {
        fn value(&self, _: &Arc<Frozen>, _: usize) -> Result<Option<MeasureValue>, Failure> {
            Err(Failure { exhausted: self.0, ..Failure::new("no") })
        }
    }

    #[test]
    fn failures_are_counted_and_an_exhausted_measure_is_not_called_again() {
        let world = World::default().with_group(Group::default(), [Vec3::ZERO]);
        let frozen = Arc::new(Frozen::new(world));
        for (exhausted, count) in [(false, 3), (true, 1)] {
            let named = NamedMeasure {
                name: "a".to_owned(),
                script: "measures/a".to_owned(),
                measure: Ok(Arc::new(Failing(exhausted))),
            };
            let measures = Measures::new(vec![named]);
            for _ in 0..3 {
                assert_eq!(measures.value("a", &frozen, 0), None);
            }
            assert_eq!(measures.reports().iter().map(|report| report.count).sum::<u64>(), count);
        }
    }
}
