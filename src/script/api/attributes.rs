//! Attributes of a row besides its types: effect, charge, requirements, and facts for messages and estimates.

use crate::perception::Source;

/// Effect of a call, besides its result and its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Effect {
    /// None.
    Pure,
    /// Draws a random number, so that later draws return others.
    Random,
    /// Stores a selection of units; their count is limited.
    Select,
    /// Sets a mark or a signal of the unit.
    Set,
    /// Shows something. Machine code skips the call while nothing is recorded.
    Show,
}

/// Work that a call charges besides that of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Charge {
    None,
    /// An amount that follows from the arguments and the frozen state.
    Each,
    /// Such an amount, less the part that an earlier call for the same unit has paid.
    Once,
}

/// Relation of a call to lists of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum ListRole {
    None,
    /// Returns all units of a source; a view stands for all views.
    Source(Source),
    /// Returns the part of its list within a distance.
    Part,
    /// Charges for one look at its first argument.
    Looks,
}

impl ListRole {
    /// True for lists from the grid, whose order a reduction may choose.
    pub(in crate::script) fn is_from_grid(self) -> bool {
        matches!(self, Self::Source(source) if source != Source::Touching)
    }
}

/// A part that only some scenes have; without it, a row returns an empty list, `()` or false, or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A view of the group.
    View,
    /// Enemies of the group, and the distance within which it senses them.
    Enemies,
    /// Contacts of units.
    Contacts,
    /// The path of the group.
    Path,
    /// The flow field of the group.
    Field,
    /// A player.
    Player,
    /// A target.
    Target,
    /// A view of this name; without one, the call fails.
    NamedView,
    /// A path of this name; without one, the call fails.
    NamedPath,
    /// A flow field of this name; without one, the call fails.
    NamedField,
}

/// Further property of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Tag {
    /// In a plane, z of the result is 0 and not −0.
    Planar,
    /// Returns or searches all obstacles.
    AllObstacles,
    /// A text among the arguments declares a mark of the script.
    NamesMark,
    /// A text among the arguments declares a signal of the script.
    NamesSignal,
    /// The last argument is an angle in radians.
    Angle,
    /// An argument is meant to be whole, so that a quotient of integers in it is no mistake.
    Whole,
    // Reasons for results that are infinite or NaN.
    Root,
    Arc,
    Logarithm,
    Power,
    Exponential,
    // Arguments that are often passed by mistake.
    VectorForNumber,
    VectorForComponents,
    /// A unit or an obstacle in place of a point.
    BodyForPoint,
    ListForUnit,
}
