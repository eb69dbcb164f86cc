//! Every query returns what a loop over all obstacles returns.

use proptest::prelude::*;

use super::*;
use crate::world::{Solid, testing};

/// Reference implementations: each query as a loop over all obstacles.
fn nearest(all: &[Obstacle], point: Vec3) -> Option<usize> {
    let distances = all.iter().map(|it| it.distance_to(point)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

fn within(all: &[Obstacle], point: Vec3, reach: f32) -> Vec<NearObstacle> {
    let all = all.iter().enumerate();
    let near = all.map(|(obstacle, it)| NearObstacle { obstacle, distance: it.distance_to(point) });
    let mut near: Vec<_> = near.filter(|it| it.distance <= reach).collect();
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    near
}

fn first_hit(all: &[Obstacle], from: Vec3, direction: Vec3, length: f32) -> Option<RayHit> {
    let mut first: Option<RayHit> = None;
    for (obstacle, it) in all.iter().enumerate() {
        let hit = it.ray(from, direction, length);
        let is_first = |hit: &Hit| first.is_none_or(|first| hit.distance < first.hit.distance);
        first = hit.filter(is_first).map(|hit| RayHit { obstacle, hit }).or(first);
    }
    first
}

fn is_free(all: &[Obstacle], from: Vec3, to: Vec3) -> bool {
    let period = all.first().and_then(|it| it.period);
    let to = period.map_or(to, |period| images::about(to, from, period));
    if from == to {
        return all.iter().all(|it| it.distance_to(from) > 0.0);
    }
    first_hit(all, from, to - from, from.distance(to)).is_none()
}

/// Coordinates that often coincide, ordinary ones, large and small ones.
fn coordinate() -> impl Strategy<Value = f32> {
    let ends = prop::sample::select(vec![1e-20, 3e5, -3e5, 1e17]);
    prop_oneof![8 => (-3..4_i8).prop_map(f32::from), 8 => -30.0_f32..30.0, 1 => ends]
}

fn place(flat: bool) -> impl Strategy<Value = Vec3> {
    let place = [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
    place.prop_map(move |place| if flat { place.with_z(0.0) } else { place })
}

fn size() -> impl Strategy<Value = f32> {
    prop_oneof![Just(1.0_f32), 0.1_f32..6.0, Just(1e-7_f32), Just(200.0_f32)]
}

/// The corners of a star, or points anywhere.
fn points(flat: bool) -> impl Strategy<Value = Vec<Vec3>> {
    let star = (place(flat), size(), 3..9_usize).prop_map(|(center, size, count)| {
        let corner = |at: usize| {
            let (y, x) = libm::sincosf(at as f32 * std::f32::consts::TAU / count as f32);
            center + Vec3::new(x, y, 0.0) * if at.is_multiple_of(2) { size } else { size * 0.6 }
        };
        (0..count).map(corner).collect()
    });
    prop_oneof![2 => star, 1 => prop::collection::vec(place(flat), 2..4)]
}

/// Boxed: nested strategies exceed the stack of a test thread.
fn solid(flat: bool) -> BoxedStrategy<Solid> {
    let kind = prop::sample::select(testing::solid_kinds(flat));
    let half = [size(), size(), size()].prop_map(Vec3::from_array);
    let all = (kind, points(flat), half, -7.0_f32..7.0);
    all.prop_map(move |(kind, points, half, angle)| testing::solid(kind, &points, half, angle, flat)).boxed()
}

fn obstacle(flat: bool) -> impl Strategy<Value = Obstacle> {
    let inside_out = prop::bool::weighted(0.1);
    (solid(flat), inside_out).prop_map(|(solid, inside_out)| Obstacle { inside_out, ..solid.into() })
}

/// Obstacles, a replacement of one of them, points, a length, and a period.
type Case = (Vec<Obstacle>, (usize, Obstacle), [Vec3; 3], f32, Option<Vec2>);

fn case() -> impl Strategy<Value = Case> {
    any::<bool>().prop_flat_map(|flat| {
        let obstacles = prop::collection::vec(obstacle(flat), 0..40);
        let length =
            prop_oneof![8 => 0.0_f32..60.0, 1 => Just(-1.0), 1 => Just(f32::INFINITY), 1 => Just(f32::NAN)];
        let moved = (0..40_usize, obstacle(flat));
        let size = || prop_oneof![Just(20.0_f32), 1.0_f32..90.0];
        let period = prop::option::of([size(), size()].prop_map(Vec2::from_array));
        let period = period.prop_map(move |period| period.filter(|_| flat));
        (obstacles, moved, [place(flat), place(flat), place(flat)], length, period)
    })
}

proptest! {
    // A case has 26 obstacles on average, and 40 queries.
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn results_equal_those_of_a_loop_over_all_obstacles(case in case(), asking: u8) {
        let (mut plain, (at, mut obstacle), [point, other, direction], length, period) = case;
        plain.extend_from_within(..plain.len() / 3);
        plain.iter_mut().chain([&mut obstacle]).for_each(|it| it.period = period);
        let mut obstacles = Obstacles::new(plain.clone(), period);
        if let Some(existing) = plain.get_mut(at) {
            *existing = obstacle.clone();
        }
        prop_assert_eq!(obstacles.set(at, obstacle), at < plain.len());
        let mut cost = SearchCost::default();
        prop_assert_eq!(obstacles.nearest(point, &mut cost), nearest(&plain, point));
        let mut near = Vec::new();
        obstacles.within(point, length, &mut near, &mut cost);
        prop_assert_eq!(&near, &within(&plain, point, length));
        for direction in [direction, other - point, Vec3::X, Vec3::ZERO] {
            let hit = obstacles.first_hit(point, direction, length, &mut cost);
            prop_assert_eq!(hit, first_hit(&plain, point, direction, length));
        }
        for to in [other, point] {
            prop_assert_eq!(obstacles.is_free(point, to, &mut cost), is_free(&plain, point, to));
        }
        let points = [point, other, point, other, direction, point, other, direction];
        let reaches: [f32; 8] = std::array::from_fn(|lane| if lane < 4 { length } else { lane as f32 * 3.0 });
        let by_component = [0, 1, 2].map(|axis| points.map(|point| point[axis]));
        let mut found = Vec::new();
        let costs = obstacles.within_each(&by_component, &reaches, asking, &mut found);
        let (nearest, nearest_costs) = obstacles.nearest_to_each(&by_component, asking);
        let mut found = found.into_iter().peekable();
        for lane in (0..8).filter(|lane| asking >> lane & 1 == 1) {
            let mut searched = SearchCost::default();
            obstacles.within(points[lane], reaches[lane], &mut near, &mut searched);
            let in_lane: Vec<_> = std::iter::from_fn(|| found.next_if(|(of, _)| *of == lane)).collect();
            prop_assert!(in_lane.iter().map(|(_, it)| it).eq(&near) && searched == costs[lane], "{lane}: {in_lane:?}");
            let mut searched = SearchCost::default();
            prop_assert_eq!(nearest[lane], obstacles.nearest(points[lane], &mut searched));
            prop_assert_eq!(nearest_costs[lane], searched);
        }
        prop_assert_eq!(found.next(), None);
        let clearance = obstacles.clearance(point, false).lesser(obstacles.clearance(point, true));
        let way = point.distance(other);
        for it in plain.iter().filter(|_| way < clearance) {
            prop_assert!(it.distance_to(other) > clearance - way, "{it:?}");
        }
        let around: Vec<&Obstacle> = obstacles.around(point, length).collect();
        let mut rest = around.iter();
        for it in plain.iter().filter(|it| it.distance_to(point) <= length) {
            prop_assert!(rest.any(|other| *other == it), "{it:?} comes too late or not at all");
        }
        prop_assert!(around.len() <= plain.len());
    }
}

fn ball(x: f32, radius: f32) -> Obstacle {
    Solid::ball(Vec3::X * x, radius).into()
}

#[test]
fn a_ray_hits_the_first_of_all_obstacles() {
    let all = Obstacles::from_iter([ball(9.0, 1.0), ball(5.0, 1.0), ball(5.0, 1.0), ball(-3.0, 1.0)]);
    let hit = |from, along, length| all.first_hit(from, along, length, &mut SearchCost::default());
    let first = hit(Vec3::ZERO, Vec3::X * 7.0, 20.0).unwrap();
    assert_eq!((first.obstacle, first.hit.normal), (1, Vec3::NEG_X));
    assert!((first.hit.distance - 4.0).abs() < 1e-3);
    assert_eq!(hit(Vec3::ZERO, Vec3::X, 3.9), None);
    assert_eq!(hit(Vec3::ZERO, Vec3::Y, 99.0), None);
    assert_eq!(hit(Vec3::ZERO, Vec3::ZERO, 99.0), None);
    let inside = hit(Vec3::X * 9.5, Vec3::X, 20.0).unwrap();
    assert_eq!((inside.obstacle, inside.hit.distance), (0, 0.0));
}

#[test]
fn obstacles_near_a_point_are_sorted_by_the_distance_to_their_surface() {
    let mut hollow = ball(0.0, 6.0);
    hollow.inside_out = true;
    let all =
        Obstacles::from_iter([ball(3.0, 1.0), ball(-9.0, 1.0), ball(-3.0, 1.0), hollow, ball(2.0, 2.5)]);
    let (mut near, mut cost) = (Vec::new(), SearchCost::default());
    for (reach, expected) in [(2.0, &[4, 0, 2][..]), (6.0, &[4, 0, 2, 3]), (-1.0, &[])] {
        all.within(Vec3::ZERO, reach, &mut near, &mut cost);
        let found: Vec<_> = near.iter().map(|it| it.obstacle).collect();
        assert_eq!(found, expected, "within {reach}");
    }
    all.within(Vec3::ZERO, 2.0, &mut near, &mut cost);
    assert_eq!([near[0].distance, near[1].distance], [-0.5, 2.0]);
}

#[test]
fn a_segment_is_free_unless_something_solid_is_between() {
    let all = Obstacles::from_iter([ball(3.0, 1.0)]);
    for (from, to, free) in [
        (Vec3::ZERO, Vec3::X * 9.0, false),
        (Vec3::ZERO, Vec3::X * 1.9, true),
        (Vec3::X * 9.0, Vec3::X * 4.1, true),
        (Vec3::Y * 2.0, Vec3::new(9.0, 2.0, 0.0), true),
        (Vec3::ZERO, Vec3::ZERO, true),
        (Vec3::X * 3.0, Vec3::X * 3.0, false),
        (Vec3::X * 3.0, Vec3::X * 9.0, false),
    ] {
        assert_eq!(all.is_free(from, to, &mut SearchCost::default()), free, "{from} to {to}");
    }
}

#[test]
fn few_of_many_obstacles_are_tested() {
    let at = |number: usize| Vec3::new((number % 100) as f32, (number / 100) as f32, 0.0) * 10.0;
    let all: Obstacles = (0..10_000).map(|number| Solid::ball(at(number), 2.0).into()).collect();
    let (point, mut near, mut cost) = (Vec3::new(503.0, 304.0, 0.0), Vec::new(), SearchCost::default());
    assert_eq!(all.nearest(point, &mut cost), Some(3050));
    all.within(point, 9.0, &mut near, &mut cost);
    assert_eq!(near.len(), 4);
    let hit = all.first_hit(point, Vec3::NEG_Y, 900.0, &mut cost);
    assert_eq!(hit, None);
    assert!(all.around(point, 1000.0).map(Obstacle::position).eq(all.iter().map(Obstacle::position)));
    assert!(cost.pieces < 100 && cost.boxes < 600, "{cost:?}");
}
