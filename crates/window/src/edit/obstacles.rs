//! Editing obstacles: selecting, adding, duplicating and removing.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Obstacle, SolidKind};
use steerbox_project::session::Input;
use steerbox_scene::{SceneEdit, shifted};

use super::rounding::{round_place, rounded};
use super::shapes::new_solid;
use crate::commands::action::SessionAction;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Points from the middle of a new obstacle to its rim, and from an obstacle to its copy.
const SIZE: f32 = 32.0;
const COPY_OFFSET: f32 = 24.0;

impl LiveSession {
    /// Number of obstacles that the scene lists. All after them are scattered.
    pub(crate) fn listed(&self) -> usize {
        self.run.generation.scene.world.obstacles.len()
    }

    /// The obstacle at an index, as edits refer to it: one that moves is that of the scene's list.
    fn editable(&self, at: usize) -> Option<Obstacle> {
        let now = self.run.simulation.world().obstacles.get(at)?;
        let listed = || self.run.generation.scene.world.obstacles.get(at);
        if now.drive.is_some() { listed().cloned() } else { Some(now.clone()) }
    }

    /// Changes an obstacle or a path of the scene.
    pub(crate) fn edit_scene(&mut self, edit: &SceneEdit) {
        let Err(why) = self.run.edit(edit) else {
            return;
        };
        if let SceneEdit::Obstacle { at, .. } = edit
            && let Some(existing) = self.run.generation.scene.world.obstacles.get(*at).cloned()
        {
            // Restores the listed obstacle, which may have been dragged.
            self.run.hold(Input::Obstacle(*at, existing));
        }
        self.refuse(&why);
    }

    /// Shows an obstacle during a drag.
    pub(crate) fn hold_obstacle(&mut self, at: usize, obstacle: &Obstacle) {
        let all = self.run.simulation.world().obstacles.len();
        let input = if at < self.listed() {
            Input::Obstacle(at, obstacle.clone())
        } else {
            Input::Scattered(all.saturating_sub(at), obstacle.clone())
        };
        self.run.hold(input);
    }

    /// Moves a scattered obstacle, counted back from the last one, for undo. Logs an error if the scene has
    /// scattered other obstacles since.
    pub(crate) fn move_scattered_back(&mut self, back: usize, from: &Obstacle, to: &Obstacle) {
        let obstacles = &self.run.simulation.world().obstacles;
        let now = obstacles.len().checked_sub(back).and_then(|at| obstacles.get(at));
        if now == Some(from) {
            self.move_scattered(back, from, to);
        } else {
            self.refuse("the scattered obstacle is no longer as it was");
        }
    }

    /// Moves a scattered obstacle, by its index from the end; no file stores it.
    pub(crate) fn move_scattered(&mut self, back: usize, from: &Obstacle, to: &Obstacle) {
        let first = self.moved_scatter.0.entry(back).or_insert_with(|| from.clone());
        if first == to {
            self.moved_scatter.0.remove(&back);
        }
        self.run.input(Input::Scattered(back, to.clone()));
    }

    /// Descriptions of all edits of obstacles and paths, with the action that reverts each.
    pub(crate) fn revertible_edits(&self) -> Vec<(String, SessionAction)> {
        let generation = &self.run.generation;
        let changes = generation.scene_edits.changes(&generation.file).into_iter();
        let changes = changes.map(|edit| (edit.words(), SessionAction::EditScene(edit.reversed())));
        let obstacles = &self.run.simulation.world().obstacles;
        let moved_scatter = self.moved_scatter.0.iter().filter_map(|(back, first)| {
            let at = obstacles.len().checked_sub(*back)?;
            let (from, to) = (obstacles.get(at)?.clone(), first.clone());
            Some((
                format!("obstacle {} moved", at + 1),
                SessionAction::MoveScattered { back: *back, from, to },
            ))
        });
        changes.chain(moved_scatter).collect()
    }

    /// The obstacles of the world that differ from the file and the seed.
    pub(crate) fn changed_obstacles(&self) -> Vec<usize> {
        let generation = &self.run.generation;
        let listed =
            generation.scene_edits.changes(&generation.file).into_iter().filter_map(|edit| match edit {
                SceneEdit::Obstacle { at, to: Some(_), .. } => Some(at),
                _ => None,
            });
        let all = self.run.simulation.world().obstacles.len();
        listed.chain(self.moved_scatter.0.keys().filter_map(|back| all.checked_sub(*back))).collect()
    }
}

impl ViewState {
    /// Selects an obstacle alone, or none.
    pub(crate) fn select_obstacle(&mut self, at: Option<usize>, session: &LiveSession) {
        let obstacles = &session.run.simulation.world().obstacles;
        self.selection.pick(at, obstacles);
    }

    /// The pointer's position in the world; the center of the view if it is elsewhere.
    pub(crate) fn pointed_place(&self) -> Vec3 {
        let (min, max) = self.camera.view();
        let pointer = self.pointing.place().filter(|at| at.cmpge(min).all() && at.cmplt(max).all());
        self.camera.to_world(pointer.unwrap_or(min.midpoint(max)))
    }

    /// Adds an obstacle where the pointer is, and selects it.
    pub(crate) fn add_obstacle(&mut self, kind: SolidKind, session: &mut LiveSession) {
        let place = self.pointed_place();
        let unit = self.camera.unit_at(place);
        // Half the size is rounded too: it is the radius of a capsule.
        let size = rounded(SIZE * 0.5 * self.camera.pixels_per_point() * unit, unit).max(unit) * 2.0;
        let is_plane = session.run.simulation.world().arena.is_plane();
        if let Some(solid) = new_solid(kind, round_place(place, unit), size, is_plane) {
            self.add_listed(solid.into(), session);
        }
    }

    fn add_listed(&mut self, obstacle: Obstacle, session: &mut LiveSession) {
        let at = session.run.newest().scene.world.obstacles.len();
        self.act(
            session,
            SessionAction::EditScene(SceneEdit::Obstacle { at, from: None, to: Some(obstacle) }),
        );
        if session.run.past_step().is_none() && at < session.listed() {
            self.select_obstacle(Some(at), session);
        }
    }

    /// Copies the selected obstacle; the copy is selected then.
    pub(crate) fn duplicate_obstacle(&mut self, at: usize, session: &mut LiveSession) {
        let Some(obstacle) = session.run.simulation.world().obstacles.get(at) else {
            return;
        };
        let (place, points) = (obstacle.position(), Vec2::new(COPY_OFFSET, -COPY_OFFSET));
        let beside = self.camera.across(points * self.camera.pixels_per_point(), place);
        // A carrier's coordinates would place it elsewhere.
        let copied = if obstacle.carrier().is_some() { &obstacle.resting() } else { obstacle };
        let copy = shifted(copied, round_place(beside, self.camera.unit_at(place)));
        if let Some(copy) = copy {
            self.add_listed(copy, session);
        }
    }

    /// Enlarges the radius of the selected obstacle by points of the screen.
    pub(crate) fn resize_obstacle(&mut self, points: f32, session: &mut LiveSession) {
        let selected = self.selection.obstacle();
        let Some((at, from)) = selected.and_then(|at| Some((at, session.editable(at)?))) else {
            return;
        };
        let unit = self.camera.unit_at(from.position());
        let resized = match from.solid.defining_radius() {
            _ if at >= session.listed() => Err("the radius of a scattered obstacle cannot be changed"),
            Some(radius) => {
                let radius = radius + points * self.camera.pixels_per_point() * unit;
                from.solid
                    .with_radius(rounded(radius, unit).max(unit))
                    .ok_or("the obstacle cannot have this radius")
            }
            None => Err("this obstacle has no radius: drag its corners"),
        };
        match resized {
            Ok(solid) => {
                let to = Some(Obstacle { solid, ..from.clone() });
                self.act(session, SessionAction::EditScene(SceneEdit::Obstacle { at, from: Some(from), to }));
            }
            Err(why) => session.refuse(why),
        }
    }

    /// Moves the selected obstacle by points of the screen.
    pub(crate) fn nudge_obstacle(&mut self, at: usize, way: Vec2, session: &mut LiveSession) {
        let Some(from) = session.editable(at) else {
            return;
        };
        let place = from.position();
        let way = self.camera.across(way * self.camera.pixels_per_point(), place);
        let way = round_place(way, self.camera.unit_at(place));
        let Some(to) = shifted(&from, way) else {
            return;
        };
        let action = if at < session.listed() {
            SessionAction::EditScene(SceneEdit::Obstacle { at, from: Some(from), to: Some(to) })
        } else {
            let all = session.run.simulation.world().obstacles.len();
            SessionAction::MoveScattered { back: all - at, from, to }
        };
        self.act(session, action);
    }

    /// Removes the selected obstacle.
    pub(crate) fn remove_obstacle(&mut self, at: usize, session: &mut LiveSession) {
        let from = session.editable(at);
        if at >= session.listed() {
            let why =
                "a scattered obstacle cannot be removed: change `count` under `scatter` in the scene's file";
            session.refuse(why);
            return;
        }
        self.act(session, SessionAction::EditScene(SceneEdit::Obstacle { at, from, to: None }));
        if session.run.past_step().is_none() {
            self.select_obstacle(None, session);
        }
    }
}
