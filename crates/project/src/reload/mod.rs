//! Reloading: changes on disk become one checked, numbered generation, which is swapped in between two steps.
//!
//! `disk` reports contents of files, the project composes generations of them, and the loader runs both on a thread
//! of its own. Does not depend on the window.

mod cache;
mod claim;
mod columns;
mod command;
mod compose;
mod computed;
mod data;
pub mod disk;
mod draft;
mod embedded;
mod event;
mod files;
mod generation;
mod inputs;
mod lacking;
mod loader;
mod loader_thread;
mod measures;
mod names;
mod news;
mod pending;
mod place;
mod plan;
mod planned;
mod project;
mod read_dir_sorted;
mod replace;
mod save;
mod scene_index;
mod scripts;
mod spelling;
mod standalone_script;
mod templates;
#[cfg(test)]
mod tests;
mod texts;
mod tracked;
mod trial_run;
mod tuned;
mod tuned_values;
mod unreached;
mod unsaved;
mod uses;
mod values_file;
mod warnings;
mod world_sample;

pub use claim::Claim;
pub use command::Command;
pub use disk::SavedText;
pub use disk::read_plain;
pub use embedded::{
    BuiltIn, default_scene, embedded_helpers, embedded_measures, embedded_scenes, embedded_scripts,
};
pub(crate) use event::fault_json;
pub use event::{Event, EventKind};
pub use generation::{FileState, Generation, NamesUsed, Saved, Status};
pub use loader::{Loader, SCRIPT_STACK};
pub use news::{News, fate_of, news, trouble, unsaved_text};
pub use place::{
    EXPERIMENTS, Place, experiment_scene, in_project, is_experiment, is_scene, is_script,
    read_experiment_text, read_lossy, script_in, shown_name,
};
pub use planned::{Knob, Planned, PlannedMeasure};
pub use project::{LoadError, Project};
pub use read_dir_sorted::{may_be_file, read_dir_if_any, read_dir_sorted};
pub use replace::pending::Pending;
pub use replace::{
    REPLACED_BYTES, ReplaceError, create_file, create_files, move_file, remove_written, replace_file,
};
pub use save::save;
pub use scene_index::{KnownScene, head_comment, known_scenes, known_scenes_in};
pub use spelling::param_like;
pub use standalone_script::compile_file;
pub use templates::{SCENE_TEMPLATES, SceneTemplate};
pub use texts::Texts;
pub use trial_run::{try_generation, try_measure, try_script};
pub use tuned::{Handle, KnobName, Setting};
pub use tuned_values::Dropped;
pub use unsaved::{Checked, Unwritten, Write, Written};
pub use values_file::ValuesFile;
pub use world_sample::RunningWorld;
