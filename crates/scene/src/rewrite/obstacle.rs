//! Edits of obstacles in a scene's text.

use glam::{DVec3, Vec2, Vec3};
use steerbox_core::world::{Carrier, Obstacle, Polygon, Solid};

use super::items::{Items, value};
use super::layout::Splices;
use super::text::{Points, number, put_number};
use crate::edits::SceneEdits;
use crate::node::Node;
use crate::plan::Scene;
use crate::points::relative_point;

/// Changes, inserts and removes obstacles. Impossible edits are skipped; the final comparison detects them.
pub(super) fn edit(
    splices: &mut Splices,
    text: &str,
    fields: &[(Node<'_>, Node<'_>)],
    (scene, edits): (&Scene, &SceneEdits),
) {
    let arena = &scene.world.arena;
    let world = Points { origin: arena.origin, is_plane: arena.is_plane() };
    let items = value(fields, "obstacles").and_then(Node::items).unwrap_or_default();
    let changed: Vec<_> = edits.changed().collect();
    let removed: Vec<_> = changed.iter().filter(|(_, now)| now.is_none()).map(|(at, _)| *at).collect();
    let mut added = Vec::new();
    for (before, obstacle) in edits.added() {
        let new = shape(obstacle, world);
        match (*before..items.len()).find(|at| !removed.contains(at)) {
            Some(next) => splices.add_before(text, &items[next].range(), &new),
            None => added.push(new),
        }
    }
    for (at, now) in changed {
        if let (Some(now), Some(item), Some(file)) = (now, items.get(at), scene.world.obstacles.get(at)) {
            let mut places = Splices::default();
            match set(&mut places, *item, (file, now), world.of(now)) {
                Some(()) => splices.join(places),
                None => splices.put(item.range(), shape(now, world)),
            }
        }
    }
    if !removed.is_empty() || !added.is_empty() {
        let places = items.iter().map(|item| item.range()).collect();
        let items = Items { name: "obstacles", brackets: ['[', ']'], fields, places };
        items.edit(splices, text, &removed, &added);
    }
}

/// Replaces the numbers of an obstacle in place; `None` if the file does not list all of them.
fn set(
    splices: &mut Splices,
    item: Node<'_>,
    (file, now): (&Obstacle, &Obstacle),
    world: Points,
) -> Option<()> {
    let fields = item.word().1?.fields()?;
    let field = |name: &str| value(&fields, name);
    if file.solid.kind() != now.solid.kind() {
        return None;
    }
    match &now.solid {
        Solid::Ball { center, radius } => {
            world.put(splices, field("center")?, *center)?;
            put_number(splices, field("radius")?, *radius)
        }
        Solid::Capsule { from, to, radius } => {
            world.put(splices, field("from")?, *from)?;
            world.put(splices, field("to")?, *to)?;
            put_number(splices, field("radius")?, *radius)
        }
        Solid::Box { center, half, angle } => {
            world.put(splices, field("center")?, *center)?;
            for (part, half) in field("size")?.tuple()?.into_iter().zip(half.to_array()) {
                put_number(splices, part, half * 2.0)?;
            }
            if !matches!(&file.solid, Solid::Box { angle: was, .. } if was == angle) {
                put_number(splices, field("angle")?, degrees(angle.radians()))?;
            }
            Some(())
        }
        Solid::Polygon(polygon) => {
            let list = field("points")?;
            let listed = list.items()?;
            let Solid::Polygon(was) = &file.solid else { return None };
            let Some(corners) = in_order(&listed, was, polygon, world.origin) else {
                splices.put(list.range(), world.list(&corners(polygon)));
                return Some(());
            };
            let parts = listed.into_iter().zip(corners);
            parts.map(|(part, corner)| world.put(splices, part, corner.extend(0.0))).collect()
        }
    }
}

/// Returns the corners of a polygon in the order of the file's old corners, if that results in the same polygon.
fn in_order(listed: &[Node<'_>], was: &Polygon, polygon: &Polygon, origin: DVec3) -> Option<Vec<Vec2>> {
    let first = relative_point(*listed.first()?, origin);
    let mut corners = polygon.corners().to_vec();
    if first.truncate() != *was.corners().first()? {
        corners.reverse();
    }
    let again = Polygon::new(corners.clone()).ok().filter(|_| listed.len() == corners.len());
    again.filter(|again| again == polygon).map(|_| corners)
}

impl Points {
    /// The coordinates of an attached obstacle are relative to its carrier.
    fn of(self, obstacle: &Obstacle) -> Self {
        if obstacle.carrier().is_some() { Self { origin: DVec3::ZERO, ..self } } else { self }
    }
}

fn corners(polygon: &Polygon) -> Vec<Vec3> {
    polygon.corners().iter().map(|corner| corner.extend(0.0)).collect()
}

/// Formats an obstacle.
fn shape(obstacle: &Obstacle, world: Points) -> String {
    let number = |value: f32| number(value, "");
    let world = world.of(obstacle);
    let point = |place: Vec3| world.one(place);
    let mut fields = match &obstacle.solid {
        Solid::Ball { center, radius } => format!("center: {}, radius: {}", point(*center), number(*radius)),
        Solid::Capsule { from, to, radius } => {
            format!("from: {}, to: {}, radius: {}", point(*from), point(*to), number(*radius))
        }
        Solid::Box { center, half, angle } => {
            let turn = match angle.radians() {
                0.0 => String::new(),
                angle => format!(", angle: {}", number(degrees(angle))),
            };
            format!(
                "center: {}, size: {}{turn}",
                point(*center),
                Points { origin: DVec3::ZERO, ..world }.one(*half * 2.0)
            )
        }
        Solid::Polygon(polygon) => format!("points: {}", world.list(&corners(polygon))),
    };
    if obstacle.inside_out {
        fields.push_str(", inside_out: true");
    }
    if let Some(drive) = obstacle.path() {
        let (path, speed) = (format!("{:?}", drive.path), number(drive.speed));
        fields.extend([", path: ", &path, ", speed: ", &speed]);
    }
    if let Some(Carrier { group, unit, .. }) = obstacle.carrier() {
        let index = if *unit == 0 { String::new() } else { format!(", unit: {unit}") };
        fields.extend([", attached: ", &format!("{group:?}"), &index]);
    }
    format!("{}({fields})", obstacle.solid.name(world.is_plane))
}

/// Returns the shortest number of degrees that converts to `angle`, in radians.
fn degrees(angle: f32) -> f32 {
    let exact = f64::from(angle).to_degrees();
    let rounded = (0..8).map(|digits| {
        let parts = 10_f64.powi(digits);
        ((exact * parts).round() / parts) as f32
    });
    rounded.chain([angle.to_degrees()]).find(|degrees| degrees.to_radians() == angle).unwrap_or(exact as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_convert_back_to_the_same_angle() {
        for tenths in -3600_i16..3600 {
            let written = f32::from(tenths) / 10.0;
            assert_eq!(degrees(written.to_radians()), written);
        }
    }
}
