//! Lists of what one unit sees, gathered on demand.

use glam::Vec3;

use super::Grid;
use crate::world::World;

/// Number and means of the units of a list; the unit's own where there are none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Crowd {
    /// How many.
    pub count: u32,
    /// Mean apparent position.
    pub position: Vec3,
    /// Mean velocity.
    pub velocity: Vec3,
}

/// A unit in a list: where it appears to be, which may be across the edge of the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Index of the unit.
    pub unit: usize,
    /// Its apparent position.
    pub position: Vec3,
    /// Squared distance from the unit that looks.
    pub distance_squared: f32,
}

/// Which units a list holds. None ever holds the unit that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The unit's own group and friend kinds, in the group's view.
    Neighbors,
    /// Every unit but the player, in the group's view.
    Others,
    /// Units with an enemy kind, nearer than the group's sense range, in every direction.
    Enemies,
    /// Every unit but the player, in the world's view of this index.
    View(usize),
}

/// A handle to a list: its source, and how near a unit must be to count (the distance is inside).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List {
    /// What is listed.
    pub source: Source,
    /// Reach within the source; infinite for all of it.
    pub within: f32,
}

/// The lists of one unit, kept until the next unit is looked at.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    unit: usize,
    /// Neighbors, others, enemies, then the views.
    lists: Vec<Gathered>,
}

#[derive(Clone, Debug, Default)]
struct Gathered {
    ready: bool,
    sorted: bool,
    seen: Vec<Seen>,
}

impl Sight {
    /// Turns to another unit and forgets what the last one saw.
    pub fn turn_to(&mut self, unit: usize, world: &World) {
        self.unit = unit;
        self.lists
            .resize_with(3 + world.views.len(), Gathered::default);
        for list in &mut self.lists {
            list.ready = false;
        }
    }

    /// The units of `list`, in no particular order but always in the same one.
    pub fn units(&mut self, list: List, world: &World, grid: &Grid) -> impl Iterator<Item = Seen> {
        let limit = list.within * list.within;
        let gathered = self.gathered(list.source, world, grid);
        gathered
            .seen
            .iter()
            .copied()
            .filter(move |seen| seen.distance_squared <= limit)
    }

    /// The `index`-th nearest unit of `list`; equally near ones in the order of their index.
    pub fn nth(&mut self, list: List, index: usize, world: &World, grid: &Grid) -> Option<Seen> {
        let gathered = self.gathered(list.source, world, grid);
        if !gathered.sorted {
            gathered.seen.sort_unstable_by(|a, b| {
                a.distance_squared
                    .total_cmp(&b.distance_squared)
                    .then(a.unit.cmp(&b.unit))
            });
            gathered.sorted = true;
        }
        let seen = gathered.seen.get(index)?;
        (seen.distance_squared <= list.within * list.within).then_some(*seen)
    }

    /// The units of `list`, nearest first.
    pub fn ordered(&mut self, list: List, world: &World, grid: &Grid) -> &[Seen] {
        let _ = self.nth(list, 0, world, grid);
        let seen = &self.gathered(list.source, world, grid).seen;
        let limit = list.within * list.within;
        &seen[..seen.partition_point(|seen| seen.distance_squared <= limit)]
    }

    /// The nearest unit of `list`; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Seen> {
        self.units(list, world, grid).reduce(|best, seen| {
            let nearer = (seen.distance_squared, seen.unit) < (best.distance_squared, best.unit);
            if nearer { seen } else { best }
        })
    }

    fn gathered(&mut self, source: Source, world: &World, grid: &Grid) -> &mut Gathered {
        let slot = match source {
            Source::Neighbors => 0,
            Source::Others => 1,
            Source::Enemies => 2,
            Source::View(view) => 3 + view,
        };
        let list = &mut self.lists[slot];
        if !list.ready {
            list.ready = true;
            list.sorted = false;
            list.seen.clear();
            gather(&mut list.seen, self.unit, source, world, grid);
        }
        list
    }
}

fn gather(into: &mut Vec<Seen>, unit: usize, source: Source, world: &World, grid: &Grid) {
    let units = &world.units;
    let group = world.group_of(unit);
    let position = units.position[unit];
    let mut add = |other: usize, offset: Vec3, distance_squared: f32| {
        into.push(Seen {
            unit: other,
            position: position + offset,
            distance_squared,
        });
    };
    if source == Source::Enemies {
        let limit = group.sense * group.sense;
        grid.each_within(position, group.sense, |other, offset, distance_squared| {
            let enemy = world.group_of(other).kinds & group.enemies != 0;
            if enemy && other != unit && distance_squared < limit {
                add(other, offset, distance_squared);
            }
        });
        return;
    }
    let Some(view) = (match source {
        Source::View(view) => Some(view),
        _ => group.view,
    }) else {
        return;
    };
    let view = &world.views[view].view;
    let (heading, up, starboard) = (units.heading[unit], units.up[unit], units.starboard(unit));
    grid.each_within(
        position,
        view.radius(),
        |other, offset, distance_squared| {
            let wanted = match source {
                Source::Neighbors => {
                    units.group[other] == units.group[unit]
                        || world.group_of(other).kinds & group.friends != 0
                }
                _ => world.player != Some(other),
            };
            let local = Vec3::new(offset.dot(starboard), offset.dot(heading), offset.dot(up));
            if wanted && other != unit && view.admits(local) {
                add(other, offset, distance_squared);
            }
        },
    );
}
