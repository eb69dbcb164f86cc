//! A recording in progress: receives every state and encodes the frames that are due.

use std::sync::Arc;

use glam::Vec2;
use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Generation, Pending};
use steerbox_project::session::{Observer as _, Poses};
use steerbox_scene::{ColorBy, Scene};

use super::clock::FrameClock;
use super::encoder::Encoder;
use super::encoders::encoder;
use super::error::RecordError;
use super::options::RecordOptions;
use super::shot::Shot;
use crate::render::camera::Camera;
use crate::render::interpolated_poses::InterpolatedPoses;
use crate::render::theme::SceneColors;
use crate::render::trails::Trails;

/// A recording in progress. Dropped before it is finished, it leaves no file.
pub struct Recording {
    options: RecordOptions,
    encoder: Box<dyn Encoder>,
    clock: FrameClock,
    stage: Stage,
}

/// A way to see a world.
#[derive(Clone, Debug)]
pub struct View {
    /// The camera that shows the world.
    pub camera: Camera,
    /// The value that colors show instead of looks.
    pub color_by: Option<ColorBy>,
    /// True if the grid of a plane is shown; in small worlds if `None`.
    pub grid: Option<bool>,
    /// Trails up to the first state; none if `None`.
    pub trails: Option<Trails>,
}

impl View {
    /// The whole world from above.
    pub(super) fn whole() -> Self {
        Self { camera: Camera::default(), color_by: None, grid: None, trails: None }
    }
}

/// The parts of a frame that persist from one to the next.
struct Stage {
    scene: Arc<Scene>,
    view: View,
    colors: SceneColors,
    trails: Trails,
    /// Poses before the next step, if a frame is due in it.
    before: Option<Poses>,
    poses: InterpolatedPoses,
}

impl Recording {
    /// Starts a recording of a run at its present state, with the whole world in view.
    ///
    /// # Errors
    /// If an option is outside of its range, or the encoder cannot start.
    pub fn start(
        options: RecordOptions,
        file: Pending,
        scene: &Arc<Scene>,
        simulation: &Simulation,
    ) -> Result<Self, RecordError> {
        let mut recording = Self::new(options, file, scene, simulation, View::whole())?;
        recording.state(scene, simulation)?;
        Ok(recording)
    }

    /// Prepares a recording through a view, without a frame.
    ///
    /// # Errors
    /// As for [`Recording::start`].
    pub fn new(
        options: RecordOptions,
        file: Pending,
        scene: &Arc<Scene>,
        simulation: &Simulation,
        view: View,
    ) -> Result<Self, RecordError> {
        options.check()?;
        let encoder = encoder(&options, file)?;
        Ok(Self::with(encoder, options, scene, simulation, view))
    }

    /// A recording by an encoder.
    pub(super) fn with(
        encoder: Box<dyn Encoder>,
        options: RecordOptions,
        scene: &Arc<Scene>,
        simulation: &Simulation,
        mut view: View,
    ) -> Self {
        let (width, height) = options.size();
        let (size, scale) = (Vec2::new(width as f32, height as f32), options.picture.scale);
        view.camera.set_view(Vec2::ZERO, size, scale, simulation.world());
        let clock = FrameClock::new(options.fps());
        let stage = Stage::new(scene, view, &options);
        Self { options, encoder, clock, stage }
    }

    /// Notes a state before the first frame, for trails.
    pub(crate) fn lead(&mut self, simulation: &Simulation) {
        self.stage.trails.note(simulation.world());
    }

    /// Number of frames so far.
    pub fn frames(&self) -> u64 {
        self.clock.frames()
    }

    /// Encodes the frames that are due up to the present state; called after every step.
    ///
    /// # Errors
    /// If the file cannot be written, or the encoder fails.
    pub fn state(&mut self, scene: &Arc<Scene>, simulation: &Simulation) -> Result<(), RecordError> {
        let world = simulation.world();
        self.stage.follow(scene, &self.options);
        if self.options.picture.trails {
            self.stage.trails.note(world);
        }
        let seconds = f64::from(world.step / scene.speed);
        if self.clock.frames() > 0 {
            self.clock.step(seconds);
        }
        while let Some(share) = self.clock.next_frame(seconds) {
            self.stage.poses.blend(world, self.stage.before.as_ref(), share);
            self.encoder.frame(&self.stage.shot(simulation, &self.options))?;
        }
        self.stage.before = None;
        if self.clock.is_due_within(seconds) {
            self.stage.before = Some(Poses::of(world));
        }
        Ok(())
    }

    /// Receives the end of the run, which a page shows with its texts; called before [`Recording::finish`].
    ///
    /// # Errors
    /// If the file cannot be written, or the encoder fails.
    pub fn end(&mut self, generation: &Generation, simulation: &Simulation) -> Result<(), RecordError> {
        self.encoder.end(generation, simulation)
    }

    /// Completes the file, which then receives its name. A picture of one state shows the present one, and contains
    /// `moment` if the format can.
    ///
    /// # Errors
    /// If the file cannot be written or renamed, or the encoder fails.
    pub fn finish(
        mut self,
        scene: &Arc<Scene>,
        simulation: &Simulation,
        moment: Option<&str>,
    ) -> Result<(), RecordError> {
        if self.options.format.is_still() {
            self.stage.follow(scene, &self.options);
            self.stage.poses = InterpolatedPoses::default();
            let shot = self.stage.shot(simulation, &self.options);
            self.encoder.frame(&Shot { moment, ..shot })?;
        }
        self.complete()
    }

    /// Completes the file of an animation.
    ///
    /// # Errors
    /// As for [`Recording::finish`].
    pub(crate) fn complete(self) -> Result<(), RecordError> {
        Ok(self.encoder.finish()?.complete()?)
    }
}

impl Stage {
    fn new(scene: &Arc<Scene>, view: View, options: &RecordOptions) -> Self {
        let colors = SceneColors::new(scene, options.picture.theme.theme());
        let mut view = view;
        let trails = view.trails.take().unwrap_or_else(|| Trails::new(scene));
        let poses = InterpolatedPoses::default();
        Self { scene: Arc::clone(scene), view, colors, trails, before: None, poses }
    }

    /// Draws another scene from now on, if it was replaced.
    fn follow(&mut self, scene: &Arc<Scene>, options: &RecordOptions) {
        if !Arc::ptr_eq(scene, &self.scene) {
            self.colors = SceneColors::new(scene, options.picture.theme.theme());
            self.scene = Arc::clone(scene);
        }
    }

    fn shot<'a>(&'a self, simulation: &'a Simulation, options: &'a RecordOptions) -> Shot<'a> {
        Shot {
            scene: &self.scene,
            simulation,
            camera: &self.view.camera,
            color_by: self.view.color_by.as_ref(),
            grid: self.view.grid,
            colors: &self.colors,
            poses: &self.poses,
            trails: options.picture.trails.then_some(&self.trails),
            options,
            moment: None,
        }
    }
}
