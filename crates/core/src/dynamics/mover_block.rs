//! Movers of a plane in blocks: the computation of [`super::mover`] without branches, so that the compiler
//! vectorizes it.

use glam::{Vec2, Vec3};

use super::motion::{Motion, Steering};
use super::mover::STILL;
use crate::world::{Arena, Body, Domain, Edges, Mover};

/// Number of units in a block.
pub(crate) const BLOCK: usize = 32;

/// A number for each unit.
type Column = [f32; BLOCK];

/// The motion of units by component. Only x and y change: in a plane z is 0 and `up` is the z axis.
#[derive(Clone, Debug)]
pub(crate) struct MoverBlock {
    position: [Column; 2],
    velocity: [Column; 2],
    heading: [Column; 2],
    turn: Column,
    push: [Column; 2],
    /// Nonzero if the state of any unit is not planar.
    odd: u32,
    /// True for each unit that was advanced. The others have left the arena or are not finite.
    moved: [bool; BLOCK],
}

impl Default for MoverBlock {
    fn default() -> Self {
        let (zero, moved) = ([[0.0; BLOCK]; 2], [false; BLOCK]);
        let turn = [0.0; BLOCK];
        Self { position: zero, velocity: zero, heading: zero, turn, push: zero, odd: 0, moved }
    }
}

impl MoverBlock {
    /// Stores the motion of the unit at index `at` of the block.
    #[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, motion: &Motion) {
        let Motion { position, velocity, heading, up, .. } = motion;
        put(&mut self.position, at, *position);
        put(&mut self.velocity, at, *velocity);
        put(&mut self.heading, at, *heading);
        let zeros = [position.z, velocity.z, heading.z, up.x, up.y].map(f32::to_bits);
        let odd = zeros.into_iter().fold(up.z.to_bits() ^ Vec3::Z.z.to_bits(), |odd, bits| odd | bits);
        self.odd |= odd;
    }

    /// Stores the steering of the unit at index `at` of the block.
    #[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
    #[inline(always)]
    pub(crate) fn steer(&mut self, at: usize, steering: &Steering) {
        put(&mut self.push, at, steering.push);
        self.turn[at] = steering.turn.x;
        // A turn out of the plane has no effect unless it is infinite, since 0 · ∞ is NaN.
        self.odd |= (steering.turn.y * 0.0).abs().to_bits();
    }

    /// Advances all stored units by one step of `step` seconds in a plane and resets the block. With `edges`, units that
    /// leave the arena are not advanced. `varied` are the bodies of the units if those differ, and else empty.
    pub(crate) fn advance(
        &mut self,
        (body, varied): (&Mover, &[Body]),
        arena: &Arena,
        edges: bool,
        step: f32,
    ) {
        if varied.is_empty() {
            return self.advance_to(body, |_| body.max_speed, arena, edges, step);
        }
        // Bodies of a group differ in no other number that counts here.
        let mut fastest = [body.max_speed; BLOCK];
        for (fastest, body) in fastest.iter_mut().zip(varied) {
            *fastest = body.max_speed();
        }
        self.advance_to(body, |at| fastest[at], arena, edges, step);
    }

    /// [`MoverBlock::advance`] with the maximum speed of each unit.
    #[inline]
    fn advance_to(
        &mut self,
        body: &Mover,
        fastest: impl Fn(usize) -> f32,
        arena: &Arena,
        edges: bool,
        step: f32,
    ) {
        let odd = std::mem::take(&mut self.odd);
        let Domain::Plane { size } = arena.domain else {
            return self.moved = [false; BLOCK];
        };
        if odd != 0 || body.axes.z.is_sign_negative() {
            return self.moved = [false; BLOCK];
        }
        let is_bounded = edges && arena.edges != Edges::Open;
        let Self { position, velocity, heading, turn, push, moved, .. } = self;
        let max = body.max_velocity_change;
        let ([ahead, beside], [x, y]) = (&*heading, &mut *push);
        for at in 0..BLOCK {
            // Starboard is heading × up; the other turn is perpendicular to the plane.
            x[at] += beside[at] * turn[at] * max;
            y[at] += -ahead[at] * turn[at] * max;
        }
        let change = squares(push);
        clamp_length_max(push, |_| max);
        for axis in 0..2 {
            for at in 0..BLOCK {
                velocity[axis][at] = (velocity[axis][at] + push[axis][at]) * body.axes[axis];
            }
        }
        let speed = squares(velocity);
        clamp_length_max(velocity, fastest);
        for axis in 0..2 {
            for at in 0..BLOCK {
                position[axis][at] += velocity[axis][at] * step;
            }
        }
        face(velocity, heading);
        for at in 0..BLOCK {
            // −0 is excluded: it is left to the edge code.
            let is_inside = |axis: usize| position[axis][at].to_bits() < size[axis].to_bits();
            let of = |axis: usize| position[axis][at] + velocity[axis][at] + heading[axis][at];
            // NaN if any component is not finite. Lengths with an infinite square are left to the code for one unit.
            let is_finite = (of(0) + of(1) + change[at] + speed[at]) * 0.0 == 0.0;
            moved[at] = is_finite & (!is_bounded | (is_inside(0) & is_inside(1)));
        }
    }

    /// Returns position, velocity and heading of the unit at index `at`; `None` if it must be advanced separately.
    #[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<[Vec2; 3]> {
        let vector = |columns: &[Column; 2]| Vec2::new(columns[0][at], columns[1][at]);
        self.moved[at].then(|| [&self.position, &self.velocity, &self.heading].map(vector))
    }
}

#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
fn put([x, y]: &mut [Column; 2], at: usize, vector: Vec3) {
    (x[at], y[at]) = (vector.x, vector.y);
}

/// The squared length for each unit.
fn squares([x, y]: &[Column; 2]) -> Column {
    std::array::from_fn(|at| (x[at] * x[at]) + (y[at] * y[at]))
}

/// [`Vec3::clamp_length_max`] for each unit.
fn clamp_length_max([x, y]: &mut [Column; 2], max: impl Fn(usize) -> f32) {
    let mut is_long = [false; BLOCK];
    for at in 0..BLOCK {
        is_long[at] = (x[at] * x[at]) + (y[at] * y[at]) > max(at) * max(at);
    }
    // Usually none exceeds it, and divisions would dominate the time.
    if !is_long.iter().fold(false, |any, is_long| any | is_long) {
        return;
    }
    for at in 0..BLOCK {
        let length = ((x[at] * x[at]) + (y[at] * y[at])).sqrt();
        let (a, b) = (max(at) * (x[at] / length), max(at) * (y[at] / length));
        x[at] = select(is_long[at], a, x[at]);
        y[at] = select(is_long[at], b, y[at]);
    }
}

/// [`super::mover::face`] for each unit.
fn face([x, y]: &[Column; 2], [ahead, beside]: &mut [Column; 2]) {
    for at in 0..BLOCK {
        let speed = ((x[at] * x[at]) + (y[at] * y[at])).sqrt();
        let is_still = speed <= STILL;
        let (a, b) = (x[at] / speed, y[at] / speed);
        ahead[at] = select(is_still, ahead[at], a);
        beside[at] = select(is_still, beside[at], b);
    }
}

/// Selects one of two computed numbers without a branch, which would prevent vectorization.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
fn select(first: bool, one: f32, other: f32) -> f32 {
    let mask = u32::from(first).wrapping_neg();
    f32::from_bits((one.to_bits() & mask) | (other.to_bits() & !mask))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dynamics::{self, confine};
    use crate::world::testing;

    fn number() -> impl Strategy<Value = f32> {
        let ends = prop::sample::select(vec![0.0, -0.0, 1e-9, 100.0, 1e20, f32::MAX, f32::INFINITY]);
        prop_oneof![4 => -150.0_f32..150.0, 1 => ends]
    }

    fn flat() -> impl Strategy<Value = Vec3> {
        [number(), number()].prop_map(|[x, y]| Vec3::new(x, y, 0.0))
    }

    fn unit() -> impl Strategy<Value = (Motion, Steering)> {
        let steering = ([number(), number()], flat(), any::<bool>());
        (flat(), flat(), -4.0_f32..4.0, steering).prop_map(
            |(position, velocity, angle, (turn, push, turns))| {
                let heading = Vec2::from_angle(angle).extend(0.0);
                let motion =
                    Motion { position, velocity, heading, up: Vec3::Z, angular_velocity: Vec3::ZERO };
                // Sums of contributions start at 0 and are never −0.
                let turn = if turns { Vec2::from(turn) + 0.0 } else { Vec2::ZERO };
                (motion, Steering { turn, push: push + 0.0 })
            },
        )
    }

    proptest! {
        // A case has 32 units.
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn units_move_as_they_do_separately(
            units in prop::collection::vec(unit(), BLOCK), edges: bool, kind in 0..3_usize,
            max_speed in 0.0_f32..50.0, max_velocity_change in 0.0_f32..5.0, axis in 0.0_f32..1.5, varied: bool,
        ) {
            let arena = testing::plane(100.0, 80.0, [Edges::Wrap, Edges::Bounce, Edges::Open][kind]);
            let axes = Vec3::new(1.0, axis, 0.9);
            let body = Mover { max_speed, max_velocity_change, axes, ..Mover::default() };
            let of = |at: usize| Body::Mover(Mover { max_speed: max_speed * at as f32 / 9.0, ..body });
            let bodies: Vec<_> = (0..if varied { BLOCK } else { 0 }).map(of).collect();
            let mut block = MoverBlock::default();
            for (at, (motion, steering)) in units.iter().enumerate() {
                block.set(at, motion);
                block.steer(at, steering);
            }
            block.advance((&body, &bodies), &arena, edges, 0.1);
            for (at, (motion, steering)) in units.into_iter().enumerate() {
                let mut expected = motion;
                let body = bodies.get(at).copied().unwrap_or(Body::Mover(body));
                dynamics::advance(&body, &mut expected, &steering, None, &arena, 0.1);
                if edges {
                    confine(&arena, &mut expected);
                }
                if let Some([position, velocity, heading]) = block.get(at) {
                    let moved = Motion {
                        position: position.extend(0.0),
                        velocity: velocity.extend(0.0),
                        heading: heading.extend(0.0),
                        ..motion
                    };
                    prop_assert_eq!(format!("{moved:?}"), format!("{expected:?}"));
                }
            }
        }
    }

    #[test]
    fn all_units_that_stay_inside_are_advanced() {
        let arena = testing::plane(100.0, 80.0, Edges::Wrap);
        let mut block = MoverBlock::default();
        for at in 0..BLOCK {
            let position = Vec3::new(at as f32 * 3.0 + 1.0, 20.0, 0.0);
            let motion = Motion {
                position,
                velocity: Vec3::X,
                heading: Vec3::X,
                up: Vec3::Z,
                angular_velocity: Vec3::ZERO,
            };
            block.set(at, &motion);
            block.steer(at, &Steering::default());
        }
        block.advance((&Mover::default(), &[]), &arena, true, 1.0);
        let moved = (0..BLOCK).filter_map(|at| block.get(at));
        assert!(moved.map(|[position, ..]| position.x).eq((0..BLOCK).map(|at| at as f32 * 3.0 + 2.0)));
    }
}
