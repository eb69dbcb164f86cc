//! Everything with names: kinds, marks, views, paths, fields, and what is drawn.

use glam::Vec3;
use rhai::Dynamic;

use super::super::vm::VmContext;
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
fn word<'a>(vm: &'a VmContext<'_>, is_group: i64, index: i64) -> &'a str {
    let index = index as usize;
    if is_group == 0 {
        return vm.texts.get(index).map_or("", |text| text);
    }
    let groups = &vm.context.world().groups;
    groups.get(index).map_or("", |group| &group.name)
}

pub(in super::super) extern "C" fn same_words(
    vm: &mut VmContext<'_>,
    a_is_group: i64,
    a: i64,
    b_is_group: i64,
    b: i64,
) -> u8 {
    guarded(vm, 0, |vm| {
        let same = word(vm, a_is_group, a) == word(vm, b_is_group, b);
        u8::from(same)
    })
}

pub(in super::super) extern "C" fn is(
    vm: &mut VmContext<'_>,
    unit: i64,
    is_group: i64,
    name: i64,
) -> u8 {
    guarded(vm, 0, |vm| {
        let name = word(vm, is_group, name);
        u8::from(meaning::is(vm.context, unit as usize, name))
    })
}

pub(in super::super) extern "C" fn has_mark(
    vm: &mut VmContext<'_>,
    unit: i64,
    is_group: i64,
    name: i64,
) -> u8 {
    guarded(vm, 0, |vm| {
        let name = word(vm, is_group, name);
        u8::from(meaning::has_mark(vm.context, unit as usize, name))
    })
}

/// What was found, or −1 and the words for it.
fn found<T>(vm: &mut VmContext<'_>, found: Result<T, String>, index: impl FnOnce(T) -> i64) -> i64 {
    match found {
        Ok(found) => index(found),
        Err(words) => {
            vm.words = Some(words);
            -1
        }
    }
}

pub(in super::super) extern "C" fn see(vm: &mut VmContext<'_>, is_group: i64, name: i64) -> i64 {
    charged(vm, -1, |vm| {
        tolls::look_up_view(vm.context);
        let view = meaning::view(vm.context, word(vm, is_group, name));
        found(vm, view, |view| view as i64 + i64::from(VIEWS))
    })
}

pub(in super::super) extern "C" fn mark(vm: &mut VmContext<'_>, is_group: i64, name: i64) -> i64 {
    charged(vm, -1, |vm| {
        let bit = meaning::mark(vm.context, word(vm, is_group, name));
        if let Ok(bit) = bit {
            vm.context.mark(bit);
        }
        found(vm, bit, |_| 0)
    })
}

pub(in super::super) extern "C" fn path_named(
    vm: &mut VmContext<'_>,
    is_group: i64,
    name: i64,
) -> i64 {
    charged(vm, -1, |vm| {
        tolls::look_up_path(vm.context);
        let path = meaning::path(vm.context, word(vm, is_group, name));
        found(vm, path, |path| path as i64)
    })
}

pub(in super::super) extern "C" fn field_named(
    vm: &mut VmContext<'_>,
    is_group: i64,
    name: i64,
) -> i64 {
    charged(vm, -1, |vm| {
        tolls::look_up_field(vm.context);
        let field = meaning::field(vm.context, word(vm, is_group, name));
        found(vm, field, |field| field as i64)
    })
}

#[allow(clippy::too_many_arguments, reason = "two points as plain numbers")]
pub(in super::super) extern "C" fn draw_line(
    vm: &mut VmContext<'_>,
    ax: f32,
    ay: f32,
    az: f32,
    bx: f32,
    by: f32,
    bz: f32,
) {
    let (a, b) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz));
    guarded(vm, (), |vm| {
        vm.context.draw(|| Shape::Line(a, b));
    });
}

pub(in super::super) extern "C" fn draw_circle(
    vm: &mut VmContext<'_>,
    x: f32,
    y: f32,
    z: f32,
    radius: f32,
) {
    guarded(vm, (), |vm| {
        let center = Vec3::new(x, y, z);
        vm.context.draw(|| Shape::Circle(center, radius));
    });
}

#[allow(
    clippy::too_many_arguments,
    reason = "a point and a value as plain numbers"
)]
pub(in super::super) extern "C" fn draw_text(
    vm: &mut VmContext<'_>,
    x: f32,
    y: f32,
    z: f32,
    tag: i32,
    index: i64,
    a: f32,
    b: f32,
    c: f32,
) {
    guarded(vm, (), |vm| {
        if !vm.context.is_recording() {
            return;
        }
        let text = match tag {
            SHOW_TEXT => word(vm, 0, index).to_owned(),
            SHOW_GROUP => word(vm, 1, index).to_owned(),
            SHOW_NUMBER => Dynamic::from_float(a).to_string(),
            SHOW_INTEGER => index.to_string(),
            SHOW_SWITCH => (index != 0).to_string(),
            _ => Dynamic::from(Vec3::new(a, b, c)).to_string(),
        };
        let at = Vec3::new(x, y, z);
        vm.context.draw(|| Shape::Text(at, text));
    });
}
