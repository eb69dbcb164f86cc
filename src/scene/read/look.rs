//! Reading how units are drawn.

use crate::{
    scene::{
        color::Color,
        fields::Fields,
        node::Node,
        plan::{Look, Shape},
        reader::{Bounds, Reader},
        words::quoted,
    },
    world::Body,
};

/// The look of the `index`th group when its scene says nothing of it.
pub(super) fn default_look(reader: &Reader<'_>, body: &Body, index: usize) -> Look {
    let shape = match body {
        Body::Rigid(_) => Shape::Craft,
        Body::Mover(_) if reader.plane == Some(false) => Shape::Fish,
        Body::Mover(_) => Shape::Dart,
    };
    Look {
        shape,
        color: Color::of_palette(index),
        marks: Vec::new(),
        scale: 1.0,
        trail: 0.0,
    }
}

/// A look, with `default` where it says nothing.
pub(super) fn look<'a>(reader: &mut Reader<'a>, node: Node<'a>, default: &Look) -> Look {
    let mut fields = Fields::of(reader, node, "a look");
    let shape = fields.take("shape");
    let shape = shape.and_then(|node| reader.choice(node, "shape", &Shape::ALL));
    let color_node = fields.take("color");
    let own = color_node.and_then(|node| color(reader, node, "color"));
    let marks = fields.take("marks");
    let marks = marks.map_or(Vec::new(), |node| reader.map(node, "marks"));
    let marks = marks.into_iter().filter_map(|(_, name, node)| {
        let color = color(reader, node, "color of a mark")?;
        Some((name, color))
    });
    let look = Look {
        shape: shape.unwrap_or(default.shape),
        color: own.unwrap_or(default.color),
        marks: marks.collect(),
        scale: fields.number(reader, "scale", Bounds::Above, default.scale),
        trail: fields.number(reader, "trail", Bounds::NotNegative, default.trail),
    };
    fields.finish(reader);
    look
}

pub(super) fn color<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str) -> Option<Color> {
    let text = reader.text(node, name)?;
    let color = Color::parse(&text);
    if color.is_none() && text.starts_with('#') {
        let message = format!("{} is not a color", quoted(&text));
        reader.fault_help(node, message, "write #rgb, #rrggbb or #rrggbbaa");
    } else if color.is_none() {
        let message = format!("there is no color {}", quoted(&text));
        reader.unknown(node, message, &text, Color::names());
    }
    color
}
