//! What one unit sees, worked out when it is first asked for.

use super::around::around;
use super::cohort::Cohort;
use super::gathered::NeighborList;
use super::known::MeansCache;
use super::means::{NeighborMeans, NeighborMeansX8};
use super::question::Question;
use super::{Grid, List, Neighbor, Source};
use crate::world::World;

/// Most habits that are remembered.
const HABITS: usize = 8;

/// The lists of one unit, kept until the next unit is looked at, and the means_of_eight of those that look
/// around with it, kept until the next of them come up.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    unit: usize,
    cohort: Cohort,
    /// Where the unit stands in the cohort; past its end if it is not known where the unit stands.
    lane: usize,
    /// Counts the units looked at: what was gathered at another turn is out of date.
    turn: u64,
    /// By the place of their source.
    lists: Vec<Listed>,
    known: MeansCache,
    /// Lists of which others before wanted the means_of_eight.
    habits: Vec<List>,
    /// Slots to look at.
    runs: Vec<[u32; 2]>,
}

/// What is known of a source.
#[derive(Clone, Debug, Default)]
struct Listed {
    question: Question,
    gathered: NeighborList,
    /// The turn it was gathered in.
    turn: u64,
}

impl Sight {
    /// Turns to another unit and forgets what the last one saw.
    #[inline]
    pub fn turn_to(&mut self, unit: usize) {
        self.turn += 1;
        self.unit = unit;
        self.cohort.count = 0;
        self.lane = 0;
        self.known.clear();
    }

    /// Faces what the first of `rows` and some of the next see; the answer is how many. Rows are units
    /// of one group and their slots in the order of the grid, at least one.
    #[inline]
    pub fn face(&mut self, rows: &[[u32; 2]], grid: &Grid) -> usize {
        self.known.clear();
        self.cohort.form(rows, grid);
        self.cohort.count
    }

    /// Turns to `unit`, which is number `lane` of those that are faced.
    #[inline]
    pub fn turn_to_lane(&mut self, unit: usize, lane: usize) {
        self.turn += 1;
        self.unit = unit;
        self.lane = lane;
    }

    /// Forgets what it knows of the world, as the next units live in another.
    pub fn forget(&mut self) {
        self.turn_to(0);
        self.habits.clear();
        for listed in &mut self.lists {
            listed.question.forget();
        }
    }

    /// The means over a list. They are the same whatever else was asked before.
    #[inline]
    pub fn means(&mut self, list: List, world: &World, grid: &Grid) -> NeighborMeans {
        let (means_of_eight, lane) = self.means_of_eight(list, world, grid);
        means_of_eight.of(lane)
    }

    /// As [`Sight::means`]: those of all units that are faced, and the unit's lane.
    #[inline]
    pub fn means_of_eight(
        &mut self,
        list: List,
        world: &World,
        grid: &Grid,
    ) -> (&NeighborMeansX8, usize) {
        let known = self.known.find(list.key(), self.lane);
        let at = known.unwrap_or_else(|| self.look(list, world, grid));
        (self.known.at(at), self.lane)
    }

    /// The means_of_eight that are known, and the unit's lane in them.
    pub fn known(&self) -> (&MeansCache, usize) {
        (&self.known, self.lane)
    }

    /// How many units a list holds.
    pub fn count(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        self.means(list, world, grid).count as usize
    }

    /// The nearest unit of `list`; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list.source, world, grid);
        let nearest = gathered.nearest(&world.units.position)?;
        (nearest.distance_squared <= list.limit()).then_some(nearest)
    }

    /// The `index`-th nearest unit of `list`; equally near ones in the order of their index.
    #[inline]
    pub fn nth(
        &mut self,
        list: List,
        index: usize,
        world: &World,
        grid: &Grid,
    ) -> Option<Neighbor> {
        let gathered = self.gathered(list.source, world, grid);
        let seen = gathered.ordered(&world.units.position).get(index)?;
        (seen.distance_squared <= list.limit()).then_some(*seen)
    }

    /// The units of `list`, nearest first; equally near ones in the order of their index. All lists
    /// of one source are the beginning of one slice, which stays where it is until the next turn.
    #[inline]
    pub fn ordered(&mut self, list: List, world: &World, grid: &Grid) -> &[Neighbor] {
        let gathered = self.gathered(list.source, world, grid);
        let seen = gathered.ordered(&world.units.position);
        if list.within == f32::INFINITY {
            return seen;
        }
        let limit = list.limit();
        &seen[..seen.partition_point(|seen| seen.distance_squared <= limit)]
    }

    #[inline(always)]
    fn gathered(&mut self, source: Source, world: &World, grid: &Grid) -> &mut NeighborList {
        let place = source.place();
        let ready = self
            .lists
            .get(place)
            .is_some_and(|listed| listed.turn == self.turn);
        if !ready {
            self.gather(source, world, grid);
        }
        &mut self.lists[place].gathered
    }

    #[inline(never)]
    fn gather(&mut self, source: Source, world: &World, grid: &Grid) {
        self.find(grid);
        let asker = grid.asker(self.cohort.slots[self.lane] as usize);
        let (unit, turn) = (self.unit, self.turn);
        let listed = self.listed(source);
        listed.turn = turn;
        listed.gathered.clear();
        let ask = grid.asks.of(asker.group, source);
        if ask.limit >= 0.0 {
            let question = &mut listed.question;
            question.ask(List::all(source), ask, &asker, grid);
            (listed.gathered).gather((ask, question), (unit, &world.units), grid);
        }
    }

    /// A unit that nobody told about looks around alone.
    #[inline(always)]
    fn find(&mut self, grid: &Grid) {
        if self.cohort.count == 0 {
            let slot = grid.slot(self.unit) as u32;
            self.cohort.form(&[[self.unit as u32, slot]], grid);
        }
    }

    fn listed(&mut self, source: Source) -> &mut Listed {
        let place = source.place();
        if self.lists.len() <= place {
            self.lists.resize_with(place + 1, Listed::default);
        }
        &mut self.lists[place]
    }

    /// Works out the means_of_eight of a list, and keeps them. Units of a group mostly ask for the same lists,
    /// so one pass serves another list, too, that others before asked for.
    #[inline(never)]
    fn look(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        self.find(grid);
        let ask = grid.asks.of(self.cohort.group, list.source);
        let limit = ask.limit.min(list.limit());
        if limit < 0.0 {
            let mut nobody = NeighborMeansX8::default();
            nobody.fill(self.lane, &self.cohort, std::iter::empty());
            return self.known.keep_for(self.lane, list.key(), nobody);
        }
        if ask.view.is_some() || grid.seam.is_far() {
            let mut means_of_eight = NeighborMeansX8::default();
            self.gathered(list.source, world, grid);
            let gathered = &self.lists[list.source.place()].gathered;
            let others = gathered.within(limit, &world.units);
            means_of_eight.fill(self.lane, &self.cohort, others);
            return self.known.keep_for(self.lane, list.key(), means_of_eight);
        }
        let (other, longer) = self.companion(list);
        let reach = ask.reach.min(longer.within);
        let laps = self.cohort.look(reach, ask, grid, &mut self.runs);
        let also = other.map_or(-1.0, |other| ask.limit.min(other.limit()));
        let (runs, limits) = (&self.runs, [limit, also]);
        let [means_of_eight, others] = around(grid, (ask, laps), (&self.cohort, runs), limits);
        if let Some(other) = other {
            self.known.keep(other.key(), others);
        }
        self.known.keep(list.key(), means_of_eight)
    }

    /// Another list of the same source that is likely to be asked for, and the longer of both.
    fn companion(&mut self, list: List) -> (Option<List>, List) {
        let (key, mut other, mut habit) = (list.key(), None, false);
        for known in &self.habits {
            if known.key() == key {
                habit = true;
            } else if known.source == list.source && other.is_none() {
                let key = known.key();
                let done = self.known.find(key, self.lane).is_some();
                other = (!done).then_some(*known);
            }
        }
        if !habit && self.habits.len() < HABITS {
            self.habits.push(list);
        }
        let longer = other.filter(|other| other.within > list.within);
        (other, longer.unwrap_or(list))
    }
}
