//! The world, its obstacles, paths and flow fields.

use glam::Vec3;

use super::super::context::Context;
use super::{charged, guarded, leave};
use crate::script::{meaning, tolls};
use crate::world::{Flow, Obstacle, Path};

pub(in super::super) extern "C" fn target(context: &mut Context<'_>) -> u8 {
    guarded(context, 0, |context| {
        let Some(target) = meaning::target(context.senses) else {
            return 0;
        };
        leave(context, target);
        1
    })
}

pub(in super::super) extern "C" fn player(context: &mut Context<'_>) -> u8 {
    guarded(context, 0, |context| {
        let Some((unit, position)) = meaning::player(context.senses) else {
            return 0;
        };
        context.count = unit as i64;
        leave(context, position);
        1
    })
}

pub(in super::super) extern "C" fn obstacle_count(context: &mut Context<'_>) -> i64 {
    context.senses.world().obstacles.len() as i64
}

/// The obstacle whose surface is nearest, or −1.
pub(in super::super) extern "C" fn nearest_obstacle(context: &mut Context<'_>) -> i64 {
    charged(context, -1, |context| {
        meaning::nearest_obstacle(context.senses).map_or(-1, |nearest| nearest as i64)
    })
}

fn obstacle<R>(
    context: &mut Context<'_>,
    index: i64,
    otherwise: R,
    read: impl FnOnce(&Obstacle) -> R,
) -> R {
    guarded(context, otherwise, |context| {
        read(&context.senses.world().obstacles[index as usize])
    })
}

/// As [`obstacle`], where a distance is measured.
fn measured<R>(
    context: &mut Context<'_>,
    index: i64,
    otherwise: R,
    read: impl FnOnce(&Obstacle) -> R,
) -> R {
    charged(context, otherwise, |context| {
        tolls::measure(context.senses, index as usize);
        read(&context.senses.world().obstacles[index as usize])
    })
}

pub(in super::super) extern "C" fn obstacle_position(context: &mut Context<'_>, index: i64) {
    let vector = obstacle(context, index, Vec3::ZERO, Obstacle::position);
    leave(context, vector);
}

pub(in super::super) extern "C" fn obstacle_radius(context: &mut Context<'_>, index: i64) -> f32 {
    obstacle(context, index, 0.0, Obstacle::radius)
}

pub(in super::super) extern "C" fn obstacle_inside_out(
    context: &mut Context<'_>,
    index: i64,
) -> u8 {
    obstacle(context, index, 0, |it| u8::from(it.inside_out))
}

pub(in super::super) extern "C" fn obstacle_distance(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) -> f32 {
    measured(context, index, 0.0, |it| it.distance_to(Vec3::new(x, y, z)))
}

pub(in super::super) extern "C" fn obstacle_nearest_point(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let vector = measured(context, index, Vec3::ZERO, |it| it.nearest_point(point));
    leave(context, vector);
}

pub(in super::super) extern "C" fn obstacle_normal(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let vector = measured(context, index, Vec3::ZERO, |it| it.normal(point));
    leave(context, vector);
}

/// Whether a ray meets an obstacle; how far along is left.
#[allow(clippy::too_many_arguments, reason = "two vectors as plain numbers")]
pub(in super::super) extern "C" fn obstacle_ray(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
    dx: f32,
    dy: f32,
    dz: f32,
    length: f32,
) -> u8 {
    let (from, direction) = (Vec3::new(x, y, z), Vec3::new(dx, dy, dz));
    let hit = charged(context, None, |context| {
        tolls::trace(context.senses, index as usize);
        context.senses.world().obstacles[index as usize].ray(from, direction, length)
    });
    match hit {
        Some(hit) => {
            context.floats[0] = hit.distance;
            1
        }
        None => 0,
    }
}

fn path<R>(
    context: &mut Context<'_>,
    index: i64,
    otherwise: R,
    read: impl FnOnce(&Path) -> R,
) -> R {
    guarded(context, otherwise, |context| {
        read(&context.senses.world().paths[index as usize].path)
    })
}

pub(in super::super) extern "C" fn path_length(context: &mut Context<'_>, index: i64) -> f32 {
    path(context, index, 0.0, Path::length)
}

pub(in super::super) extern "C" fn path_radius(context: &mut Context<'_>, index: i64) -> f32 {
    path(context, index, 0.0, Path::radius)
}

pub(in super::super) extern "C" fn path_is_closed(context: &mut Context<'_>, index: i64) -> u8 {
    path(context, index, 0, |path| u8::from(path.is_closed()))
}

/// The point of a path nearest to another, and how far along it is.
fn nearest_on_path(context: &mut Context<'_>, index: i64, point: Vec3) -> (Vec3, f32) {
    charged(context, (Vec3::ZERO, 0.0), |context| {
        tolls::search_path(context.senses, index as usize);
        context.senses.world().paths[index as usize]
            .path
            .nearest(point)
    })
}

pub(in super::super) extern "C" fn path_nearest(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let on = nearest_on_path(context, index, point).0;
    leave(context, on);
}

pub(in super::super) extern "C" fn path_along(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) -> f32 {
    nearest_on_path(context, index, Vec3::new(x, y, z)).1
}

pub(in super::super) extern "C" fn path_point(
    context: &mut Context<'_>,
    index: i64,
    distance: f32,
) {
    let distance = meaning::along(distance);
    let point = path(context, index, Vec3::ZERO, |path| path.point_at(distance));
    leave(context, point);
}

pub(in super::super) extern "C" fn path_direction(
    context: &mut Context<'_>,
    index: i64,
    distance: f32,
) {
    let distance = meaning::along(distance);
    let direction = path(context, index, Vec3::ZERO, |path| {
        path.direction_at(distance)
    });
    leave(context, direction);
}

pub(in super::super) extern "C" fn field_at(
    context: &mut Context<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let at = |flow: &Flow| flow.at(Vec3::new(x, y, z));
    let vector = guarded(context, Vec3::ZERO, |context| {
        at(&context.senses.world().flows[index as usize].flow)
    });
    leave(context, vector);
}
