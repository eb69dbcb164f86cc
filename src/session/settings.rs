//! `--set GROUP.SCRIPT.PARAM=V`: values in place of the files'.

use anyhow::{Context as _, anyhow, bail};

use crate::diagnostics::quoted_suggestion;
use crate::reload::{Generation, Handle, KnobName, Planned, Setting, param_like};
use crate::scene::ParamValue;
use crate::script::parse_value;
use crate::sim::use_name;

/// Reads settings; [`check_settings`] says whether they fit a scene.
///
/// # Errors
/// When a text has another form.
pub fn parse_settings(texts: &[String]) -> anyhow::Result<Vec<Setting>> {
    texts.iter().map(|text| parse(text)).collect()
}

/// A setting as [`parse_settings`] reads it.
pub fn written_setting((handle, knob, value): &Setting) -> String {
    format!("{}={value}", path(handle, knob))
}

fn parse(text: &str) -> anyhow::Result<Setting> {
    let form = || format!("--set {text}: expected GROUP.SCRIPT.PARAM=V, such as starlings.cohesion.gain=0.5");
    let (path, value) = text.split_once('=').with_context(form)?;
    let mut parts = path.rsplitn(3, '.');
    let (Some(param), Some(script), Some(group)) = (parts.next(), parts.next(), parts.next()) else {
        bail!(form());
    };
    let knob = match param {
        "gain" => KnobName::Gain,
        "enabled" => KnobName::Enabled,
        _ => KnobName::Param(param.to_owned()),
    };
    // `script#2` is the second use of a script in the group.
    let (script, occurrence) = match script.split_once('#') {
        Some((script, number)) => {
            let number = number.parse().ok().filter(|number: &usize| *number > 0);
            (script, number.with_context(form)? - 1)
        }
        None => (script, 0),
    };
    let (group, script) = (group.to_owned(), script.to_owned());
    let handle = Handle { group, script, occurrence };
    let value = match (knob == KnobName::Gain, parse_value(value)) {
        (true, ParamValue::Integer(value)) => ParamValue::Number(value as f32),
        (_, value) => value,
    };
    Ok((handle, knob, value))
}

/// Checks that every setting names a value of the scene and fits it.
///
/// # Errors
/// With the first that does not.
pub fn check_settings(generation: &Generation, settings: &[Setting]) -> anyhow::Result<()> {
    for (handle, name, value) in settings {
        let planned = find(generation, handle)?;
        fits(planned, name, value)
            .map_err(|reason| anyhow!("--set {}={value}: {reason}", path(handle, name)))?;
    }
    Ok(())
}

/// The behavior that a setting is for.
fn find<'a>(generation: &'a Generation, handle: &Handle) -> anyhow::Result<&'a Planned> {
    let Handle { group, script, .. } = handle;
    let groups = generation.scene.groups.iter();
    let groups = groups.map(|group| group.common.name.as_str());
    let Some(index) = groups.clone().position(|name| name == group) else {
        bail!(unknown("group", group, "the scene", groups));
    };
    let group_behaviors = &generation.behaviors[index];
    let Some(planned) = group_behaviors.iter().find(|planned| planned.handle == *handle) else {
        let place = format!("group {group}");
        let scripts = group_behaviors.iter().map(|planned| planned.handle.script.as_str());
        if scripts.clone().any(|name| name == script) {
            let uses = scripts.filter(|name| name == script).count();
            let asked = handle.occurrence + 1;
            bail!("--set: {place} uses {script} {uses} times, not {asked}");
        }
        bail!(unknown("behavior", script, &place, scripts));
    };
    Ok(planned)
}

fn fits(planned: &Planned, name: &KnobName, value: &ParamValue) -> Result<(), String> {
    match (name, value) {
        (KnobName::Gain, ParamValue::Number(_)) | (KnobName::Enabled, ParamValue::Switch(_)) => Ok(()),
        (KnobName::Gain, _) => Err("gain must be a number".to_owned()),
        (KnobName::Enabled, _) => Err("enabled must be true or false".to_owned()),
        (KnobName::Param(param), _) => {
            let Some(script) = &planned.script else {
                return Ok(());
            };
            let Some(declared) = param_like(script, param) else {
                let params = script.params.iter().map(|param| param.name.as_str());
                let names = params.chain(["gain", "enabled"]);
                let place = format!("behavior {}", planned.handle.script);
                return Err(missing("parameter", param, &place, names));
            };
            declared.accept(value).map(|_| ())
        }
    }
}

/// A setting as it is written, without its value.
fn path(handle: &Handle, name: &KnobName) -> String {
    let Handle { group, script, occurrence } = handle;
    let script = use_name(script, *occurrence);
    format!("{group}.{script}.{}", name.as_str())
}

fn unknown<'a>(what: &str, name: &str, place: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("--set: {}", missing(what, name, place, known))
}

fn missing<'a>(what: &str, name: &str, place: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let remedy = quoted_suggestion(name, known.clone())
        .unwrap_or_else(|| format!("it has {}", known.collect::<Vec<_>>().join(", ")));
    format!("{place} has no {what} called \"{name}\": {remedy}")
}
