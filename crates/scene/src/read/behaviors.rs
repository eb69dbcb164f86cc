//! Reading of behaviors and their parameters.

use steerbox_core::world::ParamValue;

use crate::{
    bounds::Bounds,
    fields::Fields,
    node::{Node, NodeKind},
    parts::Thing,
    plan::{ParamSetting, ScriptUse},
    reader::Reader,
    span::{Lines, Span},
    syntax::Repaired,
    words::{quoted, shown},
};

/// Reads a list of behaviors; those without a script are omitted.
pub(super) fn behaviors<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<ScriptUse> {
    let items = reader.list(node, "behaviors");
    items.into_iter().filter_map(|item| behavior(reader, item)).collect()
}

fn behavior<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<ScriptUse> {
    let mut fields = Fields::of(reader, node, "a behavior");
    let used = script(&mut fields, node, Thing::Rule);
    let (gain_node, enabled_node) = (fields.take("gain"), fields.take("enabled"));
    fields.finish();
    let gain = gain_node.and_then(|node| gain(reader, node));
    let enabled = enabled_node.and_then(|node| reader.switch(node, "enabled"));
    Some(ScriptUse {
        gain: gain.unwrap_or(1.0),
        enabled: enabled.unwrap_or(true),
        gain_span: gain_node.map(|node| reader.span(node)),
        enabled_span: enabled_node.map(|node| reader.span(node)),
        ..used?
    })
}

fn gain<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<f32> {
    if super::distribution::is_named(node) {
        let [message, help] = ScriptUse::ONE_GAIN;
        reader.fault_help(node, message, help);
        return None;
    }
    reader.number(node, "gain", Bounds::Any)
}

/// Reads the fields for a script and its parameters, of the entry at `node`.
pub(super) fn script<'a>(fields: &mut Fields<'_, 'a>, node: Node<'a>, thing: Thing) -> Option<ScriptUse> {
    let name_node = fields.need("script");
    let params_node = fields.take("params");
    let reader = &mut *fields.reader;
    let script = name_node.and_then(|node| {
        reader.record_use(node, thing);
        script_name(reader, node)
    });
    let params = params_node.map(|node| params(reader, node, script.as_deref()));
    Some(ScriptUse {
        script: script?,
        gain: 1.0,
        enabled: true,
        params: params.unwrap_or_default(),
        span: reader.span(name_node?),
        entry: reader.span(node),
        gain_span: None,
        enabled_span: None,
        params_span: params_node.map(|node| reader.span(node)),
    })
}

/// Reads the name of a script. It is part of a file name and must not leave the folder of scripts.
fn script_name<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<String> {
    let name = reader.name(node, "script")?;
    if let Some(stem) = name.strip_suffix(".rhai") {
        let message = format!("{} has the ending of a file", quoted(&name));
        reader.fault_write(node, message, Some(format!("write {stem:?}")), format!("{stem:?}"));
        return None;
    }
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.chars().all(plain) {
        let message = format!("{} cannot be the name of a script", quoted(&name));
        let help = "a script is named by letters, digits, _ and - only, without its folder";
        reader.fault_help(node, message, help);
        return None;
    }
    Some(name)
}

/// Converts the positions of a use from a repaired text to the original one, and drops parameters with a loss. Returns false
/// if the script's name has one.
pub(super) fn convert(used: &mut ScriptUse, repaired: &Repaired<'_>, lines: &Lines<'_>) -> bool {
    let has_lost = |span: &Span| repaired.has_lost(&span.range);
    used.params.retain(|param| !has_lost(&param.span) && !has_lost(&param.value_span));
    let is_whole = !has_lost(&used.span);
    let params = used.params.iter_mut().flat_map(|param| [&mut param.span, &mut param.value_span]);
    let optional = [&mut used.gain_span, &mut used.enabled_span, &mut used.params_span];
    let all = [&mut used.span, &mut used.entry].into_iter().chain(optional.into_iter().flatten());
    for span in all.chain(params) {
        *span = lines.span(repaired.original(&span.range));
    }
    is_whole
}

fn params<'a>(reader: &mut Reader<'a>, node: Node<'a>, script: Option<&str>) -> Vec<ParamSetting> {
    let entries = reader.map(node, "params");
    entries
        .into_iter()
        .filter_map(|(key, name, value)| {
            reader.record_param(key, script);
            let setting = param(reader, value, &name)?;
            Some(ParamSetting {
                name,
                value: setting,
                span: reader.span(key),
                value_span: reader.span(value),
            })
        })
        .collect()
}

fn param<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str) -> Option<ParamValue> {
    if let Some(value) = node.leaf::<i64>() {
        return Some(ParamValue::Integer(value));
    }
    if node.leaf::<f32>().is_some() {
        let value = reader.number(node, name, Bounds::Finite);
        return value.map(ParamValue::Number);
    }
    if let Some(value) = node.leaf::<bool>() {
        return Some(ParamValue::Switch(value));
    }
    if node.kind() == NodeKind::Text {
        return reader.text(node, name).map(ParamValue::Choice);
    }
    if super::distribution::is_written(node) {
        return super::distribution::read(reader, node, Bounds::Finite, "a distribution")
            .map(ParamValue::Distribution);
    }
    let what = shown(node);
    let message =
        format!("the parameter `{name}` must be a number, true, false, a text or a distribution, not {what}");
    reader.fault(node, message);
    None
}
