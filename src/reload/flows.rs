//! Flow fields that scripts fill.

use std::sync::Arc;

use super::project::{Blame, Project};
use crate::diagnostics::Fault;
use crate::scene::{FlowSource, ParamValue, Scene, ScriptUse};
use crate::script::{Role, Script};
use crate::world::{Flow, NamedFlow};
use glam::UVec3;

impl Project {
    /// Every flow field of the scene, filled, or the file to blame.
    pub(super) fn flows(
        &mut self,
        scene: &Arc<Scene>,
        aside: &[Blame],
    ) -> Result<Vec<NamedFlow>, Blame> {
        let mut flows = Vec::new();
        for plan in &scene.flows {
            let flow = match &plan.source {
                FlowSource::Grid(flow) => flow.clone(),
                FlowSource::Script { used, nodes } => self.filled(scene, used, *nodes, aside)?,
            };
            flows.push(NamedFlow {
                name: plan.name.clone(),
                flow,
            });
        }
        Ok(flows)
    }

    fn filled(
        &mut self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        nodes: UVec3,
        aside: &[Blame],
    ) -> Result<Flow, Blame> {
        let (Some(script), is_new) = self.chosen_script(&used.script, aside) else {
            return Ok(Flow::still(&scene.world.arena));
        };
        self.check_role(scene, used, &script, is_new, Role::Flow)?;
        let values = self.values(scene, used, &script, is_new)?;
        let standing = self.standing(scene);
        match self.compiled.flow(&standing, &script, values, nodes) {
            Ok(flow) => Ok(flow),
            Err(faults) if is_new => Err(Blame(script.path.clone(), faults)),
            // The script ran before, so what does not work is what the scene asks of it.
            Err(faults) if self.is_new(scene) => Err(Blame(self.place.scene_name(), faults)),
            Err(_) => Ok(Flow::still(&scene.world.arena)),
        }
    }

    /// The script's parameters as the scene sets them.
    fn values(
        &self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        script: &Script,
        is_new: bool,
    ) -> Result<Vec<(String, ParamValue)>, Blame> {
        let set = self.settings(scene, used, script, is_new)?;
        let values = script.params.iter().map(|param| {
            let set = set.iter().find(|(name, _)| *name == param.name);
            let value = set.map_or(&param.default, |(_, value)| value);
            (param.name.clone(), value.clone())
        });
        Ok(values.collect())
    }

    /// A behavior's script needs `steer`, a flow field's `flow`; who asks for the other is to blame.
    pub(super) fn check_role(
        &self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        script: &Script,
        is_new: bool,
        wanted: Role,
    ) -> Result<(), Blame> {
        if script.role == wanted {
            return Ok(());
        }
        let message = match (script.role, wanted) {
            (Role::Imported, _) => "has neither `fn steer` nor `fn flow`: others import it",
            (_, Role::Flow) => "is a behavior and fills no flow field",
            _ => "fills a flow field and is no behavior",
        };
        let message = format!("the script `{}` {message}", used.script);
        if self.is_new(scene) || !is_new {
            let fault = scene.fault(&used.span, message);
            let help = match wanted {
                Role::Flow => "a flow field has a function `fn flow(point, world) { … }`",
                _ => "a behavior has a function `fn steer(me, world) { … }`",
            };
            return Err(Blame(self.place.scene_name(), vec![fault.help(help)]));
        }
        let fault = Fault::of_file(&script.path, format!("{message}, as the scene uses it"));
        Err(Blame(script.path.clone(), vec![fault]))
    }
}
