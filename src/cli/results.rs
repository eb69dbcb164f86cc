//! Outputs of a run in addition to the summary: trace, metrics, events, a picture and a recording.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_picture::render;
use steerbox_project::reload::Pending;
use steerbox_project::session::{Digests, EventSink, Moment, Session};
use steerbox_scene::Scene;

use super::args::RunArgs;
use super::events::Events;
use super::lines::{Lines, OutputError, is_standard_output};
use super::metrics::{self, Metrics};
use super::output::{self, Claim};
use super::record::{self, Record};
use super::stream::Stream;
use super::trace::{Form, Trace, UnitSelection};
use super::usage::{UsageError, require};

/// Size of a picture in pixels.
const PICTURE: (usize, usize) = (1280, 800);

/// All requested outputs of a run.
pub(super) struct Results {
    pub(super) states: States,
    events: Option<Events>,
    image: Option<(PathBuf, Picture)>,
    state: Option<(PathBuf, Pending)>,
    replay: Option<(PathBuf, Pending)>,
}

/// The output of a picture: a file that is replaced when it is complete, or a pipe or device.
enum Picture {
    File(Box<Pending>),
    Stream(Stream),
}

/// Outputs written after each step.
pub(super) struct States {
    trace: Option<Trace>,
    metrics: Option<Metrics>,
    /// Steps between two rows of trace and metrics.
    every: u64,
    record: Option<Record>,
    /// Digests for the replay.
    digests: Option<Digests>,
}

impl States {
    /// Writes the current state.
    pub(super) fn record(&mut self, scene: &Arc<Scene>, simulation: &Simulation) -> Result<(), OutputError> {
        if simulation.world().steps.is_multiple_of(self.every) {
            if let Some(trace) = &mut self.trace {
                trace.write(simulation)?;
            }
            if let Some(metrics) = &mut self.metrics {
                metrics.write(simulation)?;
            }
        }
        if let Some(record) = &mut self.record {
            record.state(scene, simulation)?;
        }
        if let Some(digests) = &mut self.digests {
            digests.record(simulation);
        }
        Ok(())
    }

    fn finish(&mut self, session: &Session, moment: Option<&str>) -> Result<(), OutputError> {
        let trace = self.trace.as_mut().map_or(Ok(()), Trace::finish);
        let metrics = self.metrics.as_mut().map_or(Ok(()), Metrics::finish);
        let record = self.record.as_mut().map_or(Ok(()), |record| record.finish(session, moment));
        trace.and(metrics).and(record)
    }
}

impl Results {
    /// Opens all outputs of a run from the start of a session. `inputs` are the files that the run reads.
    ///
    /// # Errors
    /// If one of them cannot be created, or a measure is unknown.
    pub(super) fn open(args: &RunArgs, inputs: &[PathBuf], session: &Session) -> anyhow::Result<Self> {
        let measures = metrics::chosen(&args.metrics_of, &session.simulation)?;
        let units = UnitSelection::parse(&args.trace.of, session.simulation.world())?;
        let RunArgs { trace, metrics, events, image, record, save_state, replay, .. } = args;
        let form = Form::of(trace.file.as_deref().unwrap_or(Path::new("-")), &trace.fields)?;
        let paths = [&trace.file, metrics, events, image, record, save_state, replay].map(Option::as_deref);
        let options = ["--trace", "--metrics", "--events", "--image", "--record", "--save-state", "--replay"];
        let wanted = std::array::from_fn(|at| (options[at], paths[at]));
        let [trace, metrics, events, picture, record, state, replay] =
            output::claim_all::<7>(wanted, inputs)?;
        // All checks have passed.
        let open = |claim: Option<Claim>| claim.map(Claim::empty).transpose();
        let pending = |claim: Option<Claim>| claim.map(Claim::pending).transpose();
        let [record, state, replay] = [pending(record)?, pending(state)?, pending(replay)?];
        let picture = match picture {
            Some(claim) if claim.is_plain() => {
                pending(Some(claim))?.map(|file| Picture::File(Box::new(file)))
            }
            other => open(other)?.map(Picture::Stream),
        };
        let [trace, metrics, events] = [open(trace)?, open(metrics)?, open(events)?];
        let metrics = metrics::Table::new(paths[1], metrics)?;
        let recording = args.record.clone().zip(record::options(args)?).zip(record);
        let recording = recording.map(|((path, options), file)| Record::new(path, options, file));
        Ok(Self {
            states: States {
                trace: Lines::new(paths[0], trace)?
                    .map(|lines| Trace::new(lines, units, form, args.trace.flip_y)),
                metrics: metrics.map(|table| Metrics::new(table, measures)),
                every: args.every,
                record: recording,
                digests: args.replay.is_some().then(Digests::default),
            },
            events: Lines::new(paths[2], events)?.map(Events::new),
            image: args.image.clone().zip(picture),
            state: args.save_state.clone().zip(state),
            replay: args.replay.clone().zip(replay),
        })
    }

    /// Returns a sink for reload events.
    pub(super) fn event_sink(&self) -> Option<EventSink> {
        self.events.as_ref().map(Events::sink)
    }

    /// # Errors
    /// If an event could not be written.
    pub(super) fn check_events(&self) -> Result<(), OutputError> {
        self.events.as_ref().map_or(Ok(()), Events::check)
    }

    /// Completes all outputs, even if one of them fails.
    ///
    /// # Errors
    /// The first error of an output.
    pub(super) fn finish(&mut self, session: &Session) -> Result<(), OutputError> {
        let is_picture = self.image.is_some() || self.states.record.is_some();
        let moment = (is_picture || self.state.is_some()).then(|| {
            let moment = session.moment().map_err(|fault| fault.summary());
            moment.and_then(|moment| moment.to_bytes().map_err(|error| error.to_string()))
        });
        let moment = moment.unwrap_or(Ok(Vec::new()));
        // A moment that cannot be written is missing in a picture.
        let text = moment.as_ref().ok().filter(|_| is_picture).map(|bytes| Moment::text_of(bytes));
        let states = self.states.finish(session, text.as_deref());
        let image = self.image.take().map_or(Ok(()), |(path, file)| {
            let bytes = picture(session, text.as_deref());
            match file {
                Picture::File(file) => complete(&path, *file, bytes.map_err(|error| error.to_string())),
                Picture::Stream(mut to) => bytes
                    .and_then(|bytes| to.write_lines(&bytes))
                    .map_err(|error| OutputError::new(path.display().to_string(), error)),
            }
        });
        let state = self.state.take().map_or(Ok(()), |(path, file)| complete(&path, file, moment));
        let replay = self.replay.take().map_or(Ok(()), |(path, file)| {
            let digests = self.states.digests.take().unwrap_or_default();
            let replay = session.replay_file(digests).map_err(|fault| fault.summary());
            complete(&path, file, replay.and_then(|it| it.to_bytes().map_err(|error| error.to_string())))
        });
        states.and(image).and(state).and(replay)
    }
}

/// Writes the whole content of a file.
fn complete(path: &Path, mut file: Pending, bytes: Result<Vec<u8>, String>) -> Result<(), OutputError> {
    let written = bytes.map_err(io::Error::other).and_then(|bytes| file.write_all(&bytes));
    let written = written.and_then(|()| file.complete().map_err(io::Error::other));
    written.map_err(|error| OutputError::new(path.display().to_string(), error))
}

/// Returns a picture of the last state as PNG.
fn picture(session: &Session, text: Option<&str>) -> io::Result<Vec<u8>> {
    let canvas =
        render::picture::picture(&session.generation.scene, &session.simulation, PICTURE.0, PICTURE.1);
    let (mut bytes, text) = (Vec::new(), text.map(|text| (Moment::KEYWORD, text)));
    render::canvas::export::write_png(&mut bytes, &canvas, text)?;
    Ok(bytes)
}

/// The content of standard output in addition to the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Streamed {
    /// The summary.
    Summary,
    /// Events, possibly mixed with other lines.
    Events,
    /// Trace or metrics only.
    Data,
}

/// Checks that the outputs are compatible and valid; returns the content of standard output.
///
/// # Errors
/// If two of them use standard output, the picture is not a PNG, or the options of the recording do not fit.
pub(super) fn check(args: &RunArgs) -> Result<Streamed, UsageError> {
    let outputs = [
        ("--trace", &args.trace.file, Streamed::Data),
        ("--metrics", &args.metrics, Streamed::Data),
        ("--events", &args.events, Streamed::Events),
    ];
    if let Some(path) = &args.image {
        check_picture(path)?;
    }
    if let Some(path) = &args.metrics {
        metrics::check(path)?;
    }
    record::options(args)?;
    let is_streamed = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_standard_output);
    let mut streamed = outputs.into_iter().filter(|(_, path, _)| is_streamed(path));
    match (streamed.next(), streamed.next()) {
        (Some((first, ..)), Some((second, ..))) => {
            let message = format!("{first} - and {second} -: only one of them can go to standard output");
            Err(UsageError(message))
        }
        (Some((_, _, streamed)), None) => Ok(streamed),
        _ => Ok(Streamed::Summary),
    }
}

/// Requires that a picture is a PNG file; a stream can have any name.
fn check_picture(path: &Path) -> Result<(), UsageError> {
    let extension = path.extension().unwrap_or_default();
    let is_stream = path.exists() && !path.is_file() && !path.is_dir();
    require(is_stream || extension.eq_ignore_ascii_case("png"), || {
        format!("--image {}: pictures are written as PNG; expected a name that ends in .png", path.display())
    })
}
