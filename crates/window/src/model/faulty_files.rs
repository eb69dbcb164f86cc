//! Faulty files: the order in which they failed, and those that the user has dismissed.

use steerbox_project::reload::{Event, FileState, Generation, Status};

/// Paths of faulty files, in the order of their last events.
#[derive(Debug, Default)]
pub(crate) struct FaultyFiles {
    order: Vec<String>,
    dismissed: Vec<String>,
}

impl FaultyFiles {
    /// Notes events. A dismissed file is shown again with its next fault.
    pub(crate) fn note(&mut self, events: &[Event]) {
        for event in events {
            self.dismissed.retain(|path| *path != event.path);
            self.order.retain(|path| *path != event.path);
            if !event.kind.runs() {
                self.order.push(event.path.clone());
            }
        }
    }

    /// Dismisses every file that is faulty now.
    pub(crate) fn dismiss(&mut self, generation: &Generation) {
        let faulty = generation.files.iter().filter(|file| file.status != Status::Live);
        self.dismissed = faulty.map(|file| file.path.clone()).collect();
    }

    /// The files that the scene needs, are faulty and not dismissed: the last event first.
    pub(crate) fn shown<'g>(&self, generation: &'g Generation) -> Vec<&'g FileState> {
        let is_shown = |file: &&FileState| {
            file.used && file.status != Status::Live && !self.dismissed.contains(&file.path)
        };
        let mut shown: Vec<_> = generation.files.iter().filter(is_shown).collect();
        let place = |file: &FileState| self.order.iter().position(|path| *path == file.path);
        shown.sort_by_key(|file| std::cmp::Reverse(place(file)));
        shown
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::{EventKind, Place};
    use steerbox_project::session::{Options, Session};

    use super::*;

    fn event(path: &str, kind: EventKind) -> Event {
        Event {
            kind,
            path: path.to_owned(),
            generation: 1,
            error: None,
            others: Vec::new(),
            is_unsaved: false,
        }
    }

    #[test]
    fn the_last_fault_is_first_and_a_dismissed_file_is_shown_again_with_the_next() {
        let options = Options { threads: Some(1), ..Options::new(Place::built_in("flock.ron")) };
        let mut generation = Session::<()>::open(options).unwrap().generation.clone();
        let state = |path: &str, used: bool| FileState {
            path: path.to_owned(),
            status: Status::Rejected(Vec::new()),
            generation: 0,
            embedded: false,
            used,
            unsaved: None,
            saved: None,
        };
        generation.files = vec![state("a", true), state("b", true), state("c", false)];
        let mut faulty = FaultyFiles::default();
        let shown = |faulty: &FaultyFiles| -> Vec<String> {
            faulty.shown(&generation).iter().map(|file| file.path.clone()).collect()
        };
        faulty.note(&[event("b", EventKind::Rejected), event("a", EventKind::Rejected)]);
        assert_eq!(shown(&faulty), ["a", "b"], "only files that the scene needs");
        faulty.note(&[event("b", EventKind::Rejected), event("c", EventKind::Rejected)]);
        assert_eq!(shown(&faulty), ["b", "a"]);
        faulty.dismiss(&generation);
        assert!(shown(&faulty).is_empty());
        faulty.note(&[event("a", EventKind::Rejected)]);
        assert_eq!(shown(&faulty), ["a"]);
        faulty.note(&[event("b", EventKind::Live), event("b", EventKind::Missing)]);
        assert_eq!(shown(&faulty), ["b", "a"]);
    }
}
