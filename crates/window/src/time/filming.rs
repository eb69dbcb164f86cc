//! Pictures and recordings of the window. A recording is made from the record of the run, on a thread of its own: it
//! contains every frame however slow the window is, and it can begin before it is requested.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use glam::Vec2;
use steerbox_picture::record::{
    Format, PictureOptions, RecordError, RecordOptions, Recording, Reel, View, begin, has_ffmpeg,
};
use steerbox_picture::render::camera::Sight;
use steerbox_project::session::Film;

use crate::commands::action::FilmStep;
use crate::model::filming::Job;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Real seconds of a recording of the past, at the scene's own speed.
const SECONDS: f32 = 10.0;
/// Steps after which a recording of the run is extended.
const PART: u64 = 30;
/// Maximum width of a GIF, pixels: a larger one exceeds the limits of many services.
const GIF_WIDTH: f32 = 640.0;
/// Longest time that a window that is closed waits for its recordings.
const CLOSING: Duration = Duration::from_secs(5);

impl ViewState {
    /// Executes a step of recording.
    pub(crate) fn film(&mut self, step: FilmStep, session: &mut LiveSession) {
        let done = match step {
            FilmStep::Picture => self.still(Format::Png, session),
            FilmStep::Drawing => self.still(Format::Svg, session),
            FilmStep::State => self.save_state(session),
            FilmStep::Replay => self.save_replay(session),
            FilmStep::Page => self.export_page(session),
            FilmStep::Gif => self.film_past(Format::Gif, session),
            FilmStep::Video => self.film_past(Format::Mp4, session),
            FilmStep::Toggle => self.toggle_recording(session),
            FilmStep::Cancel(at) => {
                if at < self.filming.jobs.len() {
                    self.filming.jobs.remove(at);
                }
                Ok(())
            }
        };
        if let Err(why) = done {
            session.refuse(&why);
        }
        session.needs_redraw = true;
    }

    /// Writes a picture of the shown state.
    fn still(&mut self, format: Format, session: &mut LiveSession) -> Result<(), String> {
        let (options, view) = self.look(format, session);
        let (path, file) = self.new_file(format.extension(), session)?;
        let run = &session.run;
        let (scene, simulation) = (&run.generation.scene, &run.simulation);
        let view = View { trails: Some(simulation.observer().clone()), ..view };
        // A moment that is too large is left out.
        let moment = (format == Format::Png).then(|| run.moment().ok()?.to_text().ok()).flatten();
        let written = Recording::new(options, file, scene, simulation, view)
            .and_then(|recording| recording.finish(scene, simulation, moment.as_deref()));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        let step = session.at();
        session.log.add_written(step, &path);
        Ok(())
    }

    /// Starts a recording of the last seconds before the shown step.
    fn film_past(&mut self, format: Format, session: &mut LiveSession) -> Result<(), String> {
        let (last, scene) = (session.at(), &session.run.generation.scene);
        let steps = (SECONDS * scene.speed / scene.world.step).max(1.0) as u64;
        let recorded = session.run.recorded().ok_or("no step is recorded yet")?;
        let first = last.saturating_sub(steps).max(*recorded.start());
        self.add_job(format, session, (first, Some(last)))
    }

    /// Starts a page of the recorded past up to the shown step.
    fn export_page(&mut self, session: &mut LiveSession) -> Result<(), String> {
        let recorded = session.run.recorded().ok_or("no step is recorded yet")?;
        let steps = (*recorded.start(), Some(session.at()));
        self.add_job(Format::Html, session, steps)
    }

    /// Starts a recording of the run, or completes the running one.
    fn toggle_recording(&mut self, session: &mut LiveSession) -> Result<(), String> {
        let recorded = session.run.recorded();
        if let Some(job) = self.filming.live() {
            job.end = Some(recorded.map_or(0, |recorded| *recorded.end()));
            return Ok(());
        }
        if !session.run.records() {
            return Err("nothing is recorded: --history is 0".to_owned());
        }
        let format = if has_ffmpeg() { Format::Mp4 } else { Format::Gif };
        let first = recorded.map_or(0, |recorded| *recorded.end());
        self.add_job(format, session, (first, None))
    }

    fn add_job(
        &mut self,
        format: Format,
        session: &mut LiveSession,
        (first, end): (u64, Option<u64>),
    ) -> Result<(), String> {
        if matches!(format, Format::Mp4 | Format::WebM) && !has_ffmpeg() {
            return Err(RecordError::no_ffmpeg(format.extension()).to_string());
        }
        let (mut options, view) = self.look(format, session);
        let (path, file) = self.new_file(format.extension(), session)?;
        if format == Format::Html {
            // A page draws itself.
            options = RecordOptions::new(format);
        }
        let mut reel = Reel::new(options, file, view, first);
        if let (Format::Html, Some(last)) = (format, end) {
            reel = reel.ending(last, Arc::new(session.run.generation.clone()));
        }
        let (part, rewrites) = (reel.part().to_owned(), session.run.rewrites());
        let (reel, film, since) = (Some(reel), None, Instant::now());
        self.filming.jobs.push(Job { path, format, part, reel, film, first, end, rewrites, since });
        self.follow_films(session, Duration::ZERO);
        Ok(())
    }

    pub(super) fn new_file(
        &self,
        extension: &str,
        session: &LiveSession,
    ) -> Result<(std::path::PathBuf, steerbox_project::reload::Pending), String> {
        let taken = self.filming.paths();
        let folder = std::path::absolute(&self.filming.folder).or_else(|_| std::env::current_dir());
        let folder = folder.map_err(|error| format!("there is no working folder: {error}"))?;
        begin(&folder, (&session.scene_name(), extension), SystemTime::now(), &taken)
    }

    /// The look of the window as that of a recording.
    fn look(&self, format: Format, session: &LiveSession) -> (RecordOptions, View) {
        let (min, max) = self.camera.view();
        let room = (max - min).max(Vec2::splat(16.0));
        let share = if format == Format::Gif { (GIF_WIDTH / room.x).min(1.0) } else { 1.0 };
        let size = format.fitting(((room.x * share) as usize, (room.y * share) as usize));
        let picture = PictureOptions {
            size: Some(size),
            scale: self.window.scale * share,
            theme: self.prefs.theme,
            transparent: false,
            trails: self.window.trails,
            bar: false,
        };
        let mut camera = self.camera.clone();
        let (all, world) = (Vec2::new(size.0 as f32, size.1 as f32), session.run.simulation.world());
        camera.set_view(Vec2::ZERO, all, picture.scale, world);
        if let (Sight::Plane(before), Sight::Plane(after)) = (self.camera.sight(), camera.sight()) {
            let factor = before.scale() * share / after.scale();
            // A fitted world already has the right scale.
            if (factor - 1.0).abs() > 0.05 {
                camera.zoom_at(all * 0.5, factor);
            }
        }
        let (color_by, grid) = (self.color_by.clone(), Some(self.shows_grid(session)));
        (RecordOptions { format, fps: None, picture }, View { camera, color_by, grid, trails: None })
    }

    /// Extends the recordings in progress, and logs those that are complete or have failed. Waits for each at most
    /// `patience`.
    pub(crate) fn follow_films(&mut self, session: &mut LiveSession, patience: Duration) {
        self.follow_replays(session, patience);
        let step = session.at();
        self.filming.jobs.retain_mut(|job| match follow(job, session, patience) {
            None => true,
            Some(Ok(())) => {
                session.log.add_written(step, &job.path);
                session.needs_redraw = true;
                false
            }
            Some(Err(why)) => {
                session.refuse(&format!("cannot write {}: {why}", job.path.display()));
                session.needs_redraw = true;
                false
            }
        });
    }

    /// Completes the recording of the run and waits for all recordings, for a limited time.
    pub(crate) fn finish_films(&mut self, session: &mut LiveSession) {
        if self.filming.live().is_some() {
            // The error would not be visible any more.
            let _ = self.toggle_recording(session);
        }
        let end = Instant::now() + CLOSING;
        while self.filming.is_busy() && Instant::now() < end {
            self.follow_films(session, Duration::from_millis(20));
        }
    }
}

/// Continues a recording. Returns its result once it has ended.
fn follow(job: &mut Job, session: &mut LiveSession, patience: Duration) -> Option<Result<(), String>> {
    if let Some(film) = job.film.take() {
        match film.finish(patience) {
            None => {
                job.film = Some(film);
                return None;
            }
            Some(None) => return Some(Err("the replay failed".to_owned())),
            Some(Some(reel)) => job.reel = Some(reel),
        }
    }
    let reel = job.reel.as_ref()?;
    if let Some(result) = reel.result() {
        return Some(result.as_ref().copied().map_err(ToString::to_string));
    }
    let recorded = session.run.recorded()?;
    let is_lost = session.run.rewrites() != job.rewrites
        || *recorded.start() > reel.next()
        || recorded.end() + 1 < reel.next();
    if is_lost && reel.next() > 0 {
        // The following steps are of another run, or are not recorded any more.
        job.end = Some(reel.next() - 1);
    }
    let last = job.end.map_or(*recorded.end(), |end| end.min(*recorded.end()));
    if job.end.is_some() || last + 1 >= reel.next() + PART {
        job.film = extended(job, session, reel_steps(job, &recorded, last));
    }
    None
}

/// The steps of the next replay.
fn reel_steps(job: &Job, recorded: &RangeInclusive<u64>, last: u64) -> RangeInclusive<u64> {
    let next = job.reel.as_ref().map_or(last, Reel::next);
    let last = last.max(*recorded.start());
    next.min(last)..=last
}

/// Starts a replay that extends a recording; the one up to its last step completes it.
fn extended(job: &mut Job, session: &mut LiveSession, steps: RangeInclusive<u64>) -> Option<Film<Reel>> {
    let (reel, is_last) = (job.reel.take()?, job.end.is_some());
    session.run.film(steps, reel, Reel::note, move |mut reel, made| {
        if !made {
            reel.fail("a recorded step cannot be repeated");
        } else if is_last {
            reel.complete();
        }
        reel
    })
}
