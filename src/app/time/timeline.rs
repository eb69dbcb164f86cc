//! Time in the window: going back and forth in what is recorded, and what happened there.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::{Line, Tone};
use crate::reload::Generation;
use crate::session::{Divergence, Input, Replacement, RunPair};
use crate::sim::rounded;

/// Steps between two changes of one thing that belong to one drag.
const PAUSE: u64 = 6;

/// What a mark on the timeline stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum MarkKind {
    /// Files went live.
    Reload,
    /// Something failed or was rejected.
    Error,
    /// A value was tuned, an obstacle or a view changed.
    Edit,
    /// The target was set.
    Click,
}

/// Something that happened between two steps.
#[derive(Clone, Copy)]
pub(in crate::app) struct Mark<'a> {
    /// Steps that were made before.
    pub(in crate::app) step: u64,
    pub(in crate::app) kind: MarkKind,
    source: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Input(&'a Input),
    Line(&'a Line),
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
            | Input::View(..) => MarkKind::Edit,
            // Keys are held all the time.
            Input::Controls(_) => return None,
        };
        Some(Mark { step: *step, kind, source: Source::Input(input) })
    }

    /// Whether it is of the same drag as one before.
    fn goes_on(&self, before: &Self) -> bool {
        let (Source::Input(now), Source::Input(then)) = (self.source, before.source) else {
            return false;
        };
        let is_drag = match (now, then) {
            (Input::MoveUnits(_), Input::MoveUnits(_)) => true,
            (Input::Obstacle(at, _), Input::Obstacle(of, _))
            | (Input::Scattered(at, _), Input::Scattered(of, _)) => at == of,
            (Input::Generation(next), Input::Obstacle(..)) => is_edit(next),
            _ => false,
        };
        is_drag && self.step - before.step <= PAUSE
    }

    /// What happened, in words.
    pub(in crate::app) fn words(&self) -> Cow<'_, str> {
        match self.source {
            Source::Line(line) => Cow::Borrowed(&line.text),
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
            Source::Input(Input::Controls(_)) => "player steered".into(),
        }
    }
}

/// Whether it changes obstacles or paths by hand.
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
    /// All that happened in the recorded time, oldest first.
    pub(in crate::app) fn marks(&self) -> Vec<Mark<'_>> {
        let Some(recorded) = self.run.recorded() else {
            return Vec::new();
        };
        let errors = self.log.lines().filter(|line| line.tone == Tone::Bad);
        let errors =
            errors.map(|line| Mark { step: line.step, kind: MarkKind::Error, source: Source::Line(line) });
        let marks = self.run.inputs().filter_map(Mark::of_input).chain(errors);
        let mut marks: Vec<_> = marks.filter(|mark| recorded.contains(&mark.step)).collect();
        marks.sort_by_key(|mark| mark.step);
        // Something that is dragged is one mark, where it began.
        let mut before: Option<Mark<'_>> = None;
        marks.retain(|mark| {
            let before = before.replace(*mark);
            before.is_none_or(|before| !mark.goes_on(&before))
        });
        marks
    }

    /// Looks at a step of the past. From the present, the scene pauses for it.
    pub(in crate::app) fn look_at(&mut self, step: u64) {
        let before = self.run.looked_at();
        self.run.look_at(step);
        match (before, self.run.looked_at()) {
            (None, Some(_)) => {
                self.resumes = !self.paused;
                self.paused = true;
            }
            (Some(_), None) => self.arrive(),
            _ => {}
        }
        self.news = true;
    }

    /// The step that is shown or looked for.
    pub(in crate::app) fn at(&self) -> u64 {
        self.run.looked_at().unwrap_or(self.run.simulation.world().steps)
    }

    /// One step back.
    pub(in crate::app) fn step_back(&mut self) {
        let before = self.at().saturating_sub(1);
        self.backwards = false;
        self.look_at(before);
        self.paused = true;
    }

    /// Runs the recorded steps backwards, or no longer.
    pub(in crate::app) fn play_backwards(&mut self) {
        if self.backwards {
            (self.paused, self.backwards) = (true, false);
            return;
        }
        self.look_at(self.at().saturating_sub(1));
        if self.run.looked_at().is_some() {
            (self.paused, self.backwards) = (false, true);
        }
    }

    /// Goes to the next thing that happened, or to the one before.
    pub(in crate::app) fn jump(&mut self, forward: bool) {
        let (at, marks) = (self.at(), self.marks());
        let mut steps = marks.iter().map(|mark| mark.step);
        let step = if forward { steps.find(|step| *step > at) } else { steps.rfind(|step| *step < at) };
        let ends =
            self.run.recorded().map(|recorded| if forward { *recorded.end() } else { *recorded.start() });
        if let Some(step) = step.or(ends) {
            self.look_at(step);
        }
    }

    /// Returns to the present, which goes on as it did before.
    pub(in crate::app) fn return_to_present(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.return_to_present();
            self.paused = !self.resumes;
            self.arrive();
        }
    }

    /// Goes on from the step that is looked at.
    pub(in crate::app) fn go_on(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.go_on();
            self.arrive();
            let step = self.run.simulation.world().steps;
            self.log.say(Tone::Plain, step, format!("continued from step {step}"));
        }
    }

    /// Returns to the run of before the past was changed.
    pub(in crate::app) fn discard(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.discard();
            self.arrive();
        }
    }

    /// The present is there again.
    fn arrive(&mut self) {
        (self.backwards, self.news, self.singles) = (false, true, 0);
    }

    /// Goes on in the past, backwards or forwards, by as many steps as `due` and those that were asked for
    /// one by one; where it ends, the present goes on.
    pub(in crate::app) fn travel(&mut self, at: u64, due: u64) {
        let due = due + u64::from(std::mem::take(&mut self.singles));
        if due > 0 && !self.run.is_seeking() {
            let to = if self.backwards { at.saturating_sub(due) } else { at + due };
            self.look_at(to);
            if self.run.looked_at() == Some(at) {
                // There is nothing further on.
                (self.paused, self.backwards) = (true, false);
            }
        }
        let was_running_anew = self.run.is_rerunning();
        self.news |= self.run.settle(self.frame_wait) || self.run.first_difference().is_some();
        if was_running_anew && !self.run.is_rerunning() {
            self.tell_runs();
        }
    }

    /// Tells in the log where the new run and the old one part.
    fn tell_runs(&mut self) {
        let step = self.run.simulation.world().steps;
        match self.run.run_pair() {
            Some(pair) => {
                let [words, details] = self.words_of(pair, ["before", "now"]);
                let text = if details.is_empty() { words } else { format!("{words}; {details}") };
                self.log.say(Tone::Plain, step, text);
            }
            None => self.log.say(Tone::Warning, step, "the steps since then cannot be computed again"),
        }
    }

    /// When and where two runs part, in words, and by how much.
    /// `names` stand before what each did.
    pub(in crate::app) fn words_of(&self, pair: &RunPair, [one, other]: [&str; 2]) -> [String; 2] {
        let Some(divergence) = &pair.divergence else {
            return [format!("no difference since step {}", pair.fork), String::new()];
        };
        let (words, apart) = (self.words_of_divergence(divergence), &pair.difference);
        let rule = divergence.rule.as_ref().map_or(String::new(), |rule| {
            let [old, new] = rule.contribution;
            let [before, now] = rule.gain.map(rounded);
            let gain = if before == now { String::new() } else { format!(", gain {before}, {other} {now}") };
            format!("{one} {old}, {other} {new}{gain}; ")
        });
        let (mean, most) = (rounded(apart.mean), rounded(apart.distance));
        let details = format!("{rule}mean distance {mean}, largest {most} (unit {})", apart.farthest);
        [words, details]
    }

    /// When and where two runs part, in words.
    pub(in crate::app) fn words_of_divergence(&self, divergence: &Divergence) -> String {
        let Divergence { step, unit, group, rule, .. } = divergence;
        let name = rule.as_ref().map_or(String::new(), |rule| format!(", rule {}", rule.name));
        let seconds = *step as f32 * self.run.simulation.world().step;
        format!("diverge at step {step} ({seconds:.1} s): unit {unit} of {group}{name}")
    }
}
