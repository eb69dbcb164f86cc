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
