//! The state that editors receive.

use std::collections::BTreeMap;

use steerbox_core::sim::{Report, RuleCost, Slot};
use steerbox_project::link::{Failing, FileValues, Param, ScriptUse, State, Unit, Value};
use steerbox_project::reload::{KnobName, Place, Planned};
use steerbox_script::ScriptBehavior;
use steerbox_script::probe::{self, Recording};

use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Returns the present state.
pub(super) fn state(session: &LiveSession, view: &ViewState) -> State {
    let simulation = &session.run.simulation;
    let world = simulation.world();
    let mut paths = Paths { place: &session.place, known: BTreeMap::new() };
    let explained =
        simulation.explained().filter(|explained| explained.facts.now == view.selection.inspected());
    let mut files: Vec<FileValues> = Vec::new();
    for recording in explained.iter().flat_map(|explained| &explained.lines).flatten() {
        for file in values(recording, &mut paths) {
            // A script that is used twice shows the values of its first use.
            if files.iter().all(|known| known.path != file.path) {
                files.push(file);
            }
        }
    }
    let group = |unit: usize| {
        let group = world.units.group.get(unit).and_then(|group| world.groups.get(usize::from(*group)));
        group.map_or_else(String::new, |group| group.name.clone())
    };
    State {
        scene: session.place.scene.as_ref().map(|path| path.to_string_lossy().into_owned()),
        step: session.run.past_step().unwrap_or(world.steps),
        paused: session.paused,
        unit: view.selection.inspected().map(|index| Unit { index, group: group(index) }),
        files,
        uses: uses(session, &mut paths),
        failing: simulation
            .reports()
            .iter()
            .filter_map(|report| failing(session, report, &mut paths))
            .collect(),
    }
}

/// The paths of files by their names.
struct Paths<'a> {
    place: &'a Place,
    known: BTreeMap<String, Option<String>>,
}

impl Paths<'_> {
    fn of(&mut self, name: &str) -> Option<String> {
        if !self.known.contains_key(name) {
            let path = self.place.path_of(name).map(|path| path.to_string_lossy().into_owned());
            self.known.insert(name.to_owned(), path);
        }
        self.known.get(name).cloned().flatten()
    }
}

/// Returns the values of the lines of a script and its imports, by file.
fn values(recording: &Recording, paths: &mut Paths<'_>) -> Vec<FileValues> {
    let files = recording.code.files.iter().enumerate();
    files
        .filter_map(|(file, probed)| {
            let path = paths.of(&probed.path)?;
            let lines = probe::lines(recording, file).into_iter().filter(|line| !line.values.is_empty());
            let values = lines.map(|line| Value {
                line: line.number,
                text: line.text.to_owned(),
                values: line.values,
            });
            Some(FileValues { path, lines: lines_of(&probed.text), values: values.collect() })
        })
        .collect()
}

/// Returns the number of lines of a text as editors count them.
fn lines_of(text: &str) -> usize {
    text.matches('\n').count() + 1
}

fn uses(session: &LiveSession, paths: &mut Paths<'_>) -> Vec<ScriptUse> {
    let simulation = &session.run.simulation;
    let world = simulation.world();
    let mut units = vec![(0, None); world.groups.len()];
    for (unit, group) in world.units.group.iter().enumerate() {
        if let Some((count, first)) = units.get_mut(usize::from(*group)) {
            (*count, *first) = (*count + 1, first.or(Some(unit)));
        }
    }
    let costs = simulation.costs();
    let behaviors = session.run.generation.behaviors.iter().enumerate();
    let all = behaviors
        .flat_map(|(group, planned)| planned.iter().enumerate().map(move |(slot, one)| (group, slot, one)));
    all.map(|(group, slot, planned)| {
        let suspended = simulation.slots(group).get(slot).and_then(Slot::suspended);
        let suspended = suspended.map(|reason| format!("suspended: {}", reason.reason()));
        ScriptUse {
            path: paths.of(&format!("{}.rhai", planned.handle.script)),
            group: planned.handle.group.clone(),
            units: units.get(group).copied().unwrap_or_default(),
            enabled: planned.enabled,
            nanoseconds: cost(&costs, group, slot),
            is_native: planned.behavior.as_deref().is_some_and(ScriptBehavior::is_native),
            reason: suspended.or_else(|| reason(planned)),
            params: params(planned),
        }
    })
    .collect()
}

/// Returns the reason why a behavior does not run, or runs in the interpreter.
fn reason(planned: &Planned) -> Option<String> {
    match &planned.behavior {
        None => Some("no version of it works".to_owned()),
        Some(behavior) => behavior.unsupported().map(|why| format!("interpreted: {why}")),
    }
}

/// Returns the cost of a behavior, rounded to two digits, so that it does not change with every state.
fn cost(costs: &[RuleCost], group: usize, slot: usize) -> Option<f32> {
    let cost = costs.iter().find(|cost| (cost.group, cost.slot) == (group, slot))?.nanoseconds;
    let digit = 10_f32.powi((cost.max(1.0).log10().floor() as i32 - 1).max(0));
    Some((cost / digit).round() * digit)
}

fn params(planned: &Planned) -> Vec<Param> {
    let knobs = planned.knobs.iter().filter(|knob| knob.name != KnobName::Enabled);
    let param = |knob: &steerbox_project::reload::Knob| Param {
        name: knob.name.as_str().to_owned(),
        value: knob.value.to_string(),
        is_tuned: knob.tuned,
    };
    knobs.map(param).collect()
}

/// Returns a failure with the text of its line.
fn failing(session: &LiveSession, report: &Report, paths: &mut Paths<'_>) -> Option<Failing> {
    let group = session.run.generation.behaviors.get(report.group)?;
    let planned = group.iter().find(|planned| planned.handle.script == report.script)?;
    let script = planned.script.as_ref()?;
    let name = report.failure.file.clone().unwrap_or_else(|| format!("{}.rhai", report.script));
    let imported = script.imports.iter().find(|imported| imported.path == name);
    let text = imported.map_or(&script.text, |imported| &imported.text);
    let line = report.failure.line.checked_sub(1).and_then(|line| text.lines().nth(line));
    Some(Failing {
        path: paths.of(&name)?,
        place: (report.failure.line, report.failure.column),
        text: line.unwrap_or_default().to_owned(),
        lines: lines_of(text),
        message: report.failure.message.clone(),
        first: (report.unit, planned.handle.group.clone(), report.first_step),
    })
}
