//! Failures of behaviors and measures as they happen: each cause once, suspensions and their ends. A failure is stored with
//! its place in the version that failed, so that a reload that repairs it does not remove it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Report, Simulation, SuspendReason, use_names};

use super::options::EventSink;
use crate::reload::{Generation, News, fault_json};

/// Maximum number of stored failures that have ended.
const MAX_ENDED: usize = 200;

/// A failure since the start of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// Cause and count.
    pub report: Report,
    /// The failure with its place in the script.
    pub fault: Fault,
    /// Name of the group of the first unit that failed.
    pub group: String,
    /// True if a measure failed for the group.
    pub is_measure: bool,
    /// Number of steps before its end: the behavior was replaced, removed or resumed.
    pub ended: Option<u64>,
}

/// A change of the state of a behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// The change.
    pub kind: IncidentKind,
    /// The script's name; empty for failures outside behaviors.
    pub script: String,
    /// Name of the group.
    pub group: String,
    /// The first unit that failed.
    pub unit: Option<usize>,
    /// Number of steps before the event.
    pub step: u64,
    /// The cause, if it is known.
    pub fault: Option<Fault>,
}

/// A change of the state of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncidentKind {
    /// It failed for a new cause.
    Failed,
    /// It is suspended.
    Suspended(SuspendReason),
    /// It is no longer suspended.
    Resumed,
}

impl Incident {
    /// Returns the lines for the user.
    pub fn news(&self) -> Vec<News> {
        let (group, script) = (&self.group, &self.script);
        match self.kind {
            IncidentKind::Failed => {
                let line = match self.unit {
                    _ if script.is_empty() => None,
                    Some(unit) => Some(format!("{script} fails for unit {unit} of {group}")),
                    None => Some(format!("{script} fails for {group}")),
                };
                let line = line.map(News::Kept);
                self.fault.clone().map(News::Fault).into_iter().chain(line).collect()
            }
            IncidentKind::Suspended(reason) => {
                let reason = reason.reason();
                vec![News::Kept(format!("{script} of {group} is suspended until the next save: {reason}"))]
            }
            IncidentKind::Resumed => vec![News::Loaded(format!("{script} of {group} runs again"))],
        }
    }

    /// Returns the event as a JSON object.
    pub(super) fn to_json(&self, generation: &Generation) -> String {
        let path = match &*self.script {
            "" => generation.scene.path.clone(),
            script => format!("{script}.rhai"),
        };
        let name = match self.kind {
            IncidentKind::Failed => "failed",
            IncidentKind::Suspended(_) => "suspended",
            IncidentKind::Resumed => "resumed",
        };
        let mut error = self.fault.as_ref().map(fault_json);
        if let (Some(error), Some(fault)) = (&mut error, &self.fault)
            && fault.path != path
        {
            error["path"] = Value::String(fault.path.clone());
        }
        let mut event = json!({
            "event": name, "path": path, "generation": generation.number, "step": self.step,
            "error": error, "group": self.group,
        });
        if let Some(unit) = self.unit {
            event["unit"] = unit.into();
        }
        if let IncidentKind::Suspended(reason) = self.kind {
            event["reason"] = reason.reason().into();
        }
        event.to_string()
    }
}

/// All failures since the start of a run.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    all: Vec<Failed>,
    /// Group and name of the use of each suspended behavior.
    suspended: BTreeSet<(String, String)>,
}

impl Failures {
    /// Returns all failures, in the order of their first occurrence.
    pub fn all(&self) -> &[Failed] {
        &self.all
    }

    /// Compares the failures of a simulation, which runs `generation`, with those that are known. Returns the changes.
    pub fn note(&mut self, simulation: &Simulation, generation: &Generation) -> Vec<Incident> {
        let of_measures = simulation.measures().reports();
        let of_behaviors = simulation.reports();
        let reports = || of_behaviors.iter().chain(&of_measures);
        let steps = simulation.world().steps;
        for known in self.all.iter_mut().filter(|known| known.ended.is_none()) {
            match reports().find(|report| known.is_of(report)) {
                Some(report) => known.report.clone_from(report),
                None => known.ended = Some(steps),
            }
        }
        let mut incidents = Vec::new();
        for (at, report) in reports().enumerate() {
            if self.all.iter().any(|known| known.ended.is_none() && known.is_of(report)) {
                continue;
            }
            let group = simulation.world().groups.get(report.group);
            let group = group.map_or(String::new(), |group| group.name.clone());
            let (fault, is_measure) = (generation.fault(report), at >= of_behaviors.len());
            incidents.push(Incident {
                kind: IncidentKind::Failed,
                script: report.script.clone(),
                group: group.clone(),
                unit: (!is_measure).then_some(report.unit),
                step: report.first_step,
                fault: Some(fault.clone()),
            });
            self.all.push(Failed { report: report.clone(), fault, group, is_measure, ended: None });
        }
        self.forget_ended();
        self.note_suspended(simulation, &mut incidents);
        incidents
    }

    /// Forgets the oldest failures that have ended if there are too many.
    fn forget_ended(&mut self) {
        let ended = self.all.iter().filter(|known| known.ended.is_some()).count();
        let mut surplus = ended.saturating_sub(MAX_ENDED);
        self.all.retain(|known| {
            let is_surplus = surplus > 0 && known.ended.is_some();
            surplus -= usize::from(is_surplus);
            !is_surplus
        });
    }

    /// Adds the suspensions that have begun or ended.
    fn note_suspended(&mut self, simulation: &Simulation, incidents: &mut Vec<Incident>) {
        if self.suspended.is_empty() && !simulation.has_suspended() {
            return;
        }
        let steps = simulation.world().steps;
        let mut suspended = BTreeSet::new();
        for (index, group) in simulation.world().groups.iter().enumerate() {
            let slots = simulation.slots(index);
            for (slot, name) in slots.iter().zip(use_names(slots)) {
                let known = (group.name.clone(), name);
                let incident = |kind, fault| {
                    let (script, group, unit) = (slot.script.clone(), group.name.clone(), None);
                    Incident { kind, script, group, unit, step: steps, fault }
                };
                let was_suspended = self.suspended.contains(&known);
                if let Some(reason) = slot.suspended() {
                    if !was_suspended {
                        let fault = self.cause(index, &slot.script);
                        incidents.push(incident(IncidentKind::Suspended(reason), fault));
                    }
                    suspended.insert(known);
                } else if was_suspended && slot.enabled && slot.behavior.is_some() {
                    incidents.push(incident(IncidentKind::Resumed, None));
                }
            }
        }
        self.suspended = suspended;
    }

    /// Returns the last failure of a behavior.
    fn cause(&self, group: usize, script: &str) -> Option<Fault> {
        let of_behavior = self.all.iter().filter(|known| {
            known.ended.is_none() && (known.report.group, &*known.report.script) == (group, script)
        });
        of_behavior.max_by_key(|known| known.report.last_step).map(|known| known.fault.clone())
    }
}

impl Failed {
    /// Returns true if a report of the present simulation is of this failure.
    fn is_of(&self, report: &Report) -> bool {
        let known = &self.report;
        (known.group, known.first_step, known.unit) == (report.group, report.first_step, report.unit)
            && known.script == report.script
            && known.failure == report.failure
    }
}

/// Notes the failures of a simulation, and passes the changes to a sink.
pub fn note_failures(
    failures: &mut Failures,
    simulation: &Simulation,
    generation: &Generation,
    events: &mut Option<EventSink>,
) -> Vec<Incident> {
    let incidents = failures.note(simulation, generation);
    if let Some(sink) = events {
        for incident in &incidents {
            sink(&incident.to_json(generation));
        }
    }
    incidents
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::reload::{Place, Project};

    const SCENE: &str = "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", count: 2, behaviors: [(script: \"z\")])])";
    const FAILING: &str = "fn steer(me, world) { if world.steps > 0 { return 1 / to_int(0.2); } 1 }";

    #[test]
    fn a_failure_ends_with_the_version_that_failed_and_is_noted_again_after_it() {
        let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        project.set_scene(Some(Ok(SCENE.into())));
        project.set_script("z", 0, Some(Ok(FAILING.into())));
        let mut generation = project.compose().unwrap();
        let (mut simulation, mut failures) = (generation.start(None), Failures::default());
        for (script, noted, ended) in [
            (FAILING, 1, &[None][..]),
            ("fn steer(me, world) { 1 }", 0, &[Some(2)]),
            (FAILING, 1, &[Some(2), None]),
        ] {
            project.set_script("z", 0, Some(Ok(script.into())));
            let next = project.compose().unwrap();
            next.swap_into(&mut simulation, &generation.scene, None);
            generation = next;
            let now = failures.note(&simulation, &generation);
            (0..2).for_each(|_| simulation.step());
            let incidents = [now, failures.note(&simulation, &generation)].concat();
            let kinds: Vec<_> = incidents.iter().map(|incident| incident.kind).collect();
            assert_eq!(kinds, vec![IncidentKind::Failed; noted], "{script}");
            assert!(failures.note(&simulation, &generation).is_empty(), "each cause once");
            assert_eq!(failures.all().iter().map(|failed| failed.ended).collect::<Vec<_>>(), ended);
        }
    }
}
