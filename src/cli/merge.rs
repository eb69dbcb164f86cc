//! `steerbox merge`: joins the tables of the parts of a sweep.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use steerbox_core::diagnostics::counted;
use steerbox_project::experiment::{Manifest, Shard, merge, parts_in_order};

use super::merge_args::MergeArgs;
use super::output::claim_all;
use super::print::out;
use super::table::{Summary, read_manifest, write_manifest};

/// Bytes read at once from a part.
const BUFFER: usize = 1 << 15;

/// A part, opened for each read: a sweep may have more parts than a process may open files.
struct Part {
    path: PathBuf,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

pub(super) fn parts(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let names: Vec<_> = args.parts.iter().map(|path| path.display().to_string()).collect();
    let manifests = args.parts.iter().map(|path| {
        let manifest = read_manifest(path)?;
        manifest.with_context(|| format!("{0} has no manifest {0}.json", path.display()))
    });
    let manifests = manifests.collect::<anyhow::Result<Vec<_>>>()?;
    let order = parts_in_order(&names, &manifests)?;
    let summary = Summary::open(args.summary.as_deref(), (&args.out, &args.parts))?;
    let [claim] = claim_all([("--out", Some(&*args.out))], &args.parts)?;
    let pending = claim.context("--out: name a file")?.pending()?;
    let whole = Manifest { shard: Shard::WHOLE, host: None, ..manifests[0].clone() };
    let part = |at: &usize| BufReader::with_capacity(BUFFER, Part { path: args.parts[*at].clone(), at: 0 });
    let mut readers: Vec<_> = order.iter().map(part).collect();
    let mut table = BufWriter::new(pending);
    let merged = merge(&mut readers, &whole.header(), whole.runs(), &mut table);
    merged.map_err(|error| match error.part {
        Some(part) => anyhow!("{}: {error}", names[order[part]]),
        None => anyhow!("cannot write {}: {error}", args.out.display()),
    })?;
    table.flush().with_context(|| format!("cannot write {}", args.out.display()))?;
    let pending = table.into_inner().map_err(|error| anyhow!("{error}"))?;
    write_manifest(&args.out, &whole)?;
    pending.complete().with_context(|| format!("cannot write {}", args.out.display()))?;
    if let Some(summary) = summary {
        summary.write(&args.out, &whole)?;
    }
    let parts = counted(names.len() as u64, ["part", "parts"]);
    out(format!("{} of {parts}", counted(whole.runs(), ["run", "runs"])))?;
    Ok(ExitCode::SUCCESS)
}
