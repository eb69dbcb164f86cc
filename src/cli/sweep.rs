//! `steerbox sweep`: runs a scene with many values and seeds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use steerbox_core::diagnostics::counted;
use steerbox_project::experiment::{Host, Manifest, Plan, Rules, RunLine, Shard, execute};

use super::interrupt::{self, blocking};
use super::print::{err, faults, out};
use super::scene;
use super::sweep_args::SweepArgs;
use super::table::{Summary, Table, replace_lines};
use super::usage::require;

/// A sweep in progress.
struct Sweep<'a> {
    args: &'a SweepArgs,
    out: &'a Path,
    plan: Plan,
    rules: Rules,
    manifest: Manifest,
    inputs: Vec<PathBuf>,
    table: Table,
    summary: Option<Summary>,
    threads: usize,
    made: Made,
}

/// The runs made by this process.
#[derive(Default)]
struct Made {
    runs: u64,
    failed: u64,
    /// Those that replaced failed ones.
    retried: u64,
}

pub(super) fn sweep(args: SweepArgs) -> anyhow::Result<ExitCode> {
    interrupt::listen()?;
    let args = args.with_experiment()?;
    let mut sweep = Sweep::open(&args)?;
    let begin = Instant::now();
    if args.retry {
        sweep.retry()?;
    }
    sweep.continue_table()?;
    sweep.end(begin)
}

impl<'a> Sweep<'a> {
    fn open(args: &'a SweepArgs) -> anyhow::Result<Self> {
        let (out, request) = (args.out()?, args.request()?);
        let place = scene::place(&args.scene)?;
        let inputs = place.files().into_iter().chain(args.design.clone()).collect::<Vec<_>>();
        let rules = Rules::load(place, &args.common.set, args.common.execution());
        let rules = rules.map_err(|error| scene::naming(error, Some(&args.scene)))?;
        if !args.quiet {
            faults(&rules.base.warnings);
        }
        let plan = Plan::new(&request, &rules, args.shard.unwrap_or(Shard::WHOLE))?;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.common.threads.map_or_else(processors, usize::from);
        let manifest = Manifest::of(&plan, &rules, args.scene.display().to_string(), host(threads));
        let is_whole = plan.shard == Shard::WHOLE;
        require(args.summary.is_none() || is_whole, || {
            "--summary: a part has not all seeds of a point; `steerbox merge … --summary FILE.csv` writes it"
                .to_owned()
        })?;
        let summary = Summary::open(args.summary.as_deref(), (out, &inputs))?;
        let table = Table::open(out, (&plan, &manifest), &inputs)?;
        Ok(Self { args, out, plan, rules, manifest, inputs, table, summary, threads, made: Made::default() })
    }

    /// Repeats the runs that failed, and replaces their lines.
    fn retry(&mut self) -> anyhow::Result<()> {
        let failed = std::mem::take(&mut self.table.found.failed);
        let mut lines = BTreeMap::new();
        let accept = |made: &[RunLine]| {
            for line in made {
                lines.insert(failed[lines.len()], line.text.clone());
            }
            Ok(())
        };
        let (plan, all) = (&self.plan, failed.len() as u64);
        let run_at = |at: u64| plan.shard.run(failed[at as usize]);
        execute((plan, &self.rules), 0..all, &run_at, self.threads, interrupt::flag(), accept)?;
        if lines.is_empty() {
            self.table.found.failed = failed;
            return Ok(());
        }
        replace_lines(self.out, &self.table.found, &lines)?;
        self.made.runs += lines.len() as u64;
        self.made.retried = lines.len() as u64;
        self.table = Table::open(self.out, (plan, &self.manifest), &self.inputs)?;
        Ok(())
    }

    /// Makes the runs that the table lacks.
    fn continue_table(&mut self) -> anyhow::Result<()> {
        let (all, done) = (self.plan.len(), self.table.found.runs);
        let bar = self.progress(all, done);
        let Self { plan, rules, table, made, .. } = self;
        let (shard, threads) = (plan.shard, self.threads);
        let accept = |lines: &[RunLine]| {
            let bytes: String = lines.iter().map(|line| line.text.as_str()).collect();
            table.write(&bytes)?;
            made.runs += lines.len() as u64;
            made.failed += lines.iter().filter(|line| line.is_failed).count() as u64;
            blocking(|| bar.inc(lines.len() as u64));
            Ok(())
        };
        let run_at = |position| shard.run(position);
        let executed = execute((plan, rules), done..all, &run_at, threads, interrupt::flag(), accept);
        blocking(|| bar.finish_and_clear());
        executed
    }

    fn progress(&self, all: u64, done: u64) -> indicatif::ProgressBar {
        if self.args.quiet {
            return indicatif::ProgressBar::hidden();
        }
        let bar = indicatif::ProgressBar::new(all).with_position(done);
        let template = "{bar:40} {pos}/{len} runs  {per_sec}  {eta} left";
        if let Ok(style) = indicatif::ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        bar
    }

    /// Prints the result.
    fn end(self, begin: Instant) -> anyhow::Result<ExitCode> {
        let (all, done) = (self.plan.len(), self.table.found.runs + self.made.runs - self.made.retried);
        let shown = self.out.display();
        if let Some(status) = interrupt::status().filter(|_| done < all) {
            err(format!("paused after {done} of {all} runs; the same command continues {shown}"));
            return Ok(status);
        }
        if let Some(summary) = self.summary {
            summary.write(self.out, &self.manifest)?;
        }
        if !self.args.quiet {
            let seconds = begin.elapsed().as_secs_f64().max(1e-9);
            let runs = counted(self.made.runs, ["run", "runs"]);
            let speed = self.made.runs as f64 / seconds;
            let before = match self.table.found.runs {
                0 => String::new(),
                found => format!(", {found} were there before"),
            };
            out(format!("{runs} in {seconds:.2} s, {speed:.1} runs/s{before}"))?;
        }
        let failed = self.made.failed + self.table.found.failed.len() as u64;
        if failed == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        err(format!(
            "{failed} of {all} runs failed; the last column of {shown} has the reasons, --retry repeats them"
        ));
        Ok(ExitCode::FAILURE)
    }
}

fn host(threads: usize) -> Host {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let (system, processor) = (std::env::consts::OS.to_owned(), std::env::consts::ARCH.to_owned());
    Host { name, system, processor, threads }
}
