//! Behaviors and flow fields that are compiled already, so that what did not change is not compiled again.

use std::sync::Arc;

use glam::UVec3;

use super::trial_run::TrialWorld;
use crate::diagnostics::Fault;
use crate::scene::{ByHand, ParamValue, Scene};
use crate::script::{self, Execution, IdleParam, Program, Script, ScriptBehavior};
use crate::world::Flow;

/// What is compiled already.
#[derive(Clone, Default)]
pub(super) struct Cache {
    pub(super) execution: Execution,
    behaviors: Vec<CachedBehavior>,
    idle: Vec<CachedIdle>,
    flows: Vec<CachedFlow>,
    edited: Option<EditedScene>,
}

/// The behavior of a script under values.
#[derive(Clone)]
struct CachedBehavior {
    script: Arc<Script>,
    values: Vec<(String, ParamValue)>,
    /// Whether it is for a world that is a plane.
    plane: bool,
    behavior: Arc<ScriptBehavior>,
    used: bool,
}

/// The parameters of a script that have no effect.
#[derive(Clone)]
struct CachedIdle {
    script: Arc<Script>,
    /// The values of its choices and switches.
    selecting: Vec<(String, ParamValue)>,
    idle: Arc<[IdleParam]>,
    used: bool,
}

/// What a flow field follows from.
#[derive(Clone)]
pub(super) struct FlowKey {
    pub(super) scene: Arc<Scene>,
    pub(super) script: Arc<Script>,
    pub(super) values: Vec<(String, ParamValue)>,
    pub(super) nodes: UVec3,
}

impl PartialEq for FlowKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scene, &other.scene)
            && Arc::ptr_eq(&self.script, &other.script)
            && (&self.values, self.nodes) == (&other.values, other.nodes)
    }
}

#[derive(Clone)]
struct CachedFlow {
    key: FlowKey,
    flow: Flow,
    used: bool,
}

/// A scene with what was changed by hand.
#[derive(Clone)]
struct EditedScene {
    of: Arc<Scene>,
    by_hand: ByHand,
    scene: Arc<Scene>,
}

impl Cache {
    /// The behavior of a script under values, in a world that is a `plane` or not.
    ///
    /// # Errors
    /// With the faults of the script under these values.
    pub(super) fn behavior(
        &mut self,
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
        plane: bool,
    ) -> Result<Arc<ScriptBehavior>, Vec<Fault>> {
        let known = self.behaviors.iter_mut().find(|known| {
            Arc::ptr_eq(&known.script, script) && (&known.values, known.plane) == (&values, plane)
        });
        if let Some(known) = known {
            known.used = true;
            return Ok(Arc::clone(&known.behavior));
        }
        let program = Program::fold(script, &values)?;
        let compile = if plane { ScriptBehavior::in_plane } else { ScriptBehavior::new };
        let behavior = Arc::new(compile(program, self.execution));
        self.behaviors.push(CachedBehavior {
            script: Arc::clone(script),
            values,
            plane,
            behavior: Arc::clone(&behavior),
            used: true,
        });
        Ok(behavior)
    }

    /// The behavior of a script under whatever values it runs with.
    pub(super) fn any_of(&mut self, script: &Arc<Script>) -> Option<Arc<ScriptBehavior>> {
        let mut behaviors = self.behaviors.iter_mut();
        let known = behaviors.find(|known| Arc::ptr_eq(&known.script, script))?;
        known.used = true;
        Some(Arc::clone(&known.behavior))
    }

    /// The parameters of a script that have no effect under these values.
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

    /// The flow field that a script fills in a scene.
    ///
    /// # Errors
    /// With the faults of the script.
    pub(super) fn flow(&mut self, key: FlowKey) -> Result<Flow, Vec<Fault>> {
        if let Some(known) = self.flows.iter_mut().find(|known| known.key == key) {
            known.used = true;
            return Ok(known.flow.clone());
        }
        let arena = &key.scene.world.arena;
        let program = Program::fold(&key.script, &key.values)?;
        let start = TrialWorld::new(&key.scene, None).frozen;
        let points = Flow::points(arena, key.nodes);
        let vectors = script::flow(&key.script, &program, &start, points);
        let flow = Flow::new(arena, key.nodes, vectors.map_err(|fault| vec![fault])?);
        let flow = flow.unwrap_or_else(|| Flow::still(arena));
        let used = true;
        self.flows.push(CachedFlow { key, flow: flow.clone(), used });
        Ok(flow)
    }

    /// The scene with what was changed by hand: the same one as long as nothing changes.
    pub(super) fn edited(&mut self, of: &Arc<Scene>, by_hand: &ByHand) -> Arc<Scene> {
        if by_hand.is_empty() {
            return Arc::clone(of);
        }
        let known = self.edited.take();
        let known = known.filter(|known| Arc::ptr_eq(&known.of, of) && known.by_hand == *by_hand);
        let found = known.unwrap_or_else(|| {
            let (of, by_hand, scene) = (Arc::clone(of), by_hand.clone(), Arc::new(by_hand.applied(of)));
            EditedScene { of, by_hand, scene }
        });
        Arc::clone(&self.edited.insert(found).scene)
    }

    /// Forgets what was not used since the last time.
    pub(super) fn sweep(&mut self) {
        self.behaviors.retain_mut(|known| std::mem::take(&mut known.used));
        self.idle.retain_mut(|known| std::mem::take(&mut known.used));
        self.flows.retain_mut(|known| std::mem::take(&mut known.used));
    }
}
