//! Behaviors that are compiled already, and the world that new ones are tried on.

use std::sync::Arc;

use super::dry_run::dry_run;
use super::running::{Running, Stage};
use crate::diagnostics::Fault;
use crate::scene::{ParamValue, Scene};
use crate::script::{self, Execution, Program, Script, ScriptBehavior};
use crate::sim::Behavior;
use crate::world::Flow;
use glam::UVec3;

/// Behaviors by script and values, so that what did not change is not compiled again.
#[derive(Default)]
pub(super) struct Compiled {
    pub(super) execution: Execution,
    folded: Vec<Folded>,
    filled: Vec<Filled>,
    /// What runs, if whoever runs it has shown it.
    pub(super) running: Option<Running>,
    stage: Option<Stage>,
}

struct Folded {
    script: Arc<Script>,
    values: Vec<(String, ParamValue)>,
    behavior: Arc<ScriptBehavior>,
    used: bool,
}

impl Compiled {
    /// The behavior of a script under values.
    ///
    /// # Errors
    /// With the faults of the script under these values.
    pub(super) fn behavior(
        &mut self,
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
    ) -> Result<Arc<ScriptBehavior>, Vec<Fault>> {
        let known = (self.folded.iter_mut())
            .find(|folded| Arc::ptr_eq(&folded.script, script) && folded.values == values);
        if let Some(folded) = known {
            folded.used = true;
            return Ok(Arc::clone(&folded.behavior));
        }
        let program = Program::fold(script, &values)?;
        let behavior = Arc::new(ScriptBehavior::new(program, self.execution));
        let (script, kept) = (Arc::clone(script), Arc::clone(&behavior));
        self.folded.push(Folded {
            script,
            values,
            behavior: kept,
            used: true,
        });
        Ok(behavior)
    }

    /// The behavior of a script under whatever values it runs with.
    pub(super) fn any_of(&mut self, script: &Arc<Script>) -> Option<Arc<ScriptBehavior>> {
        let folded = self
            .folded
            .iter_mut()
            .find(|folded| Arc::ptr_eq(&folded.script, script))?;
        folded.used = true;
        Some(Arc::clone(&folded.behavior))
    }

    /// The flow field that a script fills in a scene.
    ///
    /// # Errors
    /// With the faults of the script.
    pub(super) fn flow(
        &mut self,
        scene: &Arc<Scene>,
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
        nodes: UVec3,
    ) -> Result<Flow, Vec<Fault>> {
        let known = self.filled.iter_mut().find(|filled| {
            Arc::ptr_eq(&filled.scene, scene)
                && Arc::ptr_eq(&filled.script, script)
                && (&filled.values, filled.nodes) == (&values, nodes)
        });
        if let Some(filled) = known {
            filled.used = true;
            return Ok(filled.flow.clone());
        }
        let program = Program::fold(script, &values)?;
        let points = Flow::points(&scene.world.arena, nodes);
        let start = Stage::set(scene, None).frozen;
        let vectors = script::flow(script, &program, &start, points);
        let flow = Flow::new(
            &scene.world.arena,
            nodes,
            vectors.map_err(|fault| vec![fault])?,
        );
        let flow = flow.unwrap_or_else(|| Flow::still(&scene.world.arena));
        self.filled.push(Filled {
            scene: Arc::clone(scene),
            script: Arc::clone(script),
            values,
            nodes,
            flow: flow.clone(),
            used: true,
        });
        Ok(flow)
    }

    /// Forgets what was not asked for since the last time, and the world that behaviors were tried on.
    pub(super) fn sweep(&mut self) {
        self.folded
            .retain_mut(|folded| std::mem::take(&mut folded.used));
        self.filled
            .retain_mut(|filled| std::mem::take(&mut filled.used));
        self.running = None;
        self.stage = None;
    }

    /// Tries a behavior on some units of a group.
    ///
    /// # Errors
    /// With the fault, if it fails for them.
    pub(super) fn try_out(
        &mut self,
        scene: &Arc<Scene>,
        group: usize,
        (behavior, key): (&dyn Behavior, u64),
        script: &Script,
    ) -> Result<(), Fault> {
        let known = self
            .stage
            .take()
            .filter(|known| Arc::ptr_eq(&known.scene, scene));
        let running = self.running.as_ref();
        let stage = self
            .stage
            .insert(known.unwrap_or_else(|| Stage::set(scene, running)));
        let marks = &stage.frozen.world.marks;
        if script.marks.iter().any(|mark| marks.bit(mark).is_none()) {
            let world = &mut Arc::make_mut(&mut stage.frozen).world;
            world.marks.intern_all(&script.marks);
        }
        dry_run(stage, group, behavior, key, script)
    }
}

/// A flow field that is filled already.
struct Filled {
    scene: Arc<Scene>,
    script: Arc<Script>,
    values: Vec<(String, ParamValue)>,
    nodes: UVec3,
    flow: Flow,
    used: bool,
}
