//! Reading where units live.

use glam::{Vec2, Vec3};

use crate::{
    scene::{
        fields::Fields,
        node::Node,
        reader::{Bounds, Reader},
    },
    world::{Arena, Domain, Edges},
};

const EDGES: [(&str, Edges); 3] = [
    ("Wrap", Edges::Wrap),
    ("Bounce", Edges::Bounce),
    ("Open", Edges::Open),
];

/// What stands in for a world that cannot be read, so that the rest can be checked.
pub(super) const FALLBACK: Arena = Arena {
    domain: Domain::Plane {
        size: Vec2::new(800.0, 600.0),
    },
    edges: Edges::Wrap,
    seamless: false,
};

/// The world, and by it whether points have two or three numbers.
pub(super) fn arena<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Arena {
    match reader.case(node, "a world", &["Plane", "Space"], &[]) {
        Some(("Plane", fields)) => plane(reader, fields),
        Some((_, fields)) => space(reader, fields),
        None => FALLBACK,
    }
}

fn plane<'a>(reader: &mut Reader<'a>, mut fields: Fields<'a>) -> Arena {
    let size = fields.need(reader, "size", "(800, 600)");
    let size = size.and_then(|node| reader.numbers(node, "size", Bounds::Above));
    let edges = edges(reader, &mut fields, Edges::Wrap);
    let seamless = fields.take("seamless");
    let seamless = seamless.and_then(|node| reader.switch(node, "seamless"));
    fields.finish(reader);
    reader.plane = Some(true);
    Arena {
        domain: Domain::Plane {
            size: size.map_or(Vec2::new(800.0, 600.0), Vec2::from_array),
        },
        edges,
        seamless: seamless.unwrap_or(false),
    }
}

fn space<'a>(reader: &mut Reader<'a>, mut fields: Fields<'a>) -> Arena {
    reader.plane = Some(false);
    let center = fields.take("center");
    let center = center.and_then(|node| reader.vector(node, "center"));
    let radius = fields.size(reader, "radius");
    let edges = edges(reader, &mut fields, Edges::Open);
    fields.finish(reader);
    Arena {
        domain: Domain::Space {
            center: center.unwrap_or(Vec3::ZERO),
            radius,
        },
        edges,
        seamless: false,
    }
}

fn edges<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, default: Edges) -> Edges {
    let node = fields.take("edges");
    node.and_then(|node| reader.choice(node, "edges", &EDGES))
        .unwrap_or(default)
}
