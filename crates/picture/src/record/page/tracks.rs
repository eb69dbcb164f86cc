//! Tracks: the positions, headings and tints of each unit over the frames of a page.

use std::collections::BTreeMap;
use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};
use serde::Serialize;

use super::columns::{Column, Prediction, Scale, push_bytes};

/// A unit in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) position: Vec3,
    /// Its course in 256 parts of a turn, and in space its pitch from −90° (0) to 90° (255).
    pub(super) heading: [u8; 2],
    /// The source of its color: see [`super::tints`].
    pub(super) tint: u8,
}

impl Sample {
    /// Creates a sample of a unit in a plane or in space.
    pub(super) fn new(position: Vec3, heading: Vec3, is_plane: bool, tint: u8) -> Self {
        let part = |angle: f32, turn: f32| (angle / turn * 256.0).round() as i32 as u8;
        let heading = if is_plane {
            [part(libm::atan2f(heading.y, heading.x), TAU), 0]
        } else {
            let pitch = libm::asinf(heading.y.clamp(-1.0, 1.0)) / PI + 0.5;
            [part(libm::atan2f(heading.x, -heading.z), TAU), (pitch * 255.0).round() as u8]
        };
        Self { position, heading, tint }
    }
}

/// The frames of a unit from its appearance on, without gaps.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// The group, by its row in the page.
    group: usize,
    /// The index of the unit when it appeared.
    unit: usize,
    /// The first frame.
    first: usize,
    /// Length and width of the unit in those of its group.
    size: [f32; 2],
    samples: Vec<Sample>,
}

impl Track {
    fn end(&self) -> usize {
        self.first + self.samples.len()
    }
}

/// All tracks.
#[derive(Default)]
pub(super) struct Tracks {
    all: Vec<Track>,
    /// The latest track of each unit, by its key.
    latest: BTreeMap<u64, usize>,
    samples: usize,
}

/// The tracks without their samples.
#[derive(Default, Serialize)]
pub(super) struct Heads {
    group: Vec<usize>,
    unit: Vec<usize>,
    first: Vec<usize>,
    length: Vec<usize>,
    /// Empty if no unit has another size than its group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    size: Vec<[f32; 2]>,
}

impl Tracks {
    /// The number of samples of all tracks.
    pub(super) fn samples(&self) -> usize {
        self.samples
    }

    /// Adds a unit, with its key, group and index, in the frame of this number. One that was absent from the last frame
    /// or belonged to another group starts another track.
    pub(super) fn push(&mut self, frame: usize, (key, group, unit): (u64, usize, usize), sample: Sample) {
        self.samples += 1;
        let known = self.latest.get(&key).and_then(|at| self.all.get_mut(*at));
        if let Some(track) = known.filter(|track| track.end() == frame && track.group == group) {
            track.samples.push(sample);
            return;
        }
        self.latest.insert(key, self.all.len());
        self.all.push(Track { group, unit, first: frame, size: [1.0; 2], samples: vec![sample] });
    }

    /// Sets length and width of a unit in those of its group, for all frames.
    pub(super) fn resize(&mut self, key: u64, size: [f32; 2]) {
        if let Some(track) = self.latest.get(&key).and_then(|at| self.all.get_mut(*at)) {
            track.size = size;
        }
    }

    /// Removes every other frame; the first stays.
    pub(super) fn thin(&mut self) {
        for track in &mut self.all {
            let odd = track.first % 2;
            track.samples = track.samples.iter().skip(odd).step_by(2).copied().collect();
            track.first = track.first.div_ceil(2);
        }
        // Empty tracks stay: indices refer to the others.
        self.samples = self.all.iter().map(|track| track.samples.len()).sum();
    }

    /// Returns the scale of each axis: over the period of a world without edges, or else over all samples.
    pub(super) fn scales(&self, period: Option<Vec2>) -> [Scale; 3] {
        let samples = || self.all.iter().flat_map(|track| &track.samples);
        let bounds = |axis: usize| Scale::of(samples().map(|sample| sample.position[axis]));
        match period {
            Some(size) => [Scale::periodic(size.x), Scale::periodic(size.y), bounds(2)],
            None => [0, 1, 2].map(bounds),
        }
    }

    /// Writes the columns: each axis, course, pitch and tint; without z and pitch in a plane.
    pub(super) fn write(&self, scales: &[Scale; 3], is_plane: bool, bytes: &mut Vec<u8>) -> Heads {
        for (axis, scale) in scales.iter().enumerate().take(if is_plane { 2 } else { 3 }) {
            let mut column = Column::default();
            for track in &self.all {
                let values = track.samples.iter().map(|sample| scale.quantize(sample.position[axis]));
                column.push(values, Prediction::Linear);
            }
            column.write(bytes);
        }
        let fields: [fn(&Sample) -> u8; 3] =
            [|sample| sample.heading[0], |sample| sample.heading[1], |sample| sample.tint];
        for (_, field) in fields.iter().enumerate().filter(|(at, _)| *at != 1 || !is_plane) {
            self.all.iter().for_each(|track| push_bytes(bytes, track.samples.iter().map(field)));
        }
        let mut heads = Heads::default();
        for track in &self.all {
            heads.group.push(track.group);
            heads.unit.push(track.unit);
            heads.first.push(track.first);
            heads.length.push(track.samples.len());
        }
        if self.all.iter().any(|track| track.size != [1.0; 2]) {
            heads.size = self.all.iter().map(|track| track.size).collect();
        }
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::super::decoded::Reader;
    use super::*;

    fn sample(x: f32) -> Sample {
        Sample::new(Vec3::new(x, 2.0 * x, 0.0), Vec3::X, true, x as u8)
    }

    /// First frame and tints of each track.
    fn tracks(tracks: &Tracks) -> Vec<(usize, Vec<u8>)> {
        let of = |track: &Track| (track.first, track.samples.iter().map(|sample| sample.tint).collect());
        tracks.all.iter().map(of).collect()
    }

    #[test]
    fn units_appear_and_disappear_and_are_known_by_their_keys() {
        let mut all = Tracks::default();
        // Unit 8 disappears, so unit 9 becomes the first; then it returns.
        for (frame, keys) in [&[8, 9][..], &[8, 9], &[9], &[9, 5], &[8, 9, 5]].into_iter().enumerate() {
            for (unit, key) in keys.iter().enumerate() {
                all.push(frame, (*key, 0, unit), sample((10 * frame) as f32 + *key as f32));
            }
        }
        let expected = [(0, vec![8, 18]), (0, vec![9, 19, 29, 39, 49]), (3, vec![35, 45]), (4, vec![48])];
        assert_eq!(tracks(&all), expected);
        assert_eq!((all.samples(), all.all[2].unit, all.all[1].unit), (10, 1, 1));
        all.push(5, (8, 1, 0), sample(0.0));
        assert_eq!(tracks(&all)[4], (5, vec![0]), "another group");
    }

    #[test]
    fn every_other_frame_is_removed_and_tracks_continue() {
        for frames in [6, 7] {
            let mut all = Tracks::default();
            for frame in 0..frames {
                all.push(frame, (1, 0, 0), sample(frame as f32));
                if frame >= 3 {
                    all.push(frame, (2, 0, 1), sample(frame as f32));
                }
            }
            all.thin();
            let kept = frames.div_ceil(2);
            all.push(kept, (1, 0, 0), sample(99.0));
            all.push(kept, (2, 0, 1), sample(99.0));
            let of = |from: usize| (from..frames).step_by(2).map(|at| at as u8).chain([99]).collect();
            assert_eq!(tracks(&all), [(0, of(0)), (2, of(4))]);
            let count: usize = tracks(&all).iter().map(|(_, samples)| samples.len()).sum();
            assert_eq!(all.samples(), count);
        }
    }

    #[test]
    fn decoded_positions_differ_by_at_most_half_a_quantum_and_headings_by_half_a_part() {
        let mut all = Tracks::default();
        let place = |frame: usize, unit: usize| {
            let angle = frame as f32 * 0.07 + unit as f32;
            let (sin, cos) = libm::sincosf(angle);
            (Vec3::new(cos * 40.0, sin * 9.0, angle), Vec3::new(-sin, 0.6 * cos, 0.8 * cos))
        };
        for (frame, unit) in (0..200).flat_map(|frame| (0..3).map(move |unit| (frame, unit))) {
            let (position, heading) = place(frame, unit);
            all.push(frame, (unit as u64, 0, unit), Sample::new(position, heading, false, 0));
        }
        let (scales, mut bytes) = (all.scales(None), Vec::new());
        let heads = all.write(&scales, false, &mut bytes);
        let mut reader = Reader(&bytes);
        let axes = scales.map(|scale| (scale, reader.words(&heads.length, Prediction::Linear)));
        let [course, pitch, tint] = [0; 3].map(|_| reader.bytes(&heads.length));
        assert!(reader.0.is_empty() && tint.iter().flatten().all(|tint| *tint == 0));
        for (frame, unit) in (0..200).flat_map(|frame| (0..3).map(move |unit| (frame, unit))) {
            let (position, heading) = place(frame, unit);
            for (axis, (scale, values)) in axes.iter().enumerate() {
                let back = scale.origin + scale.quantum * f64::from(values[unit][frame]);
                let error = (back - f64::from(position[axis])).abs();
                assert!(error <= 0.500_001 * scale.quantum, "{frame} {unit}: {error}");
            }
            let yaw = f32::from(course[unit][frame]) / 256.0 * TAU;
            let pitch = (f32::from(pitch[unit][frame]) / 255.0 - 0.5) * PI;
            let ((yaw_sin, yaw_cos), (sin, cos)) = (libm::sincosf(yaw), libm::sincosf(pitch));
            let back = Vec3::new(cos * yaw_sin, sin, -cos * yaw_cos);
            assert!(back.angle_between(heading.normalize()) < 0.025, "{frame} {unit}: {back} {heading}");
        }
    }

    #[test]
    fn a_periodic_coordinate_crosses_the_edge_without_a_jump() {
        let mut all = Tracks::default();
        for frame in 0..400 {
            let x = (frame as f32 * 1.7).rem_euclid(100.0);
            all.push(frame, (1, 0, 0), Sample::new(Vec3::new(x, 50.0, 0.0), Vec3::X, true, 0));
        }
        let (scales, mut bytes) = (all.scales(Some(Vec2::splat(100.0))), Vec::new());
        all.write(&scales, true, &mut bytes);
        let (low, high) = (&bytes[2..400], &bytes[402..800]);
        assert!(low.iter().all(|residual| *residual <= 4) && high.iter().all(|residual| *residual == 0));
    }
}
