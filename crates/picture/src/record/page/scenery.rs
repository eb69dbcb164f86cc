//! Scenery of a page: the extent of the world, obstacles and paths, whenever they change.

use glam::{Vec2, Vec3};
use serde::Serialize;
use steerbox_core::world::{
    Arena, Domain, Edges, NamedFlow, NamedPath, Obstacle, Obstacles, Surface, World, Zone,
};

/// Arrows of a flow field along the longer side of the world.
const ARROWS: f32 = 28.0;

/// The scenery from a frame on.
#[derive(Debug, PartialEq, Serialize)]
struct Scenery {
    /// The first frame.
    frame: usize,
    /// The extent of a plane, or the center and radius of a space.
    extent: Vec<f32>,
    /// True if the edges connect.
    wraps: bool,
    /// True if shapes and units have images across the edges; those of shapes and paths are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    seamless: bool,
    obstacles: Vec<Shape>,
    /// The areas of zones; a page of a space does not draw them.
    zones: Vec<Shape>,
    paths: Vec<Line>,
    fields: Vec<Field>,
}

/// A flow field of a plane that a group follows.
#[derive(Debug, PartialEq, Serialize)]
struct Field {
    /// The name of the group.
    group: String,
    /// Positions and unit vectors.
    arrows: Vec<[f32; 4]>,
}

/// The surface of an obstacle.
#[derive(Debug, PartialEq, Serialize)]
struct Shape {
    /// The ends and the radius of a round one.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<(Vec<f32>, Vec<f32>, f32)>,
    /// The corners of the faces of another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faces: Vec<Vec<Vec<f32>>>,
    /// True for a container.
    inside_out: bool,
}

/// A path.
#[derive(Debug, PartialEq, Serialize)]
struct Line {
    points: Vec<Vec<f32>>,
    radius: f32,
}

/// All changes of the scenery.
#[derive(Default)]
pub(super) struct Changes {
    changes: Vec<Scenery>,
    /// The parts of the world of the last change.
    last: Option<Parts>,
}

/// The parts of a world that scenery shows.
struct Parts {
    arena: Arena,
    obstacles: Obstacles,
    zones: Vec<Zone>,
    paths: Vec<NamedPath>,
    flows: Vec<NamedFlow>,
}

impl Parts {
    fn of(world: &World) -> Self {
        Self {
            arena: world.arena,
            obstacles: world.obstacles.clone(),
            zones: world.zones.clone(),
            paths: world.paths.clone(),
            flows: world.flows.clone(),
        }
    }

    fn are_of(&self, world: &World) -> bool {
        self.arena == world.arena
            && self.obstacles == world.obstacles
            && self.zones == world.zones
            && self.paths == world.paths
            && self.flows == world.flows
    }
}

impl Changes {
    /// Adds the scenery of a frame if it differs from the last one.
    pub(super) fn push(&mut self, frame: usize, world: &World) {
        if self.last.as_ref().is_none_or(|last| !last.are_of(world)) {
            self.last = Some(Parts::of(world));
            self.changes.push(Scenery::new(frame, world));
        }
    }

    /// Renumbers the frames after every other one was removed. Of changes in one frame, the last applies.
    pub(super) fn thin(&mut self) {
        self.changes.iter_mut().for_each(|change| change.frame = change.frame.div_ceil(2));
        self.changes.reverse();
        self.changes.dedup_by_key(|change| change.frame);
        self.changes.reverse();
    }

    /// Returns the changes as they are serialized.
    pub(super) fn rows(&self) -> impl Serialize {
        &self.changes
    }
}

impl Scenery {
    fn new(frame: usize, world: &World) -> Self {
        let is_plane = world.arena.is_plane();
        let point = |point: &Vec3| point.to_array()[..if is_plane { 2 } else { 3 }].to_vec();
        let extent = match world.arena.domain {
            Domain::Plane { size } => size.to_array().to_vec(),
            Domain::Space { center, radius } => center.to_array().into_iter().chain([radius]).collect(),
        };
        let lines = |path: &NamedPath| -> Vec<Line> {
            let line = |shift| Line {
                points: path.path.points().iter().map(|it| point(&(*it + shift))).collect(),
                radius: path.path.radius(),
            };
            world.arena.images(path.path.bounds()).map(line).collect()
        };
        let shapes = |shape: &Obstacle| -> Vec<Shape> {
            let image = |shift| Shape::new(shape, |it| point(&(*it + shift)));
            // The images of a container would cover each other.
            if shape.inside_out {
                return vec![image(Vec3::ZERO)];
            }
            world.arena.images(shape.solid.bounds()).map(image).collect()
        };
        Self {
            frame,
            extent,
            wraps: world.arena.edges == Edges::Wrap,
            seamless: world.arena.period().is_some(),
            obstacles: world.obstacles.iter().flat_map(shapes).collect(),
            zones: world.zones.iter().flat_map(|zone| shapes(&zone.area)).collect(),
            paths: world.paths.iter().flat_map(lines).collect(),
            fields: if is_plane { fields(world) } else { Vec::new() },
        }
    }
}

/// Returns the fields that groups follow, for the first group of each.
fn fields(world: &World) -> Vec<Field> {
    let size = world.arena.size();
    let spacing = size.max_element() / ARROWS;
    let [columns, rows] = [size.x, size.y].map(|size| (size / spacing) as usize);
    let places =
        || (0..rows).flat_map(|row| (0..columns).map(move |column| Vec2::new(column as f32, row as f32)));
    let mut fields = Vec::new();
    for (at, flow) in world.flows.iter().enumerate() {
        let Some(group) = world.groups.iter().find(|group| group.flow == Some(at)) else { continue };
        let arrow = |place: Vec2| {
            // Several fields are drawn side by side.
            let point = (place + 0.25 + 0.5 * (at % 2) as f32) * spacing;
            let vector = flow.flow.at(point.extend(0.0)).truncate().normalize_or_zero();
            [point.x, point.y, vector.x, vector.y]
        };
        fields.push(Field { group: group.name.clone(), arrows: places().map(arrow).collect() });
    }
    fields
}

impl Shape {
    fn new(obstacle: &Obstacle, point: impl Fn(&Vec3) -> Vec<f32>) -> Self {
        let (round, faces) = match obstacle.solid.surface() {
            Surface::Round { from, to, radius } => (Some((point(&from), point(&to), radius)), Vec::new()),
            Surface::Faces(faces) => {
                (None, faces.iter().map(|face| face.iter().map(&point).collect()).collect())
            }
        };
        Self { round, faces, inside_out: obstacle.inside_out }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::{Solid, testing};

    use super::*;

    #[test]
    fn a_moved_obstacle_is_recorded_at_its_frame_only() {
        let mut world = World { arena: testing::plane(100.0, 80.0, Edges::Wrap), ..World::default() };
        let mut changes = Changes::default();
        let ball = |x: f32| Obstacle::from(Solid::ball(Vec3::new(x, 2.0, 0.0), 3.0));
        for (frame, x) in [1.0, 1.0, 5.0, 6.0, 6.0].into_iter().enumerate() {
            world.obstacles = Obstacles::from(vec![ball(x)]);
            changes.push(frame, &world);
        }
        let json = serde_json::to_string(&changes.rows()).expect("it has no maps");
        let of = |frame: usize, x: &str| {
            format!(
                "{{\"frame\":{frame},\"extent\":[100.0,80.0],\"wraps\":true,\"obstacles\":[{{\"round\":\
                [[{x},2.0],[{x},2.0],3.0],\"inside_out\":false}}],\"zones\":[],\"paths\":[],\"fields\":[]}}"
            )
        };
        assert_eq!(json, format!("[{},{},{}]", of(0, "1.0"), of(2, "5.0"), of(3, "6.0")));
        changes.thin();
        let frames: Vec<_> = changes.changes.iter().map(|change| change.frame).collect();
        assert_eq!(frames, [0, 1, 2]);
        changes.thin();
        let json = serde_json::to_string(&changes.rows()).expect("it has no maps");
        assert_eq!(json, format!("[{},{}]", of(0, "1.0"), of(1, "6.0")));
    }
}
