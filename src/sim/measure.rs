//! Measures: numbers of a run by name, such as `starlings.polarization`.
//!
//! Metrics, conditions, expectations and experiments need the same numbers. All obtain them here: one vocabulary, one
//! parser with suggestions, one evaluation. A measure stores names instead of indices, so that it stays valid when
//! scene and scripts are reloaded.

use std::fmt::{self, Display, Formatter};

use super::metrics::FIGURES;

/// The suffixes of the components of vectors.
pub(super) const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// A number of a run: `step`, `time` (seconds) or `errors`; or `group.name`, where the name is that of a figure,
/// `errors`, `inside.zone`, a watched value, `rule.value` for a value that several rules watch, or a signal. A watched vector has the
/// components `.x`, `.y` and `.z`. Without a group, `name` is of the only group (besides the player).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    pub(super) name: String,
    pub(super) quantity: Quantity,
}

/// The quantity of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Step,
    Time,
    Errors,
    OfGroup(String, GroupQuantity),
}

/// A quantity of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupQuantity {
    /// A figure by its index.
    Figure(usize),
    Errors,
    Watched {
        rule: Option<String>,
        name: String,
        /// The axis, or `None` for the number or the length.
        component: Option<usize>,
    },
    Signal(String),
    /// The number of units in a zone.
    Inside(String),
}

impl Measure {
    /// Its full name, with the group.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if it has values only while [`Simulation::watching`](super::Simulation::watching) is true.
    pub fn is_watched(&self) -> bool {
        matches!(self.quantity, Quantity::OfGroup(_, GroupQuantity::Watched { .. }))
    }

    /// Returns true for a figure that is expensive to compute in every step.
    pub fn is_costly(&self) -> bool {
        let Quantity::OfGroup(_, GroupQuantity::Figure(at)) = self.quantity else { return false };
        FIGURES.get(at).is_some_and(|figure| figure.is_costly)
    }

    /// Its group, if it is not of the whole run.
    pub fn group(&self) -> Option<&str> {
        match &self.quantity {
            Quantity::OfGroup(group, _) => Some(group),
            _ => None,
        }
    }

    /// Its name without the group.
    pub fn short_name(&self) -> &str {
        let group = self.group().map_or(0, |group| group.len() + 1);
        self.name.get(group..).unwrap_or(&self.name)
    }

    /// Returns the measures of the components of a watched vector.
    pub fn components(&self) -> Vec<Self> {
        let Quantity::OfGroup(group, GroupQuantity::Watched { rule, name, component: None }) = &self.quantity
        else {
            return Vec::new();
        };
        let component = |(axis, suffix): (usize, &&str)| {
            let (rule, value) = (rule.clone(), name.clone());
            let watched = GroupQuantity::Watched { rule, name: value, component: Some(axis) };
            Self {
                name: format!("{}.{suffix}", self.name),
                quantity: Quantity::OfGroup(group.clone(), watched),
            }
        };
        COMPONENTS.iter().enumerate().map(component).collect()
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
