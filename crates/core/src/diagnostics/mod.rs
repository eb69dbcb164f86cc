//! Diagnostics of files: position, message, and help. Independent of the content of the files.

mod brackets;
mod caught;
mod counted;
mod excerpt;
mod fault;
mod fix;
mod look_alike;
mod printable;
mod render;
mod same;
mod suggest;

pub use brackets::{block_comment, closing};
pub use caught::{caught, expecting_panics, survive_panics};
pub use counted::counted;
pub use excerpt::part;
pub use fault::{Fault, Severity, line_and_column, offset_of};
pub use fix::Fix;
pub use look_alike::{LookAlike, quotes};
pub use printable::{printable, printable_source};
pub use render::render;
pub use same::same_words;
pub use suggest::{closest, did_you_mean, quoted_suggestion, suggestion};
