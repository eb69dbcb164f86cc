//! Holding an obstacle, its rim, one of its corners, a point of a path, or the target with the mouse.

use egui::CursorIcon;
use glam::{Vec2, Vec3};

use super::corners::{corners, with_corner};
use super::obstacle_at::obstacle_at;
use crate::app::commands::action::{Action, SessionAction};
use crate::app::model::drags::{Held, ObstacleDrag, PathPoint};
use crate::app::model::live_session::LiveSession;
use crate::app::render::camera::{Camera, Lens, Sight};
use crate::app::render::picture::Sketch;
use crate::scene::{SceneEdit, difference, shifted};
use crate::world::{Obstacle, Solid};

/// Points beside a corner at which it can still be held.
pub(in crate::app) const CORNER_REACH: f32 = 8.0;
/// Points from the middle of the target's crosshair to its ends.
const CROSSHAIR: f32 = 14.0;

impl ObstacleDrag {
    /// Takes hold of what is at a pixel: of the target, of a corner of the selected obstacle, of a point of a path,
    /// else of the obstacle that is drawn last.
    pub(in crate::app) fn take(
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
        selected: Option<usize>,
    ) -> Option<Self> {
        Self::target(pixel, camera, session)
            .or_else(|| Self::corner(pixel, camera, session, selected?))
            .or_else(|| Self::point(pixel, camera, session))
            .or_else(|| Self::obstacle(pixel, camera, session))
    }

    fn target(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        let target = session.shown_target()?;
        let spot = camera.sight().project(target)?;
        let offset = match camera.sight() {
            Sight::Plane(_) => target - camera.to_world(pixel),
            Sight::Space(_) => Vec3::ZERO,
        };
        let is_there = spot.pixel.distance(pixel) <= CROSSHAIR * camera.pixels_per_point();
        is_there.then_some(Self { held: Held::Target, place: target, offset, listed: None, back: 0 })
    }

    fn point(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        let held = PathPoint::near(pixel, CORNER_REACH * camera.pixels_per_point(), camera, session)?;
        let place = held.place();
        let offset = place - camera.to_world_at(pixel, place);
        Some(Self { held: Held::Point(held), place, offset, listed: None, back: 0 })
    }

    fn of(
        (held, at): (Held, usize),
        place: Vec3,
        (pixel, camera): (Vec2, &Camera),
        session: &LiveSession,
    ) -> Self {
        let offset = place - camera.to_world_at(pixel, place);
        let listed = session.run.generation.scene.world.obstacles.get(at).cloned();
        let back = session.run.simulation.world().obstacles.len().saturating_sub(at);
        Self { held, place, offset, listed, back }
    }

    fn corner(pixel: Vec2, camera: &Camera, session: &LiveSession, at: usize) -> Option<Self> {
        let reach = CORNER_REACH * camera.pixels_per_point();
        let obstacle = session.run.simulation.world().obstacles.get(at).filter(|_| at < session.listed())?;
        let sight = camera.sight();
        let near = corners(&obstacle.solid).into_iter().enumerate().filter_map(|(corner, place)| {
            let away = sight.project(place)?.pixel.distance(pixel);
            (away <= reach).then_some((corner, place, away))
        });
        let (corner, place, _) = near.min_by(|a, b| a.2.total_cmp(&b.2))?;
        Some(Self::of((Held::Corner(at, obstacle.clone(), corner), at), place, (pixel, camera), session))
    }

    fn obstacle(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        let obstacles = &session.run.simulation.world().obstacles;
        let under = obstacle_at(pixel, camera, obstacles)?;
        let (at, obstacle) = (under.at, &obstacles[under.at]);
        // A container is moved by its rim, and the radius of a scattered obstacle cannot be changed.
        let resizes = under.is_at_rim && !obstacle.inside_out && at < session.listed() && is_ball(obstacle);
        let held = if resizes { Held::Rim } else { Held::Obstacle };
        let held = (held(at, obstacle.clone()), at);
        Some(Self::of(held, obstacle.position(), (pixel, camera), session))
    }

    /// The obstacle that is held.
    pub(in crate::app) fn held(&self) -> Option<usize> {
        match self.held {
            Held::Obstacle(at, _) | Held::Rim(at, _) | Held::Corner(at, ..) => Some(at),
            Held::Point(_) | Held::Target => None,
        }
    }

    /// The path whose point is held, as it would be at a pixel.
    pub(in crate::app) fn sketch(&self, pixel: Vec2, camera: &Camera) -> Option<Sketch> {
        let Held::Point(held) = &self.held else {
            return None;
        };
        Some(held.sketch(self.to(pixel, camera)))
    }

    /// Where a pixel takes what is held, in round numbers.
    fn to(&self, pixel: Vec2, camera: &Camera) -> Vec3 {
        round_place(camera.to_world_at(pixel, self.place) + self.offset, camera.unit_at(self.place))
    }

    /// What the pointer looks like over it, at a pixel.
    pub(in crate::app) fn cursor(&self) -> CursorIcon {
        let across = self.offset.x.abs() > self.offset.y.abs();
        match self.held {
            Held::Rim(..) if across => CursorIcon::ResizeHorizontal,
            Held::Rim(..) => CursorIcon::ResizeVertical,
            Held::Corner(..) | Held::Point(_) => CursorIcon::Crosshair,
            _ => CursorIcon::Grab,
        }
    }

    /// What it looks like while it is dragged.
    pub(in crate::app) fn dragging_cursor(&self) -> CursorIcon {
        if matches!(self.held, Held::Rim(..)) { self.cursor() } else { CursorIcon::Grabbing }
    }

    /// What a drag does, in words.
    pub(in crate::app) fn hint(&self, selected: Option<usize>) -> Option<String> {
        match &self.held {
            Held::Obstacle(at, _) if selected == Some(*at) => {
                let number = at + 1;
                Some(format!("Obstacle {number}: drag to move, Delete to remove, Ctrl+D to duplicate"))
            }
            Held::Obstacle(at, _) => Some(format!("Click: select obstacle {0}; drag: move it", at + 1)),
            Held::Rim(at, _) => Some(format!("Drag: change the radius of obstacle {}", at + 1)),
            Held::Corner(at, ..) => Some(format!("Drag: move this corner of obstacle {}", at + 1)),
            Held::Point(held) => Some(format!("Drag: move this point of path {}", held.name)),
            Held::Target => None,
        }
    }

    /// Where the obstacle stands among all now: others may have come and gone since it was taken. `None` where it
    /// is gone itself, or was changed otherwise.
    fn place(&self, taken_at: usize, session: &LiveSession) -> Option<usize> {
        let Some(listed) = &self.listed else {
            let at = session.run.simulation.world().obstacles.len().checked_sub(self.back)?;
            return (at >= session.listed()).then_some(at);
        };
        let all = &session.run.generation.scene.world.obstacles;
        let is_there = all.get(taken_at) == Some(listed);
        if is_there { Some(taken_at) } else { all.iter().position(|obstacle| obstacle == listed) }
    }

    /// What is dragged to a pixel, if it is an obstacle: which one, as it was, and as it becomes.
    fn dragged(
        &self,
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
    ) -> Option<(usize, &Obstacle, Obstacle)> {
        let (unit, to) = (camera.unit_at(self.place), self.to(pixel, camera));
        let (at, taken) = match &self.held {
            Held::Target | Held::Point(_) => return None,
            Held::Obstacle(at, taken) | Held::Rim(at, taken) | Held::Corner(at, taken, _) => (*at, taken),
        };
        let solid = match &self.held {
            Held::Rim(..) => {
                let distance = self.place.distance(camera.to_world_at(pixel, self.place));
                // In perspective, the rim that is seen lies farther out.
                let share = match camera.sight() {
                    Sight::Plane(_) => 1.0,
                    Sight::Space(_) => taken.radius() / self.offset.length().max(f32::MIN_POSITIVE),
                };
                let radius = rounded(distance * share, unit);
                taken.solid.with_radius(radius.max(unit))
            }
            Held::Corner(_, _, corner) => with_corner(&taken.solid, *corner, to),
            _ => shifted(taken, difference(taken.position(), to)).map(|moved| moved.solid),
        };
        Some((self.place(at, session)?, taken, Obstacle { solid: solid?, ..*taken }))
    }

    /// What dragging it to a pixel asks for.
    pub(in crate::app) fn drag(&self, pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Action> {
        if self.held == Held::Target {
            return Some(SessionAction::Target(Some(camera.to_world(pixel) + self.offset)).into());
        }
        let (at, _, now) = self.dragged(pixel, camera, session)?;
        Some(SessionAction::HoldObstacle(at, now).into())
    }

    /// What letting go of it there asks for.
    pub(in crate::app) fn release(
        &self,
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
    ) -> Option<Action> {
        if self.held == Held::Target {
            return self.drag(pixel, camera, session);
        }
        if let Held::Point(held) = &self.held {
            return held.edit(self.to(pixel, camera)).map(|it| SessionAction::EditScene(it).into());
        }
        let (at, taken, now) = self.dragged(pixel, camera, session)?;
        // The world may show it as it was dragged before, without an end: what is listed is what it was.
        Some(match self.listed.clone() {
            None => SessionAction::MoveScattered { back: self.back, from: taken.clone(), to: now }.into(),
            from => SessionAction::EditScene(SceneEdit::Obstacle { at, from, to: Some(now) }).into(),
        })
    }
}

fn is_ball(obstacle: &Obstacle) -> bool {
    matches!(obstacle.solid, Solid::Ball { .. })
}

/// A place in round numbers, no finer than a pixel, which takes `unit`: they go into the scene's file.
pub(in crate::app) fn round_place(place: Vec3, unit: f32) -> Vec3 {
    place.map(|part| rounded(part, unit))
}

/// The multiple of a power of ten nearest to `value`, the largest power that is at most `unit`.
pub(in crate::app) fn rounded(value: f32, unit: f32) -> f32 {
    // A unit without end would have no largest power.
    let unit = unit.min(f32::MAX);
    let (mut step, mut parts) = (1.0_f64, 1.0_f64);
    while step * 10.0 <= f64::from(unit) {
        step *= 10.0;
    }
    while step / parts > f64::from(unit) && parts < 1e6 {
        parts *= 10.0;
    }
    let value = f64::from(value);
    ((value / step * parts).round() / parts * step) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_as_round_as_a_pixel_allows() {
        assert_eq!(rounded(123.456, 0.9).to_string(), "123.5");
        assert_eq!(rounded(123.456, 1.0).to_string(), "123");
        assert_eq!(rounded(123.456, 30.0).to_string(), "120");
        assert_eq!(rounded(0.126, 0.04).to_string(), "0.13");
        assert!(rounded(f32::MAX, 1e-30).is_finite());
        assert_eq!(rounded(123.0, f32::INFINITY), 0.0);
        assert!(rounded(123.0, f32::NAN).is_finite());
    }
}
