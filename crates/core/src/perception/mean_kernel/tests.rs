//! Means equal those of lists, bit-identical on all vectors.

use glam::Vec3;

use super::super::lanes::{Portable, PortableHalves};
use super::*;
use crate::perception::cell_query::CellQuery;
use crate::perception::filters::QueryFilter;
use crate::perception::grid::Grid;
use crate::perception::neighbor_list::NeighborList;
use crate::perception::periodic::ImageShift;
use crate::perception::query_batch::QueryBatch;
use crate::perception::{List, Source};
use crate::world::{Edges, Extrema, World, testing};

fn world(groups: usize, flat: bool, seamless: bool) -> World {
    let mut world = testing::world(&[300, 300][..groups], 2.0, |_, draw| {
        let z = if flat { 0.0 } else { draw(4) };
        let position = Vec3::new(draw(0) * 10.0, draw(1) * 10.0, z);
        (position, Vec3::new(draw(2), draw(3), z))
    });
    world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
    world.arena.seamless = seamless;
    world
}

/// The kernel of both lists with velocities.
fn kernel<'a>(
    grid: &'a Grid,
    (filter, limits): (&'a QueryFilter, [f32; 2]),
    (batch, shift, runs): (&'a QueryBatch, ImageShift, &'a [[u32; 2]]),
) -> MeanKernel<'a> {
    let scan = BatchScan { grid, filter, shift, batch, runs, limit: limits[0].greater(limits[1]) };
    MeanKernel { scan, limits: limits.map(|limit| [limit; LANES]), velocities: [true; 2] }
}

/// The means of both lists; empty means if there is no second list.
fn means_on<V: Vectors>(kernel: &MeanKernel<'_>) -> [NeighborMeansX8; 2] {
    let mut means = [NeighborMeansX8::default(); 2];
    let count = if kernel.limits[1][0] < 0.0 { 1 } else { 2 };
    kernel.write_on::<V>(&mut means[..count]);
    means
}

fn views() -> [View; 7] {
    let radius = 2.0;
    [
        View::Around { radius },
        View::Cone { radius, cosine: -0.7 },
        View::Cone { radius, cosine: 0.3 },
        View::Cone { radius, cosine: 0.8 },
        View::Wide { radius, back: 1.5 },
        View::Narrow { radius, front: 0.8 },
        View::Limited { radius },
    ]
}

#[test]
fn means_equal_those_of_the_lists_of_each_unit_on_all_vectors() {
    for (case, view) in views().into_iter().cycle().take(28).enumerate() {
        let mut world = world(1 + case % 2, case / 2 % 2 == 0, case / 4 % 2 == 0);
        world.views[0].view = view;
        for (unit, heading) in world.units.heading.iter_mut().enumerate() {
            *heading = Vec3::new((unit % 7) as f32 - 3.0, (unit % 5) as f32 - 1.5, 0.0).normalize();
        }
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let rows = grid.rows();
        let (mut batch, mut runs) = (QueryBatch::default(), Vec::new());
        let (mut query, mut list, mut seen) = (CellQuery::default(), NeighborList::default(), 0);
        let mut from = 0;
        while from < rows.len() {
            let group = world.units.group[rows[from][0] as usize];
            let same = rows[from..].iter().take_while(|row| world.units.group[row[0] as usize] == group);
            batch.set(&rows[from..from + same.count()], &grid);
            batch.load_axes(&world.units);
            let source = if case % 3 == 0 { Source::Others } else { Source::Neighbors };
            let filter = grid.filters.get(batch.group, source);
            let shift = batch.candidates(2.0, filter, &grid, &mut runs);
            for limits in
                [[filter.limit, 1.0], [filter.limit, -1.0], [0.2, filter.limit], [filter.limit, 0.2]]
            {
                let kernel = kernel(&grid, (filter, limits), (&batch, shift, &runs));
                let (best, plain) = (means_on::<Best>(&kernel), means_on::<Portable>(&kernel));
                assert_eq!(best.map(bits), plain.map(bits));
                assert_eq!(means_on::<PortableHalves>(&kernel).map(bits), plain.map(bits));
                for velocities in [[true, false], [false, true], [false, false]] {
                    let few = means_on::<Best>(&MeanKernel { velocities, ..kernel });
                    for list in (0..2).filter(|list| limits[*list] >= 0.0) {
                        let ((count, [places, speeds]), (all, [all_places, all_speeds])) =
                            (bits(few[list]), bits(best[list]));
                        assert_eq!((count, places), (all, all_places));
                        assert!(!velocities[list] || speeds == all_speeds);
                    }
                }
                for lane in 0..batch.count {
                    let (unit, slot) = (rows[from + lane][0] as usize, batch.slots[lane] as usize);
                    query.prepare(List::all(source), filter, &grid.observer(slot), &grid);
                    list.gather(unit, (filter, filter.limit), &query, &world.units, &grid);
                    for (means, limit) in best.iter().zip(limits).filter(|(_, limit)| *limit >= 0.0) {
                        let others = list.within(limit, &world.units);
                        let others = others.map(|(offset, unit)| (offset, world.units.velocity[unit]));
                        let expected = NeighborMeansX8::of_lane(lane, &batch, others).of(lane);
                        let found = means.of(lane);
                        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{view:?}, unit {unit}");
                        seen += found.count;
                    }
                }
            }
            from += batch.count;
        }
        assert!(seen > 100, "{view:?}");
    }
}

fn bits(means: NeighborMeansX8) -> ([u32; LANES], [[[u32; LANES]; 3]; 2]) {
    let components = [means.position, means.velocity];
    let bits = components.map(|of| of.map(|of| of.map(f32::to_bits)));
    (means.count, bits)
}
