//! The simulation: steps, behaviors, their memory, snapshots. Knows no file, no window, no script
//! language.

mod act;
mod behavior;
mod blend;
mod clusters;
mod context;
mod costs;
mod decide;
mod decided;
mod decisions;
mod facts;
mod failure;
mod frozen;
mod group_behaviors;
mod hash;
mod inspection;
mod measure;
mod memory;
mod memory_table;
pub mod metrics;
mod name_ids;
mod recording;
mod report;
mod sample;
mod shown;
mod simulation;
mod slot;
mod snapshot;
mod suspension;
#[cfg(test)]
mod tests;
mod unit_state;
pub mod work;
mod workers;

pub use behavior::{Behavior, Contribution};
pub use clusters::clusters;
pub use context::UnitContext;
pub use costs::RuleCost;
pub use decided::Decided;
pub use facts::GroupFacts;
pub use failure::Failure;
pub use frozen::{Arrays, Frozen};
pub use inspection::{InspectedRule, Inspection, MemoryValue};
pub use memory::{Field, FieldKind, MemoryLayout};
pub(crate) use memory::{number_words, vector, vector_words};
pub use name_ids::NameIds;
pub use recording::{Drawing, Shape, Watch, WatchValue};
pub use report::{Report, Reports};
pub use sample::{Sample, sampled};
pub use shown::{csv_field, rounded, rounded_vector};
pub use simulation::{Phases, Simulation};
pub use slot::{Slot, slot_key, use_name, use_names};
pub use snapshot::Snapshot;
pub use suspension::{PATIENCE, SuspendReason, SuspensionState};
pub use unit_state::UnitState;
