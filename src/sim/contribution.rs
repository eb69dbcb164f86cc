//! What a behavior contributes to the motion of a unit.

use glam::{Vec2, Vec3};

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

/// A contribution as it is stored: four words, which are copied without a look at what they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredContribution {
    pub(super) tag: u32,
    pub(super) values: [f32; 3],
}

impl StoredContribution {
    /// Nothing.
    pub(super) const NONE: Self = Self { tag: Contribution::TAG_NONE, values: [0.0; 3] };

    /// What it is.
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
    /// What compiled code tells of [`Contribution::None`].
    pub const TAG_NONE: u32 = 0;
    /// The same of [`Contribution::Turn`].
    pub const TAG_TURN: u32 = 1;
    /// The same of [`Contribution::Push`].
    pub const TAG_PUSH: u32 = 2;

    /// That of a tag, with its components; a turn has two.
    #[inline]
    pub fn of_tag(tag: u32, [x, y, z]: [f32; 3]) -> Self {
        match tag {
            Self::TAG_TURN => Self::Turn(Vec2::new(x, y)),
            Self::TAG_PUSH => Self::Push(Vec3::new(x, y, z)),
            _ => Self::None,
        }
    }

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
