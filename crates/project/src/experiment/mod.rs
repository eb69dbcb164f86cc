//! Experiments: many runs of a scene with other values and seeds, and a table of their results.
//!
//! A [`Plan`] lists the runs: the points of a design, each with every seed. [`execute`] makes them on all processors and
//! returns a line for each in the order of the plan, so that the bytes of a table depend neither on the number of threads
//! nor on interruptions. A [`Manifest`] describes the plan in a file beside the table. This layer opens no file: commands
//! pass readers and writers.

mod cells;
mod check;
mod design;
mod execution;
mod last_step;
mod manifest;
mod measured_run;
mod merge;
mod order;
mod plan;
mod point_set;
mod request;
mod resume;
mod row;
mod rules;
mod sample;
mod sensitivity;
mod shard;
mod statistic;
mod summary;
#[cfg(test)]
mod tests;
mod values;
mod variable;

pub use check::check_experiment;
pub use execution::execute;
pub use manifest::{Host, Manifest};
pub use measured_run::{RunLine, Runner};
pub use merge::{PartError, merge, parts_in_order};
pub use plan::Plan;
pub use point_set::PointSet;
pub use request::Request;
pub use resume::{Scanned, is_failed, scan};
pub use row::RowRun;
pub use rules::Rules;
pub use sample::{Paired, Sample, interval_of_error};
pub use sensitivity::sensitivity_of;
pub use shard::Shard;
pub use statistic::Statistic;
pub(crate) use statistic::split_list;
pub use summary::summarize;
pub use variable::Variable;
