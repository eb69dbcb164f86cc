//! A page: one HTML file that plays a recorded run in a browser, without a network and without other files.
//!
//! A page is data and a player of 25 kB. Positions are quantized to 16 bits over the extent of all of them, courses to
//! 8 bits, 20 times per real second; the player interpolates. Video would be larger, and can neither be zoomed nor
//! asked for the speed of a unit.
//!
//! Frames are stored until the end: the scale of open worlds is unknown before. When there are too many samples, every
//! other frame is removed, and from then on half as many are recorded.

mod colors;
mod columns;
#[cfg(test)]
mod decoded;
mod grids;
mod groups;
mod html;
mod scenery;
#[cfg(test)]
mod tests;
mod texts;
mod tracks;

use std::fmt::Write as _;
use std::io::{self, Write};

use glam::Vec2;
use serde::Serialize;
use steerbox_core::sim::Simulation;
use steerbox_core::world::World;
use steerbox_project::reload::{Generation, Pending};
use steerbox_scene::{Scene, SceneLook, UnitShape};

use super::encoder::Encoder;
use super::error::RecordError;
use super::shot::Shot;
use crate::render::interpolated_poses::{EXACT, InterpolatedPoses};
use crate::render::picture::Picture;
use crate::render::picture::look::Tint;
use crate::render::theme::SceneColors;
use grids::Grids;
use groups::Groups;
use html::Parts;
use scenery::Changes;
use texts::{escaped, file_name};
use tracks::{Sample, Tracks};

/// Maximum number of samples of a page: seven minutes of 1,000 units.
const MAX_SAMPLES: usize = 1 << 23;

/// A page and its file.
pub(super) struct PageFile {
    page: Page,
    file: Pending,
    has_ended: bool,
}

impl PageFile {
    pub(super) fn new(file: Pending) -> Self {
        Self { page: Page::new(), file, has_ended: false }
    }
}

impl Encoder for PageFile {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        self.page.frame(shot.scene, shot.simulation, shot.poses);
        Ok(())
    }

    fn end(&mut self, generation: &Generation, simulation: &Simulation) -> Result<(), RecordError> {
        let html = self.page.finish(generation, simulation)?;
        self.file.write_all(html.as_bytes())?;
        self.has_ended = true;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Pending, RecordError> {
        if self.has_ended {
            Ok(self.file)
        } else {
            Err(RecordError::Encoder("the run has no end".to_owned()))
        }
    }
}

/// The content of a page, while a run is recorded.
struct Page {
    /// The simulated time of each frame, seconds.
    times: Vec<f32>,
    /// The number of steps before each frame.
    steps: Vec<u64>,
    tracks: Tracks,
    groups: Groups,
    scenery: Changes,
    grids: Grids,
    /// The period of positions, while it is the same in all frames.
    period: Option<Vec2>,
    /// True if all frames are in a plane.
    is_plane: bool,
    /// Number of calls per recorded frame.
    stride: usize,
    /// Number of calls.
    calls: usize,
    max_samples: usize,
}

/// The first part of the data, as JSON; columns follow.
#[derive(Serialize)]
struct Head<'a, C: Serialize> {
    /// Simulated seconds per real second.
    speed: f32,
    /// The surroundings that are drawn.
    look: Look,
    plane: bool,
    /// True if positions are periodic.
    periodic: bool,
    scales: [columns::Scale; 3],
    times: &'a [f32],
    steps: &'a [u64],
    tracks: tracks::Heads,
    #[serde(flatten)]
    groups: groups::Head<'a>,
    scenery: C,
    grids: &'a [grids::Picture],
}

/// The surroundings that a scene shows.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the scene")]
struct Look {
    frame: bool,
    grid: bool,
    ball: bool,
    floor: bool,
}

impl Page {
    /// Creates a page without frames.
    fn new() -> Self {
        Self {
            times: Vec::new(),
            steps: Vec::new(),
            tracks: Tracks::default(),
            groups: Groups::default(),
            scenery: Changes::default(),
            grids: Grids::default(),
            period: None,
            is_plane: true,
            stride: 1,
            calls: 0,
            max_samples: MAX_SAMPLES,
        }
    }

    /// Adds a frame: a state with the poses at which its units are drawn.
    fn frame(&mut self, scene: &Scene, simulation: &Simulation, poses: &InterpolatedPoses) {
        let is_due = self.calls.is_multiple_of(self.stride);
        self.calls += 1;
        if is_due {
            self.record(scene, simulation, poses);
            if self.tracks.samples() > self.max_samples && self.times.len() > 2 {
                self.thin();
            }
        }
    }

    fn record(&mut self, scene: &Scene, simulation: &Simulation, poses: &InterpolatedPoses) {
        let (frame, world) = (self.times.len(), simulation.world());
        self.times.push(poses.time(world));
        self.steps.push(world.steps);
        self.scenery.push(frame, world);
        self.grids.push(frame, world);
        let (wrap, is_plane) = (world.arena.wrap(), world.arena.is_plane());
        self.period = if frame == 0 { wrap } else { self.period.filter(|period| wrap == Some(*period)) };
        self.is_plane &= is_plane;
        let rows = self.groups.push(frame, scene, world);
        let colors = SceneColors::default();
        let picture = Picture { poses, ..Picture::new(scene, simulation, &(), &colors) };
        for (index, row) in rows.into_iter().enumerate() {
            let look = picture.look(index);
            for unit in world.groups[index].units.clone() {
                let tint = look.map_or(0, |look| tint(picture.tint_of(unit, look)));
                let (position, heading) = (poses.position(world, unit), poses.heading(world, unit));
                let sample = Sample::new(position, heading, is_plane, tint);
                let key = world.units.key[unit];
                self.tracks.push(frame, (key, row, unit), sample);
                if !world.groups[index].drawn.is_empty() {
                    let is_sector = look.is_some_and(|look| look.shape == UnitShape::Pie);
                    self.tracks.resize(key, size(world, unit, is_sector));
                }
            }
        }
    }

    fn thin(&mut self) {
        self.stride *= 2;
        self.times = self.times.iter().step_by(2).copied().collect();
        self.steps = self.steps.iter().step_by(2).copied().collect();
        self.tracks.thin();
        self.groups.thin();
        self.scenery.thin();
        self.grids.thin();
    }

    /// Returns the page of a run that ended in this state, with the texts of the generation that ran last.
    ///
    /// # Errors
    /// If the data cannot be compressed.
    fn finish(&mut self, generation: &Generation, simulation: &Simulation) -> io::Result<String> {
        let (scene, world) = (&*generation.scene, simulation.world());
        if self.times.last().is_none_or(|last| *last < world.time()) {
            self.record(scene, simulation, &EXACT);
        }
        self.grids.add(self.times.len() - 1, world);
        let mut title = String::new();
        escaped(&mut title, &scene.title);
        let parts = Parts {
            title,
            facts: facts(generation, simulation),
            texts: texts::texts(generation),
            colors: colors::rules(&self.groups, scene),
            data: self.data(scene)?,
        };
        html::html(&parts)
    }

    /// Returns the length of the head in four bytes, little-endian, the head and the columns.
    fn data(&mut self, scene: &Scene) -> io::Result<Vec<u8>> {
        let period = self.period;
        let scales = self.tracks.scales(period);
        let mut columns = Vec::new();
        let tracks = self.tracks.write(&scales, self.is_plane, &mut columns);
        let SceneLook { frame, grid, ball, floor, .. } = scene.look;
        let head = Head {
            speed: scene.speed,
            look: Look { frame, grid: grid != Some(false), ball, floor },
            plane: self.is_plane,
            periodic: period.is_some(),
            scales,
            times: &self.times,
            steps: &self.steps,
            tracks,
            groups: self.groups.write(self.times.len(), &mut columns),
            scenery: self.scenery.rows(),
            grids: self.grids.write(&mut columns),
        };
        let head = serde_json::to_vec(&head)?;
        let length = u32::try_from(head.len()).map_err(io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &head, &columns].concat())
    }
}

/// Length and width of a unit in those of its group; a sector has one size.
fn size(world: &World, unit: usize, is_sector: bool) -> [f32; 2] {
    let (own, usual) = (world.body_of(unit), &world.group_of(unit).body);
    let length = own.length() / usual.length();
    [length, if is_sector { length } else { own.width() / usual.width() }]
}

/// The source of a color in a byte: 0 is the group; marks follow by their indices; values are from 128 on.
fn tint(tint: Tint) -> u8 {
    match tint {
        Tint::Group => 0,
        Tint::Mark(place) => (place + 1).min(127) as u8,
        Tint::Value(share) => 128 + (share.clamp(0.0, 1.0) * 127.0).round() as u8,
    }
}

/// Returns rows of a table that identify the run, so that it can be repeated and compared.
fn facts(generation: &Generation, simulation: &Simulation) -> String {
    let world = simulation.world();
    let mut rows = vec![
        ("scene", file_name(&generation.scene.path)),
        ("seed", world.seed.to_string()),
        ("steps", world.steps.to_string()),
        ("step", format!("{} s", world.step)),
        ("hash", format!("{:016x}", simulation.hash())),
        ("program", format!("steerbox {}", env!("CARGO_PKG_VERSION"))),
    ];
    rows.extend(generation.tuned().map(|(handle, name, value)| {
        let occurrence =
            if handle.occurrence > 0 { format!("#{}", handle.occurrence + 1) } else { String::new() };
        let (group, script, name) = (handle.group, handle.script, name.as_str());
        ("set", format!("{group}.{script}{occurrence}.{name}={value}"))
    }));
    let mut html = String::new();
    for (name, value) in rows {
        let _ = write!(html, "<div><dt>{name}</dt><dd data-fact=\"{name}\">");
        escaped(&mut html, &value);
        html.push_str("</dd></div>\n");
    }
    html
}
