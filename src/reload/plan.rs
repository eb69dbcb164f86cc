//! Planning: which version of which script runs where, under which values, and whom to blame if
//! that does not work.

use std::sync::Arc;

use super::generation::{Knob, Planned};
use super::project::{Blame, Project, holds};
use super::tuned::{Handle, KnobName};
use crate::diagnostics::Fault;
use crate::scene::{ParamValue, Scene, ScriptUse};
use crate::script::{ParamRange, Role, Script, ScriptBehavior};
use crate::sim::slot_key;

impl Project {
    /// Every behavior of every group, or the file to blame.
    pub(super) fn behaviors(
        &mut self,
        scene: &Arc<Scene>,
        aside: &[Blame],
        hot: bool,
    ) -> Result<Vec<Vec<Planned>>, Blame> {
        let names = self.scripts.names();
        let unknown = scene.unknown_scripts(&names);
        if !unknown.is_empty() && self.is_new(scene) {
            return Err(Blame(self.place.scene_name(), unknown));
        }
        let mut behaviors = Vec::new();
        // The scene's faults are told together, one script's at a time.
        let mut faults = Vec::new();
        for (index, group) in scene.groups.iter().enumerate() {
            let mut group_behaviors: Vec<Planned> = Vec::new();
            for used in &group.behaviors {
                let occurrence = group_behaviors
                    .iter()
                    .filter(|planned| planned.handle.script == used.script)
                    .count();
                let handle = Handle {
                    group: group.common.name.clone(),
                    script: used.script.clone(),
                    occurrence,
                };
                match self.plan(scene, index, used, handle, aside, hot) {
                    Ok(planned) => group_behaviors.push(planned),
                    Err(Blame(file, found)) if file == self.place.scene_name() => {
                        faults.extend(found);
                    }
                    Err(blame) => return Err(blame),
                }
            }
            behaviors.push(group_behaviors);
        }
        if !faults.is_empty() {
            return Err(Blame(self.place.scene_name(), faults));
        }
        self.check_marks(scene, aside)?;
        Ok(behaviors)
    }

    fn plan(
        &mut self,
        scene: &Arc<Scene>,
        group: usize,
        used: &ScriptUse,
        handle: Handle,
        aside: &[Blame],
        hot: bool,
    ) -> Result<Planned, Blame> {
        let (script, is_new) = self.chosen_script(&used.script, aside);
        let mut knobs = self.knobs(&handle, used);
        let mut planned = Planned {
            key: slot_key(&used.script, handle.occurrence),
            behavior: None,
            gain: number(&knobs[0].value),
            enabled: knobs[1].value == ParamValue::Switch(true),
            knobs: Vec::new(),
            script: None,
            handle,
        };
        if let Some(script) = script {
            self.check_role(scene, used, &script, is_new, Role::Behavior)?;
            self.param_knobs(scene, used, &script, is_new, &planned.handle, &mut knobs)?;
            let values = (knobs.iter())
                .filter_map(|knob| match &knob.name {
                    KnobName::Param(name) => Some((name.clone(), knob.value.clone())),
                    _ => None,
                })
                .collect();
            planned.script = Some(Arc::clone(&script));
            let place = (group, planned.key);
            planned.behavior = self.behavior(scene, place, &script, values, (is_new, hot))?;
        }
        planned.knobs = knobs;
        Ok(planned)
    }

    /// The version of a script to try, and whether it does not run yet.
    pub(super) fn chosen_script(&self, name: &str, aside: &[Blame]) -> (Option<Arc<Script>>, bool) {
        let Some(file) = self.scripts.get(name) else {
            return (None, false);
        };
        match &file.candidate {
            Some(Ok(script)) if !holds(aside, &format!("{name}.rhai")) => {
                (Some(Arc::clone(script)), true)
            }
            _ => (file.live.clone(), false),
        }
    }

    fn knob(&self, handle: &Handle, name: KnobName, file: ParamValue, range: ParamRange) -> Knob {
        let (value, tuned) = self.tuned.resolve(handle, &name, &file);
        Knob {
            name,
            value,
            file,
            range,
            tuned,
        }
    }

    /// Gain and switch.
    fn knobs(&self, handle: &Handle, used: &ScriptUse) -> Vec<Knob> {
        let most = (used.gain.abs() * 3.0).max(3.0);
        let gain = ParamRange::Number(used.gain.min(0.0) * 3.0, most);
        vec![
            self.knob(handle, KnobName::Gain, ParamValue::Number(used.gain), gain),
            self.knob(
                handle,
                KnobName::Enabled,
                ParamValue::Switch(used.enabled),
                ParamRange::Switch,
            ),
        ]
    }

    /// A knob for every parameter of the script, with what the scene sets.
    fn param_knobs(
        &self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        script: &Script,
        is_new: bool,
        handle: &Handle,
        knobs: &mut Vec<Knob>,
    ) -> Result<(), Blame> {
        let set = self.settings(scene, used, script, is_new)?;
        for param in &script.params {
            let file = set.iter().find(|(name, _)| *name == param.name);
            let file = file.map_or(&param.default, |(_, value)| value).clone();
            let mut knob = self.knob(
                handle,
                KnobName::Param(param.name.clone()),
                file,
                param.range.clone(),
            );
            // A value tuned under an older declaration may no longer fit.
            let accepted = param.accept(&knob.value);
            knob.tuned &= accepted.is_ok();
            knob.value = accepted.unwrap_or_else(|_| knob.file.clone());
            knobs.push(knob);
        }
        Ok(())
    }

    /// What the scene sets of a script's parameters, as far as the script accepts it.
    pub(super) fn settings(
        &self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        script: &Script,
        is_new: bool,
    ) -> Result<Vec<(String, ParamValue)>, Blame> {
        let mut set = Vec::new();
        let mut faults = Vec::new();
        for setting in &used.params {
            // A value for a parameter that the script does not have is told as a warning.
            let Some(param) = script.param(&setting.name) else {
                continue;
            };
            match param.accept(&setting.value) {
                Ok(value) => set.push((setting.name.clone(), value)),
                Err(message) => {
                    let fault = scene.fault(&setting.value_span, &message);
                    if self.is_new(scene) {
                        faults.push(fault);
                    } else if is_new {
                        let fault = Fault::of_file(
                            &script.path,
                            format!("{}: {message}", fault_place(&fault)),
                        );
                        let help = "change the scene first, or accept its value";
                        return Err(Blame(script.path.clone(), vec![fault.help(help)]));
                    }
                }
            }
        }
        if faults.is_empty() {
            Ok(set)
        } else {
            Err(Blame(self.place.scene_name(), faults))
        }
    }

    /// The behavior of a script under values, tried out first if it is to replace one that runs.
    fn behavior(
        &mut self,
        scene: &Arc<Scene>,
        (group, key): (usize, u64),
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
        (is_new, hot): (bool, bool),
    ) -> Result<Option<Arc<ScriptBehavior>>, Blame> {
        let blame = |faults| Blame(script.path.clone(), faults);
        let behavior = match self.compiled.behavior(script, values) {
            Ok(behavior) => behavior,
            Err(faults) if is_new => return Err(blame(faults)),
            // A value tuned by hand does not work: the behavior goes on as it was.
            Err(_) => return Ok(self.compiled.any_of(script)),
        };
        if is_new && hot {
            let tried = self
                .compiled
                .try_out(scene, group, (&*behavior, key), script);
            tried.map_err(|fault| blame(vec![fault]))?;
        }
        Ok(Some(behavior))
    }
}

fn number(value: &ParamValue) -> f32 {
    match value {
        ParamValue::Number(v) => *v,
        ParamValue::Integer(v) => *v as f32,
        _ => 1.0,
    }
}

fn fault_place(fault: &Fault) -> String {
    format!("{}:{}:{}", fault.path, fault.line, fault.column)
}
