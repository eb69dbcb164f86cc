//! Editing units: moving, throwing, adding, duplicating and removing.

use glam::{Vec2, Vec3};
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::UnitState;
use steerbox_core::world::KeySet;
use steerbox_project::session::{Input, Options};
use steerbox_scene::{MAX_UNITS, Rearrange, newcomer};

use crate::commands::action::SessionAction;
use crate::model::editor::Request;
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::question::Waiting;
use crate::model::view_state::ViewState;

/// Distance from a unit to its copy, in its lengths.
const COPY_OFFSET: f32 = 1.5;

impl LiveSession {
    /// Simulated seconds per second of wall time.
    pub(crate) fn rate(&self) -> f32 {
        self.run.generation.scene.speed * self.speed
    }

    /// Shows units while they are dragged; in the past, only the release has an effect.
    pub(crate) fn hold_units(&mut self, moved: &[(u64, Motion)]) {
        self.run.hold(Input::MoveUnits(moved.to_vec()));
    }

    /// Moves units to the end of a drag.
    pub(crate) fn move_units(&mut self, moved: Vec<(u64, Motion)>) {
        self.run.input(Input::MoveUnits(moved));
    }

    /// The number of units that can be added.
    pub(crate) fn room(&self) -> usize {
        MAX_UNITS.saturating_sub(self.run.simulation.world().units.len())
    }

    /// True if the scene has room for `more` units; otherwise logs the reason.
    pub(crate) fn has_room(&mut self, more: usize) -> bool {
        let has_room = more <= self.room();
        if !has_room {
            self.log_note(&format!("no units added: a scene holds at most {MAX_UNITS}"));
        }
        has_room
    }

    /// Adds units. Returns false and adds none if there would be too many.
    pub(crate) fn add_units(&mut self, states: Vec<UnitState>) -> bool {
        let has_room = self.has_room(states.len());
        if has_room {
            self.run.input(Input::AddUnits(states));
        }
        has_room
    }

    pub(crate) fn remove_units(&mut self, keys: Vec<u64>) {
        self.run.input(Input::RemoveUnits(keys));
    }

    /// The units without the player's, which cannot be removed or duplicated.
    pub(crate) fn without_player(&mut self, units: &[usize]) -> Vec<usize> {
        let player = self.run.simulation.world().player;
        if units.iter().any(|unit| Some(*unit) == player) {
            self.log_note("the player cannot be removed or duplicated");
        }
        units.iter().copied().filter(|unit| Some(*unit) != player).collect()
    }

    /// Copies of units, placed beside them.
    fn copies(&self, units: &[usize]) -> Vec<UnitState> {
        let world = self.run.simulation.world();
        let mut free_key = world.free_keys();
        let states = self.run.simulation.unit_states(units.iter().copied());
        let copy = |state: UnitState| {
            let group = world.groups.iter().find(|group| *group.name == *state.group)?;
            let beside = Vec3::new(1.0, -1.0, 0.0) * (group.body.length() * COPY_OFFSET);
            let motion = Motion { position: state.motion.position + beside, ..state.motion };
            Some(UnitState { key: free_key(state.key), motion, born: world.steps, at: usize::MAX, ..state })
        };
        states.into_iter().filter_map(copy).collect()
    }

    fn log_note(&mut self, text: &str) {
        let step = self.run.simulation.world().steps;
        self.log.add_once(Tone::Plain, step, text);
    }
}

impl ViewState {
    /// Removes the selection.
    pub(crate) fn remove_selected(&mut self, session: &mut LiveSession) {
        self.rearrange_selected(Rearrange::Remove, session);
        if let Some(at) = self.selection.obstacle() {
            self.remove_obstacle(at, session);
            return;
        }
        let units = session.without_player(self.selection.units());
        if !units.is_empty() {
            self.act(session, SessionAction::RemoveUnits(units));
        }
    }

    /// Moves the selected obstacle, or the selected units, by points of the screen.
    pub(crate) fn nudge(&mut self, way: Vec2, session: &mut LiveSession) {
        if let Some(at) = self.selection.obstacle() {
            self.nudge_obstacle(at, way, session);
            return;
        }
        let states = session.run.simulation.unit_states(self.selection.units().iter().copied());
        let from: Vec<_> = states.iter().map(|state| (state.key, state.motion)).collect();
        let Some((_, last)) = from.last() else {
            return;
        };
        let way = self.camera.across(way * self.camera.pixels_per_point(), last.position);
        let moved =
            |(key, motion): &(u64, Motion)| (*key, Motion { position: motion.position + way, ..*motion });
        let to = from.iter().map(moved).collect();
        self.act(session, SessionAction::MoveUnits { from, to });
    }

    /// Duplicates the selection, and selects the copies.
    pub(crate) fn duplicate_selected(&mut self, session: &mut LiveSession) {
        self.rearrange_selected(Rearrange::Duplicate, session);
        if let Some(at) = self.selection.obstacle() {
            self.duplicate_obstacle(at, session);
            return;
        }
        let units = session.without_player(self.selection.units());
        let copies = session.copies(&units);
        if !copies.is_empty() {
            self.add_unless_slow("Duplicate", copies, session);
        }
    }

    /// Adds a unit of a group at the pointer, or in the center of the view; by default of the group of the
    /// selected unit, or of the first.
    pub(crate) fn add_at_pointer(&mut self, group: Option<usize>, session: &mut LiveSession) {
        let world = session.run.simulation.world();
        let scene = &session.run.generation.scene;
        let inspected = self.selection.inspected().and_then(|unit| world.units.group.get(unit));
        let is_players = |group: &usize| scene.groups.get(*group).is_some_and(|plan| plan.is_player);
        let group = group.or(inspected.map(|group| usize::from(*group)).filter(|group| !is_players(group)));
        let Some(new) = newcomer(scene, world, group.unwrap_or(0)) else {
            return;
        };
        let name = world.groups.get(group.unwrap_or(0)).map_or("", |group| &group.name);
        let mut state = UnitState::new(&new, 0, name);
        state.born = world.steps;
        state.motion.position = self.pointed_place();
        self.add_unless_slow("Add", vec![state], session);
    }

    /// Adds units and selects them; opens a question first if they make steps slow. `verb` names the edit.
    fn add_unless_slow(&mut self, verb: &'static str, states: Vec<UnitState>, session: &mut LiveSession) {
        if !session.has_room(states.len()) {
            return;
        }
        self.question = session.question(verb, &states);
        if self.question.is_none() {
            self.add_and_select(states, session);
        }
    }

    /// Executes the edit of the open question, or cancels it.
    pub(crate) fn answer(&mut self, yes: bool, session: &mut LiveSession) {
        if let Some(question) = self.question.take() {
            if matches!(question.edit, Waiting::Files(..) | Waiting::Text(_)) {
                self.editor.request = Some(Request::Focus);
            }
            match question.edit {
                Waiting::Rules(moment, place) if yes => {
                    session.requested_scene = Some(Options::continued(*moment, place));
                }
                Waiting::Rules(..) => session.paused = false,
                _ if !yes => {}
                Waiting::Text(write) => session.act(&SessionAction::WriteTexts(vec![write])),
                Waiting::Scene(write) => {
                    session.act(&SessionAction::WriteTexts(vec![write]));
                    session.act(&SessionAction::Save);
                }
                Waiting::Files(change, origin) => self.change_files(change, origin, session),
                Waiting::Units(states) => self.add_and_select(states, session),
            }
        }
    }

    fn add_and_select(&mut self, states: Vec<UnitState>, session: &mut LiveSession) {
        let keys: KeySet = states.iter().map(|state| state.key).collect();
        self.act(session, SessionAction::AddUnits(states));
        let known = &session.run.simulation.world().units.key;
        let new: Vec<_> = (0..known.len()).filter(|unit| keys.has(known[*unit])).collect();
        if !new.is_empty() {
            self.selection.replace(new);
            self.selection.follow(known);
        }
    }
}
