//! Poses at which units are drawn: interpolated between the last two states.

use glam::{Vec2, Vec3};
use steerbox_core::world::{World, matching, minimum_image};
use steerbox_project::session::Poses;

/// A unit that moved farther than this many times its longest possible step was repositioned.
const JUMP: f32 = 2.0;

/// Poses of units between two steps; if there are none, those of the world apply.
#[derive(Clone, Debug, Default)]
pub struct InterpolatedPoses {
    position: Vec<Vec3>,
    heading: Vec<Vec3>,
    up: Vec<Vec3>,
    /// Simulated seconds before the world's own time.
    behind: f32,
}

/// The poses of the world itself.
pub(crate) static EXACT: InterpolatedPoses =
    InterpolatedPoses { position: Vec::new(), heading: Vec::new(), up: Vec::new(), behind: 0.0 };

impl InterpolatedPoses {
    /// Interpolates the poses at `share` of the way from those before the last step to those of `world`.
    pub fn blend(&mut self, world: &World, before: Option<&Poses>, share: f32) {
        if self.position.capacity() / 4 > world.units.len() {
            // Buffers of a much larger world are released.
            *self = Self::default();
        }
        self.position.clear();
        self.heading.clear();
        self.up.clear();
        self.behind = 0.0;
        let Some(before) = before.filter(|_| share < 1.0) else {
            return;
        };
        let (rest, units) = (1.0 - share.max(0.0), &world.units);
        let period = world.arena.wrap();
        // Births and deaths change the indices of units; those born in the step are drawn where they are.
        let others = matching(&units.key, &before.key);
        self.behind = rest * world.step;
        for group in &world.groups {
            for unit in group.units.clone() {
                let body = world.body_of(unit);
                let fastest = body.max_speed().max(units.velocity[unit].length());
                let farthest = JUMP * fastest * world.step + body.length();
                let (now, heading, up) = (units.position[unit], units.heading[unit], units.up[unit]);
                let Some(other) = others.as_ref().map_or(Some(unit), |others| others[unit]) else {
                    self.push(now, heading, up);
                    continue;
                };
                let way = minimum_image(now - before.position[other], period);
                // Also true for NaN.
                let went = way.length_squared() <= farthest * farthest;
                let back = if went { rest } else { 0.0 };
                let heading = between(heading, before.heading[other], back);
                self.push(wrapped(now - way * back, period), heading, between(up, before.up[other], back));
            }
        }
    }

    fn push(&mut self, position: Vec3, heading: Vec3, up: Vec3) {
        self.position.push(position);
        self.heading.push(heading);
        self.up.push(up);
    }

    /// The position at which a unit of `world` is drawn.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn position(&self, world: &World, unit: usize) -> Vec3 {
        self.position.get(unit).copied().unwrap_or_else(|| world.units.position[unit])
    }

    /// Its forward axis.
    ///
    /// # Panics
    /// If there is no such unit.
    pub(crate) fn heading(&self, world: &World, unit: usize) -> Vec3 {
        self.heading.get(unit).copied().unwrap_or_else(|| world.units.heading[unit])
    }

    /// Its upward axis, approximately perpendicular to the heading.
    ///
    /// # Panics
    /// If there is no such unit.
    pub(crate) fn up(&self, world: &World, unit: usize) -> Vec3 {
        self.up.get(unit).copied().unwrap_or_else(|| world.units.up[unit])
    }

    /// The time that is drawn, simulated seconds.
    pub(crate) fn time(&self, world: &World) -> f32 {
        world.time() - self.behind
    }
}

/// The image of a point in a wrapping world that lies within the world.
fn wrapped(point: Vec3, period: Option<Vec2>) -> Vec3 {
    let Some(size) = period else {
        return point;
    };
    point - ((point.truncate() / size).floor() * size).extend(0.0)
}

/// `now` rotated by the share `back` of the shorter way to `before`; `now` if both are opposite.
fn between(now: Vec3, before: Vec3, back: f32) -> Vec3 {
    let axis = now.lerp(before, back);
    if axis.length_squared() > 1e-4 { axis.normalize() } else { now }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::{Options, Outcome, Session};

    use super::*;
    use std::time::Duration;

    /// The pose at `share` of the second step of a scene with one mover, and the positions of the
    /// mover before and after that step.
    fn shown(edges: &str, start: &str, share: f32) -> (InterpolatedPoses, [Vec3; 2], World) {
        let text = format!(
            "(world: {edges}, step: 0.1, bodies: {{\"m\": Mover(max_speed: 200)}},
            groups: [(name: \"a\", body: \"m\", spawn: At([({start})]))])"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        std::fs::write(&path, text).unwrap();
        let mut session = Session::<crate::render::trails::Trails>::open(Options {
            threads: Some(1),
            ..Options::new(Place::of_scene(&path))
        })
        .unwrap();
        let mut places = [Vec3::ZERO; 2];
        let simulation = &mut session.simulation;
        for place in &mut places {
            simulation.start(1);
            assert_eq!(simulation.finish(Duration::MAX), Outcome::Made(1));
            *place = simulation.world().units.position[0];
        }
        let mut shown = InterpolatedPoses::default();
        shown.blend(simulation.world(), simulation.poses_before(), share);
        let world = simulation.world().clone();
        session.restart();
        let simulation = &session.simulation;
        let mut anew = InterpolatedPoses::default();
        anew.blend(simulation.world(), simulation.poses_before(), share);
        assert!(anew.position.is_empty(), "after a restart the start is shown");
        (shown, places, world)
    }

    #[test]
    fn a_unit_is_drawn_between_its_last_two_positions() {
        let plane = "Plane(size: (100, 100), edges: Open)";
        let start = "position: (50, 50), velocity: (20, 10)";
        let (half, [from, to], world) = shown(plane, start, 0.25);
        assert!(half.position(&world, 0).abs_diff_eq(from.lerp(to, 0.25), 1e-3));
        assert!((half.time(&world) - 0.125).abs() < 1e-5);
        let (exact, [_, to], world) = shown(plane, start, 1.0);
        assert_eq!((exact.position(&world, 0), exact.time(&world)), (to, world.time()));
        assert_eq!(exact.position(&world, 0), EXACT.position(&world, 0));
        let space = "Space(radius: 60, edges: Open)";
        let (half, [from, to], world) = shown(space, "position: (1, 2, 3), velocity: (5, -9, 20)", 0.5);
        assert!(half.position(&world, 0).abs_diff_eq(from.midpoint(to), 1e-3));
    }

    #[test]
    fn interpolation_wraps_at_the_edge() {
        let plane = "Plane(size: (100, 100), edges: Wrap)";
        for (share, x) in [(0.2, 99.2), (0.8, 1.6)] {
            // From 98.4 to 102.4.
            let (drawn, [from, to], world) = shown(plane, "position: (94.4, 50), velocity: (40, 0)", share);
            assert!(from.x > 98.0 && to.x < 3.0, "{from} {to}");
            assert!((drawn.position(&world, 0).x - x).abs() < 1e-2, "{}", drawn.position(&world, 0));
        }
    }

    #[test]
    fn headings_turn_the_shorter_way_and_repositioned_units_are_not_interpolated() {
        let plane = "Plane(size: (100, 100), edges: Open)";
        let (_, _, mut world) = shown(plane, "position: (50, 50), velocity: (20, 0)", 0.5);
        let angle = |degrees: f32| Vec2::from_angle(degrees.to_radians()).extend(0.0);
        let turned = between(angle(170.0), angle(-170.0), 0.5);
        assert!(turned.abs_diff_eq(Vec3::NEG_X, 1e-3), "{turned}");
        assert_eq!(between(Vec3::X, Vec3::NEG_X, 0.5), Vec3::X);
        let mut before = Poses::default();
        before.key.clone_from(&world.units.key);
        before.position.push(world.units.position[0] + Vec3::Y * 45.0);
        before.heading.push(Vec3::Y);
        before.up.push(Vec3::Z);
        world.units.velocity[0] = Vec3::X * 5.0;
        let mut drawn = InterpolatedPoses::default();
        drawn.blend(&world, Some(&before), 0.5);
        assert_eq!(drawn.position(&world, 0), world.units.position[0]);
        assert_eq!(drawn.heading(&world, 0), world.units.heading[0]);
    }

    #[test]
    fn units_are_interpolated_from_their_own_pose_after_births_and_deaths() {
        let plane = "Plane(size: (100, 100), edges: Open)";
        let (_, _, world) = shown(plane, "position: (50, 50), velocity: (20, 0)", 0.5);
        let now = world.units.position[0];
        let mut before = Poses::of(&world);
        before.position[0] = now - Vec3::X * 0.2;
        // A unit that died had the index before.
        before.key.insert(0, world.units.key[0] + 1);
        before.position.insert(0, now - Vec3::Y * 0.2);
        before.heading.insert(0, Vec3::Y);
        before.up.insert(0, Vec3::Z);
        let mut drawn = InterpolatedPoses::default();
        drawn.blend(&world, Some(&before), 0.5);
        assert!(drawn.position(&world, 0).abs_diff_eq(now - Vec3::X * 0.1, 1e-4));
        assert_eq!(drawn.heading(&world, 0), world.units.heading[0]);
        // A unit that was born in the step has no pose before it.
        before.key[1] += 2;
        drawn.blend(&world, Some(&before), 0.5);
        assert_eq!(drawn.position(&world, 0), now);
    }
}
