//! A shipped scene with its scripts, which can be set to any state.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::Vec3;
use steerbox_core::sim::{Contribution, Simulation, Slot};
use steerbox_core::world::{Obstacle, ParamValue, Solid, Units, World, unit_key};
use steerbox_project::reload::{Generation, Handle, KnobName, Loader, Place};

use crate::common::{file, slots};

/// Scripts may need more stack than the thread of a test has.
static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(16 << 20);
    pool.build().expect("a thread")
});

/// A scene, its initial world, and the behaviors of every group.
pub(crate) struct Stage {
    generation: Generation,
    pub(crate) world: World,
    pub(crate) slots: Vec<Vec<Slot>>,
}

/// A unit to be placed: its group, position and motion.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) group: &'static str,
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) heading: Vec3,
}

impl Stage {
    /// Loads a shipped scene by name.
    pub(crate) fn new(scene: &str) -> Self {
        Self::tuned(scene, &[])
    }

    /// Loads a scene with changed parameters: group, script, parameter, value.
    pub(crate) fn tuned(scene: &str, settings: &[(&str, &str, &str, ParamValue)]) -> Self {
        let path = file(&format!("scenes/{scene}"));
        let settings = settings.iter().map(|(group, script, param, value)| {
            let handle = Handle { group: (*group).to_owned(), script: (*script).to_owned(), occurrence: 0 };
            (handle, KnobName::Param((*param).to_owned()), value.clone())
        });
        let loaded = Loader::load(Place::of_scene(&path), settings.collect());
        let (_, generation) = loaded.expect("it reads");
        let simulation = POOL.install(|| generation.start(None));
        let world = simulation.world().clone();
        let slots = slots(&simulation);
        Self { generation, world, slots }
    }

    /// Returns the value of a parameter in the scene.
    pub(crate) fn param(&self, group: &str, script: &str, param: &str) -> ParamValue {
        let planned = self.generation.behaviors.iter().flatten();
        let mut knobs = planned
            .filter(|planned| planned.handle.group == group && planned.handle.script == script)
            .flat_map(|planned| &planned.knobs);
        let name = KnobName::Param(param.to_owned());
        let knob = knobs.find(|knob| knob.name == name);
        knob.unwrap_or_else(|| panic!("no {group}.{script}.{param}")).value.clone()
    }

    /// Returns the value of a numeric parameter.
    pub(crate) fn number(&self, group: &str, script: &str, param: &str) -> f64 {
        match self.param(group, script, param) {
            ParamValue::Number(value) => f64::from(value),
            ParamValue::Integer(value) => value as f64,
            other => panic!("{group}.{script}.{param} is {other:?}"),
        }
    }

    /// Enables or disables a behavior in all groups.
    pub(crate) fn switch(&mut self, script: &str, enabled: bool) {
        let slots = self.slots.iter_mut().flatten();
        for slot in slots.filter(|slot| slot.script == script) {
            slot.enabled = enabled;
        }
    }

    /// Sets the view of all groups except the player's, or removes it.
    pub(crate) fn look_through(&mut self, name: Option<&str>) {
        let views = &self.world.views;
        let view = name.map(|name| views.iter().position(|view| view.name == name));
        let view = view.map(|found| found.expect("the scene names it"));
        for group in &mut self.world.groups {
            group.view = view;
        }
    }

    /// Replaces all units; the player is the unit of the player's group.
    pub(crate) fn place(&mut self, placed: &[Placed]) {
        let world = &mut self.world;
        world.units = Units::default();
        world.player = None;
        for (index, group) in world.groups.iter_mut().enumerate() {
            let first = world.units.len();
            for unit in placed.iter().filter(|unit| unit.group == group.name) {
                let up = if unit.position.z == 0.0 { Vec3::Z } else { Vec3::Y };
                let (axes, units) = ((unit.heading, up), &mut world.units);
                let key = unit_key(&group.name, units.len() - first);
                units.push(unit.position, unit.velocity, axes, index as u16, key);
            }
            group.units = first..world.units.len();
            if group.name == "player" && !group.units.is_empty() {
                world.player = Some(first);
            }
        }
    }

    /// Replaces all obstacles by balls: center and radius.
    pub(crate) fn obstruct(&mut self, balls: impl IntoIterator<Item = (Vec3, f32)>) {
        let balls = balls.into_iter();
        self.world.obstacles =
            balls.map(|(center, radius)| Obstacle::from(Solid::Ball { center, radius })).collect();
    }

    /// Makes one step from the current world.
    pub(crate) fn step(&self) -> Outcome {
        let mut simulation = Simulation::new(self.world.clone(), self.slots.clone());
        POOL.install(|| simulation.step());
        assert_eq!(simulation.reports(), []);
        Outcome { simulation }
    }
}

/// A simulation after one step.
pub(crate) struct Outcome {
    simulation: Simulation,
}

impl Outcome {
    pub(crate) fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Returns the contributions to a unit by script, before gain.
    pub(crate) fn decisions(&self, unit: usize) -> BTreeMap<&str, Contribution> {
        let decisions = self.simulation.decisions(unit);
        decisions.map(|(slot, decided)| (slot.script.as_str(), decided)).collect()
    }

    /// Returns a behavior's turn to starboard, a fraction of the steering force.
    pub(crate) fn turn(&self, unit: usize, script: &str) -> f64 {
        turn(self.decisions(unit).get(script).copied())
    }

    /// Returns a behavior's push.
    pub(crate) fn push(&self, unit: usize, script: &str) -> Vec3 {
        push(self.decisions(unit).get(script).copied())
    }

    pub(crate) fn has_mark(&self, unit: usize, mark: &str) -> bool {
        let bit = self.world().marks.bit(mark);
        bit.is_some_and(|bit| self.world().units.marks[unit] & bit != 0)
    }
}

/// Returns the turn of a contribution in the plane, which must be a turn.
pub(crate) fn turn(decided: Option<Contribution>) -> f64 {
    match decided.expect("the group runs it") {
        Contribution::None => 0.0,
        Contribution::Turn(turn) => {
            assert_eq!(turn.y, 0.0);
            f64::from(turn.x)
        }
        Contribution::Push(push) => panic!("a push: {push}"),
    }
}

/// Returns the push of a contribution, which must be a push.
pub(crate) fn push(decided: Option<Contribution>) -> Vec3 {
    match decided.expect("the group runs it") {
        Contribution::None => Vec3::ZERO,
        Contribution::Push(push) => push,
        Contribution::Turn(turn) => panic!("a turn: {turn}"),
    }
}
