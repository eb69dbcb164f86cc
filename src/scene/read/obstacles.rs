//! Reading obstacles, and the scatter of more.

use glam::Vec3;

use crate::{
    scene::{
        fields::Fields,
        node::Node,
        plan::Scatter,
        reader::{Bounds, Reader},
    },
    world::{Arena, Obstacle, Polygon, Solid},
};

/// Most obstacles of a scene, scattered ones included.
pub(super) const MOST: u64 = 10_000;

/// Most corners of a polygon.
const MOST_CORNERS: usize = 256;

/// The obstacles of a list; those that cannot be read are left out.
pub(super) fn obstacles<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<Obstacle> {
    let items = reader.list(node, "obstacles");
    if items.len() as u64 > MOST {
        let message = format!("a scene has at most {MOST} obstacles, not {}", items.len());
        reader.fault(node.head(), message);
        return Vec::new();
    }
    items
        .into_iter()
        .filter_map(|item| obstacle(reader, item))
        .collect()
}

fn obstacle<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Obstacle> {
    let (cases, others): (&[_], &[_]) = match reader.plane {
        Some(true) => (
            &["Circle", "Capsule", "Box", "Polygon"],
            &[("Ball", "Circle")],
        ),
        Some(false) => (&["Ball", "Capsule", "Box"], &[("Circle", "Ball")]),
        None => (&["Circle", "Ball", "Capsule", "Box", "Polygon"], &[]),
    };
    let (case, mut fields) = reader.case(node, "an obstacle", cases, others)?;
    let solid = match case {
        "Polygon" => polygon(reader, &mut fields).map(Solid::Polygon),
        case => Some(round_or_square(reader, &mut fields, case)),
    };
    let inside_out = fields.take("inside_out");
    let inside_out = inside_out.and_then(|node| reader.switch(node, "inside_out"));
    fields.finish(reader);
    Some(Obstacle {
        solid: solid?,
        inside_out: inside_out.unwrap_or(false),
    })
}

fn round_or_square<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, case: &str) -> Solid {
    match case {
        "Capsule" => Solid::Capsule {
            from: fields.point(reader, "from"),
            to: fields.point(reader, "to"),
            radius: fields.size(reader, "radius"),
        },
        "Box" => Solid::Box {
            center: fields.point(reader, "center"),
            half: half(reader, fields),
            angle: fields
                .number(reader, "angle", Bounds::Any, 0.0)
                .to_radians(),
        },
        _ => Solid::Ball {
            center: fields.point(reader, "center"),
            radius: fields.size(reader, "radius"),
        },
    }
}

/// A polygon whose corners enclose one area.
fn polygon<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Option<Polygon> {
    let node = fields.need(reader, "points", "[(0, 0), (40, 0), (0, 30)]")?;
    let limit = format!("a polygon has at most {MOST_CORNERS} corners");
    let corners = points(reader, node, (MOST_CORNERS, &limit))?;
    match Polygon::new(corners.into_iter().map(Vec3::truncate).collect()) {
        Ok(polygon) => Some(polygon),
        Err(error) => {
            let help = "write the corners one after the other, in either direction";
            reader.fault_help(node.head(), error.to_string(), help);
            None
        }
    }
}

/// The points of the list `points`, if all can be read.
pub(super) fn points<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (most, limit): (usize, &str),
) -> Option<Vec<Vec3>> {
    let items = reader.list(node, "points");
    if items.len() > most {
        reader.fault(node.head(), format!("{limit}, not {}", items.len()));
        return None;
    }
    let points = items.iter().map(|item| reader.vector(*item, "points"));
    // All of them first, so that every fault is told.
    let points: Vec<_> = points.collect();
    points.into_iter().collect()
}

/// Half the size of a box. Across a plane it has no end.
fn half<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Vec3 {
    let flat = reader.plane != Some(false);
    let example = if flat { "(10, 10)" } else { "(10, 10, 10)" };
    let Some(node) = fields.need(reader, "size", example) else {
        return Vec3::ONE;
    };
    let size = if flat {
        let size = reader.numbers(node, "size", Bounds::Above);
        size.map(|[x, y]| Vec3::new(x, y, f32::INFINITY))
    } else {
        let size = reader.numbers(node, "size", Bounds::Above);
        size.map(Vec3::from_array)
    };
    size.unwrap_or(Vec3::ONE) * 0.5
}

/// The entries of `scatter`, which come on top of `standing` obstacles.
pub(super) fn scatter<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    arena: &Arena,
    standing: usize,
) -> Vec<Scatter> {
    let mut total = standing as u64;
    let items = reader.list(node, "scatter");
    items
        .into_iter()
        .map(|item| {
            let entry = entry(reader, item, arena);
            let before = total;
            total = total.saturating_add(entry.count as u64);
            if before <= MOST && total > MOST {
                let message = format!("a scene has at most {MOST} obstacles, these make {total}");
                reader.fault(item.head(), message);
            }
            entry
        })
        .collect()
}

fn entry<'a>(reader: &mut Reader<'a>, node: Node<'a>, arena: &Arena) -> Scatter {
    let mut fields = Fields::of(reader, node, "an entry of scatter");
    let count = fields.need(reader, "count", "8");
    let count = count.and_then(|node| reader.whole(node, "count"));
    let radius = fields.size(reader, "radius");
    let margin = fields.number(reader, "margin", Bounds::NotNegative, radius);
    fields.finish(reader);
    if reader.plane.is_some() && margin > arena.radius() {
        let most = arena.radius();
        let message = format!("a margin of {margin} leaves no room in this world");
        reader.fault_help(node.head(), message, format!("at most {most} fits"));
    }
    Scatter {
        count: count.unwrap_or(0) as usize,
        radius,
        margin,
    }
}
