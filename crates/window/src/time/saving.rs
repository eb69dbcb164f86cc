//! States, replays and plots that the window writes.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use steerbox_picture::render::chart::Sheet;
use steerbox_project::plot::size_of;
use steerbox_project::reload::Pending;
use steerbox_project::session::{Digests, RecordedRun};

use crate::commands::action::PlotFile;
use crate::model::filming::WrittenReplay;
use crate::model::live_session::LiveSession;
use crate::model::plots::PlotName;
use crate::model::view_state::ViewState;

/// Pixels per point of a plot as PNG, as of `steerbox plot`.
const PLOT_SCALE: f32 = 2.0;

impl ViewState {
    /// Writes the shown state.
    pub(super) fn save_state(&mut self, session: &mut LiveSession) -> Result<(), String> {
        let moment = session.run.moment().map_err(|fault| fault.summary())?;
        let bytes = moment.to_bytes().map_err(|error| error.to_string())?;
        self.save_bytes("state", &bytes, session)
    }

    /// Writes a plot, or all visible plots.
    pub(crate) fn save_plot(&mut self, name: Option<&PlotName>, file: PlotFile, session: &mut LiveSession) {
        let mut plots = self.plots.plots();
        plots.retain(|plot| name.is_none_or(|name| plot.name == *name));
        let bytes = match file {
            _ if plots.is_empty() => Err("no plot is visible".to_owned()),
            PlotFile::Csv => {
                Ok(self.plot_table(session, plots.first().filter(|_| name.is_some())).into_bytes())
            }
            PlotFile::Picture(format) => {
                let chart = self.chart(session, &plots);
                let sheet = Sheet { size: size_of(&chart), scale: PLOT_SCALE, theme: self.prefs.theme };
                format.write(&chart, &sheet).map_err(|error| error.to_string())
            }
        };
        let written = bytes.and_then(|bytes| self.save_bytes(file.extension(), &bytes, session));
        if let Err(why) = written {
            session.refuse(&why);
        }
        session.needs_redraw = true;
    }

    /// Writes bytes into a new file.
    fn save_bytes(&self, extension: &str, bytes: &[u8], session: &mut LiveSession) -> Result<(), String> {
        let (path, file) = self.new_file(extension, session)?;
        complete(file, bytes).map_err(|why| format!("cannot write {}: {why}", path.display()))?;
        let step = session.at();
        session.log.add_written(step, &path);
        Ok(())
    }

    /// Writes the recorded past as a replay, on a thread of its own that repeats it for the digests of its states.
    pub(super) fn save_replay(&mut self, session: &mut LiveSession) -> Result<(), String> {
        let (path, file) = self.new_file("replay", session)?;
        let (run, cancel) = (session.run.recorded_run(0), Arc::new(AtomicBool::new(false)));
        let (report, done) = channel();
        let canceled = Arc::clone(&cancel);
        let thread = std::thread::Builder::new().name("replay".to_owned());
        let started = thread.spawn(move || {
            let _ = report.send(written(run, file, &canceled));
        });
        started.map_err(|error| format!("there is no thread to write a replay: {error}"))?;
        self.filming.replays.push(WrittenReplay { path, done, cancel });
        Ok(())
    }

    /// Logs the replays that are written or have failed. Waits for each at most `patience`.
    pub(super) fn follow_replays(&mut self, session: &mut LiveSession, patience: Duration) {
        let step = session.at();
        self.filming.replays.retain(|replay| {
            match replay.done.recv_timeout(patience) {
                Err(RecvTimeoutError::Timeout) => return true,
                Ok(Ok(())) => session.log.add_written(step, &replay.path),
                Ok(Err(why)) => session.refuse(&format!("cannot write {}: {why}", replay.path.display())),
                Err(RecvTimeoutError::Disconnected) => {
                    session.refuse(&format!("cannot write {}", replay.path.display()));
                }
            }
            session.needs_redraw = true;
            false
        });
    }
}

fn written(run: RecordedRun, file: Pending, cancel: &AtomicBool) -> Result<(), String> {
    let replay = run.file(Digests::default()).map_err(|fault| fault.summary())?;
    let replay = replay.with_digests(cancel).map_err(|error| error.to_string())?;
    complete(file, &replay.to_bytes().map_err(|error| error.to_string())?)
}

fn complete(mut file: Pending, bytes: &[u8]) -> Result<(), String> {
    file.write_all(bytes).map_err(|error| error.to_string())?;
    file.complete().map_err(|error| error.to_string())
}
