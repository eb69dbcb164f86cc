//! Inputs of a generation, and an attempt to compose it: the version of each file, and whether scene and scripts fit
//! together.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::world::ParamValue;
use steerbox_scene::{Column, Scene, SceneEdits, ScriptUse, Span};
use steerbox_script::{Param, Role, Script};

use super::scripts::Scripts;
use super::tracked::{Chosen, Rejected, RejectedFile, Tracked};
use super::tuned_values::TunedValues;
use super::world_sample::RunningWorld;

/// Inputs of a generation.
pub(super) struct Inputs<'a> {
    pub(super) scene: &'a Tracked<Arc<Scene>>,
    /// The readable part of the newest content of the scene, if that has faults.
    pub(super) rest: Option<&'a Arc<Scene>>,
    pub(super) scripts: &'a Scripts,
    pub(super) tuned: &'a TunedValues,
    /// Edits of the scene.
    pub(super) scene_edits: &'a SceneEdits,
    /// Trial runs of new behaviors; none before anything runs.
    pub(super) trials: Trials<'a>,
}

/// World of the trial runs of new behaviors.
#[derive(Clone, Copy)]
pub(super) enum Trials<'a> {
    /// No trial runs, since nothing runs that a new behavior could disturb.
    None,
    /// The start of the scene, since the running world is not known.
    Start,
    /// The running world.
    Running(&'a RunningWorld),
}

impl Inputs<'_> {
    /// Returns the scripts that do not compile.
    pub(super) fn broken_scripts(&self) -> Rejected {
        Rejected(self.scripts.iter().filter_map(|(_, file)| file.broken()).collect())
    }
}

/// An attempt: the chosen scene, without the files that are rejected so far.
pub(super) struct Attempt<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) rejected: &'a Rejected,
    pub(super) scene: &'a Chosen<Arc<Scene>>,
    /// The scene with its edits.
    pub(super) edited: &'a Arc<Scene>,
}

impl Attempt<'_> {
    /// Returns the newest version of a script that is not rejected.
    pub(super) fn script(&self, name: &str) -> Option<Chosen<Arc<Script>>> {
        self.inputs.scripts.get(name)?.chosen(self.rejected)
    }

    /// Rejects the scene.
    pub(super) fn scene_fault(&self, faults: Vec<Fault>) -> RejectedFile {
        RejectedFile::new(&self.inputs.scene.path, faults)
    }

    /// Returns the settings of a script's parameters in the scene, as far as the script accepts them.
    fn settings(
        &self,
        used: &ScriptUse,
        script: &Chosen<Arc<Script>>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let mut set = Vec::new();
        for setting in &used.params {
            // A value for a parameter that the script does not declare causes a warning.
            let Some(param) = script.content.param(&setting.name) else {
                continue;
            };
            match param.accept(&setting.value) {
                Ok(value) => set.push((setting.name.clone(), value)),
                Err(message) if script.is_new && !self.scene.is_new => {
                    let Span { line, column, .. } = setting.value_span;
                    let message = format!("{}:{line}:{column}: {message}", self.inputs.scene.path);
                    let fault = Fault::of_file(&script.content.path, message);
                    let help = "change the scene first, or accept its value";
                    return Err(script_fault(&script.content, fault.help(help)));
                }
                Err(_) => {}
            }
        }
        Ok(set)
    }

    /// Returns the value of every parameter of a script: that of the scene or the default.
    pub(super) fn values(
        &self,
        used: &ScriptUse,
        script: &Chosen<Arc<Script>>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let set = self.settings(used, script)?;
        let values = script.content.params.iter().map(|param| {
            let set = set.iter().find(|(name, _)| *name == param.name);
            let value = set.map_or(&param.default, |(_, value)| value);
            (param.name.clone(), value.clone())
        });
        Ok(values.collect())
    }

    /// Returns the value of every parameter of a behavior of a group: that of the scene, the column of the group's
    /// table, or the default.
    pub(super) fn unit_values(
        &self,
        (group, used): (usize, &ScriptUse),
        script: &Chosen<Arc<Script>>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let mut values = self.values(used, script)?;
        let Some(plan) = self.scene.content.groups.get(group) else { return Ok(values) };
        for (name, value) in &mut values {
            let is_set = used.params.iter().any(|setting| setting.name == *name);
            let column = plan.spawn.column(&used.script, name).filter(|_| !is_set);
            let Some((column, param)) = column.zip(script.content.param(name)) else { continue };
            match column_value(column, param) {
                Ok(listed) => *value = listed,
                Err(message) if script.is_new && !self.scene.is_new => {
                    let fault = Fault::of_file(&script.content.path, message);
                    let help = "change the table first, or accept its values";
                    return Err(script_fault(&script.content, fault.help(help)));
                }
                Err(_) => {}
            }
        }
        Ok(values)
    }

    /// Rejects a new script that does not have `steer` for a behavior or `flow` for a flow field, as the scene uses it.
    pub(super) fn check_role(
        &self,
        used: &ScriptUse,
        script: &Chosen<Arc<Script>>,
        wanted: Role,
    ) -> Result<(), RejectedFile> {
        let Some((message, help)) = wrong_role(used, script.content.role, wanted) else {
            return Ok(());
        };
        if self.scene.is_new || !script.is_new {
            let fault = self.scene.content.fault(&used.span, message).help(help);
            return Err(self.scene_fault(vec![fault]));
        }
        let message = format!("{message}, as the scene uses it");
        let fault = Fault::of_file(&script.content.path, message);
        Err(script_fault(&script.content, fault))
    }
}

/// Returns message and help if a script has not the role that a scene requires.
pub(super) fn wrong_role(used: &ScriptUse, role: Role, wanted: Role) -> Option<(String, String)> {
    if role == wanted {
        return None;
    }
    let message = match (role, wanted) {
        (Role::Imported, _) => "has neither `fn steer` nor `fn flow`: others import it",
        (Role::Measure, _) => "is a measure, which needs no place in a scene",
        (_, Role::Flow) => "is a behavior and fills no flow field",
        _ => "fills a flow field and is not a behavior",
    };
    Some((format!("the script `{}` {message}", used.script), wanted.form()))
}

/// Rejects a script for one fault.
pub(super) fn script_fault(script: &Script, fault: Fault) -> RejectedFile {
    RejectedFile::new(&script.path, vec![fault])
}

/// Returns the values of a column for a parameter.
///
/// # Errors
/// With file, line and reason, if one is not a value of the parameter.
pub(super) fn column_value(column: &Column, param: &Param) -> Result<ParamValue, String> {
    let listed = column.values.clone().map(ParamValue::Distribution)?;
    let file = column.at.split(':').next().unwrap_or_default();
    for (value, line) in &column.cells {
        if let Err(message) = param.accept_of_unit(*value) {
            return Err(format!("{file}:{line}: {message}"));
        }
    }
    Ok(listed)
}
