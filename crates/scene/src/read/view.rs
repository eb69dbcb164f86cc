//! Reading of views.

use steerbox_core::world::View;

use crate::{fields::Fields, node::Node, reader::Reader};

/// Reads a view; returns [`View::Around`] if it is invalid.
pub(super) fn view<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> View {
    let Some((case, mut fields)) = Fields::case(reader, node, "a view") else {
        return View::Around { radius: 1.0 };
    };
    let radius = fields.size("radius");
    let view = match case {
        "Wide" => View::Wide { radius, back: fields.number("back") },
        "Limited" => View::Limited { radius },
        "Narrow" => View::Narrow { radius, front: fields.number("front") },
        "Cone" => {
            let half = f64::from(fields.needed("angle").unwrap_or(360.0)).to_radians() * 0.5;
            View::Cone { radius, cosine: libm::cos(half) as f32 }
        }
        _ => View::Around { radius },
    };
    fields.finish();
    view
}
