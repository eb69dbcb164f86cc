//! The explanation of a unit's step as a JSON object.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Serialize, Serializer};
use steerbox_core::sim::{InspectedRule, MemoryValue, WatchValue};
use steerbox_core::world::{Arena, Coordinates};
use steerbox_project::session::Explained;
use steerbox_script::probe::{Entry, ProbedValue, Recording, Site, SiteKind, SiteLog};

use crate::cli::trace::Steering;

/// Fields after `marks` are omitted if empty.
#[derive(Serialize)]
pub(super) struct Object<'a> {
    step: u64,
    unit: usize,
    /// Present only for a unit that died after the step.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    died: bool,
    group: &'a str,
    position: Coordinates,
    velocity: Value,
    sees: Sees<'a>,
    rules: Vec<Rule<'a>>,
    resultant: Value,
    applied: Value,
    memory: BTreeMap<&'a str, BTreeMap<&'a str, Value>>,
    marks: &'a [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, BTreeMap<&'a str, Value>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    signals: BTreeMap<&'a str, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forces: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "is_empty")]
    touches: &'a [usize],
}

#[derive(Serialize)]
struct Sees<'a> {
    neighbors: &'a [usize],
    enemies: &'a [usize],
    #[serde(skip_serializing_if = "is_empty")]
    obstacles: &'a [usize],
}

#[derive(Serialize)]
struct Rule<'a> {
    script: &'a str,
    gain: Value,
    enabled: bool,
    contribution: Option<Steering>,
    weighted: Value,
    lines: Vec<Row<'a>>,
    /// The reason why there are no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    watched: BTreeMap<&'a str, Value>,
}

#[derive(Serialize)]
struct Failure<'a> {
    line: usize,
    column: usize,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    line: usize,
    name: Option<&'a str>,
    value: Value,
    /// The kind of statement; none for `let`.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The imported file, if it is not the script itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The call of its function, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u32>,
    /// The iteration of each enclosing loop.
    #[serde(skip_serializing_if = "is_empty")]
    round: &'a [u32],
    /// The total number of values, with the last one, if some before it are omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
}

/// A value in JSON. A number that is not finite is a text.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Nothing,
    #[serde(serialize_with = "number")]
    Number(f32),
    Integer(i64),
    Switch(bool),
    Text(String),
    Parts(Vec<Value>),
}

fn is_empty<T>(list: &&[T]) -> bool {
    list.is_empty()
}

/// Writes the shortest decimal that parses to the same bits.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is given by serde")]
fn number<S: Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_finite() { serializer.serialize_f32(*number) } else { serializer.collect_str(number) }
}

impl From<f32> for Value {
    fn from(number: f32) -> Self {
        Self::Number(number)
    }
}

impl From<Vec3> for Value {
    fn from(vector: Vec3) -> Self {
        Self::Parts(vector.to_array().map(Self::Number).into())
    }
}

impl From<WatchValue> for Value {
    fn from(value: WatchValue) -> Self {
        match value {
            WatchValue::Number(number) => number.into(),
            WatchValue::Vector(vector) => vector.into(),
        }
    }
}

impl From<MemoryValue> for Value {
    fn from(value: MemoryValue) -> Self {
        match value {
            MemoryValue::Number(number) => number.into(),
            MemoryValue::Bool(switch) => Self::Switch(switch),
            MemoryValue::Vector(vector) => vector.into(),
        }
    }
}

impl From<&ProbedValue> for Value {
    fn from(value: &ProbedValue) -> Self {
        match value {
            ProbedValue::Nothing => Self::Nothing,
            ProbedValue::Number(number) => (*number).into(),
            ProbedValue::Integer(integer) => Self::Integer(*integer),
            ProbedValue::Switch(switch) => Self::Switch(*switch),
            ProbedValue::Vector(vector) => (*vector).into(),
            ProbedValue::Turn(starboard, up) => Self::Parts(vec![(*starboard).into(), (*up).into()]),
            ProbedValue::Text(text) => Self::Text(text.clone()),
            // By index, as in `sees`; the text format numbers obstacles from 1.
            ProbedValue::Obstacle(obstacle) => Self::Text(format!("obstacle {obstacle}")),
            ProbedValue::Hit(obstacle, distance) => {
                Self::Text(format!("hit of obstacle {obstacle} at {distance}"))
            }
            words => Self::Text(words.to_string()),
        }
    }
}

impl<'a> Object<'a> {
    pub(super) fn new(explained: &'a Explained, arena: &Arena) -> Self {
        let Explained { facts, lines, .. } = explained;
        let forces = &facts.forces;
        let others = [
            ("thrust", forces.thrust),
            ("drag", forces.drag),
            ("keys", forces.keys),
            ("contact", facts.contact),
        ];
        let others = others.into_iter().filter(|(_, force)| *force != Vec3::ZERO);
        let varied = facts.rules.iter().filter(|rule| !rule.drawn.is_empty());
        let remembering = facts.rules.iter().filter(|rule| !rule.memory.is_empty());
        Self {
            step: facts.step,
            unit: facts.unit,
            died: facts.now.is_none(),
            group: &facts.group,
            position: arena.coordinates(facts.after.position),
            velocity: facts.after.velocity.into(),
            sees: Sees { neighbors: &facts.neighbors, enemies: &facts.enemies, obstacles: &facts.obstacles },
            rules: facts.rules.iter().zip(lines).map(|(rule, lines)| Rule::new(rule, lines)).collect(),
            resultant: facts.resultant.into(),
            applied: forces.applied.into(),
            parameters: varied.map(|rule| (&*rule.name, by_name(&rule.drawn))).collect(),
            memory: remembering.map(|rule| (&*rule.name, by_name(&rule.memory))).collect(),
            marks: &facts.marks,
            signals: by_name(&facts.signals),
            forces: others.map(|(name, force)| (name, force.into())).collect(),
            touches: &facts.touching,
        }
    }
}

fn by_name<T: Copy + Into<Value>>(values: &[(String, T)]) -> BTreeMap<&str, Value> {
    values.iter().map(|(name, value)| (name.as_str(), (*value).into())).collect()
}

impl<'a> Rule<'a> {
    fn new(rule: &'a InspectedRule, lines: &'a Result<Recording, String>) -> Self {
        let failure = rule.call.as_ref().and_then(|call| call.as_ref().err());
        Self {
            script: &rule.name,
            gain: rule.gain.into(),
            enabled: rule.enabled,
            contribution: Steering::new(rule.contribution),
            weighted: rule.weighted.into(),
            lines: lines.as_ref().map_or(Vec::new(), rows),
            note: lines.as_ref().err().map(String::as_str),
            failure: failure.map(|failure| Failure {
                line: failure.line,
                column: failure.column,
                message: &failure.message,
                file: failure.file.as_deref(),
            }),
            watched: by_name(&rule.watches),
        }
    }
}

fn rows(recording: &Recording) -> Vec<Row<'_>> {
    let values = recording.values().into_iter();
    values.flat_map(|(site, log)| log.entries().map(|entry| row(recording, site, log, entry))).collect()
}

fn row<'a>(recording: &'a Recording, site: &'a Site, log: &'a SiteLog, entry: &'a Entry) -> Row<'a> {
    let kind = match site.kind {
        SiteKind::Let | SiteKind::Statement => None,
        SiteKind::Assignment => Some("assignment"),
        SiteKind::Condition => Some("condition"),
        SiteKind::Return => Some("return"),
        SiteKind::Value => Some("value"),
    };
    let is_last_of_more = log.last.as_ref().is_some_and(|last| std::ptr::eq(last, entry));
    let has_calls = log.entries().any(|entry| entry.call > 0);
    Row {
        line: site.span.start.0,
        name: site.name.as_deref(),
        value: (&entry.value).into(),
        kind,
        file: (site.file > 0).then(|| &*recording.code.files[site.file].path),
        call: has_calls.then_some(entry.call),
        round: &entry.iterations,
        count: is_last_of_more.then_some(log.count),
    }
}
