//! `this`: the declared fields, stored in the unit's memory row.

use glam::Vec3;
use rhai::{Dynamic, Engine, ImmutableString};
use steerbox_core::diagnostics::closest;
use steerbox_core::sim::{DrawnKind, Field, FieldKind, number_words, vector, vector_words};

use super::call::{Call, Fallible, with};
use crate::api::values::Memory;
use crate::messages::words;
use crate::types::Kind;

pub(super) fn register(engine: &mut Engine) {
    engine.register_indexer_get(|_: &mut Memory, name: ImmutableString| -> Fallible<Dynamic> {
        with(|call| read(call, &name))
    });
    engine.register_indexer_set(|_: &mut Memory, name: ImmutableString, value: Dynamic| -> Fallible<()> {
        with(|call| write(call, &name, &value))
    });
}

fn field<'a>(call: &'a Call, name: &str) -> Fallible<&'a Field> {
    let layout = call
        .environment
        .as_ref()
        .map(|environment| &environment.memory)
        .ok_or("nothing is remembered here")?;
    layout.field(name).ok_or_else(|| {
        let near = closest(name, layout.fields().iter().map(|field| field.name.as_str()));
        let hint = near.map_or(String::new(), |near| format!(": did you mean `this.{near}`?"));
        format!("MEMORY declares no `{name}`{hint}").into()
    })
}

fn read(call: &Call, name: &str) -> Fallible<Dynamic> {
    let field = field(call, name)?;
    Ok(value(field.kind, &call.memory[field.offset..]))
}

/// Converts the words of a field of this kind.
pub(crate) fn value(kind: FieldKind, words: &[u32]) -> Dynamic {
    match kind {
        FieldKind::Number => Dynamic::from_float(f32::from_bits(words[0])),
        FieldKind::Bool => Dynamic::from_bool(words[0] != 0),
        FieldKind::Vector => Dynamic::from(vector(words)),
    }
}

/// Converts the word of a drawn parameter.
pub(crate) fn drawn(kind: DrawnKind, word: u32) -> Dynamic {
    match kind {
        DrawnKind::Number => Dynamic::from_float(f32::from_bits(word)),
        DrawnKind::Integer => Dynamic::from_int(i64::from(word.cast_signed())),
        DrawnKind::Switch => Dynamic::from_bool(word != 0),
    }
}

fn write(call: &mut Call, name: &str, value: &Dynamic) -> Fallible<()> {
    let field = field(call, name)?;
    let words = match field.kind {
        FieldKind::Number => {
            let number = value.as_float().ok().or_else(|| value.as_int().ok().map(|v| v as f32));
            number.map(number_words)
        }
        FieldKind::Bool => value.as_bool().ok().map(|v| [u32::from(v), 0, 0]),
        FieldKind::Vector => value.read_lock::<Vec3>().map(|v| vector_words(*v)),
    };
    let Some(words) = words else {
        let found = if value.is_unit() { "()" } else { value.type_name() };
        return Err(words::cannot_hold(name, Kind::of_field(field.kind), found).into());
    };
    let (offset, count) = (field.offset, field.kind.words());
    call.memory[offset..offset + count].copy_from_slice(&words[..count]);
    Ok(())
}
