//! Variables: parameters, gains and numbers of units with the values that an experiment assigns to them.

use anyhow::{anyhow, bail, ensure};
use steerbox_core::diagnostics::quoted_suggestion;
use steerbox_script::ParamRange;

use super::values;
use crate::reload::{Generation, Handle, KnobName, Setting, param_like};
use crate::session::{check_setting_name, check_settings, parse_setting_value, split_setting};

/// The end of the path of a number of units.
const COUNT: &str = ".count";

/// A variable of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its path as the user wrote it: the name of its column.
    pub name: String,
    /// The texts of its values, in order.
    pub values: Vec<String>,
    pub(super) target: Target,
}

/// The value of a scene that a variable replaces.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// A parameter, gain or switch of a behavior.
    Knob(Handle, KnobName),
    /// The number of units of a group.
    Count(String),
}

impl Variable {
    /// Parses `PATH=VALUES` for a scene; see [`super::Request::vary`].
    ///
    /// # Errors
    /// If the text has another form, the scene has no such value, or one of the values does not fit.
    pub(super) fn parse(text: &str, generation: &Generation) -> anyhow::Result<Self> {
        let (variable, values) = Self::of_path(text, generation)?;
        let values = values::parse(values).map_err(|error| anyhow!("--vary {text}: {error}"))?;
        variable.with_values(values, generation)
    }

    /// Parses `PATH=a..b` for a scene; returns the variable without values, and its bounds.
    ///
    /// # Errors
    /// If the text has another form, or the scene has no such value.
    pub(super) fn parse_bounds(text: &str, generation: &Generation) -> anyhow::Result<(Self, [f64; 2])> {
        let (variable, bounds) = Self::of_path(text, generation)?;
        let bounds = values::bounds(bounds).map_err(|error| anyhow!("--vary {text}: {error}"))?;
        Ok((variable, bounds))
    }

    /// Splits `PATH=…`; returns the variable without values, and the text after `=`.
    pub(super) fn of_path<'a>(text: &'a str, generation: &Generation) -> anyhow::Result<(Self, &'a str)> {
        let of_vary = |error: String| anyhow!("--vary {text}: {error}");
        let (target, values) = if let Some(found) = counted_group(text, generation) {
            found.map_err(of_vary)?
        } else {
            let (handle, knob, values) = split_setting(text).map_err(|form| {
                let form = form.replace("PARAM=V", "PARAM=a..b:n or …=v1,v2,…");
                of_vary(format!("{form} or GROUP.count=…"))
            })?;
            let knob = declared(generation, &handle, knob);
            (Target::Knob(handle, knob), values)
        };
        let name = text[..text.len() - values.len()].trim_end_matches('=').trim().to_owned();
        Ok((Self { name, values: Vec::new(), target }, values))
    }

    /// Sets the texts of the values.
    ///
    /// # Errors
    /// If one of them does not fit.
    pub(super) fn with_values(
        mut self,
        values: Vec<String>,
        generation: &Generation,
    ) -> anyhow::Result<Self> {
        for value in values {
            self.add(&value, generation)?;
        }
        Ok(self)
    }

    /// Adds the text of a value.
    ///
    /// # Errors
    /// If it does not fit.
    pub(super) fn add(&mut self, value: &str, generation: &Generation) -> anyhow::Result<()> {
        let is_whole = value.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
        let point = if is_whole && self.is_number(generation) { ".0" } else { "" };
        self.values.push(format!("{value}{point}"));
        self.check(self.values.len() - 1, generation)
    }

    /// Returns true for a gain or a parameter whose values are numbers, which tables show with a point or an exponent.
    fn is_number(&self, generation: &Generation) -> bool {
        match &self.target {
            Target::Knob(_, KnobName::Gain) => true,
            Target::Knob(handle, KnobName::Param(name)) => {
                let planned = generation.planned().find(|planned| planned.handle == *handle);
                let script = planned.and_then(|planned| planned.script.as_ref());
                let param = script.and_then(|script| param_like(script, name));
                param.is_some_and(|param| matches!(param.range, ParamRange::Number(..)))
            }
            Target::Knob(_, KnobName::Enabled) | Target::Count(_) => false,
        }
    }

    /// Checks that the scene has the value that the variable replaces.
    ///
    /// # Errors
    /// If it has not.
    pub(super) fn check_name(&self, generation: &Generation) -> anyhow::Result<()> {
        match &self.target {
            Target::Knob(handle, knob) => check_setting_name(generation, handle, knob),
            Target::Count(_) => Ok(()),
        }
    }

    /// Returns the text of a number between bounds; numbers of units are whole.
    pub(super) fn text_at(&self, share: f64, [first, last]: [f64; 2]) -> String {
        let value = first + (last - first) * share;
        match self.target {
            // Each whole number from the first to the last one has the same share.
            Target::Count(_) => {
                values::text_of((first + (last + 1.0 - first) * share).floor().min(last.floor()))
            }
            Target::Knob(..) => values::text_of(value),
        }
    }

    fn check(&self, at: usize, generation: &Generation) -> anyhow::Result<()> {
        if let Some(setting) = self.setting(at) {
            let checked = check_settings(generation, &[setting]);
            checked.map_err(|error| anyhow!("{}", format!("{error:#}").replacen("--set", "--vary", 1)))?;
        } else if self.count(at).is_none() {
            let value = self.values.get(at).map_or("", String::as_str);
            bail!("--vary {}: `{value}` is not a number of units", self.name);
        }
        Ok(())
    }

    /// Returns the setting of a value; `None` for a number of units.
    pub(super) fn setting(&self, at: usize) -> Option<Setting> {
        let Target::Knob(handle, knob) = &self.target else { return None };
        Some((handle.clone(), knob.clone(), parse_setting_value(knob, self.values.get(at)?)))
    }

    /// Returns group and number of units of a value; `None` for a setting.
    pub(super) fn count(&self, at: usize) -> Option<(&str, usize)> {
        let Target::Count(group) = &self.target else { return None };
        Some((group, self.values.get(at)?.parse().ok()?))
    }
}

/// Checks that no two variables, and no setting, replace the same value.
///
/// # Errors
/// With the name of one that does.
pub(super) fn check_distinct(variables: &[Variable], settings: &[Setting]) -> anyhow::Result<()> {
    for (at, variable) in variables.iter().enumerate() {
        let name = &variable.name;
        let is_same = |other: &Variable| other.target == variable.target;
        ensure!(!variables[..at].iter().any(is_same), "--vary {name}: it is varied twice");
        let is_set = settings.iter().any(|(handle, knob, _)| {
            matches!(&variable.target, Target::Knob(varied, name) if varied == handle && name == knob)
        });
        ensure!(!is_set, "--vary {name}: --set sets it, too");
    }
    Ok(())
}

/// Splits `GROUP.count=VALUES`; `None` if the text has another form.
fn counted_group<'a>(text: &'a str, generation: &Generation) -> Option<Result<(Target, &'a str), String>> {
    let (group, values) = text.split_once(&format!("{COUNT}="))?;
    let groups = generation.scene.groups.iter().filter(|group| !group.is_player);
    let groups: Vec<_> = groups.map(|group| group.common.name.as_str()).collect();
    let plain = group.trim_matches('"');
    if groups.contains(&plain) {
        return Some(Ok((Target::Count(plain.to_owned()), values)));
    }
    if split_setting(text).is_ok() {
        return None;
    }
    let remedy = quoted_suggestion(plain, groups.iter().copied());
    let remedy = remedy.unwrap_or_else(|| format!("it has {}", groups.join(", ")));
    Some(Err(format!("the scene has no group called \"{plain}\": {remedy}")))
}

/// Returns the name with which the script declares a parameter.
fn declared(generation: &Generation, handle: &Handle, knob: KnobName) -> KnobName {
    let planned = generation.planned().find(|planned| planned.handle == *handle);
    let script = planned.and_then(|planned| planned.script.as_ref());
    match (&knob, script) {
        (KnobName::Param(name), Some(script)) => {
            param_like(script, name).map_or(knob, |param| KnobName::Param(param.name.clone()))
        }
        _ => knob,
    }
}
