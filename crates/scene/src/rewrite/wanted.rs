//! The scene that an edited text must result in.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::world::ParamValue;

use crate::edits::SceneEdits;
use crate::plan::{FlowSource, ParamSetting, Scene, ScriptUse};
use crate::span::{Span, Spans};
use crate::words::quoted;

/// A change of a value of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A change of a behavior.
    Behavior {
        /// The group's name.
        group: String,
        /// The script's name.
        script: String,
        /// The occurrence of the script in the group, from 0.
        occurrence: usize,
        /// The new value.
        set: Set,
    },
}

/// A value of a behavior.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    /// Its weight.
    Gain(f32),
    /// True to enable it.
    Enabled(bool),
    /// A parameter of its script, by name.
    Param(String, ParamValue),
}

/// Applies all edits to `scene`, including `scene_edits`.
///
/// # Errors
/// If an edit matches nothing in the scene.
pub(super) fn wanted(scene: &Scene, edits: &[Edit], scene_edits: &SceneEdits) -> Result<Scene, Fault> {
    if scene_edits.resolved(scene) != *scene_edits {
        let message = "an obstacle or a path has changed since it was edited";
        return Err(Fault::of_file(&scene.path, message));
    }
    let mut wanted = scene_edits.applied(scene);
    for Edit::Behavior { group, script, occurrence, set } in edits {
        set_value(behavior(&mut wanted, group, script, *occurrence)?, set);
    }
    Ok(wanted)
}

fn behavior<'a>(
    scene: &'a mut Scene,
    group: &str,
    script: &str,
    occurrence: usize,
) -> Result<&'a mut ScriptUse, Fault> {
    let path = scene.path.clone();
    let plan = scene.groups.iter_mut().find(|plan| plan.common.name == group);
    let uses = plan.into_iter().flat_map(|plan| &mut plan.behaviors);
    let mut uses = uses.filter(|used| used.script == script);
    uses.nth(occurrence).ok_or_else(|| {
        let (script, group) = (quoted(script), quoted(group));
        let message = format!("the group {group} has no behavior {script} to set a value of");
        Fault::of_file(path, message)
    })
}

fn set_value(used: &mut ScriptUse, set: &Set) {
    match set {
        Set::Gain(gain) => used.gain = *gain,
        Set::Enabled(enabled) => used.enabled = *enabled,
        Set::Param(name, value) => {
            let known = used.params.iter_mut().find(|param| param.name == *name);
            match known {
                Some(param) => param.value = value.clone(),
                None => used.params.push(ParamSetting {
                    name: name.clone(),
                    value: value.clone(),
                    span: Span::default(),
                    value_span: Span::default(),
                }),
            }
        }
    }
}

/// Returns true if both have the same content, regardless of positions in their texts.
pub(super) fn same(a: &Scene, b: &Scene) -> bool {
    bare(a) == bare(b)
}

/// Returns the scene without text and positions, with canonical integers.
fn bare(scene: &Scene) -> Scene {
    let mut bare = scene.clone();
    bare.source = Arc::from("");
    bare.spans = Spans::default();
    bare.warnings = Vec::new();
    bare.expect.iter_mut().for_each(|expectation| expectation.span = Span::default());
    let behaviors = bare.groups.iter_mut().flat_map(|plan| &mut plan.behaviors);
    let flows = bare.flows.iter_mut().filter_map(|flow| match &mut flow.source {
        FlowSource::Script { used, .. } => Some(&mut **used),
        FlowSource::Grid(_) | FlowSource::Toward(_) => None,
    });
    for used in behaviors.chain(flows) {
        (used.span, used.entry) = (Span::default(), Span::default());
        (used.gain_span, used.enabled_span, used.params_span) = (None, None, None);
        for param in &mut used.params {
            (param.span, param.value_span) = (Span::default(), Span::default());
            param.value = plain(&param.value);
        }
    }
    bare
}

/// Converts whole numbers to integers, regardless of how they are written.
pub(super) fn plain(value: &ParamValue) -> ParamValue {
    match value {
        // The range of values that are exact in both types.
        ParamValue::Number(v) if v.fract() == 0.0 && v.abs() < 9e18 => ParamValue::Integer(*v as i64),
        value => value.clone(),
    }
}
