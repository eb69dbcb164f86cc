//! The initial state of a unit: a pure function of the seed, its group's plan, its index and the obstacles.

use std::f32::consts::TAU;

use glam::{FloatExt as _, Vec2, Vec3};
use steerbox_core::world::lengths::direction;
use steerbox_core::world::{Arena, Body, Extrema, Obstacles, SearchCost, Units, World, random, unit_key};

use super::plan::{GroupPlan, Scene};
use super::starts::{Area, Heading, Spawn};

/// Key of initial draws instead of a behavior's.
const SPAWN: u64 = u64::MAX;
/// Maximum number of attempts to find a start without overlap; otherwise the one with the greatest clearance is used.
const TRIES: u32 = 64;
/// Number of draws reserved for one attempt.
const DRAWS: u32 = 8;

/// Maximum number of units of a group for which a check searches a place.
const SAMPLE: usize = 32;

/// The draws of one unit.
struct Draws {
    seed: u64,
    key: u64,
    /// The attempt, from 0.
    attempt: u32,
}

impl Draws {
    fn get(&self, draw: u32) -> f32 {
        random::draw(self.seed, self.key, 0, SPAWN, self.attempt * DRAWS + draw)
    }
}

/// Returns a new unit of group `group` of `scene` with an unused key, as the only element of its arrays. `None` if there is
/// no such group.
pub fn newcomer(scene: &Scene, world: &World, group: usize) -> Option<Units> {
    let (plan, index) = (scene.groups.get(group)?, world.groups.get(group)?.units.len());
    let key = world.free_keys()(unit_key(&plan.common.name, index));
    let place = (&scene.world.arena, &scene.world.obstacles.without_carried());
    let mut new = Units::default();
    push(&mut new, place, world.seed, plan, (group as u16, index, key));
    Some(new)
}

/// Returns the shares of the units of a plan that find no place without overlap with `obstacles`, and that start outside
/// `arena`, of at most [`SAMPLE`] units that are evenly spaced over the group; 0 for listed starts, which are never moved.
pub(super) fn misplaced(plan: &GroupPlan, (arena, obstacles): (&Arena, &Obstacles), seed: u64) -> [f32; 2] {
    if plan.spawn.listed().is_some() {
        return [0.0; 2];
    }
    let sample = (0..plan.count).step_by(plan.count.div_ceil(SAMPLE).max(1));
    let mut units = Units::default();
    let count = sample.len().max(1);
    let overlaps = |index: &usize| {
        let key = unit_key(&plan.common.name, *index);
        !push(&mut units, (arena, obstacles), seed, plan, (0, *index, key))
    };
    let overlapping = sample.filter(overlaps).count();
    let outside = units.position.iter().filter(|at| arena.distance_to(**at) > 0.0).count();
    [overlapping, outside].map(|some| some as f32 / count as f32)
}

/// Adds unit `index` of `plan` with this key to `units`, in group `group`, without overlap with obstacles if its spawn permits it.
/// Returns false if it overlaps.
pub(super) fn push(
    units: &mut Units,
    (arena, obstacles): (&Arena, &Obstacles),
    seed: u64,
    plan: &GroupPlan,
    (group, index, key): (u16, usize, u64),
) -> bool {
    let body = plan.common.body_of(seed, key);
    let radius = body.radius();
    let tries = if plan.spawn.listed().is_some() { 1 } else { TRIES };
    let (mut best, mut most) = ((arena.center(), Vec3::X, Vec3::ZERO), f32::NEG_INFINITY);
    for attempt in 0..tries {
        let start = start((plan, &body), index, arena, &Draws { seed, key, attempt });
        let nearest = obstacles.nearest(start.0, &mut SearchCost::default());
        let gap = nearest.map_or(f32::INFINITY, |at| obstacles[at].distance_to(start.0));
        if gap > most {
            (best, most) = (start, gap);
        }
        if most >= radius {
            break;
        }
    }
    let (position, heading, velocity) = best;
    let up = arena.upright(heading);
    units.push(position, velocity, (heading, up), group, key);
    most >= radius
}

/// Position, heading and velocity.
fn start(
    (plan, body): (&GroupPlan, &Body),
    index: usize,
    arena: &Arena,
    draws: &Draws,
) -> (Vec3, Vec3, Vec3) {
    let (area, speed, heading) = match &plan.spawn {
        Spawn::At(starts) | Spawn::File { starts, .. } => {
            let Some(start) = starts.get(index) else {
                return (arena.center(), Vec3::X, Vec3::ZERO);
            };
            let velocity = start.velocity.unwrap_or(Vec3::ZERO);
            let heading = start.heading.or_else(|| velocity.try_normalize());
            return (start.position, heading.unwrap_or(Vec3::X), velocity);
        }
        Spawn::In { area, speed, heading } => (area, speed, heading),
    };
    // The direction along a ring.
    let mut along = None;
    let position = match area {
        Area::Disc { center, radius } => {
            let offset = turned(draws.get(1)) * (radius * draws.get(0).sqrt());
            *center + offset.extend(0.0)
        }
        Area::Ring { center, radius, inner } => {
            let outward = turned(draws.get(1));
            // Uniform over the area: the squared distance is uniform.
            let distance = (inner * inner).lerp(radius * radius, draws.get(0)).sqrt();
            along = Some(outward.perp().extend(0.0));
            *center + (outward * distance).extend(0.0)
        }
        Area::Rect { center, size } => {
            let part = Vec3::new(draws.get(0), draws.get(1), draws.get(2)) - Vec3::splat(0.5);
            *center + *size * part
        }
        Area::Ball { center, radius } => *center + in_ball(*radius, |n| draws.get(n)),
    };
    let heading = match heading {
        None => along,
        Some(Heading::Random) => None,
        Some(Heading::Along(direction)) => Some(*direction),
        Some(Heading::Toward(point)) => direction(arena.shortest(*point - position)),
    };
    let heading = heading.unwrap_or_else(|| {
        if arena.is_plane() {
            turned(draws.get(3)).extend(0.0)
        } else {
            on_sphere(draws.get(3), draws.get(4))
        }
    });
    let speed = match (speed, body) {
        (Some(speed), _) => speed.at(draws.get(5)).greater(0.0),
        (None, Body::Mover(body)) => body.desired_speed,
        (None, Body::Rigid(_)) => 0.0,
    };
    (position, heading, heading * speed)
}

/// Returns a uniform point of a ball about the origin, from three draws.
pub(super) fn in_ball(radius: f32, draw: impl Fn(u32) -> f32) -> Vec3 {
    on_sphere(draw(1), draw(2)) * (radius * libm::cbrtf(draw(0)))
}

/// Returns the unit vector at a fraction `turn` of a full turn from +x.
fn turned(turn: f32) -> Vec2 {
    let (sine, cosine) = libm::sincosf(turn * TAU);
    Vec2::new(cosine, sine)
}

/// Returns a uniform direction; by Archimedes, the height on a sphere is uniform as well.
fn on_sphere(height: f32, turn: f32) -> Vec3 {
    let z = 2.0 * height - 1.0;
    let flat = turned(turn) * (1.0 - z * z).greater(0.0).sqrt();
    flat.extend(z).normalize_or(Vec3::X)
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::{Domain, Edges};

    use super::*;

    #[test]
    fn up_is_perpendicular_to_every_heading_even_a_vertical_one() {
        let arena = Arena {
            domain: Domain::Space { center: Vec3::ZERO, radius: 9.0 },
            edges: Edges::Open,
            ..Arena::default()
        };
        for heading in [Vec3::X, Vec3::Y, Vec3::NEG_Y, Vec3::new(1e-5, 1.0, 0.0).normalize()] {
            let up = arena.upright(heading);
            assert!(up.dot(heading).abs() < 1e-5 && (up.length() - 1.0).abs() < 1e-5);
        }
        assert_eq!(arena.upright(Vec3::X), Vec3::Y);
    }

    #[test]
    fn a_ring_is_filled_uniformly_with_counter_clockwise_headings() {
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover(desired_speed: 3)}, groups: [(name: \"a\",
            body: \"m\", count: 4000, spawn: Ring(center: (50, 50), radius: 40, inner: 20))])";
        let world = crate::build(&crate::read("a.ron", text).unwrap(), None);
        let middle = Vec3::new(50.0, 50.0, 0.0);
        let mut outer = 0;
        for unit in 0..world.units.len() {
            let offset = world.units.position[unit] - middle;
            assert!((20.0 - 1e-3..40.0 + 1e-3).contains(&offset.length()), "{offset}");
            let turning = offset.normalize().cross(world.units.velocity[unit]).z;
            assert!((turning - 3.0).abs() < 1e-4, "{turning}");
            outer += u32::from(offset.length_squared() > 1000.0);
        }
        // The circle with the squared radius (20² + 40²) / 2 divides the area in half.
        assert!((1900..2100).contains(&outer), "{outer}");
    }

    #[test]
    fn headings_are_those_of_the_spawn_or_random() {
        let headings = |world: &str, spawn: &str| {
            let text = format!(
                "(world: {world}, bodies: {{\"m\": Mover(desired_speed: 3)}}, groups: [(name: \"a\", body: \"m\",
                count: 40, spawn: {spawn})])"
            );
            let world = crate::build(&crate::read("a.ron", &text).unwrap(), None);
            world.units.heading.iter().copied().zip(world.units.position.iter().copied()).collect::<Vec<_>>()
        };
        let plane = "Plane(size: (100, 100))";
        let disc = |heading: &str| headings(plane, &format!("Disc(center: (50, 50), radius: 40{heading})"));
        assert!(disc(", heading: 90").iter().all(|(heading, _)| *heading == Vec3::Y));
        assert!(disc(", heading: (-3, 0)").iter().all(|(heading, _)| *heading == Vec3::NEG_X));
        assert_eq!(disc(", heading: Random"), disc(""));
        let toward = disc(", heading: Toward((50, 20))");
        let goal = Vec3::new(50.0, 20.0, 0.0);
        assert!(toward.iter().all(|(heading, at)| heading.distance((goal - *at).normalize()) < 1e-6));
        let across = "Plane(size: (100, 100), seamless: true)";
        let across = headings(across, "Disc(center: (95, 50), radius: 4, heading: Toward((5, 50)))");
        assert!(across.iter().all(|(heading, _)| heading.x > 0.5));
        assert_eq!(
            toward.iter().map(|it| it.1).collect::<Vec<_>>(),
            disc("").iter().map(|it| it.1).collect::<Vec<_>>()
        );
        let ring = headings(plane, "Ring(center: (50, 50), radius: 9, heading: Random)");
        let along = |(heading, at): &(Vec3, Vec3)| {
            heading.dot((*at - Vec3::new(50.0, 50.0, 0.0)).normalize()).abs() < 1e-3
        };
        assert!(!ring.iter().all(along));
        let space =
            headings("Space(radius: 50)", "Rect(center: (0, 0, 0), size: (9, 9, 9), heading: (0, 0, 2))");
        assert!(space.iter().all(|(heading, _)| *heading == Vec3::Z));
    }

    #[test]
    fn speeds_are_drawn_from_their_distribution_by_each_unit() {
        let speeds = |count: usize, speed: &str| {
            let text = format!(
                "(world: Plane(size: (100, 100)), bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\",
                count: {count}, spawn: Disc(center: (50, 50), radius: 40, speed: {speed}))])"
            );
            let world = crate::build(&crate::read("a.ron", &text).unwrap(), None);
            world.units.velocity.iter().map(|velocity| velocity.length()).collect::<Vec<_>>()
        };
        let moments = |speeds: &[f32]| {
            let mean = speeds.iter().sum::<f32>() / speeds.len() as f32;
            let variance =
                speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f32>() / speeds.len() as f32;
            (mean, variance.sqrt())
        };
        let normal = speeds(4000, "Normal(5, 0.5)");
        let (mean, deviation) = moments(&normal);
        assert!((mean - 5.0).abs() < 0.03 && (deviation - 0.5).abs() < 0.025, "{mean} {deviation}");
        let uniform = speeds(4000, "Uniform(2, 4)");
        let (mean, deviation) = moments(&uniform);
        assert!(
            (mean - 3.0).abs() < 0.04 && (deviation - 1.0 / 3_f32.sqrt()).abs() < 0.02,
            "{mean} {deviation}"
        );
        assert!(uniform.iter().all(|speed| (1.9999..4.0001).contains(speed)));
        // A number of a unit depends neither on the others nor, in its rank, on the parameters.
        assert_eq!(speeds(7, "Normal(5, 0.5)")[..], normal[..7]);
        assert!(speeds(50, "Normal(0, 1)").iter().filter(|speed| **speed == 0.0).count() > 10);
        assert!(
            speeds(9, "2").iter().chain(&speeds(9, "Normal(2, 0)")).all(|speed| (speed - 2.0).abs() < 1e-6)
        );
    }

    #[test]
    fn directions_and_points_of_a_ball_are_uniform() {
        const COUNT: u32 = 20_000;
        let (mut sum, mut inner) = (Vec3::ZERO, 0);
        for n in 0..COUNT {
            let draws = Draws { seed: 1, key: u64::from(n), attempt: 0 };
            let point = in_ball(2.0, |draw| draws.get(draw));
            assert!(point.length() <= 2.0 + 1e-5);
            sum += point;
            inner += u32::from(point.length() < 1.0);
        }
        assert!((sum / COUNT as f32).length() < 0.03);
        // Half the radius contains an eighth of the volume.
        assert!((inner as f32 / COUNT as f32 - 0.125).abs() < 0.01);
    }

    #[test]
    fn units_start_without_overlap_where_possible_and_the_others_are_unchanged() {
        let scene = |units: &str, obstacles: &str| {
            let text = format!(
                "(world: Plane(size: (100, 60)), bodies: {{\"m\": Mover(length: 4)}}, obstacles: [{obstacles}],
                groups: [(name: \"a\", body: \"m\", {units})])"
            );
            crate::build(&crate::read("a.ron", &text).unwrap(), None)
        };
        let rocks = "Circle(center: (30, 30), radius: 20), Box(center: (80, 30), size: (20, 60))";
        let (free, world) = (scene("count: 300", ""), scene("count: 300", rocks));
        let (mut moved, mut same) = (0, 0);
        for unit in 0..300 {
            let [was, is] = [&free, &world].map(|world| world.units.position[unit]);
            let overlaps = |at| world.obstacles.iter().any(|obstacle| obstacle.distance_to(at) < 2.0);
            assert!(!overlaps(is), "unit {unit} at {is}");
            if overlaps(was) {
                moved += 1;
            } else {
                assert_eq!(was, is, "unit {unit}");
                same += 1;
            }
        }
        assert!(moved > 50 && same > 50, "{moved} {same}");
        // Without free space, the attempt with the greatest clearance is used; listed starts are unchanged.
        let full = scene("count: 300", "Circle(center: (50, 30), radius: 500)");
        assert_eq!(full.units.len(), 300);
        let listed = scene("spawn: At([(position: (30, 30))])", rocks);
        assert_eq!(listed.units.position[0], Vec3::new(30.0, 30.0, 0.0));
    }
}
