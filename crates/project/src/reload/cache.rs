//! Cache of compiled behaviors, flow fields and measures.

use std::sync::Arc;

use glam::UVec3;
use steerbox_core::diagnostics::Fault;
use steerbox_core::world::{Flow, ParamValue, Route};
use steerbox_scene::{Scene, SceneEdits};
use steerbox_script::{
    self as script, Execution, IdleParam, Program, Script, ScriptBehavior, ScriptMeasure, WorldForm,
};

use super::trial_run::TrialWorld;

/// Cache of compiled behaviors, flow fields, measures and edited scenes.
#[derive(Clone, Default)]
pub(super) struct Cache {
    pub(super) execution: Execution,
    behaviors: Vec<CachedBehavior>,
    idle: Vec<CachedIdle>,
    flows: Vec<CachedFlow>,
    measures: Vec<CachedMeasure>,
    edited: Option<EditedScene>,
}

/// Behavior of a script with values for its parameters.
#[derive(Clone)]
struct CachedBehavior {
    script: Arc<Script>,
    values: Vec<(String, ParamValue)>,
    /// The form of its world.
    form: WorldForm,
    behavior: Arc<ScriptBehavior>,
    used: bool,
}

/// Parameters of a script that have no effect.
#[derive(Clone)]
struct CachedIdle {
    script: Arc<Script>,
    /// Values of its choices and switches.
    selecting: Vec<(String, ParamValue)>,
    idle: Arc<[IdleParam]>,
    used: bool,
}

/// Inputs of a flow field.
#[derive(Clone)]
pub(super) struct FlowKey {
    pub(super) scene: Arc<Scene>,
    pub(super) source: FlowInput,
}

/// The inputs besides the scene.
#[derive(Clone)]
pub(super) enum FlowInput {
    Script { script: Arc<Script>, values: Vec<(String, ParamValue)>, nodes: UVec3 },
    Route(Route),
}

impl PartialEq for FlowKey {
    fn eq(&self, other: &Self) -> bool {
        let is_same_source = match (&self.source, &other.source) {
            (
                FlowInput::Script { script, values, nodes },
                FlowInput::Script { script: of, values: other, nodes: count },
            ) => Arc::ptr_eq(script, of) && (values, nodes) == (other, count),
            (FlowInput::Route(route), FlowInput::Route(other)) => route == other,
            _ => false,
        };
        is_same_source && Arc::ptr_eq(&self.scene, &other.scene)
    }
}

#[derive(Clone)]
struct CachedFlow {
    key: FlowKey,
    flow: Flow,
    used: bool,
}

#[derive(Clone)]
struct CachedMeasure {
    script: Arc<Script>,
    measure: Arc<ScriptMeasure>,
    used: bool,
}

/// A scene with its edits.
#[derive(Clone)]
struct EditedScene {
    of: Arc<Scene>,
    scene_edits: SceneEdits,
    scene: Arc<Scene>,
}

impl Cache {
    /// Returns the behavior of a script with values, in a world of a form.
    ///
    /// # Errors
    /// With the faults of the script under these values.
    pub(super) fn behavior(
        &mut self,
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
        form: WorldForm,
    ) -> Result<Arc<ScriptBehavior>, Vec<Fault>> {
        let known = self.behaviors.iter_mut().find(|known| {
            Arc::ptr_eq(&known.script, script) && (&known.values, known.form) == (&values, form)
        });
        if let Some(known) = known {
            known.used = true;
            return Ok(Arc::clone(&known.behavior));
        }
        let program = Program::fold(script, &values)?;
        let behavior = Arc::new(ScriptBehavior::in_world(program, self.execution, form));
        self.behaviors.push(CachedBehavior {
            script: Arc::clone(script),
            values,
            form,
            behavior: Arc::clone(&behavior),
            used: true,
        });
        Ok(behavior)
    }

    /// Returns a cached behavior of a script with any values.
    pub(super) fn any_of(&mut self, script: &Arc<Script>) -> Option<Arc<ScriptBehavior>> {
        let mut behaviors = self.behaviors.iter_mut();
        let known = behaviors.find(|known| Arc::ptr_eq(&known.script, script))?;
        known.used = true;
        Some(Arc::clone(&known.behavior))
    }

    /// Returns the parameters of a script that have no effect under these values.
    pub(super) fn idle(&mut self, script: &Arc<Script>, values: &[(String, ParamValue)]) -> Arc<[IdleParam]> {
        let selecting = script.selecting(values);
        let known = self.idle.iter_mut();
        let mut known =
            known.filter(|known| Arc::ptr_eq(&known.script, script) && known.selecting == selecting);
        if let Some(known) = known.next() {
            known.used = true;
            return Arc::clone(&known.idle);
        }
        let (script, idle) = (Arc::clone(script), script.idle_params(values).into());
        self.idle.push(CachedIdle { script, selecting, idle: Arc::clone(&idle), used: true });
        idle
    }

    /// Returns the flow field that a script fills in a scene.
    ///
    /// # Errors
    /// With the faults of the script.
    pub(super) fn flow(&mut self, key: FlowKey) -> Result<Flow, Vec<Fault>> {
        if let Some(known) = self.flows.iter_mut().find(|known| known.key == key) {
            known.used = true;
            return Ok(known.flow.clone());
        }
        let arena = &key.scene.world.arena;
        let start = TrialWorld::new(&key.scene, None).frozen;
        let flow = match &key.source {
            FlowInput::Script { script, values, nodes } => {
                let program = Program::fold(script, values)?;
                let vectors = script::flow(script, &program, &start, Flow::points(arena, *nodes));
                let flow = Flow::new(arena, *nodes, vectors.map_err(|fault| vec![fault])?);
                flow.unwrap_or_else(|| Flow::still(arena))
            }
            FlowInput::Route(route) => route.field(arena, &start.world.obstacles.without_carried()),
        };
        let used = true;
        self.flows.push(CachedFlow { key, flow: flow.clone(), used });
        Ok(flow)
    }

    /// Returns the measure of a script.
    ///
    /// # Errors
    /// With the faults of the script.
    pub(super) fn measure(&mut self, script: &Arc<Script>) -> Result<Arc<ScriptMeasure>, Vec<Fault>> {
        let mut known = self.measures.iter_mut();
        if let Some(known) = known.find(|known| Arc::ptr_eq(&known.script, script)) {
            known.used = true;
            return Ok(Arc::clone(&known.measure));
        }
        let measure = Arc::new(ScriptMeasure::new(Program::fold(script, &[])?));
        let (script, used) = (Arc::clone(script), true);
        self.measures.push(CachedMeasure { script, measure: Arc::clone(&measure), used });
        Ok(measure)
    }

    /// Returns the scene with edits, and the same scene as long as nothing changes.
    pub(super) fn edited(&mut self, of: &Arc<Scene>, scene_edits: &SceneEdits) -> Arc<Scene> {
        if scene_edits.is_empty() {
            return Arc::clone(of);
        }
        let known = self.edited.take();
        let known = known.filter(|known| Arc::ptr_eq(&known.of, of) && known.scene_edits == *scene_edits);
        let found = known.unwrap_or_else(|| {
            let (of, scene_edits, scene) =
                (Arc::clone(of), scene_edits.clone(), Arc::new(scene_edits.applied(of)));
            EditedScene { of, scene_edits, scene }
        });
        Arc::clone(&self.edited.insert(found).scene)
    }

    /// Removes entries that were not used since the last call.
    pub(super) fn sweep(&mut self) {
        self.behaviors.retain_mut(|known| std::mem::take(&mut known.used));
        self.idle.retain_mut(|known| std::mem::take(&mut known.used));
        self.flows.retain_mut(|known| std::mem::take(&mut known.used));
        self.measures.retain_mut(|known| std::mem::take(&mut known.used));
    }
}
