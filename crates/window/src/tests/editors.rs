//! Recordings for editors that are connected.

use std::time::Duration;

use steerbox_project::link::{Link, News, Sockets, State};

use super::{file, input, stage_of};
use crate::commands::action::ViewAction;
use crate::shell::application::App;

/// A window, and an editor of its project.
struct Watched {
    app: App,
    link: Link,
    news: std::sync::mpsc::Receiver<News>,
    _folder: tempfile::TempDir,
}

impl Watched {
    /// Opens a window in which a unit is selected, and connects an editor.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        let mut app = stage_of("flock.ron");
        app.open_to_editors(sockets.clone());
        app.act(ViewAction::Select(vec![3]));
        let (sender, news) = std::sync::mpsc::channel();
        let link = Link::start(sockets, move |one| _ = sender.send(one)).expect("a thread");
        link.set_projects(&[file("scenes")].into());
        Self { app, link, news, _folder: folder }
    }

    /// Makes frames until a number of states was received; returns these, the steps whose values were recorded, and the number
    /// of frames that requested costs.
    fn run(&mut self, count: usize) -> (Vec<State>, Vec<u64>, usize) {
        let (mut states, mut recorded, mut costed) = (Vec::new(), Vec::new(), 0);
        while states.len() < count {
            let before = self.app.world().steps;
            self.app.idle(1);
            let simulation = &self.app.session.run.simulation;
            let now = simulation.world().steps;
            let explained = simulation.explained().filter(|_| now > before);
            recorded.extend(explained.filter(|explained| explained.has_values).map(|_| now));
            costed += usize::from(simulation.costing);
            let received = self.news.try_iter().filter_map(|one| match one {
                News::State(state) => Some(*state),
                _ => None,
            });
            states.extend(received);
        }
        (states, recorded, costed)
    }
}

#[test]
fn a_connection_without_a_script_records_nothing() {
    let mut watched = Watched::new();
    let (states, recorded, costed) = watched.run(3);
    assert_eq!((recorded.len(), costed), (0, 0));
    assert!(states.iter().all(|state| state.files.is_empty() && state.unit.is_some()));
}

#[test]
fn values_are_recorded_in_the_steps_that_are_sent() {
    let mut watched = Watched::new();
    watched.run(1);
    watched.link.set_shows_scripts(true);
    let (states, recorded, _) = watched.run(9);
    // The window may have received the message after the first of these states, and the last recording may be unsent.
    let sent: Vec<_> =
        states.iter().filter(|state| !state.files.is_empty()).map(|state| state.step).collect();
    assert!(sent.len() + 2 >= states.len(), "{sent:?}");
    assert!(recorded.starts_with(&sent) && recorded.len() <= sent.len() + 1, "{recorded:?} {sent:?}");
    watched.link.set_shows_scripts(false);
    watched.run(2);
    let (states, recorded, costed) = watched.run(2);
    assert_eq!((recorded.len(), costed), (0, 0));
    assert!(states.iter().all(|state| state.files.is_empty()));
}

#[test]
fn costs_are_measured_once_and_then_in_some_samples() {
    let mut watched = Watched::new();
    watched.link.set_shows_scripts(true);
    let mut costing = Vec::new();
    while costing.len() < 600 {
        // Nothing is drawn: costs are those of steps.
        watched.app.update(&input(), Duration::from_millis(17));
        let simulation = &watched.app.session.run.simulation;
        if !simulation.costs().is_empty() {
            costing.push(simulation.costing);
        }
    }
    let measured = costing.iter().filter(|costing| **costing).count();
    assert!((1..150).contains(&measured), "{measured} of {}", costing.len());
}
