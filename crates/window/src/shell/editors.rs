//! The connection to the editors of the project: what they receive, and their commands.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steerbox_project::link::{Command, Publisher, Sockets};
use steerbox_project::reload::{Place, known_scenes, known_scenes_in};
use steerbox_project::session::{Inspected, RecordedSteps};

use super::editors_state::state;
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// One of this many samples of costs is made for editors: all of them would take more than 1 % of small steps.
const COST_SAMPLES: u64 = 8;
/// Longest time that a state waits for the values of its step.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time for commands between two frames; one is executed at least.
const BUDGET: Duration = Duration::from_millis(20);

/// Recordings that editors need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// The steps in which values are recorded, while an editor shows a script.
    pub(crate) values: Option<RecordedSteps>,
    /// True if costs are measured.
    pub(crate) costs: bool,
}

/// The socket of the window, at the folder of its scene.
pub(crate) struct Editors {
    sockets: Sockets,
    project: PathBuf,
    publisher: Option<Publisher>,
}

impl Editors {
    /// Opens the socket. Without one, the window works as before.
    pub(crate) fn open(sockets: Sockets, place: &Place) -> Self {
        let project = project_of(place);
        let publisher = Publisher::open(&sockets, &project).ok();
        Self { sockets, project, publisher }
    }

    /// Returns the recordings of the next steps that editors need.
    pub(crate) fn needs(&self, session: &LiveSession) -> Needs {
        let Some(publisher) = self.publisher.as_ref().filter(|publisher| publisher.shows_scripts()) else {
            return Needs::default();
        };
        let simulation = &session.run.simulation;
        // A state that was sent is followed by the next step, however long that takes.
        let is_next = lacks_values(session) || publisher.sent_step() == Some(simulation.world().steps);
        let values = if publisher.is_due() && is_next { RecordedSteps::Last } else { RecordedSteps::None };
        let is_sampled = simulation.next_cost_sample().is_multiple_of(COST_SAMPLES);
        Needs { values: Some(values), costs: is_sampled || simulation.costs().is_empty() }
    }

    /// Executes the commands of editors, and sends the state if it is due.
    pub(crate) fn serve(&mut self, session: &mut LiveSession, view: &mut ViewState) {
        let project = project_of(&session.place);
        if project != self.project {
            *self = Self::open(self.sockets.clone(), &session.place);
        }
        let Some(publisher) = &mut self.publisher else { return };
        // Further commands follow after the next frame.
        let begin = Instant::now();
        while begin.elapsed() < BUDGET
            && let Some(requested) = publisher.request()
        {
            let result = execute(&requested.command, session, view);
            publisher.answer(&requested, result);
        }
        let awaits_values = publisher.shows_scripts() && lacks_values(session) && will_have_values(session);
        if !awaits_values || publisher.since_sent() >= PATIENCE {
            publisher.publish(|| state(session, view));
        }
    }
}

/// Returns true if the values of the inspected unit in the shown step are requested, but not known.
fn lacks_values(session: &LiveSession) -> bool {
    let simulation = &session.run.simulation;
    simulation.inspected().is_some_and(Inspected::has_values)
        && simulation.explained().is_none_or(|explained| !explained.has_values)
}

/// Returns true if a step that records values is running or will be made.
fn will_have_values(session: &LiveSession) -> bool {
    let makes_steps = !session.paused && !session.run.waits() && session.run.past_step().is_none();
    makes_steps || session.run.is_seeking() || session.run.simulation.busy().is_some()
}

/// Returns the folder of a scene; that of the program for an embedded one.
fn project_of(place: &Place) -> PathBuf {
    let folder = place.scene.as_deref().and_then(Path::parent);
    folder.map_or_else(|| std::env::current_dir().unwrap_or_default(), Path::to_owned)
}

/// Executes a command by the actions of the window.
fn execute(command: &Command, session: &mut LiveSession, view: &mut ViewState) -> Result<(), String> {
    let action: Action = match command {
        Command::SelectUnit(unit) => {
            let units = session.run.simulation.world().units.len();
            if *unit >= units {
                return Err(format!(
                    "there is no unit {unit}: there are {units}, and their numbers start at 0"
                ));
            }
            ViewAction::Select(vec![*unit]).into()
        }
        Command::Pause if session.paused => return Ok(()),
        Command::Resume if !session.paused => return Ok(()),
        Command::Pause | Command::Resume => SessionAction::TogglePause.into(),
        Command::Step => SessionAction::Step.into(),
        Command::Restart => SessionAction::Restart.into(),
        Command::OpenScene(name) => {
            let name = name.strip_suffix(".ron").unwrap_or(name);
            let known = session.folder().map_or_else(known_scenes, known_scenes_in);
            let scene = known.into_iter().find(|scene| scene.name == name);
            let scene = scene.ok_or_else(|| format!("there is no scene {name}"))?;
            if session.tuned() > 0 {
                return Err("the window has unsaved values; save them or open the scene there".to_owned());
            }
            ViewAction::OpenScene(scene, false).into()
        }
        Command::RunBuffer { path, text } => {
            SessionAction::RunText(running(session, path)?, Some(text.as_str().into())).into()
        }
        Command::DiscardBuffer { path } => SessionAction::RunText(running(session, path)?, None).into(),
    };
    view.act(session, action);
    session.needs_redraw = true;
    Ok(())
}

/// Returns the name of a file of the running scene.
fn running(session: &LiveSession, path: &str) -> Result<String, String> {
    let path = Path::new(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let same = |one: PathBuf| {
        one == path || one.canonicalize().is_ok_and(|one| path.canonicalize().is_ok_and(|path| one == path))
    };
    let is_known = session.place.path_of(&name).is_some_and(same);
    is_known.then_some(name).ok_or_else(|| format!("the window does not run {}", path.display()))
}
