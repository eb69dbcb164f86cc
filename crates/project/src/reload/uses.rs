//! Checks of the scripts and parameters that a scene names.
//!
//! A new scene is checked as a whole, and a faulty one as far as it can be read, so that independent faults are reported
//! together.

use steerbox_core::diagnostics::{Fault, Fix, Severity, closest, quoted_suggestion};
use steerbox_core::world::ParamValue;
use steerbox_scene::{self as scene, FlowSource, Scene, ScriptUse};
use steerbox_script::{Role, Script};

use super::inputs::{Attempt, wrong_role};
use super::{columns, measures};

/// Maximum number of faults and of warnings.
const MAX_FAULTS: usize = 100;

/// Returns the faults of all uses of scripts in a new scene: unknown scripts, scripts of another role, and values that
/// parameters do not accept; and a warning for each unknown parameter.
pub(super) fn faults(attempt: &Attempt<'_>) -> Vec<Fault> {
    let scene = &attempt.scene.content;
    let mut faults = scene.unknown_scripts(&attempt.inputs.scripts.names());
    for (used, wanted) in with_roles(scene) {
        let Some(script) = attempt.script(&used.script) else {
            continue;
        };
        if let Some((message, help)) = wrong_role(used, script.content.role, wanted) {
            faults.push(scene.fault(&used.span, message).help(help));
        } else {
            faults.extend(refused(scene, used, &script.content));
            faults.extend(not_drawn(scene, used, &script.content));
        }
    }
    faults.extend(measures::faults(attempt));
    faults.extend(columns::faults(attempt));
    faults.truncate(MAX_FAULTS);
    let warnings = scene.scripts().flat_map(|used| {
        let script = attempt.script(&used.script);
        script.map_or(Vec::new(), |script| unknown_params(scene, used, &script.content))
    });
    faults.extend(warnings.take(MAX_FAULTS));
    sort(&mut faults);
    faults
}

/// Sorts the faults of a file: errors precede warnings, and each is in the order of the file, faults of the whole file last.
pub(super) fn sort(faults: &mut [Fault]) {
    faults.sort_by_key(|fault| (fault.severity, fault.line == 0, fault.line, fault.column));
}

/// Returns true if one of the faults is an error.
pub(super) fn has_errors(faults: &[Fault]) -> bool {
    faults.iter().any(|fault| fault.severity == Severity::Error)
}

/// Returns all uses of scripts and the role that each requires.
fn with_roles(scene: &Scene) -> impl Iterator<Item = (&ScriptUse, Role)> {
    let behaviors = scene.groups.iter().flat_map(|group| &group.behaviors);
    let flows = scene.flows.iter().filter_map(|flow| match &flow.source {
        FlowSource::Script { used, .. } => Some((&**used, Role::Flow)),
        FlowSource::Grid(_) | FlowSource::Toward(_) => None,
    });
    behaviors.map(|used| (used, Role::Behavior)).chain(flows)
}

/// Returns a fault for each value that its parameter does not accept.
fn refused(scene: &Scene, used: &ScriptUse, script: &Script) -> Vec<Fault> {
    let refused = used.params.iter().filter_map(|setting| {
        let param = script.param(&setting.name)?;
        let message = param.accept(&setting.value).err()?;
        let near = param.nearest(&setting.value);
        let range = setting.value_span.range.clone();
        let fix = near.map(|near| Fix::replace(format!("write {near}"), range, near));
        Some(scene.fault(&setting.value_span, message).fixed(fix))
    });
    refused.collect()
}

/// Returns a fault for each distribution of a parameter that is read where no unit is.
fn not_drawn(scene: &Scene, used: &ScriptUse, script: &Script) -> Vec<Fault> {
    let drawn = used.params.iter().filter(|setting| matches!(setting.value, ParamValue::Distribution(_)));
    let faults = drawn.filter_map(|setting| {
        let name = &setting.name;
        script.param(name).filter(|param| param.accept(&setting.value).is_ok())?;
        let (message, help) = if script.role == Role::Flow {
            let message = format!("{name} belongs to a flow field, which has no units to draw values");
            (message, "write one number".to_owned())
        } else {
            script.derived_from(name)?
        };
        Some(scene.fault(&setting.value_span, message).help(help))
    });
    faults.collect()
}

/// Returns a warning for each value of a parameter that the script does not have.
pub(super) fn unknown_params(scene: &Scene, used: &ScriptUse, script: &Script) -> Vec<Fault> {
    let unknown = used.params.iter().filter(|setting| script.param(&setting.name).is_none());
    let warning = unknown.map(|setting| {
        let (message, help) = unknown_param(script, &setting.name);
        let names = script.params.iter().map(|param| param.name.as_str());
        let rename = closest(&setting.name, names).map(|near| {
            Fix::replace(format!("write `{near}`"), setting.span.range.clone(), format!("\"{near}\""))
        });
        let entry = setting.span.range.start..setting.value_span.range.end;
        let title = format!("leave out `{}`", setting.name);
        let removal = Fix::replace(title, scene::with_comma(&scene.source, entry), "");
        let fixes = rename.into_iter().chain([removal]);
        scene.fault(&setting.span, message).help(help).fixed(fixes).warning()
    });
    warning.collect()
}

fn unknown_param(script: &Script, name: &str) -> (String, String) {
    let names = || script.params.iter().map(|param| param.name.as_str());
    let message = format!("{} has no parameter \"{name}\": its value is ignored", script.path);
    let help = quoted_suggestion(name, names());
    let help = help.unwrap_or_else(|| match script.params[..] {
        [] => "it declares none".to_owned(),
        _ => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
    });
    (message, help)
}
