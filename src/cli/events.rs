//! Where reload events go: a file, or standard output.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use crate::app::EventSink;

/// The sink for `--events`: `file`, which was opened for the path, or standard output for `-`.
pub(super) fn sink(path: Option<&Path>, file: Option<File>) -> Option<EventSink> {
    if path == Some(Path::new("-")) {
        return Some(Box::new(|line| super::print::out(line)));
    }
    let mut file = file?;
    Some(Box::new(move |line| {
        // One write a line, so that readers never see half of one.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }))
}
