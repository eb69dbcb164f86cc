//! State and nothing else: units as arrays by field, groups, bodies, views, obstacles.
//!
//! Lengths are world units, times seconds, angles radians. Body axes: x to starboard, y forward,
//! z up. In a plane the world's z is always zero.

mod arena;
mod body;
mod contacts;
mod flow;
mod group;
mod names;
mod obstacle;
mod path;
pub mod random;
pub mod testing;
mod units;
mod view;

pub use arena::{Arena, Domain, Edges};
pub use body::{Body, Mover, Rigid};
pub use contacts::{Contact, Contacts};
pub use flow::{Flow, NamedFlow};
pub use group::{Blend, Group};
pub use names::{Names, NamesFull};
pub use obstacle::{Hit, Obstacle, Polygon, PolygonError, Solid, Surface};
pub use path::{NamedPath, Path};
pub use units::{Units, unit_key};
pub use view::{NamedView, View};

use glam::Vec3;

/// Everything that a step reads and changes, but for what behaviors remember.
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
    /// What units see besides each other.
    pub obstacles: Vec<Obstacle>,
    /// What happens when units touch.
    pub contacts: Contacts,
    /// The names behind the bits of kinds.
    pub kinds: Names,
    /// The names behind the bits of marks.
    pub marks: Names,
    /// The point the mouse has set.
    pub target: Option<Vec3>,
    /// The unit that the keyboard steers.
    pub player: Option<usize>,
    /// What the keyboard asks of the player.
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
            obstacles: Vec::new(),
            contacts: Contacts::default(),
            kinds: Names::default(),
            marks: Names::default(),
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

    /// The group that unit `unit` belongs to.
    ///
    /// # Panics
    /// When `unit` is not below the number of units.
    pub fn group_of(&self, unit: usize) -> &Group {
        &self.groups[self.units.group[unit] as usize]
    }
}

/// What the keyboard asks of the player, each from −1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Rudder: + to starboard.
    pub turn: f32,
    /// Elevator, in space: + up.
    pub rise: f32,
    /// Engine: + faster, − slower. Only movers heed it.
    pub power: f32,
}
