//! Reading of the extent of the world, and of contacts.

use glam::{DVec3, Vec2, Vec3};
use steerbox_core::world::{Arena, Contact, Contacts, Domain, Edges};

use crate::{bounds::Bounds, fields::Fields, node::Node, reader::Reader};

const EDGES: [(&str, Edges); 3] = [("Wrap", Edges::Wrap), ("Bounce", Edges::Bounce), ("Open", Edges::Open)];
const SIZE: Vec2 = Vec2::new(800.0, 600.0);

/// Replaces an invalid world, so that the rest can be checked.
pub(super) const FALLBACK: Arena =
    Arena { domain: Domain::Plane { size: SIZE }, edges: Edges::Wrap, seamless: false, origin: DVec3::ZERO };

/// Reads the world, which also determines the dimension of points.
pub(super) fn arena<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Arena {
    match Fields::case(reader, node, "a world") {
        Some(("Plane", fields)) => plane(fields),
        Some((_, fields)) => space(fields),
        None => FALLBACK,
    }
}

fn plane(mut fields: Fields<'_, '_>) -> Arena {
    let size = fields.need("size");
    let size = size.and_then(|node| fields.reader.numbers(node, "size", Bounds::Above));
    let size = size.map_or(SIZE, Vec2::from_array);
    let edges = fields.word("edges", &EDGES).unwrap_or(Edges::Wrap);
    fields.reader.make_seamless = match fields.key("seamless") {
        Some(_) => None,
        None => fields.with("seamless", "true"),
    };
    let seamless = fields.switch("seamless");
    fields.reader.plane = Some(true);
    let origin = origin(&mut fields);
    fields.finish();
    Arena { domain: Domain::Plane { size }, edges, seamless, origin }
}

fn space(mut fields: Fields<'_, '_>) -> Arena {
    fields.reader.plane = Some(false);
    let origin = origin(&mut fields);
    let center =
        fields.read("center", |reader, node| reader.point(node, "center")).flatten().unwrap_or(Vec3::ZERO);
    let radius = fields.size("radius");
    let edges = fields.word("edges", &EDGES).unwrap_or(Edges::Open);
    fields.finish();
    Arena { domain: Domain::Space { center, radius }, edges, seamless: false, origin }
}

/// Reads the origin, which is subtracted from all points that follow.
fn origin(fields: &mut Fields<'_, '_>) -> DVec3 {
    let origin = fields.read("origin", |reader, node| {
        reader.vector(node, "origin")?;
        Some(node.coordinates())
    });
    fields.reader.origin = origin.flatten().unwrap_or_default();
    fields.reader.origin
}

/// Reads the contacts of a scene.
pub(super) fn contacts<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Contacts {
    let mut fields = Fields::of(reader, node, "contacts");
    let contacts = Contacts {
        obstacles: fields.read("obstacles", contact).unwrap_or_default(),
        units: fields.read("units", contact).unwrap_or_default(),
        reach: fields.number("reach"),
    };
    fields.finish();
    contacts
}

fn contact<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Contact {
    let Some((case, mut fields)) = Fields::case(reader, node, "a contact") else {
        return Contact::None;
    };
    let contact = match case {
        "Block" => Contact::Block,
        "Separate" => Contact::Separate,
        "Bounce" => Contact::Bounce { restitution: fields.number("restitution") },
        _ => Contact::None,
    };
    fields.finish();
    contact
}
