//! Tuned values in scene files: shipped scenes in any formatting, files that change meanwhile, and
//! writers that are killed.

mod kills;
mod saving;
mod scenes;
