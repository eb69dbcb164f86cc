//! Where reload events go: a file, or standard output.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

use crate::app::EventSink;

/// Opens the sink for `--events`.
pub(super) fn sink(path: Option<&Path>) -> anyhow::Result<Option<EventSink>> {
    let Some(path) = path else {
        return Ok(None);
    };
    if path == Path::new("-") {
        return Ok(Some(Box::new(|line| super::print::out(line))));
    }
    let mut file =
        File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(Box::new(move |line| {
        // One write a line, so that readers never see half of one.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    })))
}
