//! Fields of view, as formulas over an offset in body axes.

use glam::Vec3;

/// A field of view. The offset `w` from the unit to another is in body axes: x to starboard, y forward;
/// `lateral` = √(w.x² + w.z²), which is |w.x| in a plane. Distances are measured between centers; the radius is
/// inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// Everything except a blind spot behind: w.y > 0, or w.y < 0 and lateral > |w.y| · back.
    Wide {
        /// Reach, above zero.
        radius: f32,
        /// Slope of the blind spot, above zero: 1 is 45°; greater values see less.
        back: f32,
    },
    /// The front half: w.y > 0.
    Limited {
        /// Reach, above zero.
        radius: f32,
    },
    /// A wedge in front: w.y > 0 and lateral < |w.y| · front.
    Narrow {
        /// Reach, above zero.
        radius: f32,
        /// Slope of the wedge, above zero: 1 is 45°; greater values see more.
        front: f32,
    },
    /// A cone about the heading: cosine of the angle off the heading ≥ cos(angle / 2). The angle to a unit at the same
    /// point counts as a right angle.
    Cone {
        /// Reach, above zero.
        radius: f32,
        /// Cosine of half the opening angle, −1 (everything) to 1 (nothing).
        cosine: f32,
    },
    /// Everything within reach.
    Around {
        /// Reach, above zero.
        radius: f32,
    },
}

impl View {
    /// The range of the view.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Wide { radius, .. }
            | Self::Limited { radius }
            | Self::Narrow { radius, .. }
            | Self::Cone { radius, .. }
            | Self::Around { radius } => radius,
        }
    }

    /// Returns true if an offset `w` (body axes) within the radius is inside the view's angle.
    pub fn admits(&self, w: Vec3) -> bool {
        let lateral = || (w.x * w.x + w.z * w.z).sqrt();
        match *self {
            Self::Wide { back, .. } => w.y > 0.0 || (w.y < 0.0 && lateral() > -w.y * back),
            Self::Limited { .. } => w.y > 0.0,
            Self::Narrow { front, .. } => w.y > 0.0 && lateral() < w.y * front,
            Self::Cone { cosine, .. } => w.normalize_or_zero().y >= cosine,
            Self::Around { .. } => true,
        }
    }
}

/// A view and its name in groups and scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedView {
    /// Its name in the scene.
    pub name: String,
    /// Its formula.
    pub view: View,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_view_admits_the_offsets_of_its_formula() {
        let radius = 9.0;
        let wide = |back| View::Wide { radius, back };
        let narrow = |front| View::Narrow { radius, front };
        let cone = View::Cone { radius, cosine: -0.5 };
        let [ahead, abeam, astern] = [(0.0, 2.0), (2.0, 0.0), (0.0, -2.0)];
        let (on_top, quarter, bow) = ((0.0, 0.0), (1.5, -1.0), (1.5, 1.0));
        // The boundary itself is outside. A larger factor sees less behind and more ahead.
        let (bow_cut, quarter_cut) = ((1.0, 1.0), (1.0, -1.0));
        let limited = View::Limited { radius };
        for (view, inside, outside) in [
            (wide(1.0), &[ahead, quarter][..], &[abeam, astern, on_top, quarter_cut][..]),
            (wide(2.0), &[ahead], &[quarter]),
            (limited, &[ahead, bow], &[abeam, astern, on_top]),
            (narrow(1.0), &[ahead], &[abeam, astern, on_top, bow, bow_cut]),
            (narrow(2.0), &[ahead, bow], &[abeam]),
            (cone, &[ahead, abeam, on_top], &[astern]),
            (View::Around { radius }, &[ahead, abeam, astern, on_top], &[]),
        ] {
            let admits = |(x, y): &(f32, f32)| view.admits(Vec3::new(*x, *y, 0.0));
            assert!(inside.iter().all(admits), "{view:?}");
            assert!(!outside.iter().any(admits), "{view:?}");
        }
    }
}
