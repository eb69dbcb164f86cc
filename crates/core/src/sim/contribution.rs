//! The contribution of a behavior to the motion of a unit.

use glam::{Vec2, Vec3};

/// The output of a behavior for a unit in one step, before its gain.
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

/// A contribution as four words, which are copied without a branch on the tag.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredContribution {
    pub(super) tag: u32,
    pub(super) values: [f32; 3],
}

impl StoredContribution {
    /// Nothing.
    pub(super) const NONE: Self = Self { tag: Contribution::TAG_NONE, values: [0.0; 3] };

    /// Converts to the enum.
    #[inline]
    pub(super) fn get(self) -> Contribution {
        Contribution::of_tag(self.tag, self.values)
    }
}

impl From<Contribution> for StoredContribution {
    #[inline]
    fn from(contribution: Contribution) -> Self {
        match contribution {
            Contribution::None => Self::NONE,
            Contribution::Turn(Vec2 { x, y }) => Self { tag: Contribution::TAG_TURN, values: [x, y, 0.0] },
            Contribution::Push(push) => Self { tag: Contribution::TAG_PUSH, values: push.to_array() },
        }
    }
}

impl Contribution {
    /// The tag of [`Contribution::None`] in compiled code.
    pub const TAG_NONE: u32 = 0;
    /// The tag of [`Contribution::Turn`].
    pub const TAG_TURN: u32 = 1;
    /// The tag of [`Contribution::Push`].
    pub const TAG_PUSH: u32 = 2;

    /// Returns the contribution with a tag and components; a turn has two.
    #[inline]
    pub fn of_tag(tag: u32, [x, y, z]: [f32; 3]) -> Self {
        match tag {
            Self::TAG_TURN => Self::Turn(Vec2::new(x, y)),
            Self::TAG_PUSH => Self::Push(Vec3::new(x, y, z)),
            _ => Self::None,
        }
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::None => true,
            Self::Turn(turn) => turn.is_finite(),
            Self::Push(push) => push.is_finite(),
        }
    }

    /// Returns true if both are bit-identical: 0 and −0 differ.
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
