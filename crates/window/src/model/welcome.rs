//! The card of the first start: three lines that lead to the first change of a rule.

use std::fs;
use std::path::PathBuf;

use super::live_session::LiveSession;

/// The script that the card refers to.
pub(crate) const SCRIPT: &str = "cohesion.rhai";

/// The lines of the card, and true if the script can be opened; `None` if the scene does not run it. Reads the
/// metadata of the script.
pub(crate) fn lines(session: &LiveSession) -> Option<([String; 3], bool)> {
    let mut files = session.run.newest().files.iter();
    let script = files.find(|file| file.path == SCRIPT && file.used)?;
    let is_writable = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| !file.permissions().readonly());
    let opens = !script.embedded && session.place.path_of(SCRIPT).as_ref().is_some_and(is_writable);
    let minus = "put a minus before the bracket: let way = -(middle - me.position)…";
    let new = "Run `steerbox new DIR`, which writes scenes and scripts to edit, and open it from there";
    let [open, change] = if opens {
        [format!("Open scripts/{SCRIPT}"), format!("In line 21, {minus}")]
    } else {
        [new.to_owned(), format!("In DIR/scripts/{SCRIPT}, {minus}")]
    };
    let save = "Save: every unit continues from where it is, by the new rule".to_owned();
    Some(([open, change, save], opens))
}
