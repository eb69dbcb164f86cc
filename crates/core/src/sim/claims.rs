//! Claims of units, and amounts taken from environment grids: the first unit in unit order receives what several request in
//! a step.
//!
//! Groups with a behavior that claims or takes decide one after the other, in unit order; see [`super::decide`]. All
//! others decide in parallel and are not affected.

use std::sync::Arc;

use super::context::UnitContext;
use crate::world::{Extrema, ScalarGrid, World};

/// The claimant of a unit that nobody has claimed.
const NONE: u32 = u32::MAX;

/// What units have claimed and taken in a step so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// The claimant of each unit, or [`NONE`]; as long as the last unit that was claimed requires.
    claimants: Vec<u32>,
    /// The units that are claimed, in the order of the claims.
    claimed: Vec<u32>,
    /// Per grid the amount taken from each cell.
    taken: Vec<Vec<f32>>,
    /// The cells from which an amount was taken, each with the amount before, in order: grid, cell, amount.
    takes: Vec<(usize, usize, f32)>,
    /// The results of all calls, by unit and slot, in order: 1 or 0 for a claim, else the amount.
    results: Vec<Call>,
    /// True if results are those of [`Claims::results`], for a call that is repeated.
    repeats: bool,
}

/// A call and its result.
#[derive(Clone, Copy, Debug)]
struct Call {
    unit: usize,
    slot: usize,
    result: f32,
}

/// A state to which [`Claims::undo`] returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    claimed: usize,
    takes: usize,
    results: usize,
}

impl Claims {
    /// Starts a step.
    pub(super) fn clear(&mut self) {
        self.undo(Mark { claimed: 0, takes: 0, results: 0 });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { claimed: self.claimed.len(), takes: self.takes.len(), results: self.results.len() }
    }

    /// Forgets everything since a mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        for unit in self.claimed.drain(mark.claimed..) {
            self.claimants[unit as usize] = NONE;
        }
        for (grid, cell, before) in self.takes.drain(mark.takes..).rev() {
            self.taken[grid][cell] = before;
        }
        self.results.truncate(mark.results);
    }

    /// Returns true if an amount has been taken that the grids still contain.
    pub(super) fn has_taken(&self) -> bool {
        !self.takes.is_empty()
    }

    /// Removes the amounts from the grids; what is taken later is taken from the rest.
    pub(super) fn apply(&mut self, grids: &mut [ScalarGrid]) {
        for (grid, cell, _) in self.takes.drain(..) {
            let taken = std::mem::take(&mut self.taken[grid][cell]);
            if taken > 0.0 {
                let value = &mut Arc::make_mut(grids[grid].shared())[cell];
                *value = (*value - taken).greater(0.0);
            }
        }
    }

    /// Returns claims that repeat the results of a unit's calls.
    pub(super) fn of_unit(&self, unit: usize) -> Self {
        let results = self.results.iter().filter(|call| call.unit == unit).copied().collect();
        Self { results, repeats: true, ..Self::default() }
    }

    fn claim(&mut self, claimant: usize, other: usize) -> bool {
        if self.claimants.len() <= other {
            self.claimants.resize(other + 1, NONE);
        }
        if self.claimants[other] == NONE {
            self.claimants[other] = claimant as u32;
            self.claimed.push(other as u32);
        }
        self.claimants[other] == claimant as u32
    }

    fn take(&mut self, world: &World, grid: usize, cell: usize, amount: f32) -> f32 {
        let values = world.grids[grid].values();
        self.taken.resize_with(self.taken.len().max(grid + 1), Vec::new);
        let taken = &mut self.taken[grid];
        taken.resize(values.len(), 0.0);
        let before = taken[cell];
        let amount = amount.limited(0.0, (values[cell] - before).greater(0.0));
        if amount > 0.0 {
            taken[cell] = before + amount;
            self.takes.push((grid, cell, before));
        }
        amount
    }
}

impl UnitContext {
    /// Claims a unit for the deciding one until the end of the step. Returns true unless another unit has claimed it: the
    /// first one in unit order.
    pub fn claim(&mut self, other: usize) -> bool {
        if other >= self.frozen.world.units.len() {
            return false;
        }
        self.result(|claims, unit, _| f32::from(claims.claim(unit, other))) != 0.0
    }

    /// Takes at most `amount`, not negative, from the cell of a grid that contains the unit. Returns the amount that was left by the
    /// units before it in unit order; 0 outside of the grid, or if there is none.
    pub fn take(&mut self, grid: usize, amount: f32) -> f32 {
        let world = &self.frozen.world;
        let position = world.units.position[self.unit];
        let Some(cell) = world.grids.get(grid).and_then(|grid| grid.cell_at(position)) else {
            return 0.0;
        };
        self.result(|claims, _, world| claims.take(world, grid, cell, amount))
    }

    /// Returns the result of a call, which is that of the first call if calls are repeated.
    fn result(&mut self, call: impl FnOnce(&mut Claims, usize, &World) -> f32) -> f32 {
        let (unit, slot) = (self.unit, self.slot);
        let claims = &mut self.claims;
        if claims.repeats {
            let found = claims.results.iter().position(|call| call.slot == slot);
            return found.map_or(0.0, |at| claims.results.remove(at).result);
        }
        let result = call(claims, unit, &self.frozen.world);
        claims.results.push(Call { unit, slot, result });
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use glam::Vec3;

    use super::*;
    use crate::sim::{Behavior, Contribution, Event, EventKind, Failure, Handled, Simulation, Slot};
    use crate::world::{GridRules, testing};

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
        let rules = GridRules { cell: 1.0, diffusion: 1.0, evaporation: 0.5, initial: 2.0 };
        world.grids.push(ScalarGrid::new("food", rules, &world.arena));
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
