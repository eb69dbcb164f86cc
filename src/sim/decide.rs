//! The decide phase: every behavior of every unit fills its own place, in parallel.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::Vec3;
use rayon::iter::ParallelIterator;

use super::behavior::Fault;
use super::blend::blend;
use super::group_behaviors::GroupBehaviors;
use super::rows::{Outcome, RowsMut};
use super::work::{self, Gate};
use super::workers::Workers;
use super::{Behavior, Contribution, Drawing, Failure, Frozen, Slot, UnitContext};
use crate::world::{Group, Units, World};

/// Fewest and most units that one worker decides for in one go.
const CHUNK: (usize, usize) = (32, 192);
/// Units whose state is fetched in one go.
const AHEAD: usize = 32;
/// Chunks for each thread: behaviors may cost more for some units than for others.
const SHARE: usize = 8;

/// Lets all behaviors of group `group` decide on the frozen state. Answers what failed, in the order
/// of units; nothing if `cancel` was set meanwhile. What units remember is not written yet.
///
/// A behavior that takes more than its share of a step is left out, and the others decide once more:
/// as if it had not been there. It fails, for the first unit of the group.
pub(super) fn decide(
    frozen: &Arc<Frozen>,
    workers: &Workers,
    group: usize,
    group_behaviors: &mut GroupBehaviors,
    (recording, cancel): (bool, &AtomicBool),
) -> Option<Vec<Fault>> {
    let GroupBehaviors {
        slots,
        memory,
        rows,
        drawings,
    } = group_behaviors;
    let mut plan = Plan::of(&frozen.world, group, slots, memory);
    let chunk = rows.units.len() / (SHARE * rayon::current_num_threads());
    let chunk = chunk.clamp(CHUNK.0, CHUNK.1);
    let mut failures = Vec::new();
    let notes = loop {
        let gate = Gate::new(plan.tasks.len(), rows.units.len(), cancel);
        let notes: Vec<Notes> = (rows.chunks(chunk, slots.len(), plan.stride))
            .map(|mut rows| {
                let work = |context: &mut UnitContext| plan.decide(context, &mut rows, &gate);
                workers.lend(frozen, recording, work)
            })
            .collect();
        if gate.is_open() {
            break notes;
        }
        if gate.is_cancelled() {
            return None;
        }
        let slow: Vec<_> = gate.over().collect();
        for at in slow.into_iter().rev() {
            let task = plan.tasks.remove(at);
            let fault = workers.lend(frozen, false, |context| plan.too_slow(context, &task));
            failures.push(fault);
        }
    };
    workers.rest();
    drawings.clear();
    for mut notes in notes {
        failures.append(&mut notes.failures);
        drawings.append(&mut notes.drawings);
    }
    // Rows stand in the order of the grid, which is nobody's business.
    failures.sort_by_key(|(unit, slot, _)| (*unit, *slot));
    drawings.sort_by_key(|drawing| drawing.unit);
    Some(failures)
}

/// What a part of the units leaves behind beside rows.
pub(super) struct Notes {
    failures: Vec<Fault>,
    drawings: Vec<Drawing>,
}

/// What is to be done for every unit of a group, looked up once.
struct Plan<'a> {
    tasks: Vec<Task<'a>>,
    /// Contributions in a row.
    width: usize,
    /// Words in a row of memory.
    stride: usize,
    remembers: bool,
    /// Memory in the order of units.
    memory: &'a [u32],
    slots: &'a [Slot],
    group: &'a Group,
    state: &'a Units,
}

/// A behavior that is to be asked.
struct Task<'a> {
    behavior: &'a dyn Behavior,
    place: usize,
    key: u64,
    /// Its words in a row of memory.
    words: Range<usize>,
}

impl<'a> Plan<'a> {
    fn of(world: &'a World, group: usize, slots: &'a [Slot], memory: &'a [u32]) -> Self {
        let (mut tasks, mut at) = (Vec::new(), 0);
        for (place, slot) in slots.iter().enumerate() {
            let words = at..at + slot.words();
            at = words.end;
            if let Some(behavior) = slot.active() {
                let key = slot.key;
                tasks.push(Task {
                    behavior,
                    place,
                    key,
                    words,
                });
            }
        }
        Self {
            tasks,
            width: slots.len().max(1),
            stride: at.max(1),
            remembers: at > 0,
            memory,
            slots,
            group: &world.groups[group],
            state: &world.units,
        }
    }

    /// Reads what most behaviors first ask of their unit. Units that are near each other in space are
    /// far apart in memory; read in one go, they are waited for together, and not each in its turn.
    fn fetch(&self, rows: &[[u32; 2]]) {
        let sum = rows.iter().take(AHEAD).fold(Vec3::ZERO, |sum, [unit, _]| {
            sum + self.state.position[*unit as usize] + self.state.velocity[*unit as usize]
        });
        std::hint::black_box(sum);
    }

    fn decide(&self, context: &mut UnitContext, rows: &mut RowsMut<'_>, gate: &Gate<'_>) -> Notes {
        let mut failures = Vec::new();
        let mut ledger = std::mem::take(&mut context.ledger);
        ledger.open(self.tasks.len());
        if self.tasks.len() < self.width {
            rows.decisions.fill(Contribution::None);
        }
        let decisions = rows.decisions.chunks_exact_mut(self.width);
        let memories = rows.memory.chunks_exact_mut(self.stride);
        let units = rows.units.iter().zip(decisions).zip(memories);
        let units = units.zip(rows.outcomes.iter_mut()).enumerate();
        let (mut lane, mut faced) = (0, 0);
        for (row, (((unit, decisions), memory), outcome)) in units {
            let goes_on = if row == 0 {
                gate.is_open()
            } else {
                ledger.settle(gate)
            };
            if !goes_on {
                break;
            }
            if row.is_multiple_of(AHEAD) {
                self.fetch(&rows.units[row..]);
            }
            lane += 1;
            if lane >= faced {
                (lane, faced) = (0, context.face(&rows.units[row..]));
            }
            let unit = unit[0] as usize;
            if self.remembers {
                let from = (unit - self.group.units.start) * self.stride;
                memory.copy_from_slice(&self.memory[from..from + self.stride]);
            }
            context.turn_to_lane(unit, lane);
            for (at, task) in self.tasks.iter().enumerate() {
                context.begin(task.place, task.key);
                let asked = task
                    .behavior
                    .decide(context, &mut memory[task.words.clone()]);
                ledger.note(at, context.work());
                match asked {
                    // By its numbers: they have just been written one by one, and reading them
                    // back in one go would have to wait for that.
                    Ok(Contribution::Push(push)) if push.is_finite() => {
                        let [x, y, z] = push.to_array();
                        decisions[task.place] = Contribution::Push(Vec3::new(x, y, z));
                    }
                    Ok(contribution) if contribution.is_finite() => {
                        decisions[task.place] = contribution;
                    }
                    asked => {
                        decisions[task.place] = Contribution::None;
                        let failure = asked.err().unwrap_or_else(not_finite);
                        failures.push((unit, task.place, failure));
                    }
                }
            }
            *outcome = Outcome {
                marks: context.marks(),
                steering: blend(self.group, self.slots, decisions),
            };
        }
        ledger.close(gate);
        context.ledger = ledger;
        Notes {
            failures,
            drawings: std::mem::take(&mut context.drawings),
        }
    }

    /// Why a behavior that took more than its share is left out: what its call for the first unit says
    /// of a limit, or that all calls together take too much.
    fn too_slow(&self, context: &mut UnitContext, task: &Task<'_>) -> Fault {
        let unit = self.group.units.start;
        let mut memory = self.memory.get(task.words.clone()).unwrap_or(&[]).to_vec();
        context.turn_to(unit);
        context.begin(task.place, task.key);
        let alone = task.behavior.decide(context, &mut memory).err();
        context.drawings.clear();
        let failure = alone
            .filter(|failure| failure.exhausted)
            .unwrap_or_else(|| {
                let (line, column) = task.behavior.place();
                Failure {
                    line,
                    column,
                    ..work::too_slow(self.group.units.len())
                }
            });
        (unit, task.place, failure)
    }
}

fn not_finite() -> Failure {
    Failure {
        line: 0,
        column: 0,
        message: "the contribution is not a finite number".to_owned(),
        help: None,
        file: None,
        exhausted: false,
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::sim::{FieldKind, number_words};
    use crate::sim::{MemoryLayout, Shape, Simulation};
    use crate::world::{Arena, Domain, Edges, NamedView, View, random, unit_key};

    /// Counts its steps from its own number on, draws it, and fails for every seventh unit.
    struct Counter(MemoryLayout);

    impl Behavior for Counter {
        fn memory(&self) -> &MemoryLayout {
            &self.0
        }

        fn decide(
            &self,
            context: &mut UnitContext,
            memory: &mut [u32],
        ) -> Result<Contribution, Failure> {
            let unit = context.unit();
            let steps = context.world().steps as u32;
            let before = if steps == 0 { 0 } else { unit as u32 + steps };
            assert_eq!(memory[0], before, "the memory of unit {unit}");
            memory[0] = unit as u32 + steps + 1;
            context.mark(unit as u64);
            context.draw(|| Shape::Circle(Vec3::ZERO, unit as f32));
            match unit % 7 {
                6 => Err(not_finite()),
                _ => Ok(Contribution::Push(Vec3::X * (unit + 1) as f32)),
            }
        }
    }

    /// Two groups all over a plane, so that the order of the grid is none of theirs.
    fn world(count: usize) -> World {
        let size = Vec2::splat(20.0);
        let mut units = Units::default();
        for unit in 0..2 * count {
            let key = unit_key("a", unit);
            let draw = |number| random::draw(1, key, 0, 0, number);
            let position = Vec3::new(draw(0), draw(1), 0.0) * size.x;
            let (axes, group) = ((Vec3::X, Vec3::Z), unit / count);
            units.push(position, Vec3::ZERO, axes, group as u16, key);
        }
        let group = |units| Group {
            view: Some(0),
            units,
            ..Group::default()
        };
        World {
            arena: Arena {
                domain: Domain::Plane { size },
                edges: Edges::Wrap,
                seamless: true,
            },
            groups: vec![group(0..count), group(count..2 * count)],
            views: vec![NamedView {
                name: "around".to_owned(),
                view: View::Around { radius: 1.0 },
            }],
            units,
            ..World::default()
        }
    }

    #[test]
    fn whatever_the_order_of_deciding_what_is_seen_of_it_is_in_the_order_of_units() {
        let mut layout = MemoryLayout::default();
        layout.push("count", FieldKind::Number, number_words(0.0));
        let counter: Arc<dyn Behavior> = Arc::new(Counter(layout));
        let slots = || vec![Slot::new("counter", 1, Some(Arc::clone(&counter)))];
        let mut simulation = Simulation::new(world(500), vec![slots(), slots()]);
        simulation.drawing = true;
        for step in 1..4 {
            simulation.step();
            let drawn: Vec<_> = simulation.drawings().map(|drawing| drawing.unit).collect();
            assert!(drawn.iter().copied().eq(0..1000), "{drawn:?}");
            for unit in 0..1000 {
                let decided: Vec<_> = simulation.decisions(unit).map(|(_, it)| it).collect();
                let push = Contribution::Push(Vec3::X * (unit + 1) as f32);
                let expected = if unit % 7 == 6 {
                    Contribution::None
                } else {
                    push
                };
                assert_eq!(decided, [expected], "unit {unit}");
                assert_eq!(simulation.world().units.marks[unit], unit as u64);
            }
            let struck: Vec<_> = simulation
                .reports()
                .iter()
                .map(|report| report.unit)
                .collect();
            assert_eq!(struck, [6, 503], "in step {step}");
        }
    }
}
