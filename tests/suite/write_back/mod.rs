//! Tuned values in scene files: shipped scenes in any formatting, concurrent changes of files, and killed writers.

mod checkout;
#[cfg(target_os = "linux")]
mod full_disk;
mod kills;
mod saving;
mod scenes;
