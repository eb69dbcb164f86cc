//! What one unit sees, worked out when it is first asked for.

use super::crowd::{self, Crowd, Sums};
use super::gathered::Gathered;
use super::question::Question;
use super::seam::Laps;
use super::{Grid, List, Seen, Source};
use crate::world::World;

/// Most crowds of one unit that are kept.
const CROWDS: usize = 8;

/// Most blocks that are worth a look for a list that has not been asked for yet.
const FEW: usize = 32;

/// The lists of one unit, kept until the next unit is looked at.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    unit: usize,
    /// Where it stands in the order of the grid, if whoever turned to it knows.
    slot: Option<u32>,
    /// Counts the units looked at: what was gathered at another turn is out of date.
    turn: u64,
    /// By the place of their source.
    lists: Vec<Listed>,
    /// The latest, in a ring.
    crowds: Vec<(u64, Crowd)>,
    oldest: usize,
    /// Lists of which units before wanted the crowds.
    habits: Vec<List>,
}

/// What is known of a source.
#[derive(Clone, Debug, Default)]
struct Listed {
    question: Question,
    gathered: Gathered,
    /// The turn it was gathered in.
    turn: u64,
}

impl Sight {
    /// Turns to another unit and forgets what the last one saw.
    #[inline]
    pub fn turn_to(&mut self, unit: usize) {
        self.unit = unit;
        self.slot = None;
        self.turn += 1;
        self.crowds.clear();
    }

    /// Turns to the unit that stands in slot `slot` of the grid's order.
    #[inline]
    pub fn turn_to_slot(&mut self, unit: usize, slot: u32) {
        self.turn_to(unit);
        self.slot = Some(slot);
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
    pub fn crowd(&mut self, list: List, world: &World, grid: &Grid) -> &Crowd {
        let key = list.key();
        let known = self.crowds.iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| self.look(list, world, grid));
        &self.crowds[at].1
    }

    /// How many units a list holds.
    pub fn count(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        self.crowd(list, world, grid).count as usize
    }

    /// The nearest unit of `list`; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Seen> {
        let gathered = self.gathered(list.source, world, grid);
        let nearest = gathered.nearest(&world.units.position)?;
        (nearest.distance_squared <= list.limit()).then_some(nearest)
    }

    /// The `index`-th nearest unit of `list`; equally near ones in the order of their index.
    #[inline]
    pub fn nth(&mut self, list: List, index: usize, world: &World, grid: &Grid) -> Option<Seen> {
        let gathered = self.gathered(list.source, world, grid);
        let seen = gathered.ordered(&world.units.position).get(index)?;
        (seen.distance_squared <= list.limit()).then_some(*seen)
    }

    /// The units of `list`, nearest first; equally near ones in the order of their index. All lists
    /// of one source are the beginning of one slice, which stays where it is until the next turn.
    #[inline]
    pub fn ordered(&mut self, list: List, world: &World, grid: &Grid) -> &[Seen] {
        let gathered = self.gathered(list.source, world, grid);
        let seen = gathered.ordered(&world.units.position);
        if list.within == f32::INFINITY {
            return seen;
        }
        let limit = list.limit();
        &seen[..seen.partition_point(|seen| seen.distance_squared <= limit)]
    }

    #[inline(always)]
    fn gathered(&mut self, source: Source, world: &World, grid: &Grid) -> &mut Gathered {
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
        let asker = grid.asker(self.slot(grid));
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

    #[inline(always)]
    fn slot(&self, grid: &Grid) -> usize {
        self.slot
            .map_or_else(|| grid.slot(self.unit), |slot| slot as usize)
    }

    fn listed(&mut self, source: Source) -> &mut Listed {
        let place = source.place();
        if self.lists.len() <= place {
            self.lists.resize_with(place + 1, Listed::default);
        }
        &mut self.lists[place]
    }

    /// Works out a crowd, and keeps it. Units of a group mostly ask for the same lists, so one pass
    /// serves another list, too, that units before asked for.
    fn look(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        let asker = grid.asker(self.slot(grid));
        let ask = grid.asks.of(asker.group, list.source);
        let means = |sums: Sums| sums.crowd(asker.position, asker.velocity);
        let limit = ask.limit.min(list.limit());
        if limit < 0.0 {
            return self.keep(list, means(Sums::default()));
        }
        let (mut other, reach) = self.companion(list);
        let question = &mut self.listed(list.source).question;
        question.ask(reach, ask, &asker, grid);
        if other.is_some() && question.blocks().len() > FEW {
            other = None;
            question.ask(list, ask, &asker, grid);
        }
        if ask.view.is_some() || matches!(question.laps, Laps::Many(_)) {
            let gathered = self.gathered(list.source, world, grid);
            let sums = gathered.sums(limit, &world.units, grid);
            return self.keep(list, means(sums));
        }
        let also = other.map_or(-1.0, |other| ask.limit.min(other.limit()));
        let [sums, others] = crowd::around(grid, ask, question, [limit, also]);
        if let Some(other) = other {
            self.keep(other, means(others));
        }
        self.keep(list, means(sums))
    }

    /// Another list of the same source that is likely to be asked for, and the longer of both.
    fn companion(&mut self, list: List) -> (Option<List>, List) {
        let (key, mut other, mut habit) = (list.key(), None, false);
        for known in &self.habits {
            if known.key() == key {
                habit = true;
            } else if known.source == list.source && other.is_none() {
                let key = known.key();
                let done = self.crowds.iter().any(|(done, _)| *done == key);
                other = (!done).then_some(*known);
            }
        }
        if !habit && self.habits.len() < CROWDS {
            self.habits.push(list);
        }
        let longer = other.filter(|other| other.within > list.within);
        (other, longer.unwrap_or(list))
    }

    fn keep(&mut self, list: List, crowd: Crowd) -> usize {
        if self.crowds.len() < CROWDS {
            self.crowds.push((list.key(), crowd));
            return self.crowds.len() - 1;
        }
        self.oldest = (self.oldest + 1) % CROWDS;
        self.crowds[self.oldest] = (list.key(), crowd);
        self.oldest
    }
}
