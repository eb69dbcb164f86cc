//! Reading of views.

use steerbox_core::world::View;

use crate::{bounds::Bounds, fields::Fields, node::Node, reader::Reader};

const CASES: [&str; 5] = ["Wide", "Limited", "Narrow", "Cone", "Around"];

/// Reads a view; returns [`View::Around`] if it is invalid.
pub(super) fn view<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> View {
    let Some((case, mut fields)) = Fields::case(reader, node, "a view", &CASES) else {
        return View::Around { radius: 1.0 };
    };
    let radius = fields.size("radius");
    let view = match case {
        "Wide" => View::Wide { radius, back: fields.number("back", Bounds::Above, 1.0) },
        "Limited" => View::Limited { radius },
        "Narrow" => View::Narrow { radius, front: fields.number("front", Bounds::Above, 1.0) },
        "Cone" => {
            let angle = fields.need("angle", "90");
            let bounds = Bounds::Between(0.0, 360.0);
            let angle = angle.and_then(|node| fields.reader.number(node, "angle", bounds));
            let half = f64::from(angle.unwrap_or(360.0)).to_radians() * 0.5;
            View::Cone { radius, cosine: libm::cos(half) as f32 }
        }
        _ => View::Around { radius },
    };
    fields.finish();
    view
}
