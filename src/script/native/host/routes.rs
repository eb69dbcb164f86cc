//! The world, its obstacles, paths and flow fields.

use glam::Vec3;

use super::super::vm::VmContext;
use super::{charged, guarded, leave};
use crate::script::{meaning, tolls};
use crate::world::{Flow, Obstacle, Path};

pub(in super::super) extern "C" fn target(vm: &mut VmContext<'_>) -> u8 {
    guarded(vm, 0, |vm| {
        let Some(target) = meaning::target(vm.context) else {
            return 0;
        };
        leave(vm, target);
        1
    })
}

pub(in super::super) extern "C" fn player(vm: &mut VmContext<'_>) -> u8 {
    guarded(vm, 0, |vm| {
        let Some((unit, position)) = meaning::player(vm.context) else {
            return 0;
        };
        vm.count = unit as i64;
        leave(vm, position);
        1
    })
}

pub(in super::super) extern "C" fn obstacle_count(vm: &mut VmContext<'_>) -> i64 {
    vm.context.world().obstacles.len() as i64
}

/// The obstacle whose surface is nearest, or −1.
pub(in super::super) extern "C" fn nearest_obstacle(vm: &mut VmContext<'_>) -> i64 {
    charged(vm, -1, |vm| {
        meaning::nearest_obstacle(vm.context).map_or(-1, |nearest| nearest as i64)
    })
}

fn obstacle<R>(
    vm: &mut VmContext<'_>,
    index: i64,
    otherwise: R,
    read: impl FnOnce(&Obstacle) -> R,
) -> R {
    guarded(vm, otherwise, |vm| {
        read(&vm.context.world().obstacles[index as usize])
    })
}

/// As [`obstacle`], where a distance is measured.
fn measured<R>(
    vm: &mut VmContext<'_>,
    index: i64,
    otherwise: R,
    read: impl FnOnce(&Obstacle) -> R,
) -> R {
    charged(vm, otherwise, |vm| {
        tolls::measure(vm.context, index as usize);
        read(&vm.context.world().obstacles[index as usize])
    })
}

pub(in super::super) extern "C" fn obstacle_position(vm: &mut VmContext<'_>, index: i64) {
    let vector = obstacle(vm, index, Vec3::ZERO, Obstacle::position);
    leave(vm, vector);
}

pub(in super::super) extern "C" fn obstacle_radius(vm: &mut VmContext<'_>, index: i64) -> f32 {
    obstacle(vm, index, 0.0, Obstacle::radius)
}

pub(in super::super) extern "C" fn obstacle_inside_out(vm: &mut VmContext<'_>, index: i64) -> u8 {
    obstacle(vm, index, 0, |it| u8::from(it.inside_out))
}

pub(in super::super) extern "C" fn obstacle_distance(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) -> f32 {
    measured(vm, index, 0.0, |it| it.distance_to(Vec3::new(x, y, z)))
}

pub(in super::super) extern "C" fn obstacle_nearest_point(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let vector = measured(vm, index, Vec3::ZERO, |it| it.nearest_point(point));
    leave(vm, vector);
}

pub(in super::super) extern "C" fn obstacle_normal(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let vector = measured(vm, index, Vec3::ZERO, |it| it.normal(point));
    leave(vm, vector);
}

/// Whether a ray meets an obstacle; how far along is left.
#[allow(clippy::too_many_arguments, reason = "two vectors as plain numbers")]
pub(in super::super) extern "C" fn obstacle_ray(
    vm: &mut VmContext<'_>,
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
    let hit = charged(vm, None, |vm| {
        tolls::trace(vm.context, index as usize);
        vm.context.world().obstacles[index as usize].ray(from, direction, length)
    });
    match hit {
        Some(hit) => {
            vm.floats[0] = hit.distance;
            1
        }
        None => 0,
    }
}

fn path<R>(vm: &mut VmContext<'_>, index: i64, otherwise: R, read: impl FnOnce(&Path) -> R) -> R {
    guarded(vm, otherwise, |vm| {
        read(&vm.context.world().paths[index as usize].path)
    })
}

pub(in super::super) extern "C" fn path_length(vm: &mut VmContext<'_>, index: i64) -> f32 {
    path(vm, index, 0.0, Path::length)
}

pub(in super::super) extern "C" fn path_radius(vm: &mut VmContext<'_>, index: i64) -> f32 {
    path(vm, index, 0.0, Path::radius)
}

pub(in super::super) extern "C" fn path_is_closed(vm: &mut VmContext<'_>, index: i64) -> u8 {
    path(vm, index, 0, |path| u8::from(path.is_closed()))
}

/// The point of a path nearest to another, and how far along it is.
fn nearest_on_path(vm: &mut VmContext<'_>, index: i64, point: Vec3) -> (Vec3, f32) {
    charged(vm, (Vec3::ZERO, 0.0), |vm| {
        tolls::search_path(vm.context, index as usize);
        vm.context.world().paths[index as usize].path.nearest(point)
    })
}

pub(in super::super) extern "C" fn path_nearest(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let point = Vec3::new(x, y, z);
    let on = nearest_on_path(vm, index, point).0;
    leave(vm, on);
}

pub(in super::super) extern "C" fn path_along(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) -> f32 {
    nearest_on_path(vm, index, Vec3::new(x, y, z)).1
}

pub(in super::super) extern "C" fn path_point(vm: &mut VmContext<'_>, index: i64, distance: f32) {
    let distance = meaning::along(distance);
    let point = path(vm, index, Vec3::ZERO, |path| path.point_at(distance));
    leave(vm, point);
}

pub(in super::super) extern "C" fn path_direction(
    vm: &mut VmContext<'_>,
    index: i64,
    distance: f32,
) {
    let distance = meaning::along(distance);
    let direction = path(vm, index, Vec3::ZERO, |path| path.direction_at(distance));
    leave(vm, direction);
}

pub(in super::super) extern "C" fn field_at(
    vm: &mut VmContext<'_>,
    index: i64,
    x: f32,
    y: f32,
    z: f32,
) {
    let at = |flow: &Flow| flow.at(Vec3::new(x, y, z));
    let vector = guarded(vm, Vec3::ZERO, |vm| {
        at(&vm.context.world().flows[index as usize].flow)
    });
    leave(vm, vector);
}
