//! Measures: numbers of a run by name, such as `starlings.polarization`.
//!
//! Metrics, conditions, expectations and experiments need the same numbers. All obtain them here: one vocabulary, one
//! parser with suggestions, one evaluation. A measure stores names instead of indices, so that it stays valid when
//! scene and scripts are reloaded.

use std::fmt::{self, Display, Formatter};

use super::group_measure::Component;
use super::metrics::{FIGURES, Figure};

/// Counts of births and deaths: names and descriptions, in the order of [`World::population`](crate::world::World).
pub(super) const POPULATION: [(&str, &str); 2] =
    [("births", "number of units born so far"), ("deaths", "number of units that died so far")];

/// The suffixes of the components of vectors.
pub(super) const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// A number of a run or of a group.
///
/// A run has `step`, `time` (seconds), `errors`, `grid.name.total` and `grid.name.mean`. A group has `group.name`, where the
/// name is of a figure, `errors`, `births`, `deaths`, `inside.zone`, a watched value, `rule.value` for a value that several
/// rules watch, a signal, or a measure that is computed by code. A vector has the components `.x`, `.y` and `.z`, a list the
/// components `.0`, `.1` and so on. Without a group, `name` is of the only group (besides the player).
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
    /// The sum of the cells of an environment grid, or their mean.
    Grid {
        name: String,
        is_mean: bool,
    },
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
    /// A count of births or deaths, by its index in [`POPULATION`].
    Population(usize),
    /// A measure that is computed by code.
    Computed {
        name: String,
        /// The component, or `None` for the number or the length.
        component: Option<Component>,
    },
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
        match &self.quantity {
            Quantity::OfGroup(_, GroupQuantity::Figure(at)) => {
                FIGURES.get(*at).is_some_and(|figure| figure.is_costly)
            }
            Quantity::OfGroup(_, GroupQuantity::Computed { .. }) => true,
            _ => false,
        }
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

    /// Returns true if all of its values are whole numbers.
    pub fn is_count(&self) -> bool {
        match &self.quantity {
            Quantity::Step
            | Quantity::Errors
            | Quantity::OfGroup(
                _,
                GroupQuantity::Errors | GroupQuantity::Inside(_) | GroupQuantity::Population(_),
            ) => true,
            Quantity::OfGroup(_, GroupQuantity::Figure(at)) => FIGURES.get(*at).is_some_and(Figure::is_count),
            _ => false,
        }
    }

    /// Returns the unit of its values; empty for numbers without one and for values of scripts.
    pub fn unit(&self) -> &'static str {
        match &self.quantity {
            Quantity::OfGroup(
                _,
                GroupQuantity::Watched { .. } | GroupQuantity::Signal(_) | GroupQuantity::Computed { .. },
            ) => "",
            _ => unit_of(self.short_name()),
        }
    }

    /// Returns a description; empty for values of scripts.
    pub fn about(&self) -> &'static str {
        match &self.quantity {
            Quantity::Step => "number of steps since the start",
            Quantity::Time => "simulated time since the start",
            Quantity::Errors => "failures of behaviors so far",
            Quantity::Grid { is_mean: false, .. } => "sum of all cells of the grid",
            Quantity::Grid { is_mean: true, .. } => "mean of all cells of the grid",
            Quantity::OfGroup(_, GroupQuantity::Errors) => "failures of the group's behaviors so far",
            Quantity::OfGroup(_, GroupQuantity::Inside(_)) => "number of units in the zone",
            Quantity::OfGroup(_, GroupQuantity::Population(at)) => POPULATION[*at].1,
            Quantity::OfGroup(_, GroupQuantity::Figure(at)) => {
                FIGURES.get(*at).map_or("", |figure| figure.about)
            }
            Quantity::OfGroup(..) => "",
        }
    }

    /// Returns the name of the measure that is computed by code, if it is one.
    pub fn computed(&self) -> Option<&str> {
        match &self.quantity {
            Quantity::OfGroup(_, GroupQuantity::Computed { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Returns the measure of a component; `None` if it is a component itself or has none.
    pub(super) fn part(&self, component: Component) -> Option<Self> {
        let (suffix, axis) = match component {
            Component::Axis(axis) => (COMPONENTS.get(axis)?.to_string(), Some(axis)),
            Component::Element(at) => (at.to_string(), None),
        };
        let Quantity::OfGroup(group, quantity) = &self.quantity else { return None };
        let quantity = match quantity {
            GroupQuantity::Watched { rule, name, component: None } => {
                GroupQuantity::Watched { rule: rule.clone(), name: name.clone(), component: Some(axis?) }
            }
            GroupQuantity::Computed { name, component: None } => {
                GroupQuantity::Computed { name: name.clone(), component: Some(component) }
            }
            _ => return None,
        };
        let quantity = Quantity::OfGroup(group.clone(), quantity);
        Some(Self { name: format!("{}.{suffix}", self.name), quantity })
    }
}

/// Returns the unit of a measure by its name without the group; empty for numbers without one and for values of scripts.
pub fn unit_of(name: &str) -> &'static str {
    match name {
        "step" => "steps",
        "time" => "s",
        "errors" => "failures",
        _ if name.starts_with("inside.") || POPULATION.iter().any(|(known, _)| *known == name) => "units",
        _ => FIGURES.iter().find(|figure| figure.name == name).map_or("", |figure| figure.unit),
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
