//! The complete state of a world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::arena::Arena;
use super::body::Body;
use super::carriers::Carriers;
use super::clock::PastSteps;
use super::contacts::Contacts;
use super::flow::NamedFlow;
use super::group::Group;
use super::names::Names;
use super::obstacle::Obstacle;
use super::obstacles::Obstacles;
use super::path::NamedPath;
use super::route::Route;
use super::scalar_grid::ScalarGrid;
use super::splice::Splice;
use super::units::{Units, child_key};
use super::view::NamedView;
use super::zone::Zone;

/// Maximum number of signals in a world.
pub const MAX_SIGNALS: usize = 16;

/// All data that a step reads and writes, except the memory of behaviors.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Extent and edge behavior.
    pub arena: Arena,
    /// Groups in the order of the scene; the player's group, if any, is the last.
    pub groups: Vec<Group>,
    /// Units, sorted by group.
    pub units: Units,
    /// The body of each unit if bodies differ by unit, else empty. A function of groups, keys and seed; see
    /// [`World::fit_bodies`].
    pub bodies: Arc<[Body]>,
    /// The views that groups and scripts refer to by name.
    pub views: Vec<NamedView>,
    /// The paths that groups and scripts refer to by name.
    pub paths: Vec<NamedPath>,
    /// The flow fields that groups and scripts refer to by name.
    pub flows: Vec<NamedFlow>,
    /// The routes among the flow fields, each with its index.
    pub routes: Arc<[(usize, Route)]>,
    /// Obstacles, in the order of the scene.
    pub obstacles: Obstacles,
    /// The obstacles that move, each with its index, as they are at the start.
    pub movers: Arc<[(usize, Obstacle)]>,
    /// The units that carry obstacles, with the obstacles that each sees.
    pub carriers: Carriers,
    /// Areas that units pass through, in the order of their names.
    pub zones: Vec<Zone>,
    /// The zones of the last step, if a reload has changed them since: units leave and enter the present ones in the next step.
    pub former_zones: Option<Vec<Zone>>,
    /// By name of a group whose number of units a reload changed: the number of start indices that have had a unit. Keys of
    /// removed units are not used again.
    pub started: BTreeMap<String, usize>,
    /// By name of a group whose units were born or died by requests of behaviors: the numbers of births and deaths so far.
    pub population: BTreeMap<String, [u64; 2]>,
    /// Environment grids, in the order of the scene.
    pub grids: Vec<ScalarGrid>,
    /// Contact responses of units.
    pub contacts: Contacts,
    /// The names of kinds, by bit.
    pub kinds: Names,
    /// The names of marks, by bit.
    pub marks: Names,
    /// The names of signals, by slot.
    pub signals: Names<MAX_SIGNALS>,
    /// The target set with the mouse.
    pub target: Option<Vec3>,
    /// The index of the unit that the keyboard steers.
    pub player: Option<usize>,
    /// The state of the player's keys.
    pub controls: Controls,
    /// Time step in seconds, above zero. While the world runs, [`World::set_step`] changes it.
    pub step: f32,
    /// Number of steps since the start.
    pub steps: u64,
    /// The steps that had another duration.
    pub past: PastSteps,
    /// Seed of all random draws.
    pub seed: u64,
}

impl Default for World {
    /// An empty world: an open plane of size 1.
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            groups: Vec::new(),
            units: Units::default(),
            bodies: Arc::default(),
            views: Vec::new(),
            paths: Vec::new(),
            flows: Vec::new(),
            routes: Arc::default(),
            obstacles: Obstacles::default(),
            movers: Arc::default(),
            carriers: Carriers::default(),
            zones: Vec::new(),
            former_zones: None,
            started: BTreeMap::new(),
            population: BTreeMap::new(),
            grids: Vec::new(),
            contacts: Contacts::default(),
            kinds: Names::default(),
            marks: Names::default(),
            signals: Names::default(),
            target: None,
            player: None,
            controls: Controls::default(),
            step: 1.0 / 60.0,
            steps: 0,
            past: PastSteps::default(),
            seed: 0,
        }
    }
}

impl World {
    /// Assigns slots to new signals while any are free; known signals are unchanged.
    pub fn name_signals(&mut self, names: &[String]) {
        self.signals.intern_all(names);
        self.fit_signals();
    }

    /// Replaces the names of marks and signals; units retain the marks and values of names that remain.
    pub fn set_names(&mut self, marks: &[String], signals: &[String]) {
        if self.marks.all() != marks {
            let old = std::mem::take(&mut self.marks);
            self.marks.intern_all(marks);
            let bits = self.marks.bits_of(old.all());
            self.units.marks.iter_mut().for_each(|mask| *mask = mapped(*mask, &bits));
        }
        if self.signals.all() != signals {
            let old = std::mem::take(&mut self.signals);
            self.signals.intern_all(signals);
            let origin: Vec<_> = self.signals.all().iter().map(|name| old.index(name)).collect();
            self.units.signals = self.units.signals.rearranged(&origin, self.units.len());
        }
        self.fit_signals();
    }

    /// Resizes the signal array to all units and signals.
    pub fn fit_signals(&mut self) {
        let (count, units) = (self.signals.all().len(), self.units.len());
        self.units.signals.resize(count, units);
    }

    /// Removes and inserts units; `targets` are the new indices of the previous ones, see [`Splice::targets`], and `new` are
    /// the new ones, by group. A removed player is no longer steered.
    ///
    /// # Panics
    /// If `splice` is not a change of these units.
    pub fn splice(&mut self, splice: &Splice, targets: &[Option<usize>], new: &mut Units) {
        self.player = self.player.and_then(|player| targets.get(player).copied()?);
        if self.has_varied_bodies() {
            let body =
                |unit: usize| self.groups[usize::from(new.group[unit])].body_of(self.seed, new.key[unit]);
            let drawn: Vec<_> = (0..new.len()).map(body).collect();
            self.bodies = splice.all(&self.bodies, &drawn, 1).into();
        }
        self.units.splice(splice, targets, new);
        for (group, units) in self.groups.iter_mut().zip(splice.groups()) {
            group.units = units;
        }
    }

    fn has_varied_bodies(&self) -> bool {
        self.groups.iter().any(|group| !group.drawn.is_empty())
    }

    /// Draws the bodies of all units, if any differ by unit; required after units or groups changed.
    pub fn fit_bodies(&mut self) {
        if !self.has_varied_bodies() {
            self.bodies = Arc::default();
            return;
        }
        let units = self.units.key.iter().zip(&self.units.group);
        let body = |(key, group): (&u64, &u16)| self.groups[*group as usize].body_of(self.seed, *key);
        self.bodies = units.map(body).collect();
    }

    /// Returns the body of a unit.
    ///
    /// # Panics
    /// If `unit` is not below the number of units.
    pub fn body_of(&self, unit: usize) -> &Body {
        self.bodies.get(unit).unwrap_or_else(|| &self.group_of(unit).body)
    }

    /// Returns the shape at an index: the obstacles are followed by the areas of zones.
    ///
    /// # Panics
    /// If `index` is not below the number of obstacles and zones.
    pub fn shape(&self, index: usize) -> &Obstacle {
        let zone = index.wrapping_sub(self.obstacles.len());
        self.obstacles.get(index).unwrap_or_else(|| &self.zones[zone].area)
    }

    /// Returns a function that returns unused keys for units that are added by hand between two steps: copies of the unit with a
    /// key.
    pub fn free_keys(&self) -> impl FnMut(u64) -> u64 {
        // The ordinals of units that behaviors spawn are lower.
        const FIRST: u32 = 1 << 16;
        let mut known: BTreeSet<u64> = self.units.key.iter().copied().collect();
        let step = self.steps;
        move |of| {
            let mut keys = (FIRST..).map(|ordinal| child_key(of, step, ordinal));
            keys.find(|key| known.insert(*key)).unwrap_or(of)
        }
    }

    /// Returns the zone at an index: the present zones are followed by [`World::former_zones`].
    pub fn zone(&self, index: usize) -> Option<&Zone> {
        self.zones.iter().chain(self.former_zones.iter().flatten()).nth(index)
    }

    /// Returns the index of the zone with a name, a present one if there is one; see [`World::zone`].
    pub fn zone_index(&self, name: &str) -> Option<usize> {
        let mut zones = self.zones.iter().chain(self.former_zones.iter().flatten());
        zones.position(|zone| zone.name == name)
    }

    /// Returns the group of a unit.
    ///
    /// # Panics
    /// If `unit` is not below the number of units.
    pub fn group_of(&self, unit: usize) -> &Group {
        &self.groups[self.units.group[unit] as usize]
    }
}

/// Returns a mask whose bits are those of the set bits of `mask`, by index.
pub(crate) fn mapped(mask: u64, bits: &[u64]) -> u64 {
    bits.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).fold(0, |all, (_, bit)| all | bit)
}

/// The player's controls, each from −1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// Rudder: positive to starboard.
    pub turn: f32,
    /// Elevator, in space: positive is up.
    pub rise: f32,
    /// Engine: positive accelerates, negative brakes. Movers only.
    pub power: f32,
}
