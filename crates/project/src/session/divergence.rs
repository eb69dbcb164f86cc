//! Divergence of two runs of one scene: the first unit that differs, the first rule that caused it, and the first grid that
//! differs.

use glam::Vec3;
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::{Contribution, Simulation, Slot, use_names};
use steerbox_core::world::{World, matching, minimum_image};

/// The first unit that differs between two states after the same number of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The step that led to both states.
    pub step: u64,
    /// Index of the unit.
    pub unit: usize,
    /// Name of its group.
    pub group: String,
    /// The first behavior of its group with another result in this step, if there is one.
    pub rule: Option<DivergingRule>,
    /// Positions in both, world units.
    pub position: [Vec3; 2],
    /// Velocities in both, world units per second.
    pub velocity: [Vec3; 2],
}

/// Contributions of a behavior to a unit in two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct DivergingRule {
    /// The script; the second use of a script in a group is `script#2`.
    pub name: String,
    /// Results in both, before gain.
    pub contribution: [Contribution; 2],
    /// Gains in both; 0 if disabled.
    pub gain: [f32; 2],
}

/// The first environment grid that differs between two states after the same number of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct GridDivergence {
    /// The step that led to both states.
    pub step: u64,
    /// Name of the grid.
    pub grid: String,
    /// The center of the first cell that differs.
    pub center: Vec3,
    /// The values of that cell in both.
    pub values: [f32; 2],
}

/// Comparison of two runs of one scene.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPair {
    /// Number of steps that both runs have in common.
    pub fork: u64,
    /// The first unit that differs; `None` while the runs are equal.
    pub divergence: Option<Divergence>,
    /// The first environment grid that differs; `None` while all are equal.
    pub grid: Option<GridDivergence>,
    /// Distances between units after the last step.
    pub difference: Difference,
}

/// Distances between the same units in two states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Mean distance, world units.
    pub mean: f32,
    /// Index of the unit with the largest distance.
    pub farthest: usize,
    /// The largest distance, world units.
    pub distance: f32,
}

impl Difference {
    /// Compares the positions of two worlds, across periodic edges where that is shorter.
    pub fn between(a: &World, b: &World) -> Self {
        let distances: Vec<_> = distances(a, b).collect();
        let sum: f32 = distances.iter().map(|(_, distance)| distance).sum();
        let mean = sum / distances.len().max(1) as f32;
        let farthest = distances.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (farthest, distance) = farthest.unwrap_or_default();
        Self { mean, farthest, distance }
    }
}

/// Returns the distance of each unit of `b` from its position in `a`, with its index in `b`, across periodic edges if that is
/// shorter; skips units that `a` does not have.
pub fn distances<'a>(a: &'a World, b: &'a World) -> impl Iterator<Item = (usize, f32)> + 'a {
    let (wrap, a, b) = (a.arena.wrap(), &a.units, &b.units);
    // Indices differ if units were added or removed.
    let others = matching(&b.key, &a.key);
    (0..b.len()).filter_map(move |unit| {
        let other = others.as_ref().map_or(Some(unit), |others| others[unit])?;
        let offset = b.position[unit] - *a.position.get(other)?;
        Some((unit, minimum_image(offset, wrap).length()))
    })
}

impl Divergence {
    /// Returns the first unit that differs between `a` and `b`, which ran the same scene for the same number of
    /// steps; `None` if all bits are equal. Compares marks and signals by name, and memory where both versions of a
    /// script declare the same.
    pub fn find(a: &Simulation, b: &Simulation) -> Option<Self> {
        if a.hash() == b.hash() {
            return None;
        }
        let [fewer, more] = if a.world().units.len() <= b.world().units.len() { [a, b] } else { [b, a] };
        let count = fewer.world().units.len();
        let differing = (0..count).find(|unit| differs(a, b, *unit));
        // One of the two may have more units.
        let unit = differing.or((more.world().units.len() > count).then_some(count))?;
        let is_shared = unit < count && a.world().units.key[unit] == b.world().units.key[unit];
        let of = |field: fn(&Simulation) -> &[Vec3]| {
            let lone = field(more)[unit];
            [a, b].map(|simulation| field(simulation).get(unit).copied().unwrap_or(lone))
        };
        Some(Self {
            step: a.world().steps,
            unit,
            group: more.world().group_of(unit).name.clone(),
            rule: is_shared.then(|| diverging_rule(a, b, unit)).flatten(),
            position: of(|simulation| &simulation.world().units.position),
            velocity: of(|simulation| &simulation.world().units.velocity),
        })
    }
}

impl GridDivergence {
    /// Returns the first environment grid that differs between `a` and `b`, which ran the same scene for the same number
    /// of steps; `None` if all bits are equal.
    pub fn find(a: &Simulation, b: &Simulation) -> Option<Self> {
        let step = a.world().steps;
        let mut grids = a.world().grids.iter().zip(&b.world().grids);
        grids.find_map(|(one, other)| {
            let mut values = one.values().iter().zip(other.values());
            let cell = values.position(|(a, b)| a.to_bits() != b.to_bits())?;
            let values = [one.values()[cell], other.values()[cell]];
            Some(Self { step, grid: one.name.clone(), center: one.center(cell), values })
        })
    }
}

fn differs(a: &Simulation, b: &Simulation, unit: usize) -> bool {
    let row = |simulation: &Simulation| {
        let units = &simulation.world().units;
        let Motion { position, velocity, heading, up, angular_velocity } = Motion::from_unit(units, unit);
        let vectors = [position, velocity, heading, up, angular_velocity];
        (units.key[unit], units.born[unit], vectors.map(|vector| vector.to_array().map(f32::to_bits)))
    };
    row(a) != row(b)
        || marks(a, unit) != marks(b, unit)
        || signals(a, unit) != signals(b, unit)
        || memory_differs(a, b, unit)
}

/// Returns true if a behavior that declares the same memory in both has other values in it.
fn memory_differs(a: &Simulation, b: &Simulation, unit: usize) -> bool {
    a.memory(unit).any(|(slot, layout, words)| {
        let mut others = b.memory(unit);
        let other = others.find(|(other, ..)| other.key == slot.key);
        other.is_some_and(|(_, declared, other)| declared == layout && other != words)
    })
}

fn marks(simulation: &Simulation, unit: usize) -> Vec<&str> {
    let world = simulation.world();
    let mut marks: Vec<_> = world.marks.of(world.units.marks[unit]).collect();
    marks.sort_unstable();
    marks
}

/// Returns the signals that are not 0, by name.
fn signals(simulation: &Simulation, unit: usize) -> Vec<(&str, u32)> {
    let world = simulation.world();
    let values = world.signals.all().iter().zip(world.units.signals.of(unit));
    let set = values.filter(|(_, value)| **value != 0.0);
    let mut signals: Vec<_> = set.map(|(name, value)| (name.as_str(), value.to_bits())).collect();
    signals.sort_unstable();
    signals
}

fn diverging_rule(a: &Simulation, b: &Simulation, unit: usize) -> Option<DivergingRule> {
    for (at, ((slot, one), (other, two))) in a.decisions(unit).zip(b.decisions(unit)).enumerate() {
        let gain = [slot, other].map(|slot: &Slot| if slot.enabled { slot.gain } else { 0.0 });
        let acts = one != Contribution::None || two != Contribution::None;
        if !one.has_bits_of(&two) || (acts && gain[0] != gain[1]) {
            let name = use_names(a.decisions(unit).map(|(slot, _)| slot)).swap_remove(at);
            return Some(DivergingRule { name, contribution: [one, two], gain });
        }
    }
    None
}
