//! Deposits of units on environment grids.

use super::group_behaviors::GroupBehaviors;
use crate::dynamics::{GridBuffers, deposit};
use crate::world::World;

/// Advances the environment grids by a step, and then adds deposits in the order of units: each in the cell that contains
/// the unit when it decides. Deposits outside of a grid are lost.
pub(super) fn advance_grids(world: &mut World, behaviors: &[GroupBehaviors], buffers: &mut GridBuffers) {
    let World { grids, groups, units, step, .. } = world;
    buffers.advance(grids, *step);
    if grids.is_empty() {
        return;
    }
    for (group, behaviors) in groups.iter().zip(behaviors) {
        for (index, unit) in group.units.clone().enumerate() {
            let amounts = behaviors.buffers.deposits(index, grids.len());
            for (grid, amount) in grids.iter_mut().zip(amounts).filter(|(_, amount)| **amount != 0.0) {
                deposit(grid, units.position[unit], *amount);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::sim::{Behavior, Contribution, Simulation, Slot, UnitContext};
    use crate::world::{GridRules, ScalarGrid, testing};

    /// Three hundred units, which move, with grids that fade and that keep everything.
    fn simulation() -> Simulation {
        let mut world = testing::world(&[200, 100], 1.0, |_, draw| {
            (Vec3::new(draw(0), draw(1), 0.0) * 20.0, Vec3::X * draw(2))
        });
        world.arena = testing::plane(20.0, 20.0, crate::world::Edges::Wrap);
        let rules = GridRules { cell: 2.0, diffusion: 1.0, evaporation: 0.1 };
        let still = GridRules { diffusion: 0.0, evaporation: 0.0, ..rules };
        for (name, rules) in [("still", still), ("trail", rules)] {
            world.grids.push(ScalarGrid::new(name, rules, &world.arena));
        }
        let behavior: Arc<dyn Behavior> = Arc::new(depositing);
        Simulation::new(world, vec![vec![Slot::new("test", 1, Some(behavior))]; 2])
    }

    /// Deposits amounts whose sum depends on their order, and steers by the grid.
    fn depositing(context: &mut UnitContext) -> Contribution {
        let (unit, steps) = (context.unit(), context.world().steps);
        if unit == 0 {
            let total = context.world().grids[0].total();
            assert_eq!(total, (steps * 300) as f64, "deposits of this step are not visible");
        }
        assert!(context.deposit(0, 0.25) && context.deposit(0, 0.75));
        assert!(context.deposit(1, 1.0 / (unit + 3) as f32));
        assert!(
            !context.deposit(1, f32::NAN) && !context.deposit(1, f32::INFINITY) && !context.deposit(2, 1.0)
        );
        let position = context.world().units.position[unit];
        Contribution::Push(context.world().grids[1].gradient(position))
    }

    #[test]
    fn deposits_are_the_same_for_any_number_of_threads_and_after_a_return_to_the_past() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut simulation = simulation();
                (0..5).for_each(|_| simulation.step());
                let (past, hash) = (simulation.snapshot(), simulation.hash());
                (0..5).for_each(|_| simulation.step());
                let last = simulation.hash();
                simulation.restore(&past);
                assert_eq!(simulation.hash(), hash);
                (0..5).for_each(|_| simulation.step());
                assert_eq!(simulation.hash(), last);
                last
            })
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn values_are_part_of_the_hash() {
        let (one, mut other) = (simulation(), simulation());
        assert_eq!(one.hash(), other.hash());
        deposit(&mut other.world_mut().grids[1], Vec3::ONE, 1.0);
        assert_ne!(one.hash(), other.hash());
    }

    #[test]
    fn units_that_move_deposit_where_they_decide() {
        let mut simulation = simulation();
        let at = simulation.world().units.position[7];
        let before = simulation.world().grids[0].cell_at(at);
        let in_cell = |unit: &usize| {
            let world = simulation.world();
            world.grids[0].cell_at(world.units.position[*unit]) == before
        };
        let count = (0..300).filter(in_cell).count();
        simulation.step();
        assert_eq!(simulation.world().grids[0].values()[before.unwrap()], count as f32);
    }
}
