//! The parts of a scene's text for editors, also of a text with faults.
//!
//! Readers record what they read while they read it, so that editors need no second schema. Recording is off while a
//! scene is loaded.

mod mended;
mod reading;
pub mod schema;
#[cfg(test)]
mod tests;

pub use reading::{outline, outline_at, outline_of};
#[cfg(test)]
pub(crate) use schema::Schema;
pub use schema::{SchemaField, SchemaItem, Value, schema};
