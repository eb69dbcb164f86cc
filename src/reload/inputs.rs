//! Inputs of a generation, and an attempt to compose it: the version of each file, and whether scene and scripts fit
//! together.

use std::sync::Arc;

use super::scripts::Scripts;
use super::tracked::{Chosen, Rejected, RejectedFile, Tracked};
use super::tuned::TunedValues;
use super::world_sample::RunningWorld;
use crate::diagnostics::Fault;
use crate::scene::{ParamValue, Scene, SceneEdits, ScriptUse};
use crate::script::{Role, Script};

/// Inputs of a generation.
pub(super) struct Inputs<'a> {
    pub(super) scene: &'a Tracked<Arc<Scene>>,
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
    /// Returns the files that do not compile.
    pub(super) fn broken(&self) -> Rejected {
        let scripts = self.scripts.iter().filter_map(|(_, file)| file.broken());
        Rejected(self.scene.broken().into_iter().chain(scripts).collect())
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
    pub(super) fn settings(
        &self,
        used: &ScriptUse,
        script: &Chosen<Arc<Script>>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let mut set = Vec::new();
        let mut faults = Vec::new();
        for setting in &used.params {
            // A value for a parameter that the script does not declare causes a warning.
            let Some(param) = script.content.param(&setting.name) else {
                continue;
            };
            let message = match param.accept(&setting.value) {
                Ok(value) => {
                    set.push((setting.name.clone(), value));
                    continue;
                }
                Err(message) => message,
            };
            let fault = self.scene.content.fault(&setting.value_span, &message);
            if self.scene.is_new {
                faults.push(fault);
            } else if script.is_new {
                let message = format!("{}:{}:{}: {message}", fault.path, fault.line, fault.column);
                let fault = Fault::of_file(&script.content.path, message);
                let help = "change the scene first, or accept its value";
                return Err(script_fault(&script.content, fault.help(help)));
            }
        }
        match faults[..] {
            [] => Ok(set),
            _ => Err(self.scene_fault(faults)),
        }
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

    /// Checks that a script has `steer` for a behavior or `flow` for a flow field; rejects the newer of scene and
    /// script.
    pub(super) fn check_role(
        &self,
        used: &ScriptUse,
        script: &Chosen<Arc<Script>>,
        wanted: Role,
    ) -> Result<(), RejectedFile> {
        let role = script.content.role;
        if role == wanted {
            return Ok(());
        }
        let message = match (role, wanted) {
            (Role::Imported, _) => "has neither `fn steer` nor `fn flow`: others import it",
            (_, Role::Flow) => "is a behavior and fills no flow field",
            _ => "fills a flow field and is no behavior",
        };
        let message = format!("the script `{}` {message}", used.script);
        if self.scene.is_new || !script.is_new {
            let fault = self.scene.content.fault(&used.span, message);
            let help = match wanted {
                Role::Flow => "a flow field has a function `fn flow(point, world) { … }`",
                _ => "a behavior has a function `fn steer(me, world) { … }`",
            };
            return Err(self.scene_fault(vec![fault.help(help)]));
        }
        let message = format!("{message}, as the scene uses it");
        let fault = Fault::of_file(&script.content.path, message);
        Err(script_fault(&script.content, fault))
    }
}

/// Rejects a script for one fault.
pub(super) fn script_fault(script: &Script, fault: Fault) -> RejectedFile {
    RejectedFile::new(&script.path, vec![fault])
}
