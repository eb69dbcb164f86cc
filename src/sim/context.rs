//! What a behavior is given: frozen state, the unit it decides for, and where its traces go.

use std::sync::Arc;

use glam::Vec3;

use super::work::{Ledger, Meter, Toll};
use super::{Arrays, GroupFacts};
use crate::perception::{
    Grid, List, MeansCache, Neighbor, NeighborMeans, NeighborMeansX8, Sight, Source,
};
use crate::world::{World, random};

/// The state that a whole step reads, and the grid over it.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// The world after the last step.
    pub world: World,
    grid: Grid,
    facts: Vec<GroupFacts>,
}

impl Frozen {
    /// A state whose units are not sorted yet.
    pub fn new(world: World) -> Self {
        Self {
            world,
            grid: Grid::default(),
            facts: Vec::new(),
        }
    }

    /// Sorts the units into the grid, so that lists can be gathered.
    pub fn sort(&mut self) {
        self.sort_beside(|_, _| ());
    }

    /// As [`Frozen::sort`], beside some work with the world and the order of its units in the grid.
    pub(super) fn sort_beside(&mut self, work: impl FnOnce(&World, &[u32]) + Send) {
        let world = &self.world;
        self.grid.rebuild_beside(world, |order| work(world, order));
        self.facts = GroupFacts::of(&self.world, &self.grid);
    }
}

/// A shape that a behavior drew for the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line between two points.
    Line(Vec3, Vec3),
    /// A circle of a radius about a center.
    Circle(Vec3, f32),
    /// Words at a point.
    Text(Vec3, String),
}

/// A shape and who drew it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The unit that the behavior decided for.
    pub unit: usize,
    /// The behavior's place in its group.
    pub slot: usize,
    /// What it drew.
    pub shape: Shape,
}

/// Most shapes one behavior may draw for one unit in one step; the rest is dropped.
const MOST_DRAWINGS: u32 = 64;

/// Work of gathering, searching and sorting the units of a list, in looks at it.
const GATHERING: u64 = 8;
const SEARCHING: u64 = 2;
const SORTING: u64 = 32;

/// A bit for a source; far views share one.
fn bit(source: Source) -> u64 {
    match source {
        Source::Neighbors => 1,
        Source::Others => 2,
        Source::Enemies => 4,
        Source::View(view) => 8 << view.min(60),
    }
}

/// What one worker thread knows while it decides for one unit after the other.
#[derive(Debug)]
pub struct UnitContext {
    /// Of `frozen`, always.
    arrays: Arrays,
    frozen: Arc<Frozen>,
    unit: usize,
    slot: usize,
    behavior: u64,
    draws: u32,
    drawn: u32,
    marks: u64,
    sight: Sight,
    recording: bool,
    pub(super) drawings: Vec<Drawing>,
    meter: Meter,
    /// The sources whose units this call gathered, and those that it sorted, as bits.
    gathered: u64,
    sorted: u64,
    pub(super) ledger: Ledger,
}

impl UnitContext {
    /// UnitContext over a state, not yet turned to a unit.
    pub fn new(frozen: Arc<Frozen>) -> Self {
        Self {
            arrays: Arrays::of(&frozen, &frozen.facts),
            frozen,
            unit: 0,
            slot: 0,
            behavior: 0,
            draws: 0,
            drawn: 0,
            marks: 0,
            sight: Sight::default(),
            recording: false,
            drawings: Vec::new(),
            meter: Meter::default(),
            gathered: 0,
            sorted: 0,
            ledger: Ledger::default(),
        }
    }

    pub(super) fn attach(&mut self, frozen: &Arc<Frozen>, recording: bool) {
        self.frozen = Arc::clone(frozen);
        self.arrays = Arrays::of(frozen, &frozen.facts);
        // What was seen of another state is out of date.
        self.sight.forget();
        self.recording = recording;
    }

    /// Whether it is this state that they are attached to.
    pub(super) fn is_over(&self, frozen: &Arc<Frozen>) -> bool {
        Arc::ptr_eq(&self.frozen, frozen)
    }

    /// Turns to a unit: forgets what the last one saw and marked.
    #[inline]
    pub fn turn_to(&mut self, unit: usize) {
        self.unit = unit;
        self.marks = 0;
        self.sight.turn_to(unit);
    }

    /// Faces what the first of `rows` and some of the next see, as [`Sight::face`].
    #[inline]
    pub(super) fn face(&mut self, rows: &[[u32; 2]]) -> usize {
        self.sight.face(rows, &self.frozen.grid)
    }

    /// As [`UnitContext::turn_to`], to number `lane` of those that are faced.
    #[inline]
    pub(super) fn turn_to_lane(&mut self, unit: usize, lane: usize) {
        self.unit = unit;
        self.marks = 0;
        self.sight.turn_to_lane(unit, lane);
    }

    /// Turns to a behavior: its random draws start anew, and what it takes is counted from nothing.
    #[inline]
    pub fn begin(&mut self, slot: usize, behavior: u64) {
        self.slot = slot;
        self.behavior = behavior;
        self.draws = 0;
        self.drawn = 0;
        self.meter = Meter::default();
        (self.gathered, self.sorted) = (0, 0);
    }

    /// The unit to decide for.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// Where the frozen state is. It stays there while the context are lent to a behavior.
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// The frozen world.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// How many units a list holds, and the means of their positions and velocities; where it holds
    /// none, the unit's own. The same bits whatever else was asked before.
    #[inline]
    pub fn means(&mut self, list: List) -> NeighborMeans {
        self.sight
            .means(list, &self.frozen.world, &self.frozen.grid)
    }

    /// As [`UnitContext::means`], where it is kept, beside what other units see; and the unit's lane.
    #[inline]
    pub fn means_of_eight(&mut self, list: List) -> (&NeighborMeansX8, usize) {
        self.sight
            .means_of_eight(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The means_of_eight that are known by now, for compiled code that looks there first, and the unit's lane
    /// in them. They stay in place while the context are lent to a behavior.
    pub fn known(&self) -> (&MeansCache, usize) {
        self.sight.known()
    }

    /// How many units a list holds.
    pub fn count(&mut self, list: List) -> usize {
        self.sight
            .count(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The nearest unit of a list; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List) -> Option<Neighbor> {
        self.pay_gathering(list.source);
        self.pay(Toll::Lists, SEARCHING * self.look(list.source));
        self.sight
            .nearest(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The `index`-th nearest unit of a list.
    pub fn nth(&mut self, list: List, index: usize) -> Option<Neighbor> {
        self.pay_sorting(list.source);
        self.sight
            .nth(list, index, &self.frozen.world, &self.frozen.grid)
    }

    /// The units of a list, nearest first; equally near ones in the order of their index. All lists
    /// of one source are the beginning of one slice, which stays where it is until the next
    /// [`UnitContext::turn_to`].
    pub fn ordered(&mut self, list: List) -> &[Neighbor] {
        self.pay_sorting(list.source);
        self.sight
            .ordered(list, &self.frozen.world, &self.frozen.grid)
    }

    /// As [`UnitContext::ordered`], and beside it the world that tells more of them.
    pub fn ordered_in_world(&mut self, list: List) -> (&[Neighbor], &World) {
        self.pay_sorting(list.source);
        let Frozen { world, grid, .. } = &*self.frozen;
        (self.sight.ordered(list, world, grid), world)
    }

    /// The units of a list, nearest first.
    pub fn units(&mut self, list: List) -> impl Iterator<Item = Neighbor> {
        self.ordered(list).iter().copied()
    }

    /// The next random number, uniform in 0 (inside) to 1 (outside): a pure function of seed, unit,
    /// step, behavior and how many draws came before.
    pub fn random(&mut self) -> f32 {
        let world = &self.frozen.world;
        let key = world.units.key[self.unit];
        let value = random::draw(world.seed, key, world.steps, self.behavior, self.draws);
        self.draws += 1;
        value
    }

    /// What the present call has taken so far; see [`super::work`].
    #[inline]
    pub fn work(&self) -> u64 {
        self.meter.work()
    }

    /// Charges the present call for some work.
    #[inline]
    pub fn charge(&mut self, work: u64) {
        self.meter.charge(work);
    }

    /// Sets what the present call has taken, if it was counted elsewhere with all that was charged.
    #[inline]
    pub fn set_work(&mut self, work: u64) {
        self.meter.set(work);
    }

    /// As [`UnitContext::charge`], and says what for.
    #[inline]
    pub fn pay(&mut self, toll: Toll, work: u64) {
        self.meter.pay(toll, work);
    }

    /// What the present call took most of a whole call's work for.
    pub fn dearest(&self) -> Option<Toll> {
        self.meter.dearest()
    }

    /// Charges for one look at a list.
    pub fn pay_look(&mut self, source: Source) {
        let look = self.look(source);
        self.pay(Toll::Lists, look);
    }

    fn look(&self, source: Source) -> u64 {
        let at = match source {
            Source::Neighbors => 0,
            Source::Others => 1,
            Source::Enemies => 2,
            Source::View(_) => 3,
        };
        let group = self.frozen.world.units.group.get(self.unit);
        let facts = group.and_then(|group| self.frozen.facts.get(*group as usize));
        facts.map_or(0, |facts| u64::from(facts.looks[at]))
    }

    /// Charges for gathering the units of a source, once a call: whether a behavior before did it
    /// already does not matter.
    fn pay_gathering(&mut self, source: Source) {
        let bit = bit(source);
        if self.gathered & bit == 0 {
            self.gathered |= bit;
            self.pay(Toll::Lists, GATHERING * self.look(source));
        }
    }

    /// The same for bringing them into order.
    fn pay_sorting(&mut self, source: Source) {
        let bit = bit(source);
        if self.sorted & bit == 0 {
            self.sorted |= bit;
            self.pay_gathering(source);
            self.pay(Toll::Lists, SORTING * self.look(source));
        }
    }

    /// Marks the unit; shown, and visible to all in the next step.
    pub fn mark(&mut self, bits: u64) {
        self.marks |= bits;
    }

    /// The marks set for this unit so far.
    pub fn marks(&self) -> u64 {
        self.marks
    }

    /// Whether somebody looks at drawings.
    pub fn is_recording(&self) -> bool {
        self.recording
    }

    /// Records a drawing if somebody looks.
    pub fn draw(&mut self, shape: impl FnOnce() -> Shape) {
        if self.recording && self.drawn < MOST_DRAWINGS {
            self.drawn += 1;
            self.drawings.push(Drawing {
                unit: self.unit,
                slot: self.slot,
                shape: shape(),
            });
        }
    }
}
