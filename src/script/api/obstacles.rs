//! Obstacles, whatever their shape, through the same few functions.

use glam::Vec3;
use rhai::{Dynamic, Engine, INT};

use super::handles::{Obstacles, Obstructing};
use super::register::{Number, def, property};
use crate::script::call::{Fallible, with};
use crate::script::{meaning, tolls};
use crate::world::Obstacle;

impl IntoIterator for Obstacles {
    type Item = Obstructing;
    type IntoIter = std::iter::Map<std::ops::Range<usize>, fn(usize) -> Obstructing>;

    fn into_iter(self) -> Self::IntoIter {
        (0..count()).map(Obstructing)
    }
}

fn count() -> usize {
    with(|call| call.context.world().obstacles.len())
}

fn read<R>(obstacle: Obstructing, read: impl FnOnce(&Obstacle) -> R) -> R {
    with(|call| read(&call.context.world().obstacles[obstacle.0]))
}

/// As [`read`], where a distance is measured.
fn measure<R>(obstacle: Obstructing, work: impl FnOnce(&Obstacle) -> R) -> R {
    with(|call| tolls::measure(&mut call.context, obstacle.0));
    read(obstacle, work)
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_iterator::<Obstacles>();
    property(engine, "len", |_: &mut Obstacles| count() as INT);
    property(engine, "is_empty", |_: &mut Obstacles| count() == 0);
    let about = "How many obstacles there are.";
    def(
        engine,
        "len",
        &["list: ObstacleList", "int"],
        about,
        |_: Obstacles| count() as INT,
    );
    let about = "Whether there is no obstacle.";
    def(
        engine,
        "is_empty",
        &["list: ObstacleList", "bool"],
        about,
        |_: Obstacles| count() == 0,
    );
    property(engine, "nearest", |_: &mut Obstacles| {
        let nearest = with(|call| meaning::nearest_obstacle(&mut call.context));
        nearest.map_or(Dynamic::UNIT, |at| Dynamic::from(Obstructing(at)))
    });
    engine.register_indexer_get(|_: &mut Obstacles, index: INT| -> Fallible<Obstructing> {
        let at = usize::try_from(index).ok().filter(|at| *at < count());
        at.map(Obstructing)
            .ok_or_else(|| format!("there is no [{index}] in a list of {}", count()).into())
    });
    engine.register_fn("==", |a: Obstructing, b: Obstructing| a == b);
    engine.register_fn("!=", |a: Obstructing, b: Obstructing| a != b);
    property(engine, "position", |it: &mut Obstructing| {
        read(*it, Obstacle::position)
    });
    property(engine, "radius", |it: &mut Obstructing| {
        read(*it, Obstacle::radius)
    });
    property(engine, "inside_out", |it: &mut Obstructing| {
        read(*it, |obstacle| obstacle.inside_out)
    });
    let about = "Distance from a point to the surface; negative where it is solid.";
    let signature = ["obstacle: Obstacle", "point: Vector", "float"];
    def(
        engine,
        "distance_to",
        &signature,
        about,
        |it: Obstructing, point: Vec3| measure(it, |obstacle| obstacle.distance_to(point)),
    );
    let signature = ["obstacle: Obstacle", "point: Vector", "Vector"];
    let about = "The point of the surface nearest to a point.";
    def(
        engine,
        "nearest_point",
        &signature,
        about,
        |it: Obstructing, point: Vec3| measure(it, |obstacle| obstacle.nearest_point(point)),
    );
    let about = "The normal at the point of the surface nearest to a point, toward the free side.";
    def(
        engine,
        "normal",
        &signature,
        about,
        |it: Obstructing, point: Vec3| measure(it, |obstacle| obstacle.normal(point)),
    );
    ray::<f32>(engine);
    ray::<INT>(engine);
}

fn ray<N: Number + rhai::Variant>(engine: &mut Engine) {
    let signature = [
        "obstacle: Obstacle",
        "from: Vector",
        "direction: Vector",
        "length: float",
        "_",
    ];
    let about = "Distance along a ray to the surface, or () if it is not met within `length`.";
    def(
        engine,
        "ray",
        &signature,
        about,
        |it: Obstructing, from: Vec3, direction: Vec3, length: N| {
            with(|call| tolls::trace(&mut call.context, it.0));
            let hit = read(it, |obstacle| {
                obstacle.ray(from, direction, length.number())
            });
            hit.map_or(Dynamic::UNIT, |hit| Dynamic::from_float(hit.distance))
        },
    );
}
