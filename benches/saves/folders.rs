//! Operations on whole folders.

use std::fs;
use std::io::Result;
use std::path::Path;

use crate::patterns::Pause;
use crate::stage::copy_folder;

/// Applies an operation to the folder, selected by `kind`; in the end it contains the same files.
pub(crate) fn upset(kind: u64, folder: &Path, elsewhere: &Path, pause: Pause<'_>) -> Result<()> {
    let away = elsewhere.join("away");
    match kind % 3 {
        0 => {
            fs::rename(folder, &away)?;
            pause(60);
            fs::rename(&away, folder)
        }
        1 => {
            copy_folder(folder, &away)?;
            fs::remove_dir_all(folder)?;
            pause(60);
            copy_folder(&away, folder)?;
            fs::remove_dir_all(&away)
        }
        _ => {
            let next = elsewhere.join("next");
            copy_folder(folder, &next)?;
            fs::rename(folder, &away)?;
            fs::rename(&next, folder)?;
            fs::remove_dir_all(&away)
        }
    }
}
