//! Everything with names: kinds, marks, views, paths, fields, and what is drawn.

use glam::Vec3;
use rhai::Dynamic;

use super::super::context::Context;
use super::lists::VIEWS;
use super::{charged, guarded};
use crate::script::{meaning, tolls};
use crate::sim::Shape;

/// What `draw_text` shows.
pub(in super::super) const SHOW_TEXT: i32 = 0;
pub(in super::super) const SHOW_GROUP: i32 = 1;
pub(in super::super) const SHOW_NUMBER: i32 = 2;
pub(in super::super) const SHOW_INTEGER: i32 = 3;
pub(in super::super) const SHOW_SWITCH: i32 = 4;
pub(in super::super) const SHOW_VECTOR: i32 = 5;

/// A text of the script, or the name of a group.
fn word<'a>(context: &'a Context<'_>, is_group: i64, index: i64) -> &'a str {
    let index = index as usize;
    if is_group == 0 {
        return context.texts.get(index).map_or("", |text| text);
    }
    let groups = &context.senses.world().groups;
    groups.get(index).map_or("", |group| &group.name)
}

pub(in super::super) extern "C" fn same_words(
    context: &mut Context<'_>,
    a_is_group: i64,
    a: i64,
    b_is_group: i64,
    b: i64,
) -> u8 {
    guarded(context, 0, |context| {
        let same = word(context, a_is_group, a) == word(context, b_is_group, b);
        u8::from(same)
    })
}

pub(in super::super) extern "C" fn is(
    context: &mut Context<'_>,
    unit: i64,
    is_group: i64,
    name: i64,
) -> u8 {
    guarded(context, 0, |context| {
        let name = word(context, is_group, name);
        u8::from(meaning::is(context.senses, unit as usize, name))
    })
}

pub(in super::super) extern "C" fn has_mark(
    context: &mut Context<'_>,
    unit: i64,
    is_group: i64,
    name: i64,
) -> u8 {
    guarded(context, 0, |context| {
        let name = word(context, is_group, name);
        u8::from(meaning::has_mark(context.senses, unit as usize, name))
    })
}

/// What was found, or −1 and the words for it.
fn found<T>(
    context: &mut Context<'_>,
    found: Result<T, String>,
    index: impl FnOnce(T) -> i64,
) -> i64 {
    match found {
        Ok(found) => index(found),
        Err(words) => {
            context.words = Some(words);
            -1
        }
    }
}

pub(in super::super) extern "C" fn see(context: &mut Context<'_>, is_group: i64, name: i64) -> i64 {
    charged(context, -1, |context| {
        tolls::look_up_view(context.senses);
        let view = meaning::view(context.senses, word(context, is_group, name));
        found(context, view, |view| view as i64 + i64::from(VIEWS))
    })
}

pub(in super::super) extern "C" fn mark(
    context: &mut Context<'_>,
    is_group: i64,
    name: i64,
) -> i64 {
    charged(context, -1, |context| {
        let bit = meaning::mark(context.senses, word(context, is_group, name));
        if let Ok(bit) = bit {
            context.senses.mark(bit);
        }
        found(context, bit, |_| 0)
    })
}

pub(in super::super) extern "C" fn path_named(
    context: &mut Context<'_>,
    is_group: i64,
    name: i64,
) -> i64 {
    charged(context, -1, |context| {
        tolls::look_up_path(context.senses);
        let path = meaning::path(context.senses, word(context, is_group, name));
        found(context, path, |path| path as i64)
    })
}

pub(in super::super) extern "C" fn field_named(
    context: &mut Context<'_>,
    is_group: i64,
    name: i64,
) -> i64 {
    charged(context, -1, |context| {
        tolls::look_up_field(context.senses);
        let field = meaning::field(context.senses, word(context, is_group, name));
        found(context, field, |field| field as i64)
    })
}

#[allow(clippy::too_many_arguments, reason = "two points as plain numbers")]
pub(in super::super) extern "C" fn draw_line(
    context: &mut Context<'_>,
    ax: f32,
    ay: f32,
    az: f32,
    bx: f32,
    by: f32,
    bz: f32,
) {
    let (a, b) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz));
    guarded(context, (), |context| {
        context.senses.draw(|| Shape::Line(a, b));
    });
}

pub(in super::super) extern "C" fn draw_circle(
    context: &mut Context<'_>,
    x: f32,
    y: f32,
    z: f32,
    radius: f32,
) {
    guarded(context, (), |context| {
        let center = Vec3::new(x, y, z);
        context.senses.draw(|| Shape::Circle(center, radius));
    });
}

#[allow(
    clippy::too_many_arguments,
    reason = "a point and a value as plain numbers"
)]
pub(in super::super) extern "C" fn draw_text(
    context: &mut Context<'_>,
    x: f32,
    y: f32,
    z: f32,
    tag: i32,
    index: i64,
    a: f32,
    b: f32,
    c: f32,
) {
    guarded(context, (), |context| {
        if !context.senses.is_recording() {
            return;
        }
        let text = match tag {
            SHOW_TEXT => word(context, 0, index).to_owned(),
            SHOW_GROUP => word(context, 1, index).to_owned(),
            SHOW_NUMBER => Dynamic::from_float(a).to_string(),
            SHOW_INTEGER => index.to_string(),
            SHOW_SWITCH => (index != 0).to_string(),
            _ => Dynamic::from(Vec3::new(a, b, c)).to_string(),
        };
        let at = Vec3::new(x, y, z);
        context.senses.draw(|| Shape::Text(at, text));
    });
}
