//! What a unit can see, as formulas over an offset in its own frame.

use glam::Vec3;

/// The part of its surroundings a unit can see. The offset `w` from the unit to the other is in
/// body axes: x to starboard, y forward; `lateral` = √(w.x² + w.z²), which is |w.x| in a plane.
/// Distances are measured between centers, and the radius itself is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// Everything but a blind spot behind: w.y > 0, or w.y < 0 and lateral > |w.y| · back.
    Wide {
        /// Reach, above zero.
        radius: f32,
        /// Width of the blind spot, above zero: 1 cuts along 45°, more sees less.
        back: f32,
    },
    /// The half in front: w.y > 0.
    Limited {
        /// Reach, above zero.
        radius: f32,
    },
    /// A wedge in front: w.y > 0 and lateral < |w.y| · front.
    Narrow {
        /// Reach, above zero.
        radius: f32,
        /// Width of the wedge, above zero: 1 cuts along 45°, more sees more.
        front: f32,
    },
    /// A cone about the heading: cosine of the angle off the heading ≥ cos(angle / 2). The angle to
    /// a point on top of the unit counts as a right angle.
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
    /// How far the view reaches.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Wide { radius, .. }
            | Self::Limited { radius }
            | Self::Narrow { radius, .. }
            | Self::Cone { radius, .. }
            | Self::Around { radius } => radius,
        }
    }

    /// Whether an offset `w` (body axes) within the radius is inside the view's angle.
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

/// A view and the name by which groups and scripts ask for it.
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

    const AHEAD: Vec3 = Vec3::new(0.0, 2.0, 0.0);
    const ABEAM: Vec3 = Vec3::new(2.0, 0.0, 0.0);
    const ASTERN: Vec3 = Vec3::new(0.0, -2.0, 0.0);

    fn sees(view: View) -> [bool; 4] {
        [AHEAD, ABEAM, ASTERN, Vec3::ZERO].map(|w| view.admits(w))
    }

    #[test]
    fn each_view_admits_ahead_abeam_astern_and_on_top_as_its_formula_says() {
        assert_eq!(
            sees(View::Wide {
                radius: 9.0,
                back: 1.0
            }),
            [true, false, false, false]
        );
        assert_eq!(
            sees(View::Limited { radius: 9.0 }),
            [true, false, false, false]
        );
        assert_eq!(
            sees(View::Narrow {
                radius: 9.0,
                front: 1.0
            }),
            [true, false, false, false]
        );
        assert_eq!(
            sees(View::Cone {
                radius: 9.0,
                cosine: -0.5
            }),
            [true, true, false, true]
        );
        assert_eq!(sees(View::Around { radius: 9.0 }), [true; 4]);
    }

    #[test]
    fn a_larger_back_factor_sees_less_and_a_larger_front_factor_more() {
        let quarter = Vec3::new(1.5, -1.0, 0.0);
        assert!(
            View::Wide {
                radius: 9.0,
                back: 1.0
            }
            .admits(quarter)
        );
        assert!(
            !View::Wide {
                radius: 9.0,
                back: 2.0
            }
            .admits(quarter)
        );
        let bow = Vec3::new(1.5, 1.0, 0.0);
        assert!(
            !View::Narrow {
                radius: 9.0,
                front: 1.0
            }
            .admits(bow)
        );
        assert!(
            View::Narrow {
                radius: 9.0,
                front: 2.0
            }
            .admits(bow)
        );
    }

    #[test]
    fn the_cut_itself_is_outside() {
        let cut = Vec3::new(1.0, 1.0, 0.0);
        assert!(
            !View::Narrow {
                radius: 9.0,
                front: 1.0
            }
            .admits(cut)
        );
        assert!(
            !View::Wide {
                radius: 9.0,
                back: 1.0
            }
            .admits(Vec3::new(1.0, -1.0, 0.0))
        );
    }
}
