//! The timeline: marks of all events in the recorded time.

use std::borrow::Cow;
use std::cmp::Ordering;

use steerbox_project::reload::Generation;
use steerbox_project::session::{Input, Replacement, Verdict};
use steerbox_scene::Expectation;

use crate::model::live_session::LiveSession;
use crate::model::log::{Line, Tone};

/// Maximum number of steps between two changes of one value that belong to one drag.
const DRAG_GAP: u64 = 6;

/// The kind of a mark on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// Files were reloaded.
    Reload,
    /// Something failed or was rejected.
    Error,
    /// A value was tuned, or an obstacle or a view was changed.
    Edit,
    /// The target was set.
    Click,
    /// An expectation of the scene was met.
    Met,
    /// An expectation failed.
    Failed,
    /// An expectation is not judged yet, at the last step of its time.
    Pending,
}

impl MarkKind {
    /// A description for the legend.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Reload => "line: files reloaded",
            Self::Error => "line: error",
            Self::Edit => "line: edit",
            Self::Click => "line: target set",
            Self::Met => "triangle: expectation met",
            Self::Failed => "triangle: expectation failed",
            Self::Pending => "triangle: expectation open",
        }
    }

    /// Returns true for the judgment of an expectation.
    pub(crate) fn is_expectation(self) -> bool {
        matches!(self, Self::Met | Self::Failed | Self::Pending)
    }
}

/// An event between two steps.
#[derive(Clone)]
pub(crate) struct Mark<'a> {
    /// Number of steps before it.
    pub(crate) step: u64,
    pub(crate) kind: MarkKind,
    source: Source<'a>,
}

#[derive(Clone)]
enum Source<'a> {
    Input(&'a Input),
    Line(&'a Line),
    Expected(&'a Expectation, Verdict),
}

impl<'a> Mark<'a> {
    fn of_expectation((expectation, verdict): (&'a Expectation, Verdict)) -> Option<Self> {
        let (step, kind) = match &verdict {
            Verdict::Met(reached) => (reached.step, MarkKind::Met),
            Verdict::Failed { step, .. } => (*step, MarkKind::Failed),
            Verdict::Open { end, .. } => (*end, MarkKind::Pending),
            Verdict::Late => return None,
        };
        Some(Self { step, kind, source: Source::Expected(expectation, verdict) })
    }
}

impl Mark<'_> {
    fn of_input((step, input): &(u64, Input)) -> Option<Mark<'_>> {
        let kind = match input {
            Input::Generation(replacement) => kind_of(&replacement.generation),
            Input::Target(_) => MarkKind::Click,
            Input::Obstacle(..)
            | Input::Scattered(..)
            | Input::MoveUnits(_)
            | Input::AddUnits(_)
            | Input::RemoveUnits(_)
            | Input::Tune(..)
            | Input::View(..)
            | Input::Resume
            | Input::Remember(_) => MarkKind::Edit,
            // Keys are recorded all the time.
            Input::Controls(_) => return None,
        };
        Some(Mark { step: *step, kind, source: Source::Input(input) })
    }

    /// True if it belongs to the same drag as an earlier one.
    fn continues_drag_of(&self, before: &Self) -> bool {
        let (&Source::Input(now), &Source::Input(then)) = (&self.source, &before.source) else {
            return false;
        };
        let is_drag = match (now, then) {
            (Input::MoveUnits(_), Input::MoveUnits(_)) => true,
            (Input::Obstacle(at, _), Input::Obstacle(of, _))
            | (Input::Scattered(at, _), Input::Scattered(of, _)) => at == of,
            (Input::Generation(next), Input::Obstacle(..)) => is_edit(next),
            _ => false,
        };
        is_drag && self.step - before.step <= DRAG_GAP
    }

    /// A description of the event.
    pub(crate) fn words(&self) -> Cow<'_, str> {
        match &self.source {
            Source::Line(line) => Cow::Borrowed(&line.text),
            Source::Expected(expectation, verdict) => verdict.words(expectation).into(),
            Source::Input(Input::Generation(replacement)) if is_edit(replacement) => {
                edit_words(replacement).into()
            }
            Source::Input(Input::Generation(replacement)) => words_of(&replacement.generation).into(),
            Source::Input(Input::Target(Some(_))) => "target set".into(),
            Source::Input(Input::Target(None)) => "target cleared".into(),
            Source::Input(Input::Obstacle(at, _)) => format!("obstacle {} moved", at + 1).into(),
            Source::Input(Input::Scattered(..)) => "scattered obstacle moved".into(),
            Source::Input(Input::MoveUnits(_)) => "units moved".into(),
            Source::Input(Input::AddUnits(_)) => "units added".into(),
            Source::Input(Input::RemoveUnits(_)) => "units removed".into(),
            Source::Input(Input::View(..)) => "view switched".into(),
            Source::Input(Input::Tune(..)) => "gain or switch changed".into(),
            Source::Input(Input::Remember(_)) => "memory restored".into(),
            Source::Input(Input::Resume) => "suspended rules resumed".into(),
            Source::Input(Input::Controls(_)) => "player steered".into(),
        }
    }
}

/// True if it is an edit of obstacles or paths.
fn is_edit(replacement: &Replacement) -> bool {
    let Replacement { generation, before, .. } = replacement;
    generation.events.is_empty()
        && (&generation.scene.world.obstacles, &generation.scene.world.paths)
            != (&before.world.obstacles, &before.world.paths)
}

fn edit_words(replacement: &Replacement) -> &'static str {
    let [is, was] = [&replacement.generation.scene, &replacement.before].map(|scene| &scene.world);
    match is.obstacles.len().cmp(&was.obstacles.len()) {
        Ordering::Greater => "obstacle added",
        Ordering::Less => "obstacle removed",
        Ordering::Equal if is.paths != was.paths => "path drawn",
        Ordering::Equal => "obstacle changed",
    }
}

fn kind_of(generation: &Generation) -> MarkKind {
    if generation.events.iter().any(|event| !event.kind.runs()) {
        MarkKind::Error
    } else if generation.events.is_empty() {
        MarkKind::Edit
    } else {
        MarkKind::Reload
    }
}

fn words_of(generation: &Generation) -> String {
    let words = generation.events.iter().map(|event| format!("{} {}", event.path, event.kind.word()));
    let words: Vec<_> = words.collect();
    if words.is_empty() { "values tuned".to_owned() } else { words.join(", ") }
}

impl LiveSession {
    /// All events in the recorded time, oldest first, and the expectations that are not judged yet.
    pub(crate) fn marks(&self) -> Vec<Mark<'_>> {
        let Some(recorded) = self.run.recorded() else {
            return Vec::new();
        };
        let errors = self.log.lines().filter(|line| line.tone == Tone::Bad);
        let errors =
            errors.map(|line| Mark { step: line.step, kind: MarkKind::Error, source: Source::Line(line) });
        let expected = self.run.verdicts().all().filter_map(Mark::of_expectation);
        let marks = self.run.inputs().filter_map(Mark::of_input).chain(errors).chain(expected);
        let is_shown = |mark: &Mark<'_>| mark.kind == MarkKind::Pending || recorded.contains(&mark.step);
        let mut marks: Vec<_> = marks.filter(is_shown).collect();
        marks.sort_by_key(|mark| mark.step);
        // A drag is one mark, at its start.
        let mut before: Option<Mark<'_>> = None;
        marks.retain(|mark| {
            let before = before.replace(mark.clone());
            before.is_none_or(|before| !mark.continues_drag_of(&before))
        });
        marks
    }
}
