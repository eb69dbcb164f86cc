//! The whole state of a world.

use glam::Vec3;

use super::arena::Arena;
use super::contacts::Contacts;
use super::flow::NamedFlow;
use super::group::Group;
use super::names::Names;
use super::obstacles::Obstacles;
use super::path::NamedPath;
use super::units::Units;
use super::view::NamedView;

/// Most signals a world has.
pub const MOST_SIGNALS: usize = 16;

/// Everything that a step reads and changes, except the memory of behaviors.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Where units live and what happens at its edge.
    pub arena: Arena,
    /// Groups in the scene's order; the player's, if any, is the last.
    pub groups: Vec<Group>,
    /// Units, group by group.
    pub units: Units,
    /// The views that groups and scripts name.
    pub views: Vec<NamedView>,
    /// The paths that groups and scripts name.
    pub paths: Vec<NamedPath>,
    /// The flow fields that groups and scripts name.
    pub flows: Vec<NamedFlow>,
    /// Obstacles, in the order of the scene.
    pub obstacles: Obstacles,
    /// What happens when units touch.
    pub contacts: Contacts,
    /// The names behind the bits of kinds.
    pub kinds: Names,
    /// The names behind the bits of marks.
    pub marks: Names,
    /// The names behind the slots of signals.
    pub signals: Names<MOST_SIGNALS>,
    /// The target that the mouse has set.
    pub target: Option<Vec3>,
    /// The unit that the keyboard steers.
    pub player: Option<usize>,
    /// The state of the player's keys.
    pub controls: Controls,
    /// Fixed step, seconds, above zero.
    pub step: f32,
    /// Steps made since the start.
    pub steps: u64,
    /// Key of every random draw.
    pub seed: u64,
}

impl Default for World {
    /// A world with nothing in it: a plane of size 1, open at its edges.
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            groups: Vec::new(),
            units: Units::default(),
            views: Vec::new(),
            paths: Vec::new(),
            flows: Vec::new(),
            obstacles: Obstacles::default(),
            contacts: Contacts::default(),
            kinds: Names::default(),
            marks: Names::default(),
            signals: Names::default(),
            target: None,
            player: None,
            controls: Controls::default(),
            step: 1.0 / 60.0,
            steps: 0,
            seed: 0,
        }
    }
}

impl World {
    /// Simulated seconds since the start.
    pub fn time(&self) -> f32 {
        (self.steps as f64 * f64::from(self.step)) as f32
    }

    /// Gives signals their slots, as far as there are any; those that are known keep theirs.
    pub fn name_signals(&mut self, names: &[String]) {
        self.signals.intern_all(names);
        self.fit_signals();
    }

    /// Gives every unit a value for every signal.
    pub fn fit_signals(&mut self) {
        let (count, units) = (self.signals.all().len(), self.units.len());
        self.units.signals.resize(count, units);
    }

    /// The group that unit `unit` belongs to.
    ///
    /// # Panics
    /// When `unit` is not below the number of units.
    pub fn group_of(&self, unit: usize) -> &Group {
        &self.groups[self.units.group[unit] as usize]
    }
}

/// What the player's keys steer, each from −1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Rudder: + to starboard.
    pub turn: f32,
    /// Elevator, in space: + up.
    pub rise: f32,
    /// Engine: + faster, − slower. For movers alone.
    pub power: f32,
}
