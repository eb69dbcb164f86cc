//! Settings of the form `GROUP.SCRIPT.PARAM=V`, which override values of the files.

use anyhow::{anyhow, bail};
use steerbox_core::diagnostics::quoted_suggestion;
use steerbox_core::sim::use_name;
use steerbox_core::text::composed;
use steerbox_core::world::ParamValue;
use steerbox_scene::ScriptUse;
use steerbox_script::{Param, Script, parse_value};

use crate::reload::{Generation, Handle, KnobName, Planned, Setting, param_like};

/// The form of a setting, as messages state it.
const FORM: &str =
    "expected GROUP.SCRIPT.PARAM=V, such as starlings.cohesion.gain=0.5; a group may stand in quotes";

/// Parses a setting; [`check_settings`] compares it with a scene.
///
/// # Errors
/// With the expected form, if the text has another one.
pub fn parse_setting(text: &str) -> Result<Setting, &'static str> {
    let text = composed(text);
    let (handle, knob, value) = split_setting(&text)?;
    let value = parse_setting_value(&knob, value);
    Ok((handle, knob, value))
}

/// Splits a setting into a behavior, the name of one of its values and the text of the value.
///
/// # Errors
/// With the expected form, if the text has another one.
pub fn split_setting(text: &str) -> Result<(Handle, KnobName, &str), &'static str> {
    parse_path(text).ok_or(FORM)
}

/// Parses the value of a setting.
pub fn parse_setting_value(knob: &KnobName, text: &str) -> ParamValue {
    match (*knob == KnobName::Gain, read_value(text)) {
        (true, ParamValue::Integer(value)) => ParamValue::Number(value as f32),
        (_, value) => value,
    }
}

/// Writes a setting in the form that [`parse_setting`] accepts.
pub fn written_setting((handle, knob, value): &Setting) -> String {
    let value = match value {
        ParamValue::Choice(word) if read_value(word) != *value || word.contains(char::is_control) => {
            in_quotes(word)
        }
        value => value.to_string(),
    };
    format!("{}={value}", setting_path(handle, knob))
}

/// Quotes a text as RON.
pub(super) fn in_quotes(text: &str) -> String {
    ron::to_string(text).unwrap_or_default()
}

fn read_value(text: &str) -> ParamValue {
    let word = text.starts_with('"').then(|| ron::from_str(text).ok()).flatten();
    word.map_or_else(|| parse_value(text), ParamValue::Choice)
}

/// Splits a setting into a behavior, the name of one of its values and the text of the value. Names of groups may
/// contain any character: the first `=` after a script and a parameter ends the path, unless the group is in quotes.
fn parse_path(text: &str) -> Option<(Handle, KnobName, &str)> {
    if let Some((group, rest)) = quoted_group(text)
        && let Some((path, value)) = rest.split_once('=')
        && let Some((script, param)) = path.split_once('.')
    {
        let (handle, knob) = named(&group, script, param)?;
        return Some((handle, knob, value));
    }
    let ends = text.match_indices('=').filter_map(|(at, _)| {
        let mut parts = text[..at].rsplitn(3, '.');
        let (param, script, group) = (parts.next()?, parts.next()?, parts.next()?);
        Some(((group, script, param), &text[at + 1..]))
    });
    let is_path = |((group, script, param), _): &((&str, &str, &str), &str)| {
        let is_name = |name: &str, others: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || others.contains(c))
        };
        !group.is_empty() && is_name(script, "_-#") && is_name(param, "_- ")
    };
    let ((group, script, param), value) = ends.clone().find(is_path).or_else(|| ends.clone().next())?;
    let (handle, knob) = named(group, script, param)?;
    Some((handle, knob, value))
}

/// Splits a quoted group from the start of a setting; returns it with the text after the dot.
fn quoted_group(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut ends = text.match_indices("\".").map(|(at, _)| at).filter(|at| *at > 0);
    ends.find_map(|end| Some((ron::from_str(&text[..=end]).ok()?, &text[end + 2..])))
}

fn named(group: &str, script: &str, param: &str) -> Option<(Handle, KnobName)> {
    let knob = match param {
        "gain" => KnobName::Gain,
        "enabled" => KnobName::Enabled,
        _ => KnobName::Param(param.to_owned()),
    };
    // `script#2` is the second use of a script in the group.
    let (script, occurrence) = match script.split_once('#') {
        Some((script, number)) => (script, number.parse().ok().filter(|number: &usize| *number > 0)? - 1),
        None => (script, 0),
    };
    let (group, script) = (group.to_owned(), script.to_owned());
    Some((Handle { group, script, occurrence }, knob))
}

/// Checks that every setting names a value of the scene and fits it.
///
/// # Errors
/// With the first that does not.
pub fn check_settings(generation: &Generation, settings: &[Setting]) -> anyhow::Result<()> {
    for setting in settings {
        let (handle, name, value) = setting;
        let planned = find(generation, handle)?;
        fits(planned, name, value)
            .map_err(|reason| anyhow!("--set {}: {reason}", written_setting(setting)))?;
    }
    Ok(())
}

/// Checks that the scene has the value that a setting names.
///
/// # Errors
/// If it has not.
pub fn check_setting_name(generation: &Generation, handle: &Handle, name: &KnobName) -> anyhow::Result<()> {
    let planned = find(generation, handle)?;
    match (name, &planned.script) {
        (KnobName::Param(param), Some(script)) => {
            declared(script, planned, param).map(drop).map_err(|reason| anyhow!("--set: {reason}"))
        }
        _ => Ok(()),
    }
}

/// Returns the behavior of a setting.
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
            let requested = handle.occurrence + 1;
            bail!("--set: {place} uses {script} {uses} times, not {requested}");
        }
        bail!(unknown("behavior", script, &place, scripts));
    };
    Ok(planned)
}

/// Returns a parameter of a script; of one without it, the error.
fn declared<'a>(script: &'a Script, planned: &Planned, param: &str) -> Result<&'a Param, String> {
    param_like(script, param).ok_or_else(|| {
        let params = script.params.iter().map(|param| param.name.as_str());
        let names = params.chain(["gain", "enabled"]);
        let place = format!("behavior {}", planned.handle.script);
        missing("parameter", param, &place, names)
    })
}

/// Checks the kind of the value of a gain or enabled flag, which is the same in every scene.
///
/// # Errors
/// With the expected kind.
pub fn check_kind(name: &KnobName, value: &ParamValue) -> Result<(), String> {
    match (name, value) {
        (KnobName::Gain, ParamValue::Number(_))
        | (KnobName::Enabled, ParamValue::Switch(_))
        | (KnobName::Param(_), _) => Ok(()),
        (KnobName::Gain, ParamValue::Distribution(_)) => Err(ScriptUse::ONE_GAIN.join(": ")),
        (KnobName::Gain, _) => Err("gain must be a number".to_owned()),
        (KnobName::Enabled, _) => Err("enabled must be true or false".to_owned()),
    }
}

fn fits(planned: &Planned, name: &KnobName, value: &ParamValue) -> Result<(), String> {
    check_kind(name, value)?;
    let (KnobName::Param(param), Some(script)) = (name, &planned.script) else {
        return Ok(());
    };
    let declared = declared(script, planned, param)?;
    if let (ParamValue::Distribution(_), Some((message, _))) = (value, script.derived_from(&declared.name)) {
        return Err(message);
    }
    declared.accept(value).map(drop)
}

/// Writes a setting without its value. The group is quoted if the text would be parsed as another group.
pub(super) fn setting_path(handle: &Handle, name: &KnobName) -> String {
    let Handle { group, script, occurrence } = handle;
    let (script, name) = (use_name(script, *occurrence), name.as_str());
    let plain = format!("{group}.{script}.{name}");
    let start = format!("{plain}=");
    let read = parse_path(&start).filter(|(read, ..)| read == handle);
    let is_plain = read.is_some_and(|(.., value)| value.is_empty()) && !group.starts_with('-');
    if is_plain && !group.contains(char::is_control) {
        plain
    } else {
        format!("{}.{script}.{name}", in_quotes(group))
    }
}

fn unknown<'a>(what: &str, name: &str, place: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("--set: {}", missing(what, name, place, known))
}

fn missing<'a>(what: &str, name: &str, place: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let remedy = quoted_suggestion(name, known.clone())
        .unwrap_or_else(|| format!("it has {}", known.collect::<Vec<_>>().join(", ")));
    format!("{place} has no {what} called \"{name}\": {remedy}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn setting(group: &str, value: ParamValue) -> Setting {
        let (group, script) = (group.to_owned(), "separation".to_owned());
        (Handle { group, script, occurrence: 1 }, KnobName::Param("FORM".to_owned()), value)
    }

    #[test]
    fn a_group_of_any_name_is_read_as_it_is_typed() {
        let parsed = |text: &str| {
            let (handle, knob, value) = parse_setting(text).unwrap();
            (handle.group, handle.script, knob.as_str().to_owned(), value)
        };
        let of = |group: &str, value| {
            (group.into(), "separation".into(), "gain".into(), ParamValue::Number(value))
        };
        assert_eq!(parsed("a=b.separation.gain=3"), of("a=b", 3.0));
        assert_eq!(parsed("x.y.separation.gain=3"), of("x.y", 3.0));
        assert_eq!(parsed("a b, \"c\".separation.gain=3"), of("a b, \"c\"", 3.0));
        assert_eq!(parsed("\"x.y.z=w\".separation.gain=3"), of("x.y.z=w", 3.0));
        assert_eq!(parsed("\"a\\n\\\"b\\\".\".separation.gain=3"), of("a\n\"b\".", 3.0));
        for text in ["", "x", "=", "a.b=1", "a.b#0.gain=1", "\"a\"=1"] {
            assert_eq!(parse_setting(text), Err(FORM), "{text}");
        }
    }

    /// Returns names made of the separators of a setting, and any others.
    fn name() -> impl Strategy<Value = String> {
        let odd = proptest::sample::select(vec![
            "=",
            ".",
            "\"",
            "#",
            "'",
            ",",
            " ",
            "-",
            "\\",
            "\n",
            "\r",
            "\0",
            "a",
            "separation.gain=",
            "\u{202e}",
            "ü",
        ]);
        prop_oneof![
            proptest::collection::vec(odd, 1..6).prop_map(|parts| parts.concat()),
            any::<String>().prop_filter("names are not empty", |name| !name.is_empty()),
        ]
    }

    proptest! {
        #[test]
        fn written_settings_are_read_again(group in name(), word in name()) {
            let [group, word] = [&group, &word].map(|name| composed(name).into_owned());
            for value in [ParamValue::Choice(word), ParamValue::Switch(true), ParamValue::Integer(-3)] {
                let setting = setting(&group, value);
                let written = written_setting(&setting);
                prop_assert!(!written.starts_with('-') && !written.contains('\n'), "{}", written);
                prop_assert_eq!(parse_setting(&written).unwrap(), setting, "{}", written);
            }
        }
    }
}
