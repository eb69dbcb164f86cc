//! Attributes of a row besides its types: effect, charge, requirements, and facts for messages and estimates.

use steerbox_core::perception::Source;

/// Effect of a call, besides its result and its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No effect.
    Pure,
    /// Advances the random sequence of the unit.
    Random,
    /// Stores a selection of units; their count is limited.
    Select,
    /// Sets a mark or a signal of the unit, or requests a change of it.
    Set,
    /// Shows something in the window. Machine code skips the call while nothing is recorded.
    Show,
}

/// Work of a call besides the constant work of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    None,
    /// An amount that depends on the arguments and the frozen state.
    Each,
    /// Such an amount, less the part already charged to the same unit.
    Once,
}

/// Relation of a call to lists of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListRole {
    None,
    /// Returns all units of a source; `View` represents every view.
    Source(Source),
    /// Returns the part of a list within a distance.
    Part,
    /// Charges for one scan of its first argument.
    Scans,
}

impl ListRole {
    /// Returns true for lists from the grid, which a reduction may iterate in any order.
    pub(crate) fn is_from_grid(self) -> bool {
        matches!(self, Self::Source(source) if source.range().is_in_grid())
    }
}

/// A part that only some scenes have. Without it, a row returns an empty list, `()` or false, or fails.
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
    /// A zone of this name; without one, the call fails.
    NamedZone,
    /// A group of this name; without one, the call fails.
    NamedGroup,
    /// A group of this name with `most`; without one, the call fails.
    BirthGroup,
    /// An environment grid of this name; without one, the call fails.
    NamedGrid,
}

/// A further property of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// In a plane, z of the result is +0, never −0.
    Planar,
    /// Returns or searches all obstacles.
    AllObstacles,
    /// The result depends on the deciding unit as well as on the arguments.
    OfUnit,
    /// A text argument declares a mark of the script.
    NamesMark,
    /// A text argument declares a signal of the script.
    NamesSignal,
    /// The result depends on the calls of units before it in unit order.
    Ordered,
    /// Fails in `born`.
    NotAtBirth,
    /// The result is scaled by the step, so that its sum does not depend on it.
    ScaledByStep,
    /// A text argument names a watched value.
    NamesWatched,
    /// The last argument is an angle in radians.
    Angle,
    /// An argument should be a whole number, so that an integer quotient in it is intended.
    Whole,
    // Causes of results that are infinite or NaN.
    Root,
    Arc,
    Logarithm,
    Power,
    Exponential,
    // Arguments that scripts often pass by mistake.
    VectorForNumber,
    VectorForComponents,
    /// A unit or an obstacle instead of a point.
    BodyForPoint,
    ListForUnit,
}
