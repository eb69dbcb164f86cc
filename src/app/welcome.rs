//! The card of the first start: three lines that lead to the first change of a rule.

use std::fs;
use std::path::PathBuf;

use super::live_session::LiveSession;

/// The script that is changed.
pub(super) const SCRIPT: &str = "cohesion.rhai";

/// The lines of the card, and whether each opens the script; none where the scene does not run it.
pub(super) fn lines(session: &LiveSession) -> Option<[(String, bool); 3]> {
    let mut files = session.run.newest().files.iter();
    let script = files.find(|file| file.path == SCRIPT && file.used)?;
    let is_writable = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| !file.permissions().readonly());
    let is_there = !script.embedded && session.place.path_of(SCRIPT).as_ref().is_some_and(is_writable);
    let minus = "put a minus before the bracket: let way = -(middle - me.position)…";
    Some(if is_there {
        [
            (format!("Open scripts/{SCRIPT}"), true),
            (format!("In line 21, {minus}"), false),
            ("Save: every unit continues from where it is, by the new rule".to_owned(), false),
        ]
    } else {
        [
            (
                "Run `steerbox new DIR`, which writes scenes and scripts to edit, and open it from there"
                    .to_owned(),
                false,
            ),
            (format!("In DIR/scripts/{SCRIPT}, {minus}"), false),
            ("Save: every unit continues from where it is, by the new rule".to_owned(), false),
        ]
    })
}
