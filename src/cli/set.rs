//! `--set GROUP.SCRIPT.PARAM=V`: values in place of the files'.

use anyhow::{Context as _, bail};

use crate::app::Setting;
use crate::diagnostics::closest;
use crate::reload::{Generation, Handle, KnobName};
use crate::scene::ParamValue;
use crate::script::parse_value;

/// Reads one setting; whether it fits is known only when the scene is.
pub(super) fn parse(text: &str) -> anyhow::Result<Setting> {
    let form = || format!("`--set {text}` is not of the form GROUP.SCRIPT.PARAM=V");
    let (path, value) = text.split_once('=').with_context(form)?;
    let mut parts = path.rsplitn(3, '.');
    let (Some(param), Some(script), Some(group)) = (parts.next(), parts.next(), parts.next())
    else {
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
            let number: usize = number
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .with_context(form)?;
            (script, number - 1)
        }
        None => (script, 0),
    };
    let handle = Handle {
        group: group.to_owned(),
        script: script.to_owned(),
        occurrence,
    };
    let value = match (knob == KnobName::Gain, parse_value(value)) {
        (true, ParamValue::Integer(value)) => ParamValue::Number(value as f32),
        (_, value) => value,
    };
    Ok((handle, knob, value))
}

/// Checks that every setting names a value of the scene and fits it.
pub(super) fn check(generation: &Generation, settings: &[Setting]) -> anyhow::Result<()> {
    for (handle, name, value) in settings {
        let groups = || {
            generation
                .scene
                .groups
                .iter()
                .map(|group| group.name.as_str())
        };
        let Some(group) = groups().position(|group| group == handle.group) else {
            bail!(unknown("group", &handle.group, groups()));
        };
        let crew = &generation.crews[group];
        let Some(planned) = crew.iter().find(|planned| planned.handle == *handle) else {
            let scripts = crew.iter().map(|planned| planned.handle.script.as_str());
            bail!(unknown(
                &format!("behavior of {}", handle.group),
                &handle.script,
                scripts
            ));
        };
        match name {
            KnobName::Gain if !matches!(value, ParamValue::Number(_)) => {
                bail!("gain must be a number")
            }
            KnobName::Enabled if !matches!(value, ParamValue::Switch(_)) => {
                bail!("enabled must be true or false")
            }
            KnobName::Gain | KnobName::Enabled => {}
            KnobName::Param(param) => {
                let Some(script) = &planned.script else {
                    continue;
                };
                let Some(declared) = script.param(param) else {
                    let params = script.params.iter().map(|param| param.name.as_str());
                    bail!(unknown(
                        &format!("parameter of {}", handle.script),
                        param,
                        params
                    ));
                };
                declared.accept(value).map_err(anyhow::Error::msg)?;
            }
        }
    }
    Ok(())
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let remedy = closest(name, known.clone()).map_or_else(
        || format!("there is {}", known.collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean \"{near}\"?"),
    );
    format!("--set: there is no {what} called \"{name}\": {remedy}")
}
