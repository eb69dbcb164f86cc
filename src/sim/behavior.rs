//! What a behavior is: frozen state in, one contribution out.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};

use super::{MemoryLayout, UnitContext};
use crate::diagnostics::same_words;

/// What a behavior asks of a unit's body in one step, before its gain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Contribution {
    /// Nothing.
    #[default]
    None,
    /// A turn: starboard and up, as fractions of the steering force.
    Turn(Vec2),
    /// A push in world axes: a force, or a mover's change of velocity.
    Push(Vec3),
}

impl Contribution {
    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::None => true,
            Self::Turn(turn) => turn.is_finite(),
            Self::Push(push) => push.is_finite(),
        }
    }
}

/// Why a behavior contributed nothing to a unit in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line in the script, from 1; 0 where there is none.
    pub line: usize,
    /// Column in the script, from 1; 0 where there is none.
    pub column: usize,
    /// The cause in the user's words.
    pub message: String,
    /// A likely remedy, if one is known.
    pub help: Option<String>,
    /// The file it happened in, if that is not the script itself but one that it imports.
    pub file: Option<String>,
    /// Whether a limit on work stopped it. Such a behavior rests from the next step on, until it is
    /// replaced; see [`super::Rest`].
    pub exhausted: bool,
}

impl Failure {
    /// Whether both have one cause: they happened in one place, and say the same but for numbers.
    pub fn has_cause_of(&self, other: &Self) -> bool {
        (self.line, self.column, self.exhausted) == (other.line, other.column, other.exhausted)
            && self.file == other.file
            && same_words(&self.message, &other.message)
    }
}

/// What failed for which unit: unit, slot, cause.
pub(super) type Fault = (usize, usize, Failure);

/// A rule that moves units: a pure function of frozen state, its memory and random draws.
pub trait Behavior: Send + Sync {
    /// What it remembers of each unit.
    fn memory(&self) -> &MemoryLayout {
        static NONE: LazyLock<MemoryLayout> = LazyLock::new(MemoryLayout::default);
        &NONE
    }

    /// Maps what a unit remembered for the version of this behavior before it. `memory` holds what was
    /// carried over by name and kind, `before` all that was remembered, and how it was laid out. The
    /// answer tells the cause, if it fails for this unit, whose memory is then left as it was carried
    /// over; and how much work it took.
    fn reloaded(
        &self,
        before: (&MemoryLayout, &[u32]),
        memory: &mut [u32],
    ) -> (Result<(), Failure>, u64) {
        let _ = (before, memory);
        (Ok(()), 0)
    }

    /// Where it begins in its script: line and column, from 1; 0 where there is none.
    fn place(&self) -> (usize, usize) {
        (0, 0)
    }

    /// What it asks for `context.unit()` in this step. `memory` is the unit's, laid out as
    /// [`Behavior::memory`] says. What it takes is charged to `context`; see [`super::work`].
    ///
    /// # Errors
    /// With the cause, if it fails for this unit; it then contributes nothing in this step.
    fn decide(
        &self,
        context: &mut UnitContext,
        memory: &mut [u32],
    ) -> Result<Contribution, Failure>;
}

impl<F> Behavior for F
where
    F: Fn(&mut UnitContext) -> Contribution + Send + Sync,
{
    fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
        Ok(self(context))
    }
}
