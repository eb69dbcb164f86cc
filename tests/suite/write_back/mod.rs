//! Tuned values in scene files: shipped scenes in any formatting, files that change meanwhile, and
//! writers that are killed.

mod checkout;
#[cfg(target_os = "linux")]
mod full_disk;
mod kills;
mod saving;
mod scenes;
