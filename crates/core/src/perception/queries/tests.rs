//! Tests of queries of lists.

use super::*;
use crate::world::{Edges, testing};

fn world() -> World {
    let mut world = testing::world(&[200, 10], 2.0, |_, draw| {
        (Vec3::new(draw(0), draw(1), 0.0) * 10.0, Vec3::new(draw(2), draw(3), 0.0))
    });
    world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
    world.arena.seamless = true;
    for (group, kinds) in world.groups.iter_mut().zip([1, 2]) {
        (group.kinds, group.enemies, group.sense) = (kinds, 3 - kinds, 1.7);
    }
    world
}

#[test]
fn near_units_are_a_prefix_of_all_after_any_queries() {
    let world = world();
    let mut grid = Grid::default();
    grid.rebuild(&world);
    let (mut queries, mut found) = (NeighborQueries::default(), 0);
    for unit in 0..world.units.len() {
        queries.set_unit(unit);
        for (at, source) in [Source::Others, Source::Enemies, Source::Neighbors].into_iter().enumerate() {
            let mut whole = NeighborQueries::default();
            whole.set_unit(unit);
            let all = whole.ordered(List::all(source), &world, &grid).to_vec();
            for step in 0..5 {
                let within = [0.6, 0.2, 1.3, 1.9, f32::NAN][(unit + at + step) % 5];
                let list = List { source, within };
                let limit = list.limit();
                let near: Vec<_> = all.iter().copied().filter(|it| it.distance_squared <= limit).collect();
                let nearest = near.first().copied();
                assert_eq!(queries.nearest(list, &world, &grid), nearest, "within {within}");
                assert_eq!(queries.farthest(list, &world, &grid).is_some(), !near.is_empty());
                assert_eq!(queries.ordered(list, &world, &grid), near, "within {within}");
                found += near.len();
            }
        }
    }
    assert!(found > 1000);
}

#[test]
fn lists_in_slot_order_do_not_depend_on_earlier_queries_or_the_batch() {
    let world = world();
    let mut grid = Grid::default();
    grid.rebuild(&world);
    let slot_of = |unit: usize| grid.order().iter().position(|it| *it as usize == unit);
    let mut rows = grid.rows();
    rows.retain(|[unit, _]| world.units.group[*unit as usize] == 0);
    let (mut queries, mut at, mut found) = (NeighborQueries::default(), 0, 0);
    while at < rows.len() {
        let count = queries.start_batch(&rows[at..], &grid);
        for lane in 0..count {
            let unit = rows[at + lane][0] as usize;
            queries.set_unit_in_batch(unit, lane);
            for step in 0..6 {
                let within = [1.9, 0.6, f32::INFINITY, 0.2, 1.3, f32::NAN][(unit + step) % 6];
                let list = List { source: Source::Others, within };
                let mut alone = NeighborQueries::default();
                alone.set_unit(unit);
                let mut expected = alone.ordered(list, &world, &grid).to_vec();
                expected.sort_by_key(|it| slot_of(it.unit));
                if (unit + step).is_multiple_of(3) {
                    queries.ordered(List { within: 0.9, ..list }, &world, &grid);
                }
                assert_eq!(queries.in_slots(list, &world, &grid), expected, "within {within}");
                found += usize::from(expected.len() > 5);
            }
        }
        at += count;
    }
    assert!(found > 100);
}
