//! The calls of behaviors that claim units and take from grids.

use super::context::UnitContext;

impl UnitContext {
    /// Claims a unit for the deciding one until the end of the step. Returns true unless another unit has claimed it: the
    /// first one in unit order.
    pub fn claim(&mut self, other: usize) -> bool {
        if other >= self.frozen.world.units.len() {
            return false;
        }
        let (unit, slot) = (self.unit, self.slot);
        self.claims.result((unit, slot), |claims| f32::from(claims.claim(unit, other))) != 0.0
    }

    /// Takes at most `amount`, not negative, from the cell of a grid that contains the unit. Returns the amount that was left by the
    /// units before it in unit order; 0 outside of the grid, or if there is none.
    pub fn take(&mut self, grid: usize, amount: f32) -> f32 {
        let world = &self.frozen.world;
        let position = world.units.position[self.unit];
        let Some(cell) = world.grids.get(grid).and_then(|grid| grid.cell_at(position)) else {
            return 0.0;
        };
        self.claims.result((self.unit, self.slot), |claims| claims.take(world, grid, cell, amount))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex};

    use glam::Vec3;

    use super::*;
    use crate::sim::{Behavior, Contribution, Event, EventKind, Failure, Handled, Simulation, Slot};
    use crate::world::{Distribution, GridRules, ScalarGrid, testing};

    /// Every unit claims unit 0 and takes 0.75 from the grid; the results are pushed.
    struct Greedy {
        is_ordered: bool,
        handled: Mutex<Vec<(usize, f32)>>,
    }

    impl Behavior for Greedy {
        fn is_ordered(&self) -> bool {
            self.is_ordered
        }

        fn handled(&self) -> Handled {
            Handled::NONE.with(EventKind::Entered, false)
        }

        fn handle(&self, _: Event, context: &mut UnitContext, _: &mut [u32]) -> Result<(), Failure> {
            let taken = context.take(0, 0.5);
            self.handled.lock().unwrap().push((context.unit(), taken));
            Ok(())
        }

        fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
            let claim = f32::from(context.claim(0));
            assert_eq!(f32::from(context.claim(0)), claim, "a claim of the same unit again");
            Ok(Contribution::Push(Vec3::new(claim, context.take(0, 0.75), 0.0)))
        }
    }

    /// 300 units in two groups; unit i is in cell i modulo 4 of a grid whose cells have 2.
    fn simulation(is_ordered: bool) -> (Simulation, Arc<Greedy>) {
        let mut world = testing::world(&[200, 100], 1.0, |unit, _| {
            (Vec3::new((unit % 4) as f32 + 0.5, 0.5, 0.0), Vec3::ZERO)
        });
        world.arena = testing::plane(4.0, 1.0, crate::world::Edges::Open);
        let rules = GridRules { cell: 1.0, diffusion: 1.0, evaporation: 0.5 };
        world
            .grids
            .push(ScalarGrid::new("food", rules, &world.arena).filled(&Distribution::Constant(2.0), 1));
        let behavior = Arc::new(Greedy { is_ordered, handled: Mutex::default() });
        let slot = |_| vec![Slot::new("greedy", 1, Some(Arc::clone(&behavior) as Arc<dyn Behavior>))];
        (Simulation::new(world, [0, 1].map(slot).into()), behavior)
    }

    fn results(simulation: &Simulation) -> Vec<[f32; 2]> {
        let push = |unit: usize| match simulation.decisions(unit).next().unwrap().1 {
            Contribution::Push(push) => [push.x, push.y],
            _ => [f32::NAN; 2],
        };
        (0..300).map(push).collect()
    }

    #[test]
    fn the_first_units_receive_what_all_request_for_any_number_of_threads() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut simulation, _) = simulation(true);
                let mut inspected = Vec::new();
                simulation.try_step_with(&AtomicBool::default(), |decided| {
                    for unit in [0, 1, 9, 250] {
                        decided.call_again(unit, |_, context, memory| {
                            let greedy = Greedy { is_ordered: true, handled: Mutex::default() };
                            let Ok(Contribution::Push(push)) = greedy.decide(context, memory) else { return };
                            inspected.push((unit, [push.x, push.y]));
                        });
                    }
                });
                let results = results(&simulation);
                // Each cell has 2: for two units 0.75, and for the third 0.5.
                for (unit, [claim, taken]) in results.iter().enumerate() {
                    let expected = [0.75, 0.75, 0.5].get(unit / 4).copied().unwrap_or(0.0);
                    assert_eq!((*claim, *taken), (f32::from(unit == 0), expected), "unit {unit}");
                }
                assert_eq!(simulation.world().grids[0].values(), [0.0; 4]);
                assert_eq!(inspected, [0, 1, 9, 250].map(|unit| (unit, results[unit])));
                simulation.step();
                assert_eq!(self::results(&simulation)[..2], [[1.0, 0.0], [0.0, 0.0]]);
            });
        }
    }

    #[test]
    fn handlers_take_what_steps_left() {
        let (mut simulation, greedy) = simulation(true);
        let world = simulation.world_mut();
        world.units.velocity.fill(Vec3::X * 1e-3);
        world.grids[0].rules = GridRules { diffusion: 0.0, evaporation: 0.0, ..world.grids[0].rules };
        let area = crate::world::Solid::ball(Vec3::new(2.0, 0.5, 0.0), 9.0).into();
        world.former_zones = Some(Vec::new());
        world.zones.push(crate::world::Zone { name: "all".to_owned(), area });
        assert!(world.grids[0].set_values(vec![3.0; 4]));
        for (step, left) in [(1, 0.0), (2, 0.0)] {
            simulation.step();
            let handled = std::mem::take(&mut *greedy.handled.lock().unwrap());
            // All of them enter the zone in the first step, when four of each cell have decided.
            assert_eq!(handled.len(), if step == 1 { 300 } else { 0 });
            assert!(handled.iter().all(|(_, taken)| *taken == 0.0));
            assert_eq!(simulation.world().grids[0].values(), [left; 4]);
        }
        assert!(simulation.world_mut().grids[0].set_values(vec![60.0; 4]));
        let world = simulation.world_mut();
        world.former_zones = Some(Vec::new());
        simulation.step();
        let handled = std::mem::take(&mut *greedy.handled.lock().unwrap());
        // 75 units of each cell take 0.75 in the step: 3.75 remain, for seven units and a half.
        let taken = |at: usize| handled[at * 4].1;
        assert_eq!([taken(0), taken(6), taken(7), taken(8)], [0.5, 0.5, 0.25, 0.0]);
        assert_eq!(simulation.world().grids[0].values(), [0.0; 4]);
    }
}
