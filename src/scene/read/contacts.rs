//! Reading what happens when units touch.

use crate::{
    scene::{
        fields::Fields,
        node::Node,
        reader::{Bounds, Reader},
    },
    world::{Contact, Contacts},
};

const CASES: [&str; 4] = ["None", "Block", "Separate", "Bounce"];

/// The contacts of a scene.
pub(super) fn contacts<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Contacts {
    let mut fields = Fields::of(reader, node, "contacts");
    let obstacles = fields.take("obstacles");
    let obstacles = obstacles.map(|node| contact(reader, node));
    let units = fields.take("units");
    let units = units.map(|node| contact(reader, node));
    let reach = fields.number(reader, "reach", Bounds::NotNegative, 1.0);
    fields.finish(reader);
    Contacts {
        obstacles: obstacles.unwrap_or_default(),
        units: units.unwrap_or_default(),
        reach,
    }
}

fn contact<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Contact {
    let Some((case, mut fields)) = reader.case(node, "a contact", &CASES, &[]) else {
        return Contact::None;
    };
    let contact = match case {
        "Block" => Contact::Block,
        "Separate" => Contact::Separate,
        "Bounce" => {
            let bounds = Bounds::Between(0.0, 1.0);
            let restitution = fields.number(reader, "restitution", bounds, 1.0);
            Contact::Bounce { restitution }
        }
        _ => Contact::None,
    };
    fields.finish(reader);
    contact
}
