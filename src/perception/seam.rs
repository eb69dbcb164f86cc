//! Offsets across the edge of a world whose views reach across it.

use glam::{BVec2, Vec2, Vec3};

/// The edge that offsets are taken across where that is nearer; z never wraps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seam {
    size: Option<Vec2>,
    /// Whether everybody is between 0 and the size, so that nobody is more than a lap away.
    tidy: bool,
}

impl Seam {
    pub(super) fn of(size: Option<Vec2>, positions: &[Vec3]) -> Self {
        let tidy = size.is_none_or(|size| {
            let inside = |p: &Vec3| p.truncate().cmpge(Vec2::ZERO) & p.truncate().cmple(size);
            (positions.iter()).fold(BVec2::TRUE, |all, position| all & inside(position))
                == BVec2::TRUE
        });
        Self { size, tidy }
    }

    /// Whether somebody may be more than a lap away.
    #[inline(always)]
    pub(super) fn is_far(&self) -> bool {
        self.size.is_some() && !self.tidy
    }

    /// What it takes from anywhere at all.
    pub(super) fn any(&self) -> Laps {
        self.size.map_or(Laps::None, Laps::Many)
    }

    /// What it takes to find the shortest offsets between units; `across` tells that some of them
    /// may lead across the edge.
    #[inline(always)]
    pub(super) fn laps(&self, across: bool) -> Laps {
        match self.size {
            Some(size) if self.is_far() => Laps::Many(size),
            Some(size) if across => Laps::One(size),
            _ => Laps::None,
        }
    }
}

/// How many laps of the world may lie between a unit and those it looks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Laps {
    /// None: nobody is across the edge.
    #[default]
    None,
    /// At most one of this size.
    One(Vec2),
    /// Any number.
    Many(Vec2),
}

impl Laps {
    /// The shortest of the offsets that lead to the same place.
    #[inline(always)]
    pub(super) fn shortest(self, offset: Vec3) -> Vec3 {
        match self {
            Self::None => offset,
            Self::One(size) => Vec3::new(
                wrapped(offset.x, size.x),
                wrapped(offset.y, size.y),
                offset.z,
            ),
            Self::Many(size) => {
                let laps = (offset.truncate() / size).round();
                offset - (laps * size).extend(0.0)
            }
        }
    }
}

/// `offset` across the edge if that is nearer, for offsets shorter than one and a half laps. The
/// same bits as [`Laps::Many`]: half the size is exact, and a quotient of 1/2 or more rounds to
/// no less.
#[inline(always)]
pub(super) fn wrapped(offset: f32, size: f32) -> f32 {
    let half = 0.5 * size;
    let lap = if offset >= half {
        size
    } else if offset <= -half {
        -size
    } else {
        0.0
    };
    offset - lap
}
