//! Handles of everything that can be dragged: the target, obstacles with their rims and corners, points of paths,
//! and units. One hit test finds them, one function applies a drag.

use egui::CursorIcon;
use glam::{Vec2, Vec3};
use steerbox_core::world::{Carrier, Obstacle, Solid};
use steerbox_picture::render::camera::{Camera, Lens, Sight};
use steerbox_picture::render::picture::Sketch;
use steerbox_scene::{SceneEdit, difference, shifted};

use super::obstacle_at::obstacle_at;
use super::path_points::point_count;
use super::rounding::{round_place, rounded};
use super::shapes::{has_rim_handle, with_corner};
use crate::commands::action::{Action, SessionAction};
use crate::model::handle::{Handle, HandleKind, HeldObstacle, HeldUnits, ObstaclePart, PathPoint};
use crate::model::live_session::LiveSession;

/// Distance from a corner within which it can be dragged, points.
pub(crate) const CORNER_REACH: f32 = 8.0;
/// Points from the middle of the target's crosshair to its ends.
const CROSSHAIR: f32 = 14.0;

/// The pointer during a drag: its pixel, and the wall time in seconds.
pub(crate) type DragPoint = (Vec2, f64);

/// The point of the world whose projection is nearest to a pixel, within `reach` points of the screen.
fn nearest<T>(
    pixel: Vec2,
    reach: f32,
    camera: &Camera,
    points: impl IntoIterator<Item = (Vec3, T)>,
) -> Option<(Vec3, T)> {
    let (sight, reach) = (camera.sight(), reach * camera.pixels_per_point());
    let near = points.into_iter().filter_map(|(at, it)| {
        let distance = sight.project(at)?.pixel.distance(pixel);
        (distance <= reach).then_some((distance, at, it))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at, it)| (at, it))
}

impl Handle {
    fn new(at: Vec3, kind: HandleKind, pixel: Vec2, camera: &Camera) -> Self {
        let offset = match (&kind, camera.sight()) {
            (HandleKind::Target, Sight::Space(_)) => Vec3::ZERO,
            _ => at - camera.to_world_at(pixel, at),
        };
        Self { at, offset, kind }
    }

    /// The handle at a pixel: the target, else a corner of the selected obstacle, else a point of a path, else the
    /// obstacle that is drawn last.
    pub(crate) fn at_pixel(
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
        selected: Option<usize>,
    ) -> Option<Self> {
        let target = || {
            let target = session.shown_target().map(|target| (target, HandleKind::Target));
            nearest(pixel, CROSSHAIR, camera, target)
        };
        let corner = || {
            let index = selected.filter(|index| *index < session.listed())?;
            let obstacle = session.run.simulation.world().obstacles.get(index)?;
            let all = obstacle.solid.corners().into_iter().enumerate().map(|(corner, at)| (at, corner));
            let (at, corner) = nearest(pixel, CORNER_REACH, camera, all)?;
            Some((at, held_obstacle(index, ObstaclePart::Corner(corner), session)))
        };
        let point = || {
            // Of equally near points, the one of the path that is drawn last.
            let paths = session.run.newest().scene.world.paths.iter().rev();
            let all = paths.flat_map(|named| {
                (0..point_count(&named.path)).map(move |point| (named.path.points()[point], (named, point)))
            });
            let (at, (named, point)) = nearest(pixel, CORNER_REACH, camera, all)?;
            let (name, path) = (named.name.clone(), named.path.clone());
            Some((at, HandleKind::Point(PathPoint { name, path, point })))
        };
        let obstacle = || {
            let obstacles = &session.run.simulation.world().obstacles;
            let under = obstacle_at(pixel, camera, obstacles)?;
            let (index, obstacle) = (under.at, &obstacles[under.at]);
            // A container is moved by its rim, and the radius of a scattered obstacle cannot be changed.
            let has_handle = !obstacle.inside_out && has_rim_handle(&obstacle.solid);
            let resizes = under.is_at_rim && index < session.listed() && has_handle;
            let part = if resizes { ObstaclePart::Rim } else { ObstaclePart::Whole };
            Some((obstacle.position(), held_obstacle(index, part, session)))
        };
        let (at, kind) = target().or_else(corner).or_else(point).or_else(obstacle)?;
        Some(Self::new(at, kind, pixel, camera))
    }

    /// The handle of units, the first of which is at a pixel.
    pub(crate) fn of_units(
        units: &[usize],
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
    ) -> Option<Self> {
        let at = *session.run.simulation.world().units.position.get(*units.first()?)?;
        let held = HeldUnits::new(units, camera.to_world_at(pixel, at), session);
        Some(Self::new(at, HandleKind::Units(held), pixel, camera))
    }

    /// The index of the dragged obstacle.
    pub(crate) fn obstacle(&self) -> Option<usize> {
        let HandleKind::Obstacle(held) = &self.kind else { return None };
        Some(held.index)
    }

    /// The position of the handle while the pointer is at a pixel, rounded.
    fn rounded_position(&self, pixel: Vec2, camera: &Camera) -> Vec3 {
        round_place(camera.to_world_at(pixel, self.at) + self.offset, camera.unit_at(self.at))
    }

    /// The action of a drag to a point, or of the release there.
    pub(crate) fn apply(
        &mut self,
        (pixel, time): DragPoint,
        released: bool,
        camera: &Camera,
        session: &LiveSession,
    ) -> Option<Action> {
        let (pointer, to) = (camera.to_world_at(pixel, self.at), self.rounded_position(pixel, camera));
        let action = match &mut self.kind {
            HandleKind::Target => SessionAction::Target(Some(camera.to_world(pixel) + self.offset)),
            HandleKind::Point(point) => SessionAction::EditScene(point.edit(to).filter(|_| released)?),
            HandleKind::Units(units) => units.action((self.at, pointer), time, released, camera, session),
            HandleKind::Obstacle(held) => {
                // In perspective, the visible rim lies farther out than the radius.
                let share = match camera.sight() {
                    Sight::Plane(_) => 1.0,
                    Sight::Space(_) => held.initial.radius() / self.offset.length().max(f32::MIN_POSITIVE),
                };
                let (unit, radius) = (camera.unit_at(self.at), self.at.distance(pointer) * share);
                let solid = held.changed(to, rounded(radius, unit).max(unit))?;
                held.action(solid, released, session)?
            }
        };
        Some(action.into())
    }

    /// The path whose point is dragged, as changed by the pointer at a pixel.
    pub(crate) fn sketch(&self, pixel: Vec2, camera: &Camera) -> Option<Sketch> {
        let HandleKind::Point(point) = &self.kind else { return None };
        Some(point.sketch(self.rounded_position(pixel, camera)))
    }

    /// The pointer's shape over the handle, or while it is dragged.
    pub(crate) fn cursor(&self, is_dragged: bool) -> CursorIcon {
        let part = match &self.kind {
            HandleKind::Obstacle(held) => Some(held.part),
            _ => None,
        };
        match (part, &self.kind) {
            (Some(ObstaclePart::Rim), _) if self.offset.x.abs() > self.offset.y.abs() => {
                CursorIcon::ResizeHorizontal
            }
            (Some(ObstaclePart::Rim), _) => CursorIcon::ResizeVertical,
            _ if is_dragged => CursorIcon::Grabbing,
            (Some(ObstaclePart::Corner(_)), _) | (_, HandleKind::Point(_)) => CursorIcon::Crosshair,
            _ => CursorIcon::Grab,
        }
    }

    /// A description of the effect of a drag.
    pub(crate) fn hint(&self, selected: Option<usize>) -> Option<String> {
        let held = match &self.kind {
            HandleKind::Obstacle(held) => held,
            HandleKind::Point(point) => return Some(format!("Drag: move this point of path {}", point.name)),
            HandleKind::Target | HandleKind::Units(_) => return None,
        };
        let number = held.index + 1;
        if let Some(Carrier { group, unit, .. }) = held.initial.carrier() {
            return Some(format!("Click: select obstacle {number}, attached to unit {unit} of {group}"));
        }
        Some(match held.part {
            ObstaclePart::Whole if selected == Some(held.index) => {
                format!("Obstacle {number}: drag to move, Delete to remove, Ctrl+D to duplicate")
            }
            ObstaclePart::Whole => format!("Click: select obstacle {number}; drag: move it"),
            ObstaclePart::Rim => format!("Drag: change the radius of obstacle {number}"),
            ObstaclePart::Corner(_) => format!("Drag: move this corner of obstacle {number}"),
        })
    }
}

/// An obstacle of the world, dragged by a part.
fn held_obstacle(index: usize, part: ObstaclePart, session: &LiveSession) -> HandleKind {
    let listed = session.run.generation.scene.world.obstacles.get(index).cloned();
    let all = &session.run.simulation.world().obstacles;
    let (initial, back) = (all[index].clone(), all.len() - index);
    HandleKind::Obstacle(HeldObstacle { part, index, back, initial, listed })
}

impl HeldObstacle {
    /// Its shape after a drag to a position, or to a radius; `None` if the result is invalid.
    fn changed(&self, to: Vec3, radius: f32) -> Option<Solid> {
        match self.part {
            ObstaclePart::Rim => self.initial.solid.with_radius(radius),
            ObstaclePart::Corner(corner) => with_corner(&self.initial.solid, corner, to),
            ObstaclePart::Whole => {
                Some(shifted(&self.initial, difference(self.initial.position(), to))?.solid)
            }
        }
    }

    /// Returns the obstacle with another shape, as it is at the start of the run: one that moves is listed in the scene by
    /// its first place.
    fn at_start(&self, solid: Solid) -> Option<Obstacle> {
        let changed = Obstacle { solid, ..self.initial.clone() };
        match self.listed.as_ref().filter(|listed| listed.path().is_some()) {
            Some(listed) => {
                let back = difference(self.initial.position(), listed.position());
                Some(shifted(&changed, back)?.driven(None))
            }
            None => Some(changed),
        }
    }

    /// The action that changes its shape; `None` if it was removed or otherwise changed. Its index may have changed,
    /// since others may have been added or removed.
    fn action(&self, solid: Solid, released: bool, session: &LiveSession) -> Option<SessionAction> {
        let now = self.at_start(solid)?;
        let at = match &self.listed {
            None => {
                let index = session.run.simulation.world().obstacles.len().checked_sub(self.back)?;
                (index >= session.listed()).then_some(index)?
            }
            Some(listed) => {
                let all = &session.run.generation.scene.world.obstacles;
                let is_there = all.get(self.index) == Some(listed);
                if is_there { self.index } else { all.iter().position(|obstacle| obstacle == listed)? }
            }
        };
        Some(match self.listed.clone() {
            _ if !released => SessionAction::DragObstacle(at, now),
            None => SessionAction::MoveScattered { back: self.back, from: self.initial.clone(), to: now },
            // The world may still show an earlier drag: the scene's list has the obstacle before it.
            from => SessionAction::EditScene(SceneEdit::Obstacle { at, from, to: Some(now) }),
        })
    }
}
