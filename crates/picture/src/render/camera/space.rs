//! The camera of space: it orbits the world or chases the player, with smooth transitions.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Arena, Controls, World};

use super::chase::Chase;
use super::eye::{Eye, HALF_VIEW};
use super::orbit::Orbit;
use crate::render::interpolated_poses::InterpolatedPoses;

/// Margin factor of the distance at which the whole ball fits the view.
const FIT: f32 = 1.04;
/// Default distance from the player in its lengths, and the lower bound relative to the world's radius.
const CHASE_LENGTHS: f32 = 5.0;
const CHASE_LEAST: f32 = 0.1;
/// Duration of a transition between orbit and chase, seconds.
const GLIDE: f32 = 0.9;
/// Depth of the near plane, and the farthest jump that is followed smoothly, relative to the
/// world's radius.
const NEAR: f32 = 0.002;
const JUMP: f32 = 0.3;

/// A perspective camera, +y up.
#[derive(Clone, Debug)]
pub(super) struct SpaceCamera {
    view: (Vec2, Vec2),
    center: Vec3,
    radius: f32,
    orbit: Orbit,
    chase: Chase,
    /// Default distance from the player.
    behind: f32,
    /// The user's choice between chase and orbit; without one, it chases once the player is steered.
    wanted: Option<bool>,
    was_steered: bool,
    /// 0 in orbit, 1 behind the player.
    share: f32,
}

impl SpaceCamera {
    pub(super) fn new() -> Self {
        Self {
            view: (Vec2::ZERO, Vec2::ONE),
            center: Vec3::ZERO,
            radius: 1.0,
            orbit: Orbit::new(),
            chase: Chase::new(),
            behind: 1.0,
            wanted: None,
            was_steered: false,
            share: 0.0,
        }
    }

    pub(super) fn set_view(&mut self, min: Vec2, max: Vec2, arena: &Arena) {
        self.view = (min, max.max(min + 1.0));
        (self.center, self.radius) = (arena.center(), arena.radius());
    }

    pub(super) fn view(&self) -> (Vec2, Vec2) {
        self.view
    }

    pub(super) fn eye(&self) -> Eye {
        let (at, forward) = self.orbit_pose();
        let eye = |at, forward| Eye::new(at, forward, self.view, self.radius * NEAR);
        let Some(focus) = self.chase.focus().filter(|_| self.share > 0.0) else {
            return eye(at, forward);
        };
        let (to, toward) = self.chase_pose(focus);
        let share = self.share * self.share * (3.0 - 2.0 * self.share);
        eye(at.lerp(to, share), forward.lerp(toward, share))
    }

    fn orbit_pose(&self) -> (Vec3, Vec3) {
        let fits = (1.0 + 1.0 / (HALF_VIEW * HALF_VIEW)).sqrt() * FIT;
        let forward = self.orbit.forward();
        let distance = self.radius * fits * self.orbit.zoom;
        (self.center - forward * distance, forward)
    }

    fn chase_pose(&self, focus: Vec3) -> (Vec3, Vec3) {
        let forward = self.chase.forward();
        let distance = self.behind * self.chase.distance();
        // The player is slightly below the middle of the view, which shows more of the space above and ahead.
        let over = Vec3::Y * (distance * 0.1);
        (focus + over - forward * distance, forward)
    }

    fn is_chasing(&self) -> bool {
        self.share > 0.5
    }

    pub(super) fn fit(&mut self) {
        self.orbit.zoom = 1.0;
        self.chase.fit();
    }

    /// The point under a pixel on the plane perpendicular to the view, through the player in a chase and
    /// otherwise through the center of the world.
    pub(super) fn to_world(&self, pixel: Vec2) -> Vec3 {
        let eye = self.eye();
        let chased = self.chase.focus().filter(|_| self.is_chasing());
        let depth = eye.depth(chased.unwrap_or(self.center));
        eye.point(pixel, depth.max(self.radius * NEAR))
    }

    pub(super) fn zoom(&mut self, factor: f32) {
        if self.is_chasing() {
            self.chase.zoom(factor);
        } else {
            self.orbit.zoom(factor);
        }
    }

    pub(super) fn drag(&mut self, pixels: Vec2) {
        if self.is_chasing() {
            self.chase.drag(pixels);
        } else {
            self.orbit.drag(pixels);
        }
    }

    pub(super) fn release(&mut self) {
        self.chase.release();
    }

    pub(super) fn toggle_chase(&mut self) {
        self.wanted = Some(!self.wanted.unwrap_or(self.was_steered));
    }

    /// Chases `unit`, or else the player.
    pub(super) fn follow(
        &mut self,
        world: &World,
        shown: &InterpolatedPoses,
        unit: Option<usize>,
        seconds: f32,
    ) {
        let is_followed = unit.is_some();
        let chased = unit.or(world.player).filter(|unit| *unit < world.units.len());
        let Some(unit) = chased else {
            self.chase.reset();
            self.share = 0.0;
            return;
        };
        let is_new = self.chase.focus().is_none();
        let (position, heading) = (shown.position(world, unit), shown.heading(world, unit));
        let radius = world.arena.radius();
        self.behind = (world.body_of(unit).length() * CHASE_LENGTHS).max(radius * CHASE_LEAST);
        self.chase.follow(position, heading, radius * JUMP, seconds);
        self.was_steered |= world.controls != Controls::default();
        let wanted = f32::from(is_followed || self.wanted.unwrap_or(self.was_steered));
        let step = if is_new { 1.0 } else { seconds.max(0.0) / GLIDE };
        self.share = (self.share + (wanted - self.share).clamp(-step, step)).clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::camera::Lens;
    use crate::render::interpolated_poses::EXACT;
    use steerbox_scene as scene;

    fn world(heading: Vec3) -> World {
        let text = "(world: Space(radius: 60), bodies: {\"m\": Mover(length: 2)},
            player: (body: \"m\", spawn: At([(position: (5, 6, 7))])))";
        let mut world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        world.units.heading[0] = heading;
        world
    }

    fn camera(world: &World) -> SpaceCamera {
        let mut camera = SpaceCamera::new();
        camera.set_view(Vec2::ZERO, Vec2::new(600.0, 400.0), &world.arena);
        camera
    }

    #[test]
    fn the_whole_ball_fits_and_a_click_means_a_point_under_the_pointer() {
        let world = world(Vec3::X);
        let camera = camera(&world);
        for point in [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * 60.0) {
            for point in [point, -point] {
                let pixel = camera.eye().project(point).unwrap().pixel;
                assert!(pixel.cmpge(Vec2::ZERO).all(), "{pixel}");
                assert!(pixel.cmple(Vec2::new(600.0, 400.0)).all(), "{pixel}");
            }
        }
        let pixel = Vec2::new(100.0, 333.0);
        let seen = camera.eye().project(camera.to_world(pixel)).unwrap();
        assert!(seen.pixel.abs_diff_eq(pixel, 0.1));
    }

    #[test]
    fn a_steered_player_is_chased_unless_the_user_chooses_orbit() {
        let mut world = world(Vec3::X);
        let mut camera = camera(&world);
        camera.follow(&world, &EXACT, None, GLIDE);
        assert!(camera.eye().at.length() > 100.0);
        world.controls.turn = 1.0;
        camera.follow(&world, &EXACT, None, GLIDE);
        world.controls.turn = 0.0;
        camera.follow(&world, &EXACT, None, GLIDE);
        let player = world.units.position[0];
        assert!(camera.eye().at.x < player.x && camera.eye().at.y > player.y);
        assert!(camera.eye().at.distance(player) < 20.0);
        camera.toggle_chase();
        camera.follow(&world, &EXACT, None, GLIDE / 2.0);
        assert!(camera.eye().at.is_finite());
        camera.follow(&world, &EXACT, None, GLIDE);
        assert!(camera.eye().at.length() > 100.0);
        // A unit that the user chose to follow is chased in any case, also if it is the player.
        camera.follow(&world, &EXACT, Some(0), GLIDE);
        assert!(camera.eye().at.distance(player) < 20.0);
        camera.follow(&world, &EXACT, None, GLIDE);
        assert!(camera.eye().at.length() > 100.0);
    }

    #[test]
    fn degenerate_headings_times_and_sizes_leave_the_camera_valid() {
        for heading in [Vec3::ZERO, Vec3::Y, Vec3::NAN] {
            let world = world(heading);
            let mut camera = camera(&world);
            camera.set_view(Vec2::ZERO, Vec2::ZERO, &world.arena);
            for seconds in [0.0, f32::NAN, 1e9, -1.0] {
                camera.follow(&world, &EXACT, None, seconds);
                camera.drag(Vec2::splat(1e9));
                assert!(camera.eye().at.is_finite(), "{heading} {seconds}");
                assert!(camera.to_world(Vec2::ZERO).is_finite());
            }
        }
    }
}
