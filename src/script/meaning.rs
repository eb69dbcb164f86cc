//! What the names of the API mean, in one place for both ways of running: the interpreter's functions
//! and the host of compiled code call these.

use glam::{Quat, Vec2, Vec3};

use super::tolls;
use crate::diagnostics::closest;
use crate::sim::UnitContext;

/// The lesser of two numbers: the first unless the second is less, or the first is no number. The
/// library's own leaves open which zero is the lesser.
pub(super) fn least(a: f32, b: f32) -> f32 {
    if b < a || a.is_nan() { b } else { a }
}

/// The greater of two numbers, likewise.
pub(super) fn greatest(a: f32, b: f32) -> f32 {
    if b > a || a.is_nan() { b } else { a }
}

/// Unlike the library's own, without a panic when the bounds are crossed: the lower one counts.
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    greatest(least(x, high), low)
}

/// No longer than `max`; a negative one counts as zero.
pub(super) fn limit(v: Vec3, max: f32) -> Vec3 {
    v.clamp_length_max(greatest(max, 0.0))
}

/// Turned counter-clockwise about z.
pub(super) fn rotated(v: Vec3, angle: f32) -> Vec3 {
    Quat::from_rotation_z(angle) * v
}

/// The angle that turns one direction into the other; negative if clockwise seen from +z.
pub(super) fn angle_to(a: Vec3, b: Vec3) -> f32 {
    let cross = a.cross(b);
    let angle = libm::atan2f(cross.length(), a.dot(b));
    if cross.z < 0.0 { -angle } else { angle }
}

/// The reach of a list within a radius. Nobody is within a negative distance, nor within none at all
/// if it is not a number.
pub(super) fn within(reach: f32, radius: f32) -> f32 {
    // Nothing is within a list of which nothing is within reach.
    let nearer = if radius < reach { radius } else { reach };
    if radius >= 0.0 { nearer } else { f32::NAN }
}

/// A distance along a path; what is no number counts as the start.
pub(super) fn along(distance: f32) -> f32 {
    if distance.is_finite() { distance } else { 0.0 }
}

/// Uniform on the circle, or on the sphere by Archimedes' cylinder.
pub(super) fn random_direction(context: &mut UnitContext) -> Vec3 {
    let angle = context.random() * std::f32::consts::TAU;
    let round = Vec2::new(libm::cosf(angle), libm::sinf(angle));
    if context.world().arena.is_plane() {
        return round.extend(0.0);
    }
    let z = 2.0 * context.random() - 1.0;
    (round * (1.0 - z * z).max(0.0).sqrt()).extend(z)
}

/// A point where the deciding unit sees it: across the edge where that is nearer and views reach
/// across it.
fn apparent(context: &UnitContext, point: Vec3) -> Vec3 {
    let world = context.world();
    let me = world.units.position[context.unit()];
    match world.arena.period() {
        Some(_) => me + world.arena.shortest(point - me),
        None => point,
    }
}

/// The target, where it appears to be.
pub(super) fn target(context: &UnitContext) -> Option<Vec3> {
    let target = context.world().target?;
    Some(apparent(context, target))
}

/// The player and where it appears to be.
pub(super) fn player(context: &UnitContext) -> Option<(usize, Vec3)> {
    let world = context.world();
    let unit = world.player?;
    Some((unit, apparent(context, world.units.position[unit])))
}

/// The obstacle whose surface is nearest to the unit.
pub(super) fn nearest_obstacle(context: &mut UnitContext) -> Option<usize> {
    tolls::measure_all(context);
    let world = context.world();
    let position = world.units.position[context.unit()];
    let distances = (world.obstacles.iter()).map(|obstacle| obstacle.distance_to(position));
    distances
        .enumerate()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(at, _)| at)
}

/// Whether a unit is of a kind.
pub(super) fn is(context: &UnitContext, unit: usize, kind: &str) -> bool {
    let world = context.world();
    world.group_of(unit).kinds & world.kinds.bit(kind).unwrap_or(0) != 0
}

/// Whether a unit was marked in the last step.
pub(super) fn has_mark(context: &UnitContext, unit: usize, name: &str) -> bool {
    let world = context.world();
    world.units.marks[unit] & world.marks.bit(name).unwrap_or(0) != 0
}

/// The bit of a mark.
///
/// # Errors
/// When the mark was not seen in the script's text.
pub(super) fn mark(context: &UnitContext, name: &str) -> Result<u64, String> {
    let bit = context.world().marks.bit(name);
    bit.ok_or_else(|| format!("write the mark \"{name}\" out where it is set: mark(\"{name}\")"))
}

/// A view of the scene by its name.
///
/// # Errors
/// When there is none of that name.
pub(super) fn view(context: &UnitContext, name: &str) -> Result<usize, String> {
    let names = context.world().views.iter().map(|view| view.name.as_str());
    named("view", name, names)
}

/// A path of the scene by its name.
///
/// # Errors
/// When there is none of that name.
pub(super) fn path(context: &UnitContext, name: &str) -> Result<usize, String> {
    let names = context.world().paths.iter().map(|path| path.name.as_str());
    named("path", name, names)
}

/// A flow field of the scene by its name.
///
/// # Errors
/// When there is none of that name.
pub(super) fn field(context: &UnitContext, name: &str) -> Result<usize, String> {
    let names = context.world().flows.iter().map(|flow| flow.name.as_str());
    named("flow field", name, names)
}

/// How every failure begins that is about a name which only a scene can give.
pub const NOT_IN_SCENE: &str = "the scene has no";

fn named<'a>(
    what: &str,
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, String> {
    let all = names.clone();
    names.position(|known| known == name).ok_or_else(|| {
        let near = closest(name, all);
        let hint = near.map_or(String::new(), |near| format!(": did you mean \"{near}\"?"));
        format!("{NOT_IN_SCENE} {what} \"{name}\"{hint}")
    })
}
