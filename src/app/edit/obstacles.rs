//! Obstacles by hand: selected, added, copied and removed.

use glam::{Vec2, Vec3};

use super::obstacle_drag::{round_place, rounded};
use crate::app::commands::action::{NewShape, SessionAction};
use crate::app::model::live_session::LiveSession;
use crate::app::model::view_state::ViewState;
use crate::scene::{SceneEdit, shifted};
use crate::session::Input;
use crate::world::{Obstacle, Solid};

/// Points from the middle of a new obstacle to its rim, and from an obstacle to its copy.
const SIZE: f32 = 32.0;
const BESIDE: f32 = 24.0;

impl NewShape {
    /// The shape with its middle at a place, in a plane or in space.
    fn solid(self, center: Vec3, size: f32, is_plane: bool) -> Solid {
        match self {
            Self::Circle => Solid::ball(center, size),
            Self::Box => {
                let half = Vec3::new(size * 1.5, size, if is_plane { f32::INFINITY } else { size });
                Solid::Box { center, half, angle: 0.0.into() }
            }
            Self::Capsule => {
                let end = Vec3::X * (size * 2.0);
                Solid::Capsule { from: center - end, to: center + end, radius: size * 0.5 }
            }
        }
    }
}

impl LiveSession {
    /// How many obstacles the scene lists: those behind them are scattered.
    pub(in crate::app) fn listed(&self) -> usize {
        self.run.generation.scene.world.obstacles.len()
    }

    /// Changes an obstacle or a path of the scene.
    pub(in crate::app) fn edit_scene(&mut self, edit: &SceneEdit) {
        let Err(why) = self.run.edit(edit) else {
            return;
        };
        if let SceneEdit::Obstacle { at, .. } = edit
            && let Some(standing) = self.run.generation.scene.world.obstacles.get(*at).cloned()
        {
            // It may have been dragged.
            self.run.hold(Input::Obstacle(*at, standing));
        }
        self.refuse(&why);
    }

    /// Shows an obstacle as it is dragged.
    pub(in crate::app) fn hold_obstacle(&mut self, at: usize, obstacle: &Obstacle) {
        let all = self.run.simulation.world().obstacles.len();
        let input = if at < self.listed() {
            Input::Obstacle(at, obstacle.clone())
        } else {
            Input::Scattered(all.saturating_sub(at), obstacle.clone())
        };
        self.run.hold(input);
    }

    /// Moves a scattered obstacle, counted back from the last one, as an undo does. Logs a refusal if the scene has
    /// scattered others since.
    pub(in crate::app) fn move_scattered_back(&mut self, back: usize, from: &Obstacle, to: &Obstacle) {
        let obstacles = &self.run.simulation.world().obstacles;
        let now = obstacles.len().checked_sub(back).and_then(|at| obstacles.get(at));
        if now == Some(from) {
            self.move_scattered(back, from, to);
        } else {
            self.refuse("the scattered obstacle is no longer as it was");
        }
    }

    /// Lets a scattered obstacle stand elsewhere, which no file holds. It is counted back from the last one.
    pub(in crate::app) fn move_scattered(&mut self, back: usize, from: &Obstacle, to: &Obstacle) {
        let first = self.strays.0.entry(back).or_insert_with(|| from.clone());
        if first == to {
            self.strays.0.remove(&back);
        }
        self.run.input(Input::Scattered(back, to.clone()));
    }

    /// Everything that was changed of obstacles and paths by hand, in words, and what takes it back.
    pub(in crate::app) fn changes_by_hand(&self) -> Vec<(String, SessionAction)> {
        let generation = &self.run.generation;
        let changes = generation.scene_edits.changes(&generation.file).into_iter();
        let changes = changes.map(|edit| (edit.words(), SessionAction::EditScene(edit.reversed())));
        let obstacles = &self.run.simulation.world().obstacles;
        let strays = self.strays.0.iter().filter_map(|(back, first)| {
            let at = obstacles.len().checked_sub(*back)?;
            let (from, to) = (obstacles.get(at)?.clone(), first.clone());
            Some((
                format!("obstacle {} moved", at + 1),
                SessionAction::MoveScattered { back: *back, from, to },
            ))
        });
        changes.chain(strays).collect()
    }

    /// The obstacles of the world that the file or the seed does not have as they are.
    pub(in crate::app) fn changed_obstacles(&self) -> Vec<usize> {
        let generation = &self.run.generation;
        let listed =
            generation.scene_edits.changes(&generation.file).into_iter().filter_map(|edit| match edit {
                SceneEdit::Obstacle { at, to: Some(_), .. } => Some(at),
                _ => None,
            });
        let all = self.run.simulation.world().obstacles.len();
        listed.chain(self.strays.0.keys().filter_map(|back| all.checked_sub(*back))).collect()
    }
}

impl ViewState {
    /// Selects an obstacle alone, or none.
    pub(in crate::app) fn pick_obstacle(&mut self, at: Option<usize>, session: &LiveSession) {
        let obstacles = &session.run.simulation.world().obstacles;
        self.selection.pick(at, obstacles);
    }

    /// Where the pointer is in the world, or the middle of the view.
    pub(in crate::app) fn pointed_place(&self) -> Vec3 {
        let (min, max) = self.camera.view();
        let pointer = self.pointing.place().filter(|at| at.cmpge(min).all() && at.cmplt(max).all());
        self.camera.to_world(pointer.unwrap_or(min.midpoint(max)))
    }

    /// Adds an obstacle where the pointer is, and selects it.
    pub(in crate::app) fn add_obstacle(&mut self, shape: NewShape, session: &mut LiveSession) {
        let place = self.pointed_place();
        let unit = self.camera.unit_at(place);
        // Halves of it are as round, too.
        let size = rounded(SIZE * 0.5 * self.camera.pixels_per_point() * unit, unit).max(unit) * 2.0;
        let is_plane = session.run.simulation.world().arena.is_plane();
        self.add_listed(shape.solid(round_place(place, unit), size, is_plane).into(), session);
    }

    fn add_listed(&mut self, obstacle: Obstacle, session: &mut LiveSession) {
        let at = session.run.newest().scene.world.obstacles.len();
        self.act(
            session,
            SessionAction::EditScene(SceneEdit::Obstacle { at, from: None, to: Some(obstacle) }),
        );
        if session.run.looked_at().is_none() && at < session.listed() {
            self.pick_obstacle(Some(at), session);
        }
    }

    /// Copies the selected obstacle; the copy is selected then.
    pub(in crate::app) fn copy_obstacle(&mut self, at: usize, session: &mut LiveSession) {
        let Some(obstacle) = session.run.simulation.world().obstacles.get(at) else {
            return;
        };
        let (place, points) = (obstacle.position(), Vec2::new(BESIDE, -BESIDE));
        let beside = self.camera.across(points * self.camera.pixels_per_point(), place);
        let copy = shifted(obstacle, round_place(beside, self.camera.unit_at(place)));
        if let Some(copy) = copy {
            self.add_listed(copy, session);
        }
    }

    /// Makes the radius of the selected obstacle larger by so many points.
    pub(in crate::app) fn resize_obstacle(&mut self, points: f32, session: &mut LiveSession) {
        let all = &session.run.simulation.world().obstacles;
        let Some((at, from)) = self.selection.obstacle().and_then(|at| Some((at, all.get(at)?.clone())))
        else {
            return;
        };
        let unit = self.camera.unit_at(from.position());
        let resized = match &from.solid {
            _ if at >= session.listed() => Err("the radius of a scattered obstacle cannot be changed"),
            Solid::Ball { radius, .. } | Solid::Capsule { radius, .. } => {
                let radius = radius + points * self.camera.pixels_per_point() * unit;
                from.solid
                    .with_radius(rounded(radius, unit).max(unit))
                    .ok_or("the obstacle cannot have this radius")
            }
            Solid::Box { .. } | Solid::Polygon(_) => Err("a box or polygon has no radius: drag its corners"),
        };
        match resized {
            Ok(solid) => {
                let to = Some(Obstacle { solid, ..from.clone() });
                self.act(session, SessionAction::EditScene(SceneEdit::Obstacle { at, from: Some(from), to }));
            }
            Err(why) => session.refuse(why),
        }
    }

    /// Moves the selected obstacle by so many points.
    pub(in crate::app) fn nudge_obstacle(&mut self, at: usize, way: Vec2, session: &mut LiveSession) {
        let all = &session.run.simulation.world().obstacles;
        let Some(from) = all.get(at).cloned() else {
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
            SessionAction::MoveScattered { back: all.len() - at, from, to }
        };
        self.act(session, action);
    }

    /// Removes the selected obstacle.
    pub(in crate::app) fn remove_obstacle(&mut self, at: usize, session: &mut LiveSession) {
        let from = session.run.simulation.world().obstacles.get(at).cloned();
        if at >= session.listed() {
            let why =
                "a scattered obstacle cannot be removed: change `count` under `scatter` in the scene's file";
            session.refuse(why);
            return;
        }
        self.act(session, SessionAction::EditScene(SceneEdit::Obstacle { at, from, to: None }));
        if session.run.looked_at().is_none() {
            self.pick_obstacle(None, session);
        }
    }
}
