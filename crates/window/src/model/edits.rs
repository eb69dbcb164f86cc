//! Edits made in the window, for undo and redo: pairs of recorded inputs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use steerbox_picture::render::trails::Trails;
use steerbox_project::session::{EndedRun, Input, Keep, PendingEdit};

/// Edits of one value within this time are merged, for example while a slider is dragged.
pub(crate) const COALESCE: Duration = Duration::from_millis(700);
/// Maximum number of edits that are stored, and their memory, bytes. The last edit is always stored.
const MAX_EDITS: usize = 500;
const MAX_BYTES: usize = 32 << 20;
/// Maximum memory of all runs that restarts ended, bytes. The last one is always stored.
const MAX_RUN_BYTES: usize = Keep::USUAL.memory;
/// Estimated memory of an edit beside its lists, bytes.
const EDIT_BYTES: usize = 1024;

/// A step of an edit, by value or by name, so that it stays valid after files have changed.
pub(crate) enum EditStep {
    /// An input of the simulation. Units that are in the world are added by an empty list: the world has their states.
    Input(Input),
    /// A value, an obstacle or a path, stored by the loader.
    Stored(PendingEdit),
    /// An unsaved text of a file, by its name, or its saved content.
    Draft(String, Option<Arc<str>>),
    /// The exchange of the present run and another one. Of a pair of steps, the next to be executed has the run.
    Run(Option<Box<EndedRun<Trails>>>),
}

impl EditStep {
    /// Memory of its lists, bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Input(input) => input.list_bytes(),
            Self::Stored(_) | Self::Run(_) => size_of::<Self>(),
            Self::Draft(_, text) => text.as_ref().map_or(0, |text| text.len()),
        }
    }

    /// True if `next` sets the same value or the target again.
    fn sets_the_same(&self, next: &Self) -> bool {
        match (self, next) {
            (
                Self::Stored(PendingEdit::Value(a, knob, ..)),
                Self::Stored(PendingEdit::Value(b, other, ..)),
            ) => (a, knob) == (b, other),
            (Self::Draft(a, _), Self::Draft(b, _)) => a == b,
            (Self::Input(a), Self::Input(b)) => matches!((a, b), (Input::Target(_), Input::Target(_))),
            _ => false,
        }
    }
}

/// An edit: the steps that undo it, and the steps that redo it, in pairs.
pub(crate) struct Edit {
    /// A description of the edit.
    pub(crate) label: String,
    pub(crate) undo: Vec<EditStep>,
    pub(crate) redo: Vec<EditStep>,
    /// True if it may be part of a drag. Clearing a value never is.
    pub(crate) is_drag: bool,
}

impl Edit {
    /// An edit of one step.
    pub(crate) fn new(label: impl Into<String>, undo: EditStep, redo: EditStep) -> Self {
        Self { label: label.into(), undo: vec![undo], redo: vec![redo], is_drag: false }
    }

    /// True if `next` continues the same drag.
    fn is_continued_by(&self, next: &Self) -> bool {
        match (&self.redo[..], &next.redo[..]) {
            ([a], [b]) => self.is_drag && next.is_drag && a.sets_the_same(b),
            _ => false,
        }
    }

    fn steps(&self) -> impl Iterator<Item = &EditStep> {
        self.undo.iter().chain(&self.redo)
    }

    /// Estimated memory without that of a run, bytes.
    fn bytes(&self) -> usize {
        EDIT_BYTES + self.steps().map(EditStep::bytes).sum::<usize>()
    }

    /// Memory of its run, bytes.
    fn run_bytes(&self) -> usize {
        let runs =
            self.steps().filter_map(|step| if let EditStep::Run(run) = step { run.as_ref() } else { None });
        runs.map(|run| run.bytes()).sum()
    }
}

/// An edit in one of the lists.
struct Stored {
    edit: Edit,
    when: Instant,
    bytes: usize,
    run_bytes: usize,
}

impl Stored {
    fn new(edit: Edit, when: Instant) -> Self {
        Self { bytes: edit.bytes(), run_bytes: edit.run_bytes(), edit, when }
    }
}

/// All edits of the window.
#[derive(Default)]
pub(crate) struct Edits {
    done: Vec<Stored>,
    undone: Vec<Stored>,
}

impl Edits {
    /// Stores an edit. One that continues the last edit is merged into it, unless edits were undone since.
    pub(crate) fn note(&mut self, edit: Edit, when: Instant) {
        let last = self.done.last_mut().filter(|_| self.undone.is_empty()).filter(|last| {
            last.edit.is_continued_by(&edit) && when.saturating_duration_since(last.when) < COALESCE
        });
        match last {
            Some(last) => (last.edit.redo, last.when) = (edit.redo, when),
            None => self.add(edit, when),
        }
    }

    /// Stores an edit without merging.
    pub(crate) fn add(&mut self, edit: Edit, when: Instant) {
        self.undone.clear();
        self.done.push(Stored::new(edit, when));
        self.trim();
    }

    /// Removes the last edits if they are drafts of a file: it returned to its saved text. Returns false if there are none.
    pub(crate) fn end_draft(&mut self, name: &str) -> bool {
        let is_draft = |stored: &Stored| {
            stored.edit.redo.iter().all(|step| matches!(step, EditStep::Draft(of, _) if of == name))
        };
        let before = self.done.len();
        while self.done.pop_if(|last| is_draft(last)).is_some() {}
        if self.done.len() < before {
            self.undone.clear();
        }
        self.done.len() < before
    }

    /// Drops edits beyond the limits: first those that would be redone last, then the oldest but one.
    fn trim(&mut self) {
        self.trim_runs(MAX_RUN_BYTES);
        let all = self.done.iter().chain(&self.undone);
        let mut bytes: usize = all.map(|stored| stored.bytes).sum();
        while bytes > MAX_BYTES || self.done.len() > MAX_EDITS {
            let list = match (self.done.len(), self.undone.is_empty()) {
                (done, true) if done > 1 => &mut self.done,
                (done, _) if done > MAX_EDITS => &mut self.done,
                (_, false) => &mut self.undone,
                _ => return,
            };
            bytes -= list.remove(0).bytes;
        }
    }

    /// Drops restarts in the same order until the memory of their runs is within the limit.
    fn trim_runs(&mut self, limit: usize) {
        let has_run = |stored: &Stored| stored.run_bytes > 0;
        loop {
            let runs = self.done.iter().chain(&self.undone).filter(|stored| has_run(stored));
            if runs.clone().count() < 2 || runs.map(|stored| stored.run_bytes).sum::<usize>() <= limit {
                return;
            }
            let list = if self.undone.iter().any(has_run) { &mut self.undone } else { &mut self.done };
            list.iter().position(has_run).map(|at| list.remove(at));
        }
    }

    /// Removes the next edit to undo (`back`) or to redo from its list; `put` with the same `back` adds it to the
    /// other list.
    pub(crate) fn take(&mut self, back: bool) -> Option<(Edit, Instant)> {
        let taken = if back { self.done.pop() } else { self.undone.pop() };
        taken.map(|stored| (stored.edit, stored.when))
    }

    pub(crate) fn put(&mut self, (edit, when): (Edit, Instant), back: bool) {
        let list = if back { &mut self.undone } else { &mut self.done };
        list.push(Stored::new(edit, when));
        self.trim();
    }

    #[cfg(test)]
    pub(crate) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// The number of stored edits, and their estimated memory, bytes.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> (usize, usize) {
        let all = self.done.iter().chain(&self.undone);
        (all.clone().count(), all.map(|stored| stored.bytes).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;

    use crate::model::live_session::LiveSession;

    fn target(from: Option<f32>, to: Option<f32>) -> Edit {
        let [undo, redo] = [from, to].map(|x| EditStep::Input(Input::Target(x.map(|x| Vec3::X * x))));
        Edit { is_drag: to.is_some(), ..Edit::new("target", undo, redo) }
    }

    fn view() -> Edit {
        let view = |view: Option<&str>| Input::View("a".to_owned(), view.map(str::to_owned));
        Edit::new("view", EditStep::Input(view(None)), EditStep::Input(view(Some("far"))))
    }

    /// Moves an edit from one list to the other. Returns a short description of the executed step.
    fn moved(edits: &mut Edits, back: bool) -> Option<String> {
        let (edit, when) = edits.take(back)?;
        let steps = if back { &edit.undo } else { &edit.redo };
        let words = match &steps[0] {
            EditStep::Input(Input::Target(target)) => format!("target {:?}", target.map(|target| target.x)),
            EditStep::Input(Input::View(_, view)) => format!("view {view:?}"),
            EditStep::Input(Input::RemoveUnits(keys)) => format!("remove {}", keys.len()),
            _ => "other".to_owned(),
        };
        edits.put((edit, when), back);
        Some(words)
    }

    #[test]
    fn steps_of_a_drag_are_one_edit_and_a_new_edit_clears_the_redo_list() {
        let (mut edits, now) = (Edits::default(), Instant::now());
        edits.note(target(None, Some(1.0)), now);
        edits.note(target(Some(1.0), Some(2.0)), now + COALESCE / 2);
        edits.note(target(Some(2.0), Some(3.0)), now + COALESCE * 3);
        edits.note(view(), now + COALESCE * 3);
        let undo = |edits: &mut Edits| moved(edits, true).unwrap();
        let redo = |edits: &mut Edits| moved(edits, false).unwrap();
        assert_eq!(undo(&mut edits), "view None");
        assert_eq!(undo(&mut edits), "target Some(2.0)");
        assert_eq!(redo(&mut edits), "target Some(3.0)");
        assert_eq!(undo(&mut edits), "target Some(2.0)");
        assert_eq!((undo(&mut edits), moved(&mut edits, true)), ("target None".to_owned(), None));
        edits.note(target(None, Some(9.0)), now + COALESCE * 9);
        assert_eq!(moved(&mut edits, false), None);
        edits.note(target(Some(9.0), None), now + COALESCE * 9);
        assert_eq!(undo(&mut edits), "target Some(9.0)", "clearing is an edit of its own");
        assert_eq!(undo(&mut edits), "target None");
    }

    #[test]
    fn edits_past_the_limits_are_dropped_oldest_first_but_never_the_last() {
        let (mut edits, now) = (Edits::default(), Instant::now());
        let gone = |units: usize| EditStep::Input(Input::RemoveUnits(vec![7; units]));
        let large = |units: usize| Edit::new("", gone(units), gone(units + 1));
        for number in 0..MAX_EDITS + 20 {
            edits.note(large(number), now);
        }
        assert_eq!(edits.kept().0, MAX_EDITS);
        let huge = MAX_BYTES / 8;
        edits.note(large(huge), now);
        assert_eq!(edits.kept().0, 1, "the last edit is stored although it exceeds the limit");
        assert_eq!(moved(&mut edits, true), Some(format!("remove {huge}")));
        assert_eq!(edits.kept(), (0, 0), "too large to be redone");
    }

    #[test]
    fn runs_beyond_the_memory_limit_are_dropped_but_never_the_last() {
        let options = Options { threads: Some(1), ..Options::new(Place::built_in("flock.ron")) };
        let mut session = LiveSession::start(options).unwrap();
        (0..3).for_each(|_| session.restart());
        let run = session.edits.done[0].run_bytes;
        let edits = &mut session.edits;
        for (limit, count) in [(3 * run, 3), (3 * run - 1, 2), (0, 1)] {
            edits.trim_runs(limit);
            assert_eq!(edits.kept().0, count, "{limit}");
        }
    }
}
