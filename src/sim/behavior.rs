//! What a behavior is: frozen state in, one contribution out.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};

use super::context::UnitContext;
use super::failure::Failure;
use super::memory::MemoryLayout;

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

    /// Whether it is the same as another to the last bit: 0 and −0 differ.
    pub fn has_bits_of(&self, other: &Self) -> bool {
        let same = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Turn(a), Self::Turn(b)) => same(&a.to_array(), &b.to_array()),
            (Self::Push(a), Self::Push(b)) => same(&a.to_array(), &b.to_array()),
            _ => false,
        }
    }
}

/// A rule that moves units: a pure function of frozen state, its memory and random draws.
pub trait Behavior: Send + Sync {
    /// The layout of its memory of each unit.
    fn memory(&self) -> &MemoryLayout {
        static NONE: LazyLock<MemoryLayout> = LazyLock::new(MemoryLayout::default);
        &NONE
    }

    /// Maps a unit's memory of the version of this behavior before it. `memory` holds what was carried
    /// over by name and kind, `before` the old memory and its layout. Returns the cause, if it fails for
    /// this unit, whose memory then stays as it was carried over; and how much work it took.
    fn reloaded(&self, before: (&MemoryLayout, &[u32]), memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        let _ = (before, memory);
        (Ok(()), 0)
    }

    /// Where it begins in its script: line and column, from 1; 0 where there is none.
    fn place(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Its contribution to `context.unit()` in this step. `memory` is the unit's, laid out as
    /// [`Behavior::memory`] says. Its work is charged to `context`; see [`super::work`].
    ///
    /// # Errors
    /// With the cause, if it fails for this unit; it then contributes nothing in this step.
    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure>;
}

impl<F> Behavior for F
where
    F: Fn(&mut UnitContext) -> Contribution + Send + Sync,
{
    fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
        Ok(self(context))
    }
}
