//! What a generation is composed from, and one attempt to compose it: which version of each file is
//! used, and whether scene and scripts fit together.

use std::sync::Arc;

use super::running::RunningWorld;
use super::scene_file::SceneFile;
use super::scripts::Scripts;
use super::tuned::TunedValues;
use crate::diagnostics::Fault;
use crate::scene::{ByHand, ParamValue, Scene, ScriptUse};
use crate::script::{Role, Script};

/// What a generation is composed from.
pub(super) struct Inputs<'a> {
    /// The scene's file name.
    pub(super) scene_name: &'a str,
    pub(super) scene: &'a SceneFile,
    pub(super) scripts: &'a Scripts,
    pub(super) tuned: &'a TunedValues,
    /// What was changed of the scene by hand.
    pub(super) by_hand: &'a ByHand,
    /// How new behaviors are tried; not at all before anything runs.
    pub(super) trials: Trials<'a>,
}

/// Where new behaviors are tried before they go live.
#[derive(Clone, Copy)]
pub(super) enum Trials<'a> {
    /// Nothing runs yet that a new behavior could harm.
    None,
    /// At the start of the scene: what runs is not known.
    Start,
    /// On what runs.
    Running(&'a RunningWorld),
}

/// A file whose newest content does not work, and why.
#[derive(Clone, Debug)]
pub(super) struct RejectedFile {
    pub(super) path: String,
    pub(super) faults: Vec<Fault>,
}

/// The files whose newest contents are not used.
#[derive(Debug, Default)]
pub(super) struct Rejected(pub(super) Vec<RejectedFile>);

impl Rejected {
    /// The faults of a file, if it is rejected.
    pub(super) fn faults(&self, path: &str) -> Option<&Vec<Fault>> {
        let mut files = self.0.iter();
        files.find(|file| file.path == path).map(|file| &file.faults)
    }

    pub(super) fn holds(&self, path: &str) -> bool {
        self.faults(path).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A version of a file that is used.
pub(super) struct Chosen<T> {
    pub(super) content: Arc<T>,
    /// Whether it does not run yet.
    pub(super) is_new: bool,
}

impl Inputs<'_> {
    /// The newest version of the scene that is not rejected.
    pub(super) fn chosen_scene(&self, rejected: &Rejected) -> Option<Chosen<Scene>> {
        let SceneFile { candidate, live, .. } = self.scene;
        let is_rejected = rejected.holds(self.scene_name);
        choose(candidate.as_ref(), live.as_ref(), is_rejected)
    }

    /// Files that do not read or compile.
    pub(super) fn unreadable(&self) -> Rejected {
        let mut rejected = Vec::new();
        if let Some(Err(faults)) = &self.scene.candidate {
            rejected.push(RejectedFile::new(self.scene_name, faults.clone()));
        }
        for (name, file) in self.scripts.iter() {
            if let Some(Err(faults)) = &file.candidate {
                let path = format!("{name}.rhai");
                rejected.push(RejectedFile::new(&path, faults.clone()));
            }
        }
        Rejected(rejected)
    }
}

fn choose<T>(
    candidate: Option<&Result<Arc<T>, Vec<Fault>>>,
    live: Option<&Arc<T>>,
    is_rejected: bool,
) -> Option<Chosen<T>> {
    let (content, is_new) = match candidate {
        Some(Ok(candidate)) if !is_rejected => (candidate, true),
        _ => (live?, false),
    };
    let content = Arc::clone(content);
    Some(Chosen { content, is_new })
}

/// One attempt: the scene that is used, without the files that are rejected so far.
pub(super) struct Attempt<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) rejected: &'a Rejected,
    pub(super) scene: &'a Chosen<Scene>,
    /// The scene with what was changed by hand.
    pub(super) edited: &'a Arc<Scene>,
}

impl Attempt<'_> {
    /// The newest version of a script that is not rejected.
    pub(super) fn script(&self, name: &str) -> Option<Chosen<Script>> {
        let file = self.inputs.scripts.get(name)?;
        let is_rejected = self.rejected.holds(&format!("{name}.rhai"));
        choose(file.candidate.as_ref(), file.live.as_ref(), is_rejected)
    }

    /// Rejects the scene.
    pub(super) fn scene_fault(&self, faults: Vec<Fault>) -> RejectedFile {
        RejectedFile::new(self.inputs.scene_name, faults)
    }

    /// What the scene sets of a script's parameters, as far as the script accepts it.
    pub(super) fn settings(
        &self,
        used: &ScriptUse,
        script: &Chosen<Script>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let mut set = Vec::new();
        let mut faults = Vec::new();
        for setting in &used.params {
            // A value for a parameter that the script does not have is a warning.
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
                return Err(RejectedFile::of(&script.content, fault.help(help)));
            }
        }
        match faults[..] {
            [] => Ok(set),
            _ => Err(self.scene_fault(faults)),
        }
    }

    /// The value of every parameter of a script, as the scene sets it or by default.
    pub(super) fn values(
        &self,
        used: &ScriptUse,
        script: &Chosen<Script>,
    ) -> Result<Vec<(String, ParamValue)>, RejectedFile> {
        let set = self.settings(used, script)?;
        let values = script.content.params.iter().map(|param| {
            let set = set.iter().find(|(name, _)| *name == param.name);
            let value = set.map_or(&param.default, |(_, value)| value);
            (param.name.clone(), value.clone())
        });
        Ok(values.collect())
    }

    /// A behavior's script needs `steer`, a flow field's `flow`; the newer of scene and script is rejected
    /// where they do not fit.
    pub(super) fn check_role(
        &self,
        used: &ScriptUse,
        script: &Chosen<Script>,
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
        Err(RejectedFile::of(&script.content, fault))
    }
}

impl RejectedFile {
    pub(super) fn new(path: &str, faults: Vec<Fault>) -> Self {
        let path = path.to_owned();
        Self { path, faults }
    }

    /// A script with one fault.
    pub(super) fn of(script: &Script, fault: Fault) -> Self {
        Self::new(&script.path, vec![fault])
    }
}
