//! One frame of a recording: a state and the way to draw it.

use steerbox_core::sim::Simulation;
use steerbox_scene::{ColorBy, Scene, SceneLook};

use super::bar::Bar;
use super::options::RecordOptions;
use crate::render::camera::Camera;
use crate::render::canvas::Canvas;
use crate::render::interpolated_poses::InterpolatedPoses;
use crate::render::picture::{Picture, world_look};
use crate::render::theme::SceneColors;
use crate::render::trails::Trails;

/// A state of a run, as a frame shows it.
pub(super) struct Shot<'a> {
    pub(super) scene: &'a Scene,
    pub(super) simulation: &'a Simulation,
    pub(super) camera: &'a Camera,
    pub(super) colors: &'a SceneColors,
    pub(super) color_by: Option<&'a ColorBy>,
    pub(super) grid: Option<bool>,
    pub(super) poses: &'a InterpolatedPoses,
    pub(super) trails: Option<&'a Trails>,
    pub(super) options: &'a RecordOptions,
    /// The moment as the text of a chunk, for the picture of one state.
    pub(super) moment: Option<&'a str>,
}

impl Shot<'_> {
    /// Draws the frame; the canvas receives its size.
    pub(super) fn draw(&self, canvas: &mut Canvas, bar: &mut Bar) {
        let (width, height) = self.options.size();
        canvas.resize(width, height);
        let picture = Picture::new(self.scene, self.simulation, self.camera, self.colors);
        let (scale, poses, trails) = (self.options.picture.scale, self.poses, self.trails);
        let units_only = self.options.picture.transparent;
        let world_look = if units_only {
            SceneLook::BARE
        } else {
            world_look(self.scene, self.simulation.world(), self.grid)
        };
        Picture { scale, poses, trails, world_look, units_only, color_by: self.color_by, ..picture }
            .draw(canvas);
        if self.options.picture.bar {
            let look = (self.colors.world.note, scale);
            bar.draw(canvas, self.camera, look, poses.time(self.simulation.world()));
        }
    }
}
