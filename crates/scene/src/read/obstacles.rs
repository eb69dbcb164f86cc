//! Reading of obstacles and scatter.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use steerbox_core::diagnostics::counted;
use steerbox_core::world::{
    Arena, Carrier, Drive, NamedPath, Obstacle, PathDrive, Polygon, Solid, SolidKind, Zone,
};

use crate::{
    bounds::Bounds,
    fields::Fields,
    node::Node,
    parts::Thing,
    plan::{GroupPlan, Scatter},
    reader::Reader,
    starts::Spawn,
    words::quoted,
};

/// Maximum number of obstacles in a scene, including scattered ones.
pub(crate) const MAX_OBSTACLES: u64 = 10_000;

/// Maximum number of zones in a scene.
const MAX_ZONES: usize = 100;

/// Maximum number of corners of a polygon.
pub const MAX_CORNERS: usize = Polygon::MAX_CORNERS;

/// The parts of a scene with which obstacles move.
#[derive(Clone, Copy)]
pub(super) struct Movable<'p> {
    pub(super) paths: &'p [NamedPath],
    pub(super) groups: &'p [&'p GroupPlan],
}

/// The motion of an obstacle before its center is known.
enum Motion<'p> {
    Path(&'p NamedPath, f32),
    Carrier(Carrier),
}

/// Reads a list of obstacles; invalid ones are omitted.
pub(super) fn obstacles<'a>(reader: &mut Reader<'a>, node: Node<'a>, with: Movable<'_>) -> Vec<Obstacle> {
    let items = reader.list(node, "obstacles");
    if items.len() as u64 > MAX_OBSTACLES {
        let message = format!("a scene has at most {MAX_OBSTACLES} obstacles, not {}", items.len());
        reader.fault(node.head(), message);
        return Vec::new();
    }
    let items = items.into_iter();
    items.filter_map(|item| obstacle(reader, item, with)).collect()
}

/// Reads the map of zones; invalid ones are omitted.
pub(super) fn zones<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<Zone> {
    let entries = reader.map(node, "zones");
    if entries.len() > MAX_ZONES {
        let message = format!("a scene has at most {MAX_ZONES} zones, not {}", entries.len());
        reader.fault(node.head(), message);
        return Vec::new();
    }
    let zones = entries.into_iter().filter_map(|(key, name, node)| {
        reader.record_declaration(key, Thing::Zone);
        let area = shape(reader, node, ["a zone", "this zone"], None)?;
        Some(Zone { name, area })
    });
    zones.collect()
}

fn obstacle<'a>(reader: &mut Reader<'a>, node: Node<'a>, with: Movable<'_>) -> Option<Obstacle> {
    shape(reader, node, ["an obstacle", "this obstacle"], Some(with))
}

/// Reads the shape of an obstacle or of a zone: the description of its cases, and its name in warnings.
fn shape<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    [family, what]: [&'static str; 2],
    with: Option<Movable<'_>>,
) -> Option<Obstacle> {
    let (case, mut fields) = Fields::case(reader, node, family)?;
    let is_named = |kind: &&SolidKind| {
        let (plane, space) = kind.names();
        [Some(plane), space].contains(&Some(case))
    };
    // The coordinates of an attached shape are relative to its carrier.
    let origin = fields.reader.origin;
    if with.is_some() && fields.key("attached").is_some() {
        fields.reader.origin = DVec3::ZERO;
    }
    let solid = match SolidKind::ALL.iter().find(is_named)? {
        SolidKind::Ball => Some(ball(&mut fields)),
        SolidKind::Capsule => Some(capsule(&mut fields)),
        SolidKind::Box => Some(cuboid(&mut fields)),
        SolidKind::Polygon => polygon(&mut fields),
    };
    fields.reader.origin = origin;
    let inside_out = fields.switch("inside_out");
    let motion = with.and_then(|with| motion(&mut fields, with));
    fields.finish();
    let period = reader.arena.and_then(|arena| arena.period());
    let mut obstacle = Obstacle { inside_out, period, ..solid?.into() };
    let center = obstacle.position();
    let is_placed = !matches!(motion, Some(Motion::Carrier(_)));
    let drive = motion.map(|motion| match motion {
        Motion::Path(path, speed) => Drive::Path(PathDrive::new(path, speed, center)),
        Motion::Carrier(carrier) => Drive::Carrier(carrier),
    });
    obstacle.drive = drive.map(Arc::new);
    obstacle.velocity = obstacle.after(0.0).velocity;
    if is_placed {
        reader.inside(node.word().0, what, obstacle.position(), obstacle.radius());
        // A zone beyond the edge is the goal of units that leave.
        let reach = if with.is_some() { obstacle.radius() } else { 0.0 };
        reader.uncut(node.word().0, what, &obstacle, reach);
    }
    Some(obstacle)
}

/// Reads the motion of an obstacle, if any.
fn motion<'p>(fields: &mut Fields<'_, '_>, with: Movable<'p>) -> Option<Motion<'p>> {
    let both = fields.key("path").and(fields.key("attached"));
    let (path, carrier) = (along(fields, with.paths), carrier(fields, with.groups));
    if let Some(key) = both {
        let message = "an obstacle follows a `path` or is `attached` to a unit, not both";
        fields.reader.fault_help(key, message, "leave out one of them");
        return None;
    }
    carrier.map(Motion::Carrier).or(path.map(|(path, speed)| Motion::Path(path, speed)))
}

/// Reads the unit that an obstacle is attached to.
fn carrier(fields: &mut Fields<'_, '_>, groups: &[&GroupPlan]) -> Option<Carrier> {
    let names = groups.iter().map(|plan| plan.common.name.as_str());
    let is_attached = fields.key("attached").is_some();
    let at = fields.declared("attached", Thing::Group, names);
    let unit_node = fields.take("unit");
    let unit = unit_node.and_then(|node| fields.reader.whole(node, "unit"));
    if !is_attached {
        if let Some(node) = unit_node {
            let help = "add the name of its group, for example attached: \"carriers\"";
            fields.reader.fault_help(
                node,
                "an obstacle has the `unit` of a carrier, but is not `attached`",
                help,
            );
        }
        return None;
    }
    let (plan, unit) = (groups.get(at?)?, if unit_node.is_some() { unit? } else { 0 });
    let name = &plan.common.name;
    // The number of units in a table that is not known is not known either.
    let is_known = !matches!(&plan.spawn, Spawn::File { starts, .. } if starts.is_empty());
    if is_known && unit >= plan.count as u64 {
        let has = counted(plan.count, ["unit", "units"]);
        let message = format!("the group {} has {has}, and no unit {unit}", quoted(name));
        let help = match plan.count.checked_sub(1) {
            Some(last) => format!("units are counted from 0: `unit` is at most {last}"),
            None => "set its `count`".to_owned(),
        };
        fields.reader.fault_help(unit_node.unwrap_or(fields.owner), message, help);
        return None;
    }
    Some(Carrier::new(name, unit as usize))
}

/// Reads the path that an obstacle follows, and its speed.
fn along<'p>(fields: &mut Fields<'_, '_>, paths: &'p [NamedPath]) -> Option<(&'p NamedPath, f32)> {
    let names = paths.iter().map(|path| path.name.as_str());
    let has_path = fields.key("path").is_some();
    let at = fields.declared("path", Thing::Path, names);
    if !has_path {
        fields.optional("speed");
        if let Some(key) = fields.key("speed") {
            let help = "add the name of a path, for example path: \"patrol\"";
            fields.reader.fault_help(key, "an obstacle has a `speed` along a path, but no `path`", help);
        }
        return None;
    }
    let speed = fields.need_like("speed", Some("5")).and_then(|node| fields.limited(node, "speed"));
    Some((paths.get(at?)?, speed?))
}

fn ball(fields: &mut Fields<'_, '_>) -> Solid {
    let (center, radius) = (fields.point("center"), fields.size("radius"));
    Solid::Ball { center, radius }
}

fn capsule(fields: &mut Fields<'_, '_>) -> Solid {
    let (from, to) = (fields.point("from"), fields.point("to"));
    let radius = fields.size("radius");
    Solid::Capsule { from, to, radius }
}

/// Reads a box. In a plane it is infinite along z.
fn cuboid(fields: &mut Fields<'_, '_>) -> Solid {
    let center = fields.point("center");
    let is_flat = fields.reader.plane != Some(false);
    let size = fields.need("size").and_then(|node| {
        if is_flat {
            let size = fields.reader.numbers(node, "size", Bounds::Above);
            return size.map(|[x, y]| Vec3::new(x, y, f32::INFINITY));
        }
        let size = fields.reader.numbers(node, "size", Bounds::Above);
        size.map(Vec3::from_array)
    });
    let half = size.unwrap_or(Vec3::ONE) * 0.5;
    let angle = fields.number("angle").to_radians();
    Solid::Box { center, half, angle: angle.into() }
}

/// Reads a polygon whose corners enclose one area.
fn polygon(fields: &mut Fields<'_, '_>) -> Option<Solid> {
    let node = fields.need("points")?;
    let limit = format!("a polygon has at most {MAX_CORNERS} corners");
    let corners = fields.listed(node, Reader::point, (MAX_CORNERS, &limit))?;
    let polygon = Polygon::new(corners.into_iter().map(Vec3::truncate).collect());
    if let Err(error) = &polygon {
        let help = "write the corners one after the other, in either direction";
        fields.reader.fault_help(node.head(), error.to_string(), help);
    }
    polygon.ok().map(Solid::Polygon)
}

/// Reads the entries of `scatter`, in addition to `existing` obstacles.
pub(super) fn scatter<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    arena: &Arena,
    existing: usize,
) -> Vec<Scatter> {
    let mut total = existing as u64;
    let items = reader.list(node, "scatter");
    items
        .into_iter()
        .map(|item| {
            let entry = entry(reader, item, arena);
            let before = total;
            total = total.saturating_add(entry.count as u64);
            if before <= MAX_OBSTACLES && total > MAX_OBSTACLES {
                let message = format!("a scene has at most {MAX_OBSTACLES} obstacles, these make {total}");
                reader.fault(item.head(), message);
            }
            entry
        })
        .collect()
}

fn entry<'a>(reader: &mut Reader<'a>, node: Node<'a>, arena: &Arena) -> Scatter {
    let mut fields = Fields::of(reader, node, "an entry of scatter");
    let count = fields.need("count");
    let count = count.and_then(|node| fields.reader.whole(node, "count"));
    let count = count.unwrap_or(0) as usize;
    let radius = fields.size("radius");
    let margin = fields.optional("margin").unwrap_or(radius);
    fields.finish();
    if reader.plane.is_some() && margin > arena.radius() {
        let most = arena.radius();
        let message = format!("a margin of {margin} leaves no room in this world");
        reader.fault_help(node.head(), message, format!("at most {most} fits"));
    }
    Scatter { count, radius, margin }
}
