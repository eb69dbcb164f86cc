//! Tests of rays against a search in double precision.

use proptest::prelude::*;

use super::*;
use crate::world::{SolidKind, testing};

/// Signed distance of a convex shape in double precision.
fn distance(solid: &Solid, point: DVec3) -> f64 {
    match *solid {
        Solid::Ball { center, radius } => point.distance(center.as_dvec3()) - f64::from(radius),
        Solid::Capsule { from, to, radius } => {
            let (from, along) = (from.as_dvec3(), to.as_dvec3() - from.as_dvec3());
            let share = (point - from).dot(along) / along.length_squared().greater(f64::MIN_POSITIVE);
            point.distance(from + along * share.limited(0.0, 1.0)) - f64::from(radius)
        }
        Solid::Box { center, half, angle } => {
            let (sine, cosine) = libm::sincos(-f64::from(angle.radians()));
            let DVec3 { x, y, z } = point - center.as_dvec3();
            let there = DVec3::new(x * cosine - y * sine, x * sine + y * cosine, z);
            let past = there.abs() - half.as_dvec3();
            past.max(DVec3::ZERO).length() + past.max_element().lesser(0.0)
        }
        Solid::Polygon(_) => unreachable!("not convex"),
    }
}

/// The interval of a line in a convex shape by ternary search and bisection of its distance, with the least distance.
fn searched(solid: &Solid, ray: Ray) -> (f64, [f64; 2]) {
    let gap = |at: f64| distance(solid, ray.at(at));
    let near = (solid.position().as_dvec3() - ray.from).dot(ray.along);
    let reach = 2.0 * f64::from(solid.radius()) + 1.0;
    let [mut low, mut high] = [near - reach, near + reach];
    for _ in 0..200 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if gap(a) < gap(b) { high = b } else { low = a }
    }
    let ends = [near - reach, near + reach].map(|mut outside| {
        let mut inside = low;
        for _ in 0..200 {
            let middle = (inside + outside) * 0.5;
            if gap(middle) <= 0.0 { inside = middle } else { outside = middle }
        }
        inside
    });
    (gap(low), ends)
}

/// The intervals of a line in a polygon, from its intersections with the lines of all edges.
fn arranged(polygon: &Polygon, ray: Ray) -> Vec<[f64; 2]> {
    let (from, along) = (ray.from.truncate(), ray.along.truncate());
    let edges = || polygon.edges().map(|(a, b)| (a.as_dvec2(), b.as_dvec2()));
    let contains = |at: f64| {
        let point = from + along * at;
        let crossed = edges().filter(|(a, b)| {
            (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
        });
        crossed.count() % 2 == 1
    };
    let met = edges().map(|(a, b)| (a - from).perp_dot(b - a) / along.perp_dot(b - a));
    let mut met: Vec<f64> = met.filter(|at| at.is_finite()).collect();
    met.sort_by(f64::total_cmp);
    let mut inside: Vec<[f64; 2]> = Vec::new();
    for pair in met.windows(2).filter(|pair| contains((pair[0] + pair[1]) * 0.5)) {
        match inside.last_mut().filter(|last| last[1] == pair[0]) {
            Some(last) => last[1] = pair[1],
            None => inside.push([pair[0], pair[1]]),
        }
    }
    inside
}

/// A number whose logarithm is uniform.
fn scale(powers: std::ops::Range<f32>) -> impl Strategy<Value = f32> {
    powers.prop_map(|power| libm::powf(10.0, power))
}

/// A shape in a plane or in space, and a ray from inside or outside of it, nearly parallel to one of its sides or in any
/// direction.
fn case() -> impl Strategy<Value = (Solid, Vec3, Vec3)> {
    let part = || -1.0_f32..1.0;
    let vector = || [part(), part(), part()].prop_map(Vec3::from_array);
    let kind = prop::sample::select(SolidKind::ALL.to_vec());
    let shape = (vector(), scale(0.0..3.0), scale(-2.0..3.0), prop::collection::vec(0.3_f32..1.0, 3..12));
    let way = (vector(), prop_oneof![Just(9.0), scale(-6.0..0.0)], scale(-3.0..6.0), scale(-3.0..3.0));
    (any::<bool>(), kind, shape, vector(), -4.0_f32..4.0, way).prop_map(
        |(flat, kind, (center, place, size, rays), half, angle, (aim, lean, away, speed))| {
            let flat = flat || kind == SolidKind::Polygon;
            let in_arena = |v: Vec3| if flat { v.with_z(0.0) } else { v };
            let center = in_arena(center * place);
            let turned = |at: f32| {
                let (y, x) = libm::sincosf(at);
                Vec3::new(x, y, 0.0)
            };
            let corner = |(at, ray): (usize, &f32)| {
                center + turned(angle + at as f32 * std::f32::consts::TAU / rays.len() as f32) * *ray * size
            };
            let corners: Vec<Vec3> = rays.iter().enumerate().map(corner).collect();
            let half = (half.abs() + 0.01) * size;
            let solid = testing::solid(kind, &corners, half, angle, flat);
            let side = match &solid {
                Solid::Polygon(_) => corners[1] - corners[0],
                Solid::Capsule { from, to, .. } => *to - *from,
                Solid::Box { .. } => turned(angle),
                Solid::Ball { .. } => Vec3::Y,
            };
            let direction = in_arena(side.normalize_or(Vec3::X) + aim * lean).normalize_or(Vec3::X);
            let target = solid.nearest_point(solid.position() + in_arena(aim) * size)
                + in_arena(half) * 0.3 * lean.lesser(1.0);
            (solid, target - direction * away, direction * speed)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn distances_equal_those_of_a_search_in_double_precision((solid, from, direction) in case()) {
        let ray = Ray { from: from.as_dvec3(), along: direction.as_dvec3().normalize() };
        let size = f64::from(from.length() + solid.position().length() + solid.radius());
        let intervals = match &solid {
            Solid::Polygon(polygon) => arranged(polygon, ray),
            _ => match searched(&solid, ray) {
                (least, _) if least > 0.0 => Vec::new(),
                (_, ends) => vec![ends],
            },
        };
        // Rays that graze the surface, or end within the error of a corner, are undecided.
        let is_clear = intervals.iter().flatten().all(|at| at.abs() > 1e-9 * size);
        let is_clear = is_clear && intervals.iter().all(|[from, to]| to - from > 1e-6 * size);
        prop_assume!(is_clear);
        let ahead = intervals.iter().find(|[_, leave]| *leave > 0.0);
        let expected = ahead.map(|[enter, _]| enter.greater(0.0));
        let inside = ahead.filter(|[enter, _]| *enter < 0.0).map_or(0.0, |[_, leave]| *leave);
        let obstacle = Obstacle::from(solid);
        let container = Obstacle { inside_out: true, ..obstacle.clone() };
        for (obstacle, expected) in [(obstacle, expected), (container, Some(inside))] {
            let hit = obstacle.ray(from, direction, f32::INFINITY);
            let found = hit.map(|hit| f64::from(hit.distance));
            let is_equal = match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() <= 1e-7 * expected + 1e-8 * size,
                (found, expected) => found == expected,
            };
            prop_assert!(is_equal, "{found:?}, not {expected:?}: {obstacle:?}");
            if let Some(hit) = hit.filter(|hit| hit.distance > 0.0) {
                prop_assert!(hit.normal.is_normalized() && hit.normal.as_dvec3().dot(ray.along) < 1e-6, "{hit:?}");
            }
        }
    }
}
/// A long wall, met at a distance of 100.
#[test]
fn a_ray_nearly_parallel_to_a_wall_meets_it() {
    let corners = [(5.0, 20.0), (305.0, 20.0), (305.0, 30.0), (5.0, 30.0)];
    let polygon = Polygon::new(corners.map(Vec2::from).to_vec()).unwrap();
    let half = Vec3::new(150.0, 5.0, f32::INFINITY);
    let walls = [
        Solid::Box { center: Vec3::new(155.0, 25.0, 0.0), half, angle: 0.0.into() },
        Solid::Polygon(polygon),
        Solid::Capsule { from: Vec3::new(10.0, 25.0, 0.0), to: Vec3::new(300.0, 25.0, 0.0), radius: 5.0 },
    ];
    for wall in walls {
        let hit = Obstacle::from(wall).ray(Vec3::Y * 19.0, Vec3::new(1.0, 0.01, 0.0), 900.0).unwrap();
        assert!((hit.distance - 100.005).abs() < 1e-4, "{hit:?}");
        assert!(hit.normal.abs_diff_eq(Vec3::NEG_Y, 1e-6), "{hit:?}");
    }
}

/// A corridor along x that is longer than the world, and one that is shorter.
#[test]
fn a_ray_leaves_a_container_within_its_next_image() {
    let corridor = |half: f32| {
        let half = Vec3::new(half, 3.0, f32::INFINITY);
        let box_ = Solid::Box { center: Vec3::new(50.0, 5.0, 0.0), half, angle: 0.0.into() };
        Obstacle { inside_out: true, period: Some(Vec2::new(100.0, 90.0)), ..box_.into() }
    };
    let (from, way) = (Vec3::new(1e8 + 32.0, 5.0, 0.0), Vec3::new(1.0, 0.01, 0.0));
    let distance = |it: Obstacle, way: Vec3| it.ray(from, way, 900.0).map(|hit| hit.distance);
    assert_eq!(distance(corridor(51.0), Vec3::X), None);
    assert!((distance(corridor(51.0), way).unwrap() - 300.015).abs() < 1e-3);
    assert!((distance(corridor(49.0), way).unwrap() - 67.003_35).abs() < 1e-3);
}
