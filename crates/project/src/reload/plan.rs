//! Planning of behaviors and flow fields: the version of each script and its values.

use std::sync::Arc;

use glam::UVec3;
use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Behavior as _, slot_key};
use steerbox_core::world::{Flow, NamedFlow, ParamValue, Route};
use steerbox_scene::{FlowPlan, FlowSource, ScriptUse};
use steerbox_script::{ParamRange, Role, Script, ScriptBehavior, WorldForm};

use super::cache::{Cache, FlowInput, FlowKey};
use super::inputs::{Attempt, script_fault};
use super::lacking;
use super::planned::{Knob, Planned};
use super::tracked::{Chosen, RejectedFile};
use super::trial_run::{TrialRuns, Tried};
use super::tuned::{Handle, KnobName};

/// Limit of numbers in the memory of all units of a scene: 256 MiB.
const MAX_WORDS: usize = 64 << 20;

/// Planner of one attempt.
pub(super) struct Planner<'a, 'r> {
    pub(super) attempt: &'a Attempt<'a>,
    pub(super) cache: &'a mut Cache,
    /// Trial runs of new behaviors.
    pub(super) trials: &'a mut TrialRuns<'r>,
}

/// A use of a script in a group.
struct Use<'a> {
    group: usize,
    used: &'a ScriptUse,
    handle: Handle,
}

impl Planner<'_, '_> {
    /// Plans the behaviors of all groups.
    ///
    /// # Errors
    /// With the rejected file.
    pub(super) fn behaviors(&mut self) -> Result<Vec<Vec<Planned>>, RejectedFile> {
        let attempt = self.attempt;
        let scene = &attempt.scene.content;
        let mut behaviors = Vec::new();
        for (group, plan) in scene.groups.iter().enumerate() {
            let mut planned: Vec<Planned> = Vec::new();
            for used in &plan.behaviors {
                let uses = planned.iter().filter(|other| other.handle.script == used.script);
                let handle = Handle {
                    group: plan.common.name.clone(),
                    script: used.script.clone(),
                    occurrence: uses.count(),
                };
                planned.push(self.behavior(Use { group, used, handle })?);
            }
            behaviors.push(planned);
        }
        self.memory_fits(&behaviors)?;
        Ok(behaviors)
    }

    /// Checks the memory of all units against the limit.
    ///
    /// # Errors
    /// With the new scene or script.
    fn memory_fits(&self, behaviors: &[Vec<Planned>]) -> Result<(), RejectedFile> {
        let scene = &self.attempt.scene.content;
        let mut words = 0_usize;
        for (plan, planned) in scene.groups.iter().zip(behaviors) {
            for (used, planned) in plan.behaviors.iter().zip(planned) {
                let a_unit = planned.behavior.as_ref().map_or(0, |behavior| behavior.memory().words());
                let units = plan.count.max(plan.common.most.unwrap_or(0));
                words = words.saturating_add(a_unit.saturating_mul(units));
                if words <= MAX_WORDS {
                    continue;
                }
                let message = format!(
                    "{units} units would remember {a_unit} numbers each for {}: a scene has room for {MAX_WORDS} in all",
                    used.script
                );
                let help = "a vector counts for three, and `most` for `count`: remember less in `MEMORY`, or have fewer units";
                if self.attempt.scene.is_new {
                    let fault = scene.fault(&used.span, message).help(help);
                    return Err(self.attempt.scene_fault(vec![fault]));
                }
                if let Some(script) = self.attempt.script(&used.script).filter(|script| script.is_new) {
                    let script = &script.content;
                    let fault = Fault::of_file(&script.path, message).help(help);
                    return Err(script_fault(script, fault));
                }
            }
        }
        Ok(())
    }

    fn behavior(&mut self, place: Use<'_>) -> Result<Planned, RejectedFile> {
        let Use { group, used, handle } = place;
        let mut planned = Planned {
            key: slot_key(&used.script, handle.occurrence),
            behavior: None,
            gain: 1.0,
            enabled: true,
            knobs: self.knobs(&handle, used),
            script: None,
            handle,
        };
        planned.gain = number(&planned.knobs[0].value);
        planned.enabled = planned.knobs[1].value == ParamValue::Switch(true);
        let Some(script) = self.attempt.script(&used.script) else {
            return Ok(planned);
        };
        self.attempt.check_role(used, &script, Role::Behavior)?;
        for (param, (name, file)) in
            script.content.params.iter().zip(self.attempt.unit_values((group, used), &script)?)
        {
            let name = KnobName::Param(name);
            let mut knob = self.knob(&planned.handle, name, file, param.range.clone());
            // A value that was tuned under an older declaration may not fit any more.
            let accepted = param.accept(&knob.value);
            knob.value = accepted.unwrap_or_else(|_| knob.file.clone()).replacing(&knob.file);
            knob.tuned &= knob.value != knob.file;
            planned.knobs.push(knob);
        }
        let values = planned.knobs.iter().filter_map(|knob| match &knob.name {
            KnobName::Param(name) => Some((name.clone(), knob.value.clone())),
            _ => None,
        });
        let values: Vec<_> = values.collect();
        for idle in &*self.cache.idle(&script.content, &values) {
            let is_idle =
                |knob: &&mut Knob| matches!(&knob.name, KnobName::Param(name) if *name == idle.name);
            if let Some(knob) = planned.knobs.iter_mut().find(is_idle) {
                knob.idle = Some(idle.reason.clone());
            }
        }
        planned.behavior = self.compile(&script, values)?;
        planned.script = Some(Arc::clone(&script.content));
        if let Some(behavior) = &planned.behavior {
            let tried = Tried { behavior: &**behavior, group, key: planned.key };
            if script.is_new {
                let failed = |fault| script_fault(&script.content, fault);
                self.trials.check(&tried, &script.content).map_err(failed)?;
            } else if self.attempt.scene.is_new && planned.enabled {
                self.fits_scene(used, &planned, &tried)?;
            }
        }
        Ok(planned)
    }

    /// Checks a behavior that ran before in a new scene.
    ///
    /// # Errors
    /// If the behavior uses a name that the scene does not have any more, or fails, and does not fail in the scene that
    /// runs.
    fn fits_scene(
        &mut self,
        used: &ScriptUse,
        planned: &Planned,
        tried: &Tried<'_>,
    ) -> Result<(), RejectedFile> {
        let (scene, before) = (&self.attempt.scene.content, self.attempt.inputs.scene.live.as_ref());
        let (Some(script), Some(before)) = (&planned.script, before) else { return Ok(()) };
        let lost = lacking::lost_names(before, scene, planned).into_iter().next();
        let fault = match lost.map_or_else(|| self.trials.check(tried, script), Err) {
            Ok(()) => return Ok(()),
            Err(fault) => fault,
        };
        let group = before.groups.iter().position(|group| group.common.name == planned.handle.group);
        let ran = group.is_some_and(|group| before.groups[group].behaviors.iter().any(|it| it.same_as(used)));
        let running = group.map(|group| Tried { group, ..*tried });
        if ran && running.is_some_and(|running| self.trials.fails_before(&running)) {
            return Ok(());
        }
        let message = format!("`{}` fails in this scene: {}", used.script, fault.summary());
        let help = "save scene and script: both go live together";
        let help = fault.help.map_or_else(|| help.to_owned(), |first| format!("{first}; or {help}"));
        Err(self.attempt.scene_fault(vec![scene.fault(&used.span, message).help(help)]))
    }

    /// Compiles the behavior of a script with values.
    fn compile(
        &mut self,
        script: &Chosen<Arc<Script>>,
        values: Vec<(String, ParamValue)>,
    ) -> Result<Option<Arc<ScriptBehavior>>, RejectedFile> {
        let path = script.content.path.clone();
        let scene = &self.attempt.scene.content;
        let form = WorldForm {
            plane: scene.world.arena.is_plane(),
            varied: scene.groups.iter().any(|plan| !plan.common.drawn.is_empty()),
        };
        match self.cache.behavior(&script.content, values, form) {
            Ok(behavior) => Ok(Some(behavior)),
            Err(faults) if script.is_new => Err(RejectedFile { path, faults }),
            // A tuned value does not work: the behavior stays as it was.
            Err(_) => Ok(self.cache.any_of(&script.content)),
        }
    }

    fn knob(&self, handle: &Handle, name: KnobName, file: ParamValue, range: ParamRange) -> Knob {
        let (value, tuned) = self.attempt.inputs.tuned.resolve(handle, &name, &file);
        Knob { name, value, file, range, tuned, idle: None }
    }

    /// Returns gain and switch.
    fn knobs(&self, handle: &Handle, used: &ScriptUse) -> Vec<Knob> {
        let most = (used.gain.abs() * 3.0).max(3.0);
        let range = ParamRange::Number(used.gain.min(0.0) * 3.0, most);
        let (gain, enabled) = (ParamValue::Number(used.gain), ParamValue::Switch(used.enabled));
        vec![
            self.knob(handle, KnobName::Gain, gain, range),
            self.knob(handle, KnobName::Enabled, enabled, ParamRange::Switch),
        ]
    }

    /// Fills the flow fields of the scene.
    ///
    /// # Errors
    /// With the rejected file.
    pub(super) fn flows(&mut self) -> Result<Vec<NamedFlow>, RejectedFile> {
        let attempt = self.attempt;
        let flow = |plan: &FlowPlan| {
            let flow = match &plan.source {
                FlowSource::Grid(flow) => flow.clone(),
                FlowSource::Script { used, nodes } => self.filled(used, *nodes)?,
                FlowSource::Toward(route) => self.route(route),
            };
            let name = plan.name.clone();
            Ok(NamedFlow { name, flow })
        };
        attempt.scene.content.flows.iter().map(flow).collect()
    }

    fn route(&mut self, route: &Route) -> Flow {
        let scene = Arc::clone(self.attempt.edited);
        let still = Flow::still(&scene.world.arena);
        // Only scripts have faults.
        self.cache.flow(FlowKey { scene, source: FlowInput::Route(route.clone()) }).unwrap_or(still)
    }

    fn filled(&mut self, used: &ScriptUse, nodes: UVec3) -> Result<Flow, RejectedFile> {
        let attempt = self.attempt;
        let still = || Flow::still(&attempt.scene.content.world.arena);
        let Some(script) = attempt.script(&used.script) else {
            return Ok(still());
        };
        attempt.check_role(used, &script, Role::Flow)?;
        let path = script.content.path.clone();
        let values = attempt.values(used, &script)?;
        let key = FlowKey {
            scene: Arc::clone(attempt.edited),
            source: FlowInput::Script { script: script.content, values, nodes },
        };
        match self.cache.flow(key) {
            Ok(flow) => Ok(flow),
            Err(faults) if script.is_new => Err(RejectedFile { path, faults }),
            // The script ran before: its use in the new scene does not work.
            Err(faults) if attempt.scene.is_new => Err(attempt.scene_fault(faults)),
            Err(_) => Ok(still()),
        }
    }
}

fn number(value: &ParamValue) -> f32 {
    match value {
        ParamValue::Number(v) => *v,
        ParamValue::Integer(v) => *v as f32,
        _ => 1.0,
    }
}
