//! Groups of a page: their names, the look of their units, and the figures over the frames.

use glam::Vec2;
use serde::Serialize;
use steerbox_core::sim::metrics::{FIGURES, GroupFigures};
use steerbox_core::world::{Body, Group, World};
use steerbox_scene::{GroupPlan, Scene, UnitShape};

use super::columns::{Column, Prediction, Scale};
use crate::render::coloring;
use crate::render::picture::shapes::outline;

/// A unit that moved farther than this many times its longest possible way was repositioned.
const JUMP: f32 = 2.0;

/// A group and the look of its units.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    name: String,
    /// The outline of a unit, x to starboard and y forward, in parts of its width and length; empty for a disc.
    outline: Vec<[f32; 2]>,
    /// World units.
    length: f32,
    /// World units.
    width: f32,
    /// Length of the trail, seconds.
    trail: f32,
    /// The longest way in a second of simulated time; `None` without a limit.
    reach: Option<f32>,
    marks: Vec<String>,
    /// The value that colors show: its name, and the labels of its minimum and maximum.
    value: Option<(String, [String; 2])>,
}

impl Row {
    fn new(group: &Group, plan: &GroupPlan, world: &World) -> Self {
        let look = &plan.look;
        let length = group.body.length() * look.scale;
        let varied = world.bodies.get(group.units.clone()).unwrap_or(&[]).iter();
        let reach = JUMP * varied.map(Body::max_speed).fold(group.body.max_speed(), f32::max);
        Self {
            name: group.name.clone(),
            outline: outline(look.shape).iter().map(Vec2::to_array).collect(),
            length,
            // A sector has one size.
            width: if look.shape == UnitShape::Pie { length } else { group.body.width() * look.scale },
            trail: look.trail,
            reach: reach.is_finite().then_some(reach),
            marks: look.marks.iter().map(|(mark, _)| mark.clone()).collect(),
            value: look.color_by.as_ref().map(coloring::words),
        }
    }
}

/// Marks a frame in which a figure has no value, a gap of its line. The values of figures are below it.
const NO_VALUE: u16 = u16::MAX;

/// All groups that a run had, and their figures.
#[derive(Default)]
pub(super) struct Groups {
    rows: Vec<Row>,
    /// The figures by group and frame.
    figures: Vec<Vec<GroupFigures>>,
}

/// A figure of all groups.
#[derive(Serialize)]
struct Series {
    name: &'static str,
    about: &'static str,
    max: Option<f32>,
    scales: Vec<Scale>,
}

/// The groups without the values of their figures.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    groups: &'a [Row],
    figures: Vec<Series>,
}

impl Groups {
    /// Adds the figures of a frame and returns the row of each group of the world. Groups are identified by their names;
    /// the latest look applies to all frames.
    pub(super) fn push(&mut self, frame: usize, scene: &Scene, world: &World) -> Vec<usize> {
        let figures = steerbox_core::sim::metrics::of_groups(world);
        let mut places = Vec::new();
        for (group, (plan, figures)) in world.groups.iter().zip(scene.groups.iter().zip(figures)) {
            let known = self.rows.iter().position(|row| row.name == group.name);
            let place = known.unwrap_or(self.rows.len());
            let row = Row::new(group, plan, world);
            if let Some(known) = self.rows.get_mut(place) {
                *known = row;
            } else {
                self.rows.push(row);
                self.figures.push(Vec::new());
            }
            let of_group = &mut self.figures[place];
            of_group.resize(frame, GroupFigures::default());
            of_group.push(figures);
            places.push(place);
        }
        places
    }

    /// Removes every other frame; the first stays.
    pub(super) fn thin(&mut self) {
        for figures in &mut self.figures {
            *figures = figures.iter().step_by(2).copied().collect();
        }
    }

    /// Returns the row of the group with a name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.name == name)
    }

    /// Writes a column for each figure, with a series of `frames` values for each group.
    pub(super) fn write(&mut self, frames: usize, bytes: &mut Vec<u8>) -> Head<'_> {
        self.figures.iter_mut().for_each(|figures| figures.resize(frames, GroupFigures::default()));
        let mut all = Vec::new();
        for (at, figure) in FIGURES.iter().enumerate() {
            let (mut column, mut scales) = (Column::default(), Vec::new());
            for of_group in &self.figures {
                let values = || of_group.iter().filter_map(move |of| of.iter().nth(at));
                let mut scale = Scale::of(values().filter_map(|(_, value)| value));
                scale.quantum *= f64::from(NO_VALUE) / f64::from(NO_VALUE - 1);
                let quantized = |value: Option<f32>| value.map_or(NO_VALUE, |value| scale.quantize(value));
                column.push(values().map(|(_, value)| quantized(value)), Prediction::Constant);
                scales.push(scale);
            }
            column.write(bytes);
            all.push(Series { name: figure.name, about: figure.about, max: figure.max, scales });
        }
        Head { groups: &self.rows, figures: all }
    }
}

#[cfg(test)]
mod tests {
    use super::super::decoded::Reader;
    use super::*;
    use steerbox_scene as scene;

    fn world(groups: &str) -> (Scene, World) {
        let text = format!(
            "(world: Plane(size: (100, 100)), bodies: {{\"m\": Mover(length: 2, max_speed: 5)}}, groups: [{groups}])"
        );
        let scene = scene::read("a.ron", &text).expect("the scene is valid");
        let world = scene::build(&scene, None);
        (scene, world)
    }

    #[test]
    fn groups_are_known_by_their_names_and_figures_have_gaps_while_one_is_missing() {
        let two = "(name: \"a\", body: \"m\", count: 3), (name: \"b\", body: \"m\", count: 5)";
        let one =
            "(name: \"b\", body: \"m\", count: 4, look: (shape: Fish, scale: 3)), (name: \"c\", body: \"m\")";
        let mut groups = Groups::default();
        let mut frame = 0;
        for (text, places) in [(two, [0, 1]), (one, [1, 2]), (one, [1, 2])] {
            let (scene, world) = world(text);
            assert_eq!(groups.push(frame, &scene, &world), places);
            frame += 1;
        }
        assert_eq!((groups.place("c"), groups.place("d")), (Some(2), None));
        let mut bytes = Vec::new();
        let head = groups.write(frame, &mut bytes);
        assert_eq!(
            (head.groups[1].outline.len(), head.groups[1].length, head.groups[1].reach),
            (9, 6.0, Some(10.0))
        );
        let count = FIGURES.iter().position(|figure| figure.name == "count").expect("there are counts");
        let mut reader = Reader(&bytes);
        let columns: Vec<_> =
            FIGURES.iter().map(|_| reader.words(&[frame; 3], Prediction::Constant)).collect();
        let counts = columns[count].iter().zip(&head.figures[count].scales).map(|(values, scale)| {
            let decoded = |value: &u16| (scale.origin + scale.quantum * f64::from(*value)).round();
            values.iter().map(|value| (*value != NO_VALUE).then(|| decoded(value))).collect()
        });
        let expected = [[Some(3.0), None, None], [5.0, 4.0, 4.0].map(Some), [None, Some(1.0), Some(1.0)]];
        assert_eq!(counts.collect::<Vec<Vec<_>>>(), expected);
        groups.thin();
        assert!(groups.figures.iter().all(|figures| figures.len() == 2));
    }
}
