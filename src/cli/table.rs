//! Tables of results and their manifests in files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use steerbox_project::experiment::{Manifest, Plan, Scanned, scan, summarize};
use steerbox_project::plot::Source;
use steerbox_project::reload::{Pending, read_plain};
use steerbox_project::session::Options;

use super::lines::OutputError;
use super::output::claim_all;
use super::plot;
use super::stream::Stream;
use super::window::Results;

/// Maximum size of a manifest, bytes.
const MAX_MANIFEST: u64 = 256 << 20;

/// A table that is written.
pub(super) struct Table {
    stream: Stream,
    name: String,
    /// The lines that it has already.
    pub(super) found: Scanned,
}

impl Table {
    /// Opens the table of a plan to continue it, or starts it; writes the manifest and the first line.
    ///
    /// # Errors
    /// If the file is another table, or cannot be written.
    pub(super) fn open(
        path: &Path,
        (plan, manifest): (&Plan, &Manifest),
        inputs: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let [claim] = claim_all([("--out", Some(path))], inputs)?;
        let claim = claim.context("--out: name a file")?;
        let mut found = Scanned::default();
        let stream = claim.continued(|| {
            found = begin(path, plan, manifest).with_context(|| format!("--out {}", path.display()))?;
            Ok(found.bytes)
        })?;
        let mut table = Self { stream, name: path.display().to_string(), found };
        if table.found.bytes == 0 {
            table.write(&plan.header())?;
        }
        Ok(table)
    }

    /// Appends whole lines.
    pub(super) fn write(&mut self, lines: &str) -> Result<(), OutputError> {
        let written = self.stream.write_lines(lines.as_bytes());
        written.map_err(|error| OutputError::new(&self.name, error))
    }
}

/// Returns the lines that the table has already; writes the manifest if there are none.
fn begin(path: &Path, plan: &Plan, manifest: &Manifest) -> anyhow::Result<Scanned> {
    let is_empty = fs::metadata(path)?.len() == 0;
    match read_manifest(path)? {
        Some(known) if !is_empty => {
            if let Some(difference) = known.difference(manifest) {
                bail!("it is the table of another sweep: {difference}; choose another name");
            }
            if known.shard != manifest.shard {
                bail!("it is part {}, not {}; choose another name", known.shard, manifest.shard);
            }
        }
        None if !is_empty => {
            let shown = manifest_path(path);
            bail!("it exists, and no manifest {} identifies its sweep; choose another name", shown.display());
        }
        _ => {}
    }
    if is_empty {
        write_manifest(path, manifest)?;
        return Ok(Scanned::default());
    }
    scan(BufReader::new(File::open(path)?), plan)
}

/// The summary of a table, which has its name when it is complete.
pub(super) struct Summary {
    path: PathBuf,
    file: Pending,
}

impl Summary {
    /// Opens the summary for a table.
    ///
    /// # Errors
    /// If it is the table, an input, or cannot be written.
    pub(super) fn open(
        path: Option<&Path>,
        (table, inputs): (&Path, &[PathBuf]),
    ) -> anyhow::Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        let [_, claim] = claim_all([("--out", Some(table)), ("--summary", Some(path))], inputs)?;
        let file = claim.context("--summary: name a file")?.pending()?;
        Ok(Some(Self { path: path.to_owned(), file }))
    }

    /// Writes the summary of the complete table.
    ///
    /// # Errors
    /// If the table cannot be read or the summary cannot be written.
    pub(super) fn write(self, table: &Path, manifest: &Manifest) -> anyhow::Result<()> {
        let write = || -> anyhow::Result<()> {
            let mut file = BufWriter::new(self.file);
            summarize(BufReader::new(File::open(table)?), manifest, &mut file)?;
            Ok(file.into_inner().map_err(|error| anyhow!("{error}"))?.complete()?)
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Returns the options of the run of a row, counted from 1.
///
/// # Errors
/// If the file is not a table with a manifest, or has no such row.
pub(super) fn row(table: &Path, row: u64) -> anyhow::Result<Options> {
    let shown = table.display();
    let Some(manifest) = read_manifest(table)? else {
        bail!("--row {row}: {shown} is not a table of `steerbox sweep`: it has no manifest {shown}.json");
    };
    let run = manifest.row(row).with_context(|| shown.to_string())?;
    Ok(run.options())
}

/// Returns the results of a table of a sweep; `None` if the file is not a table.
///
/// # Errors
/// If it is a table of another kind, or has no manifest.
pub(super) fn results(path: &Path) -> anyhow::Result<Option<Results>> {
    if path.extension().is_none_or(|extension| extension != "csv") || !path.is_file() {
        return Ok(None);
    }
    let (shown, table) = (path.display(), plot::read(path)?);
    if table.source == Source::Metrics {
        bail!("{shown} is a table of one run: `steerbox plot {shown} --out FILE.svg` plots it");
    }
    let Some(manifest) = read_manifest(path)? else {
        bail!("{shown} has no manifest {shown}.json: its runs cannot be repeated; `steerbox plot` plots it");
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(Results::new(name, table, manifest)))
}

/// Replaces lines of a table by the positions of their runs.
///
/// # Errors
/// If the file cannot be read or written; it is unchanged then.
pub(super) fn replace_lines(
    path: &Path,
    found: &Scanned,
    lines: &BTreeMap<u64, String>,
) -> anyhow::Result<()> {
    let replace = || -> anyhow::Result<()> {
        let old = BufReader::new(File::open(path)?).take(found.bytes);
        let mut new = BufWriter::new(Pending::replace(path)?);
        for (number, line) in old.split(b'\n').enumerate() {
            let replaced = number.checked_sub(1).and_then(|position| lines.get(&(position as u64)));
            match replaced {
                Some(text) => new.write_all(text.as_bytes())?,
                None => new.write_all(&[&*line?, b"\n"].concat())?,
            }
        }
        Ok(new.into_inner().map_err(|error| anyhow!("{error}"))?.complete()?)
    };
    replace().with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the path of the manifest of a table.
pub(super) fn manifest_path(table: &Path) -> PathBuf {
    let mut path = OsString::from(table);
    path.push(".json");
    path.into()
}

/// Reads the manifest of a table; `None` if there is no such file.
///
/// # Errors
/// If the file is something else.
pub(super) fn read_manifest(table: &Path) -> anyhow::Result<Option<Manifest>> {
    let path = manifest_path(table);
    if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let shown = path.display();
    let (bytes, _) =
        read_plain(&path, MAX_MANIFEST).map_err(|error| anyhow!("cannot read {shown}: {error}"))?;
    Manifest::parse(&bytes).map(Some).map_err(|reason| anyhow!("{shown} is {reason}"))
}

/// Writes the manifest of a table.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_manifest(table: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    let path = manifest_path(table);
    let write = || -> anyhow::Result<()> {
        let mut file = Pending::replace(&path)?;
        file.write_all(manifest.text()?.as_bytes())?;
        Ok(file.complete()?)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
