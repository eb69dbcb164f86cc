//! Reading of the appearance of units and of the world.

use steerbox_core::world::Body;

use crate::{
    color::Color,
    fields::Fields,
    node::{Node, NodeKind},
    parts::Thing,
    plan::{ColorBy, Look, SceneLook, UnitShape},
    reader::Reader,
    words::quoted,
};

/// The default look of a group.
pub(super) fn default_look(reader: &Reader<'_>, body: &Body) -> Look {
    let shape = match body {
        Body::Rigid(_) => UnitShape::Craft,
        Body::Mover(_) if reader.plane == Some(false) => UnitShape::Fish,
        Body::Mover(_) => UnitShape::Dart,
    };
    Look { shape, color: None, color_by: None, marks: Vec::new(), scale: 1.0, trail: 0.0 }
}

/// Reads a look; missing fields are those of `default`.
pub(super) fn look<'a>(reader: &mut Reader<'a>, node: Node<'a>, default: &Look) -> Look {
    let mut fields = Fields::of(reader, node, "a look");
    let shapes = UnitShape::ALL.map(|shape| (shape.name(), shape));
    let shape = fields.word("shape", &shapes).unwrap_or(default.shape);
    let own = fields.read("color", |reader, node| color(reader, node, "color"));
    let color_by = fields.read("color_by", color_by);
    let marks = fields.read("marks", marks);
    let look = Look {
        shape,
        color: own.flatten().or(default.color),
        color_by: color_by.flatten(),
        marks: marks.unwrap_or_default(),
        scale: fields.number("scale"),
        trail: fields.number("trail"),
    };
    fields.finish();
    look
}

/// Reads the look of a world. Every world accepts all fields: frame and grid apply to planes, ball, floor and water to spaces.
pub(super) fn scene_look<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> SceneLook {
    let mut fields = Fields::of(reader, node, "the look of a world");
    let background = fields.read("background", |reader, node| {
        let example = "\"navy\", or (\"navy\", \"black\") from the top to the bottom";
        pair(reader, node, ("background", example), |both| [both; 2])
    });
    let look = SceneLook {
        background: background.flatten(),
        frame: fields.switch("frame"),
        grid: fields.read("grid", |reader, node| reader.switch(node, "grid")).flatten(),
        ball: fields.switch("ball"),
        floor: fields.switch("floor"),
        water: fields.switch("water"),
    };
    fields.finish();
    look
}

/// Reads two colors, or one that stands for two; the example is for errors.
pub(super) fn pair<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (name, example): (&str, &str),
    of_one: impl Fn(Color) -> [Color; 2],
) -> Option<[Color; 2]> {
    let several = node.tuple().filter(|_| node.kind() == NodeKind::Parentheses);
    let is_one = several.is_none();
    let nodes = several.unwrap_or_else(|| vec![node]);
    let colors: Option<Vec<_>> = nodes.iter().map(|node| color(reader, *node, name)).collect();
    match (&colors?[..], is_one) {
        ([one], true) => Some(of_one(*one)),
        ([first, second], false) => Some([*first, *second]),
        _ => {
            let message = format!("`{name}` is one color, or two in parentheses");
            reader.fault_help(node.head(), message, format!("for example {example}"));
            None
        }
    }
}

fn marks<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<(String, Color)> {
    let marks = reader.map(node, "marks").into_iter();
    let mark = |(key, name, node)| {
        reader.record_use(key, Thing::Mark);
        Some((name, color(reader, node, "color of a mark")?))
    };
    marks.filter_map(mark).collect()
}

/// The thing that has the cases of `color_by`.
const WHAT: &str = "what a color shows";

fn color_by<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<ColorBy> {
    if node.word().0.text == "Signal" {
        reader.record_choice(node, WHAT);
        return signal(reader, node);
    }
    let (case, fields) = Fields::case(reader, node, WHAT)?;
    fields.finish();
    Some(match case {
        "Speed" => ColorBy::Speed,
        "TurnRate" => ColorBy::TurnRate,
        "Disagreement" => ColorBy::Disagreement,
        _ => ColorBy::Neighbors,
    })
}

/// Reads `Signal("fear", from: 0, to: 1)`.
fn signal<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<ColorBy> {
    let word = node.word().0;
    let (name, mut fields) = Fields::after_value(reader, node, WHAT, "Signal");
    let from = fields.number("from");
    let to = fields.number("to");
    fields.finish();
    let Some(name) = name else {
        let help = "write Signal(\"fear\", from: 0, to: 1)";
        reader.fault_help(word, "Signal needs the name of one signal", help);
        return None;
    };
    reader.record_use(name, Thing::Signal);
    let name = reader.name(name, "Signal")?;
    if from == to {
        reader.fault(word, "`from` and `to` must differ");
    }
    Some(ColorBy::Signal { name, from, to })
}

pub(super) fn color<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str) -> Option<Color> {
    reader.record_color(node);
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
