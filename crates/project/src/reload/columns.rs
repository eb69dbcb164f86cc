//! Columns of tables of starts: values of parameters by unit.

use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, quoted_suggestion};
use steerbox_scene::{Column, GroupPlan, ID, Scene, Span, Spawn};
use steerbox_script::Script;

use super::inputs::{Attempt, column_value};

/// Returns a fault for each column with a value that its parameter does not accept.
pub(super) fn faults(attempt: &Attempt<'_>) -> Vec<Fault> {
    let scene = &attempt.scene.content;
    let mut faults = Vec::new();
    for (plan, span) in tables(scene) {
        for used in &plan.behaviors {
            let script = attempt.script(&used.script);
            for param in script.iter().flat_map(|script| &script.content.params) {
                let is_set = used.params.iter().any(|setting| setting.name == param.name);
                let Some(column) = plan.spawn.column(&used.script, &param.name).filter(|_| !is_set) else {
                    continue;
                };
                let fault = column_value(column, param).err().map(|message| (message, CHANGE.to_owned()));
                let derived = || script.as_ref()?.content.derived_from(&param.name);
                let fault = fault.or_else(derived);
                faults.extend(fault.map(|(message, help)| scene.fault(span, message).help(help)));
            }
        }
    }
    faults
}

/// The maximum number of unknown columns of a table that have a warning each.
const MAX_COLUMNS: usize = 5;

/// Returns warnings for the columns that are not parameters of the scripts of their group, if all of these are known.
pub(super) fn warnings(scene: &Scene, script_of: impl Fn(&str) -> Option<Arc<Script>>) -> Vec<Fault> {
    let mut warnings = Vec::new();
    for (plan, span) in tables(scene) {
        let scripts: Option<Vec<_>> = plan.behaviors.iter().map(|used| script_of(&used.script)).collect();
        let (Spawn::File { columns, .. }, Some(scripts)) = (&plan.spawn, scripts) else { continue };
        let mut unknown = columns.iter().filter(|column| column.name != ID && !is_param(column, &scripts));
        let warning =
            |column| scene.fault(span, ignored(column, plan)).help(help(column, &scripts)).warning();
        warnings.extend(unknown.by_ref().take(MAX_COLUMNS).map(warning));
        let rest = unknown.count();
        if rest > 0 {
            let message = format!("{rest} further columns of the table of {} are ignored", plan.common.name);
            warnings.push(scene.fault(span, message).help("leave out the columns").warning());
        }
    }
    warnings
}

/// Returns the groups whose starts are in tables, and the positions of their spawns.
fn tables(scene: &Scene) -> impl Iterator<Item = (&GroupPlan, &Span)> {
    let groups = scene.groups.iter().zip(&scene.spans.spawns);
    groups.filter(|(plan, _)| matches!(plan.spawn, Spawn::File { .. }))
}

const CHANGE: &str = "change the value in the table";

/// Returns true if a script has the parameter of a column.
fn is_param(column: &Column, scripts: &[Arc<Script>]) -> bool {
    let (script, param) = column.name.split_once('.').map_or((None, &*column.name), |(a, b)| (Some(a), b));
    let is_named = |of: &Script| script.is_none_or(|script| of.path.strip_suffix(".rhai") == Some(script));
    scripts.iter().any(|of| is_named(of) && of.param(param).is_some())
}

fn ignored(column: &Column, plan: &GroupPlan) -> String {
    let Column { name, at, .. } = column;
    format!("{at}: no script of {} has a parameter \"{name}\": the column is ignored", plan.common.name)
}

fn help(column: &Column, scripts: &[Arc<Script>]) -> String {
    let names = || scripts.iter().flat_map(|script| &script.params).map(|param| param.name.as_str());
    quoted_suggestion(&column.name, names()).unwrap_or_else(|| {
        let names: Vec<_> = names().collect();
        match names[..] {
            [] => "its scripts have no parameters: leave out the column".to_owned(),
            _ => format!("their parameters are {}", names.join(", ")),
        }
    })
}
