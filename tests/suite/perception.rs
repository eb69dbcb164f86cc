//! The grid against a search of all units, and lists against formulas in double precision.

use glam::{DVec3, Vec2, Vec3};
use proptest::prelude::*;
use steerbox_core::perception::{Grid, List, Neighbor, NeighborMeans, NeighborQueries, Source};
use steerbox_core::world::{Arena, Domain, Edges, Group, NamedView, Units, View, World, random, unit_key};

/// One group of units with a view and masks.
struct Plan {
    positions: Vec<Vec3>,
    view: Option<usize>,
    kinds: u64,
    friends: u64,
    enemies: u64,
    sense: f32,
}

impl Plan {
    fn of(positions: Vec<Vec3>, view: usize) -> Self {
        let (kinds, friends, enemies) = (1, 0, 0);
        Self { positions, view: Some(view), kinds, friends, enemies, sense: 10.0 }
    }
}

fn world(arena: Arena, views: &[View], plans: Vec<Plan>) -> World {
    let mut units = Units::default();
    let mut groups = Vec::new();
    for (number, plan) in plans.into_iter().enumerate() {
        let (name, first) = (number.to_string(), units.len());
        for (index, position) in plan.positions.into_iter().enumerate() {
            let key = unit_key(&name, index);
            units.push(position, Vec3::X, (Vec3::X, Vec3::Z), number as u16, key);
        }
        groups.push(Group {
            name,
            kinds: plan.kinds,
            friends: plan.friends,
            enemies: plan.enemies,
            view: plan.view,
            sense: plan.sense,
            units: first..units.len(),
            ..Group::default()
        });
    }
    let named = views.iter().enumerate().map(|(at, view)| NamedView { name: at.to_string(), view: *view });
    World { arena, groups, units, views: named.collect(), step: 0.01, seed: 1, ..World::default() }
}

fn plane(edges: Edges, seamless: bool) -> Arena {
    let domain = Domain::Plane { size: Vec2::new(100.0, 60.0) };
    Arena { domain, edges, seamless, ..Arena::default() }
}

fn space() -> Arena {
    let domain = Domain::Space { center: Vec3::new(5.0, -3.0, 2.0), radius: 40.0 };
    Arena { domain, ..Arena::default() }
}

/// Compares a query with a search of all units: equal units, once each, with equal offsets.
fn compare(world: &World, grid: &Grid, center: Vec3, radius: f32) {
    let mut found = Vec::new();
    grid.each_within(center, radius, |unit, offset, square| {
        assert!(offset.is_finite() && square.is_finite());
        found.push((unit, offset.to_array(), square));
    });
    found.sort_by_key(|(unit, ..)| *unit);
    let positions = world.units.position.iter().enumerate();
    let expected: Vec<_> = positions
        .map(|(unit, position)| (unit, world.arena.shortest(*position - center)))
        .map(|(unit, offset)| (unit, offset.to_array(), offset.length_squared()))
        .filter(|(.., square)| *square <= radius * radius)
        .collect();
    assert_eq!(found, expected, "within {radius} of {center}");
}

fn compare_all(arena: Arena, reach: f32, positions: Vec<Vec3>, radius: f32) {
    let views = [View::Around { radius: reach }];
    let world = world(arena, &views, vec![Plan::of(positions, 0)]);
    let mut grid = Grid::default();
    grid.rebuild(&world);
    for center in &world.units.position {
        compare(&world, &grid, *center, radius);
    }
    for center in [Vec3::ZERO, world.arena.size(), Vec3::new(-7.0, 300.0, 0.0)] {
        compare(&world, &grid, center, radius);
    }
}

fn flat(x: std::ops::Range<f32>, y: std::ops::Range<f32>) -> impl Strategy<Value = Vec3> {
    (x, y).prop_map(|(x, y)| Vec3::new(x, y, 0.0))
}

fn solid(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

/// A number of the grid's scale or far beyond it.
fn straying() -> impl Strategy<Value = f32> {
    prop_oneof![8 => -50.0_f32..150.0, 1 => -1e7_f32..1e7, 1 => -1e15_f32..1e15]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wrapping_plane(
        inside in prop::collection::vec(flat(0.0..100.0, 0.0..60.0), 0..80),
        strays in prop::collection::vec(flat(-150.0..250.0, -150.0..250.0), 0..4),
        seamless: bool,
        reach in 0.5_f32..90.0,
        radius in 0.0_f32..120.0,
    ) {
        let positions = inside.into_iter().chain(strays).collect();
        compare_all(plane(Edges::Wrap, seamless), reach, positions, radius);
    }

    #[test]
    fn a_bouncing_plane(
        positions in prop::collection::vec(flat(0.0..100.0, 0.0..60.0), 0..80),
        reach in 0.5_f32..90.0,
        radius in 0.0_f32..120.0,
    ) {
        compare_all(plane(Edges::Bounce, false), reach, positions, radius);
    }

    #[test]
    fn an_open_plane_with_outliers(
        positions in prop::collection::vec(
            (straying(), straying()).prop_map(|(x, y)| Vec3::new(x, y, 0.0)), 0..80),
        reach in 0.5_f32..90.0,
        radius in prop_oneof![3 => 0.0_f32..120.0, 1 => 0.0_f32..1e8],
    ) {
        compare_all(plane(Edges::Open, false), reach, positions, radius);
    }

    #[test]
    fn space_with_outliers(
        positions in prop::collection::vec(solid(40.0), 0..60),
        strays in prop::collection::vec(solid(1e6), 0..4),
        reach in 0.5_f32..60.0,
        radius in 0.0_f32..100.0,
    ) {
        let positions = positions.into_iter().chain(strays).collect();
        compare_all(space(), reach, positions, radius);
    }

    #[test]
    fn lists_agree_with_formulas(
        positions in prop::collection::vec(solid(30.0), 3..40),
        headings in prop::collection::vec(solid(1.0), 40),
        backs in prop::collection::vec(solid(1.0), 40),
        is_plane: bool,
        radius in 2.0_f32..40.0,
        factor in 0.2_f32..3.0,
        cosine in -1.0_f32..1.0,
    ) {
        let arena = if is_plane { plane(Edges::Open, false) } else { space() };
        let flatten = |v: Vec3| if is_plane { v.with_z(0.0) } else { v };
        let mut plans = vec![Vec::new(), Vec::new(), Vec::new()];
        for (at, position) in positions.into_iter().enumerate() {
            plans[at % 3].push(flatten(position));
        }
        let [last, middle, first] = [plans.pop(), plans.pop(), plans.pop()]
            .map(Option::unwrap_or_default);
        let views = views(radius, factor, cosine);
        let mut world = world(arena, &views, vec![
            Plan { kinds: 1, friends: 2, enemies: 4, sense: radius * 0.7, ..Plan::of(first, 0) },
            Plan { kinds: 2, ..Plan::of(middle, 1) },
            Plan { kinds: 4, view: None, ..Plan::of(last, 0) },
        ]);
        world.player = Some(0);
        for unit in 0..world.units.len() {
            let heading = flatten(headings[unit]).try_normalize().unwrap_or(Vec3::X);
            world.units.heading[unit] = heading;
            let up = backs[unit].reject_from_normalized(heading).try_normalize();
            let up = up.unwrap_or_else(|| heading.any_orthonormal_vector());
            world.units.up[unit] = if is_plane { Vec3::Z } else { up };
        }
        let mut grid = Grid::default();
        grid.rebuild(&world);
        for unit in 0..world.units.len() {
            check_lists(&world, &grid, unit);
        }
    }
}

fn views(radius: f32, factor: f32, cosine: f32) -> [View; 5] {
    let (back, front) = (factor, factor);
    [
        View::Wide { radius, back },
        View::Limited { radius },
        View::Narrow { radius, front },
        View::Cone { radius, cosine },
        View::Around { radius },
    ]
}

fn check_lists(world: &World, grid: &Grid, unit: usize) {
    let mut queries = NeighborQueries::default();
    queries.set_unit(unit);
    let views = (1..world.views.len()).map(Source::View);
    for source in Source::EACH.into_iter().chain(views) {
        for within in [f32::INFINITY, 12.0] {
            let list = List { source, within };
            let seen: Vec<Neighbor> = queries.ordered(list, world, grid).to_vec();
            for other in 0..world.units.len() {
                let listed = seen.iter().filter(|seen| seen.unit == other).count();
                if let Some(expected) = is_seen(world, unit, other, list) {
                    assert_eq!(listed, usize::from(expected), "{unit} {other} {list:?}");
                }
            }
            check_order(&mut queries, list, seen, world, grid);
        }
    }
}

/// Asserts equal units, sorted by distance, then by index.
fn check_order(
    queries: &mut NeighborQueries,
    list: List,
    mut seen: Vec<Neighbor>,
    world: &World,
    grid: &Grid,
) {
    seen.sort_by(nearer);
    assert_eq!(queries.nearest(list, world, grid), seen.first().copied());
    for index in 0..=seen.len() {
        assert_eq!(queries.nth(list, index, world, grid), seen.get(index).copied());
    }
}

fn nearer(a: &Neighbor, b: &Neighbor) -> std::cmp::Ordering {
    let distances = a.distance_squared.total_cmp(&b.distance_squared);
    distances.then(a.unit.cmp(&b.unit))
}

/// Returns true if `unit` has `other` in a list; `None` if it is too close to a boundary to decide.
fn is_seen(world: &World, unit: usize, other: usize, list: List) -> Option<bool> {
    let (me, it) = (world.group_of(unit), world.group_of(other));
    let offset = exact(world.units.position[other]) - exact(world.units.position[unit]);
    let distance = offset.length();
    let near = less(distance, f64::from(list.within))?;
    if other == unit || !near {
        return Some(false);
    }
    let view = match list.source {
        Source::Enemies => {
            let near = less(distance, f64::from(me.sense))?;
            return Some(near && it.kinds & me.enemies != 0);
        }
        Source::Touching => return Some(touches(world, unit, other)),
        Source::Selection(_) => unreachable!("nothing is selected here"),
        Source::View(view) => Some(view),
        Source::Neighbors | Source::Others => me.view,
    };
    let wanted = match list.source {
        Source::Neighbors => me.name == it.name || it.kinds & me.friends != 0,
        _ => world.player != Some(other),
    };
    let Some(view) = view.filter(|_| wanted) else {
        return Some(false);
    };
    let view = world.views[view].view;
    let forward = offset.dot(exact(world.units.heading[unit]));
    let lateral = (distance * distance - forward * forward).max(0.0).sqrt();
    let in_angle = match view {
        View::Wide { back, .. } if !less(0.0, forward)? => less(-forward * f64::from(back), lateral)?,
        View::Wide { .. } | View::Around { .. } => true,
        View::Limited { .. } => less(0.0, forward)?,
        View::Narrow { front, .. } => less(0.0, forward)? && less(lateral, forward * f64::from(front))?,
        View::Cone { cosine, .. } => less(f64::from(cosine) * distance, forward)?,
    };
    Some(in_angle && less(distance, f64::from(view.radius()))?)
}

fn exact(v: Vec3) -> DVec3 {
    v.as_dvec3()
}

/// Returns true if `a` is less than `b`; `None` if rounding may decide.
fn less(a: f64, b: f64) -> Option<bool> {
    let clear = b.is_infinite() || (a - b).abs() > 1e-3;
    clear.then_some(a < b)
}

#[test]
fn the_radius_is_inclusive() {
    for arena in [plane(Edges::Wrap, true), plane(Edges::Wrap, false), plane(Edges::Bounce, false), space()] {
        for (x, radius) in [(10.0, 10.0), (19.9, 0.1), (33.3, 7.7), (0.0, 25.0)] {
            let at = |x: f32| Vec3::new(x, 20.0, 0.0);
            let positions = vec![at(x), at(x + radius), at(x - radius), at(x + radius * 0.5)];
            compare_all(arena, radius, positions, radius);
        }
    }
}

#[test]
fn units_at_the_seam_see_each_other_across_it() {
    let edge = 100.0_f32.next_down();
    let positions = [0.0, edge, 99.0, 1.0, 50.0].map(|x| Vec3::new(x, 0.0, 0.0));
    for radius in [0.0, 0.5, 1.0, 2.0, 49.0, 50.0, 51.0] {
        for reach in [0.7, 10.0, 33.0, 200.0] {
            compare_all(plane(Edges::Wrap, true), reach, positions.to_vec(), radius);
        }
    }
}

#[test]
fn coincident_units_find_each_other_at_distance_zero() {
    for arena in [plane(Edges::Wrap, true), space()] {
        compare_all(arena, 5.0, vec![Vec3::new(3.0, 4.0, 0.0); 20], 0.0);
        compare_all(arena, 5.0, vec![Vec3::ZERO; 20], 3.0);
    }
}

#[test]
fn a_radius_larger_than_the_world_finds_every_unit_once() {
    let positions: Vec<_> = (0..60).map(|at| Vec3::new(at as f32 * 1.6, at as f32, 0.0)).collect();
    for radius in [90.0, 1e4, 1e12, f32::MAX.sqrt() * 0.5] {
        for arena in [plane(Edges::Wrap, true), plane(Edges::Bounce, false)] {
            compare_all(arena, 4.0, positions.clone(), radius);
        }
    }
}

#[test]
fn queries_of_an_empty_world_are_empty() {
    compare_all(plane(Edges::Wrap, true), 5.0, Vec::new(), 50.0);
    compare_all(space(), 5.0, Vec::new(), 50.0);
    let grid = Grid::default();
    grid.each_within(Vec3::ZERO, 10.0, |_, _, _| panic!("there is nobody"));
}

/// Random units in a seamless plane, in an open one with outliers, and in space; some of them at one point.
fn crowded(kind: usize, seed: u64) -> World {
    let arena = [plane(Edges::Wrap, true), plane(Edges::Open, false), space()][kind % 3];
    let draw = |unit: usize, number| random::draw(seed, unit as u64, 0, 0, number);
    let count = 40 + (draw(9_999, 0) * 400.0) as usize;
    let place = |unit: usize| {
        // Coarse steps produce equal distances.
        let along = |axis| (draw(unit, axis) * 50.0).floor() * 2.0;
        let mut at = Vec3::new(along(0), along(1) * 0.6, along(2));
        if arena.is_plane() {
            at.z = 0.0;
        }
        if !kind.is_multiple_of(3) && unit.is_multiple_of(37) {
            at *= 1e3;
        }
        at
    };
    let views = [View::Around { radius: 3.0 + 60.0 * draw(9_999, 1) }, View::Limited { radius: 25.0 }];
    let (first, second): (Vec<_>, Vec<_>) =
        (0..count).map(place).enumerate().partition(|(unit, _)| unit % 3 > 0);
    let positions = |units: Vec<(usize, Vec3)>| units.into_iter().map(|(_, at)| at).collect();
    let plans = vec![
        Plan { friends: (seed % 2) * 2, enemies: 2, ..Plan::of(positions(first), 0) },
        Plan { kinds: 2, ..Plan::of(positions(second), (seed % 2) as usize) },
    ];
    let plans = if seed.is_multiple_of(5) { plans.into_iter().take(1).collect() } else { plans };
    let mut world = world(arena, &views, plans);
    for unit in 0..world.units.len() {
        let velocity = Vec3::new(draw(unit, 4) - 0.5, draw(unit, 5) - 0.5, draw(unit, 6) - 0.5);
        world.units.velocity[unit] = if arena.is_plane() { velocity.with_z(0.0) } else { velocity };
    }
    world.player = seed.is_multiple_of(3).then_some(1);
    let units = world.units.len();
    let pair = |pair: usize| {
        let unit = pair as u32 + 1;
        (unit, unit * unit % 7 % unit)
    };
    world.units.touching.set(units, units.saturating_sub(1), pair);
    world
}

fn touches(world: &World, unit: usize, other: usize) -> bool {
    world.units.touching.of(unit).contains(&(other as u32))
}

fn all_lists(world: &World) -> Vec<List> {
    let views = (1..world.views.len()).map(Source::View);
    let sources: Vec<_> = Source::EACH.into_iter().chain(views).collect();
    let reaches = [f32::INFINITY, 9.0, 2.0, 0.0, 30.0, -1.0, f32::NAN];
    let lists = sources.iter().flat_map(|source| reaches.map(|within| List { source: *source, within }));
    lists.collect()
}

/// Compares lists with a search of all units, their order with a sort, and their sums with double precision; the bits
/// of means do not depend on the order of queries.
#[test]
fn lists_and_means_equal_those_of_a_full_search_after_any_queries() {
    for seed in 0..10 {
        let world = crowded(seed as usize, seed);
        let lists = all_lists(&world);
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let (mut forward, mut backward) = (NeighborQueries::default(), NeighborQueries::default());
        for unit in grid.order().iter().map(|unit| *unit as usize) {
            let mut alone = NeighborQueries::default();
            for queries in [&mut forward, &mut backward, &mut alone] {
                queries.set_unit(unit);
            }
            let all: Vec<_> = (lists.iter()).map(|list| forward.means(*list, &world, &grid)).collect();
            for (list, means) in lists.iter().zip(&all).rev() {
                let seen = backward.ordered(*list, &world, &grid).to_vec();
                assert_eq!(bits(&backward.means(*list, &world, &grid)), bits(means));
                alone.set_unit(unit);
                assert_eq!(bits(&alone.means(*list, &world, &grid)), bits(means));
                check_means(&world, unit, means, &seen);
                check_heading(&world, backward.mean_heading(*list, &world, &grid), &seen);
                check_search(&world, unit, *list, &seen);
                assert_eq!(backward.means(*list, &world, &grid).count as usize, seen.len());
                let (nearest, farthest) = (seen.first().copied(), seen.last().copied());
                assert_eq!(backward.nearest(*list, &world, &grid), nearest);
                assert_eq!(backward.farthest(*list, &world, &grid), farthest);
            }
        }
    }
}

fn check_heading(world: &World, mean: Vec3, seen: &[Neighbor]) {
    let sum: DVec3 = seen.iter().map(|seen| exact(world.units.heading[seen.unit])).sum();
    assert!(mean == Vec3::ZERO || (mean.length() - 1.0).abs() < 1e-5);
    assert!(mean != Vec3::ZERO || sum.length() < 1e-5, "{sum}");
    assert!(mean == Vec3::ZERO || !seen.is_empty());
    assert!((sum - exact(mean) * sum.length()).length() < 1e-3, "{sum} {mean}");
}

/// The means of units queried in a batch equal those of single units.
#[test]
fn means_are_the_same_in_any_batch() {
    for seed in 0..10 {
        let world = crowded(seed as usize, seed);
        let lists = all_lists(&world);
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let (mut together, mut alone) = (NeighborQueries::default(), NeighborQueries::default());
        let mut most = 0;
        for group in 0..world.groups.len() {
            let rows = grid.order().iter().zip(0..);
            let rows: Vec<[u32; 2]> = rows
                .filter(|(unit, _)| world.units.group[**unit as usize] as usize == group)
                .map(|(unit, slot)| [*unit, slot])
                .collect();
            let mut at = 0;
            while at < rows.len() {
                let size = together.start_batch(&rows[at..], &grid);
                most = most.max(size);
                for lane in (0..size).rev() {
                    let unit = rows[at + lane][0] as usize;
                    together.set_unit_in_batch(unit, lane);
                    alone.set_unit(unit);
                    for list in &lists {
                        let means = together.means(*list, &world, &grid);
                        assert_eq!(bits(&means), bits(&alone.means(*list, &world, &grid)));
                    }
                }
                at += size;
            }
        }
        assert_eq!(most, 8, "some batches are full");
    }
}

fn bits(means: &NeighborMeans) -> [u32; 7] {
    let (at, by) = (means.position, means.velocity);
    let [x, y, z, vx, vy, vz] = [at.x, at.y, at.z, by.x, by.y, by.z].map(f32::to_bits);
    [means.count, x, y, z, vx, vy, vz]
}

/// Compares means with sums over the list in double precision.
fn check_means(world: &World, unit: usize, means: &NeighborMeans, seen: &[Neighbor]) {
    assert_eq!(means.count as usize, seen.len());
    let own = (world.units.position[unit], world.units.velocity[unit]);
    if seen.is_empty() {
        assert_eq!((means.position, means.velocity), own);
        return;
    }
    let mean = |of: &dyn Fn(&Neighbor) -> Vec3| {
        seen.iter().map(|seen| exact(of(seen))).sum::<DVec3>() / seen.len() as f64
    };
    let position = mean(&|seen| seen.position);
    let velocity = mean(&|seen| world.units.velocity[seen.unit]);
    let size = f64::from(own.0.length()) + position.length() + 100.0;
    assert!(position.distance(exact(means.position)) < 1e-6 * size, "{position} {means:?}");
    assert!(velocity.distance(exact(means.velocity)) < 1e-6, "{velocity} {means:?}");
}

/// Compares a list with an all-around view with a search of all units, sorted by distance, then index.
fn check_search(world: &World, unit: usize, list: List, seen: &[Neighbor]) {
    let group = world.group_of(unit);
    let view = match list.source {
        Source::View(view) => Some(view),
        Source::Enemies | Source::Touching => None,
        Source::Selection(_) => unreachable!("nothing is selected here"),
        Source::Neighbors | Source::Others => group.view,
    };
    if view.is_some_and(|view| !matches!(world.views[view].view, View::Around { .. })) {
        return;
    }
    let sense = if list.source == Source::Touching { f32::INFINITY } else { group.sense };
    let reach = view.map_or(sense, |view| world.views[view].view.radius());
    let counts = |other: usize, square: f32| {
        let kinds = world.group_of(other).kinds;
        let wanted = match list.source {
            Source::Neighbors => {
                world.units.group[other] == world.units.group[unit] || kinds & group.friends != 0
            }
            Source::Enemies => kinds & group.enemies != 0 && square < reach * reach,
            Source::Touching => touches(world, unit, other),
            Source::Selection(_) => unreachable!("nothing is selected here"),
            Source::Others | Source::View(_) => world.player != Some(other),
        };
        let near = list.within >= 0.0 && square <= list.within * list.within;
        other != unit && wanted && near && square <= reach * reach
    };
    let position = world.units.position[unit];
    let mut expected: Vec<Neighbor> = (world.units.position.iter().enumerate())
        .map(|(other, at)| (other, world.arena.shortest(*at - position)))
        .filter(|(other, offset)| counts(*other, offset.length_squared()))
        .map(|(unit, offset)| Neighbor {
            unit,
            position: position + offset,
            distance_squared: offset.length_squared(),
        })
        .collect();
    expected.sort_by(nearer);
    assert_eq!(seen, expected, "{unit} {list:?}");
}

#[test]
fn a_slice_is_valid_until_the_next_batch() {
    let world = crowded(0, 4);
    let mut grid = Grid::default();
    grid.rebuild(&world);
    let mut queries = NeighborQueries::default();
    for unit in 0..world.units.len() {
        queries.set_unit(unit);
        let all = List::all(Source::Neighbors);
        let slice = queries.ordered(all, &world, &grid);
        let (place, before) = (slice.as_ptr(), slice.to_vec());
        for list in all_lists(&world) {
            queries.means(list, &world, &grid);
            queries.ordered(list, &world, &grid);
        }
        let near = List { within: 9.0, ..all };
        assert_eq!(queries.ordered(near, &world, &grid).as_ptr(), place);
        let slice = queries.ordered(all, &world, &grid);
        assert_eq!((slice.as_ptr(), slice.to_vec()), (place, before));
    }
}
