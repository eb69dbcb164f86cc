//! Outputs of a run in addition to the summary: trace, metrics, events and a picture.

use std::path::{Path, PathBuf};

use super::args::RunArgs;
use super::events::Events;
use super::lines::{Lines, OutputError, is_standard_output};
use super::metrics::Metrics;
use super::output;
use super::stream::Stream;
use super::trace::Trace;
use super::usage::{UsageError, require};
use crate::app;
use crate::scene::Scene;
use crate::session::EventSink;
use crate::sim::Simulation;

/// Size of a picture in pixels.
const PICTURE: (usize, usize) = (1280, 800);

/// All requested outputs of a run.
pub(super) struct Results {
    pub(super) states: States,
    events: Option<Events>,
    image: Option<(PathBuf, Stream)>,
}

/// Outputs written after each step.
pub(super) struct States {
    trace: Option<Trace>,
    metrics: Option<Metrics>,
}

impl States {
    /// Writes the current state.
    pub(super) fn record(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        if let Some(trace) = &mut self.trace {
            trace.write(simulation)?;
        }
        if let Some(metrics) = &mut self.metrics {
            metrics.write(simulation)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), OutputError> {
        let trace = self.trace.as_mut().map_or(Ok(()), Trace::finish);
        trace.and(self.metrics.as_mut().map_or(Ok(()), Metrics::finish))
    }
}

impl Results {
    /// Opens all outputs. `inputs` are the files that the run reads.
    ///
    /// # Errors
    /// If one of them cannot be created.
    pub(super) fn open(args: &RunArgs, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let paths = [&args.trace, &args.metrics, &args.events, &args.image];
        let paths = paths.map(Option::as_deref);
        let options = ["--trace", "--metrics", "--events", "--image"];
        let wanted = std::array::from_fn(|at| (options[at], paths[at]));
        let [trace, metrics, events, picture] = output::open::<4>(wanted, inputs)?;
        let metrics = Lines::new(paths[1], metrics)?;
        Ok(Self {
            states: States {
                trace: Lines::new(paths[0], trace)?.map(Trace::new),
                metrics: metrics.map(Metrics::new).transpose()?,
            },
            events: Lines::new(paths[2], events)?.map(Events::new),
            image: args.image.clone().zip(picture),
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
    pub(super) fn finish(&mut self, scene: &Scene, simulation: &Simulation) -> Result<(), OutputError> {
        let states = self.states.finish();
        let image = self.image.as_mut();
        states.and(image.map_or(Ok(()), |(path, stream)| picture(path, stream, scene, simulation)))
    }
}

fn picture(path: &Path, to: &mut Stream, scene: &Scene, simulation: &Simulation) -> Result<(), OutputError> {
    let canvas = app::picture(scene, simulation, PICTURE.0, PICTURE.1);
    let mut bytes = Vec::new();
    let written = app::canvas::export::write_png(&mut bytes, &canvas).and_then(|()| to.write_lines(&bytes));
    written.map_err(|error| OutputError::new(path.display().to_string(), error))
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
/// If two of them use standard output, or the picture is not a PNG.
pub(super) fn check(args: &RunArgs) -> Result<Streamed, UsageError> {
    let outputs = [
        ("--trace", &args.trace, Streamed::Data),
        ("--metrics", &args.metrics, Streamed::Data),
        ("--events", &args.events, Streamed::Events),
    ];
    if let Some(path) = &args.image {
        check_picture(path)?;
    }
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
