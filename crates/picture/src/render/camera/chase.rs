//! The camera behind the player and a little above it, with smoothed motion.

use glam::{Vec2, Vec3};

use super::orbit::{STEEPEST, direction, nearer};

/// Time constants, seconds, of the view's turn, of its motion, and of its return after a drag.
const TURN_LAG: f32 = 0.55;
const MOVE_LAG: f32 = 0.1;
const DRAG_LAG: f32 = 0.25;
/// Downward pitch of the view of the player, radians.
const PITCH: f32 = 0.32;
/// Share of the player's pitch that the view adopts.
const PITCH_SHARE: f32 = 0.7;
/// Radians of turn per pixel of a drag.
const DRAG_TURN: f32 = 0.006;

/// The state of a camera that follows the player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chase {
    /// The player's position, smoothed; `None` before the first frame.
    focus: Option<Vec3>,
    /// The player's heading, smoothed, a unit vector.
    heading: Vec3,
    /// Yaw and pitch that a drag adds.
    turn: Vec2,
    held: bool,
    zoom: f32,
}

impl Chase {
    pub(super) fn new() -> Self {
        Self { focus: None, heading: Vec3::NEG_Z, turn: Vec2::ZERO, held: false, zoom: 1.0 }
    }

    /// Follows a player at `position` for `seconds`; without smoothing if it jumped farther than `jump`.
    pub(super) fn follow(&mut self, position: Vec3, heading: Vec3, jump: f32, seconds: f32) {
        if !self.held {
            self.turn *= 1.0 - caught_up(seconds, DRAG_LAG);
        }
        if !(position.is_finite() && heading.is_finite()) {
            return;
        }
        let before = self.focus.filter(|focus| focus.distance(position) <= jump);
        let Some(before) = before else {
            self.focus = Some(position);
            self.heading = heading.try_normalize().unwrap_or(self.heading);
            return;
        };
        self.focus = Some(before.lerp(position, caught_up(seconds, MOVE_LAG)));
        let turned = self.heading.lerp(heading, caught_up(seconds, TURN_LAG));
        self.heading = turned.try_normalize().unwrap_or(self.heading);
    }

    /// Resets the smoothed state.
    pub(super) fn reset(&mut self) {
        self.focus = None;
    }

    pub(super) fn focus(&self) -> Option<Vec3> {
        self.focus
    }

    /// The direction of view.
    pub(super) fn forward(&self) -> Vec3 {
        let yaw = libm::atan2f(self.heading.x, -self.heading.z);
        let pitch = libm::asinf(self.heading.y.clamp(-1.0, 1.0)) * PITCH_SHARE - PITCH;
        let pitch = (pitch + self.turn.y).clamp(-STEEPEST, STEEPEST);
        direction(yaw + self.turn.x, pitch)
    }

    /// The distance from the player, relative to the default distance.
    pub(super) fn distance(&self) -> f32 {
        self.zoom
    }

    /// Turns around the player until the button is released.
    pub(super) fn drag(&mut self, pixels: Vec2) {
        if pixels.is_finite() {
            self.held = true;
            self.turn += Vec2::new(pixels.x, -pixels.y) * DRAG_TURN;
            let most = Vec2::new(std::f32::consts::PI, STEEPEST);
            self.turn = self.turn.clamp(-most, most);
        }
    }

    pub(super) fn release(&mut self) {
        self.held = false;
    }

    pub(super) fn zoom(&mut self, factor: f32) {
        self.zoom = nearer(self.zoom, factor);
    }

    pub(super) fn fit(&mut self) {
        self.zoom = 1.0;
    }
}

/// The share of a difference that is closed after `seconds`, independent of the frame rate.
fn caught_up(seconds: f32, lag: f32) -> f32 {
    1.0 - libm::expf(-seconds.max(0.0) / lag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_settles_behind_the_player_at_any_frame_rate() {
        let run = |frames: usize| {
            let mut chase = Chase::new();
            chase.follow(Vec3::ZERO, Vec3::X, 50.0, 0.0);
            for _ in 0..frames {
                chase.follow(Vec3::ONE, Vec3::Z, 50.0, 0.6 / frames as f32);
            }
            chase
        };
        let (few, many) = (run(3), run(60));
        assert!(few.focus.unwrap().distance(many.focus.unwrap()) < 1e-3);
        assert!(many.heading.dot(Vec3::Z) > 0.7 && many.heading.dot(Vec3::X) > 0.1);
        assert!(many.forward().y < 0.0, "the view is pitched down slightly");
    }

    #[test]
    fn zero_headings_and_nan_positions_leave_the_camera_valid() {
        let mut chase = Chase::new();
        for heading in [Vec3::ZERO, Vec3::Y, Vec3::NEG_Y, Vec3::NAN] {
            chase.follow(Vec3::ZERO, heading, 1.0, 0.1);
            chase.follow(Vec3::NAN, heading, 1.0, f32::NAN);
            assert!(chase.forward().is_normalized(), "{heading}");
            assert!(chase.focus.unwrap().is_finite());
        }
        chase.follow(Vec3::X * 9.0, Vec3::ZERO, 1.0, 0.01);
        assert_eq!(chase.focus, Some(Vec3::X * 9.0), "a jump is followed at once");
    }

    #[test]
    fn a_drag_holds_until_it_ends() {
        let mut chase = Chase::new();
        chase.follow(Vec3::ZERO, Vec3::X, 1.0, 0.1);
        let before = chase.forward();
        chase.drag(Vec2::new(200.0, 0.0));
        chase.follow(Vec3::ZERO, Vec3::X, 1.0, 5.0);
        assert!(chase.forward().dot(before) < 0.6);
        chase.release();
        chase.follow(Vec3::ZERO, Vec3::X, 1.0, 5.0);
        assert!(chase.forward().dot(before) > 0.999);
    }
}
