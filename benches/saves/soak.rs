//! A save every second for a long time: detects leaks.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use steerbox_project::reload::read_dir_sorted;

use crate::content::content;
use crate::patterns::{Pattern, nap, save};
use crate::shadow::Mapper;
use crate::stage::Stage;
use crate::stress::Dice;

/// Number of files of the project.
const FILES: usize = 5;
/// Permitted relative growth of memory after the warm-up.
const MARGIN: f64 = 0.05;

/// Resources of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holdings {
    /// Resident memory, in KiB.
    memory: u64,
    threads: usize,
    descriptors: usize,
    watches: usize,
}

pub(crate) fn run(minutes: f64, seed: u64) -> Result<()> {
    let mut stage = Stage::new(FILES)?;
    let mut mapper = Mapper::start().context("mapping files takes python3")?;
    let mut dice = Dice(seed << 32);
    let length = Duration::from_secs_f64(minutes * 60.0);
    let interval = (length / 20).max(Duration::from_secs(5));
    let warm_up = length / 5;
    let begun = Instant::now();
    let (mut due, mut saves, mut rows) = (Duration::ZERO, 0_u32, Vec::new());
    println!("| after | saves | generations | memory | threads | descriptors | watches |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    while begun.elapsed() < length {
        let next = begun + Duration::from_secs(u64::from(saves) + 1);
        saves += 1;
        let index = saves as usize % FILES;
        let text = content(index, FILES, saves + 1, dice.roll(100) as usize);
        let patterns = patterns(index);
        let pattern = patterns[dice.roll(patterns.len() as u64) as usize];
        let (path, elsewhere) = (stage.path(index), stage.elsewhere.clone());
        let mut pause = |most| nap(dice.roll(most));
        save(pattern, &path, &elsewhere, &text, &mut mapper, &mut pause)?;
        stage.until(index, saves + 1, Instant::now())?;
        while Instant::now() < next {
            stage.frame(Duration::from_millis(16));
        }
        if begun.elapsed() >= due {
            due += interval;
            let held = holdings()?;
            row(begun.elapsed(), saves, stage.swaps, held);
            rows.push((begun.elapsed(), held));
        }
    }
    let differing = stage.differing()?;
    ensure!(differing.is_empty(), "something else runs than is on disk: {differing:?}");
    println!("\nwrong: {:?}", stage.wrongs);
    judge(&rows, warm_up)
}

/// Returns the patterns for a file: one file is always a link and the others never, since the target folder of a link is
/// watched as long as the link exists.
fn patterns(index: usize) -> Vec<Pattern> {
    let follows = |pattern: &Pattern| matches!(pattern, Pattern::LinkTarget | Pattern::LinkSwap);
    let mut patterns = Pattern::ALL.to_vec();
    patterns.retain(|pattern| follows(pattern) == (index == 0));
    patterns
}

/// Fails unless the resources are constant after the warm-up.
fn judge(rows: &[(Duration, Holdings)], warm_up: Duration) -> Result<()> {
    let mut warm = rows.iter().filter(|(at, _)| *at >= warm_up).map(|(_, held)| *held);
    let first = warm.next().context("too short to tell")?;
    let mut most = first.memory;
    for held in warm {
        most = most.max(held.memory);
        let same = (held.threads, held.descriptors, held.watches)
            == (first.threads, first.descriptors, first.watches);
        ensure!(same, "not constant: {first:?}, then {held:?}");
    }
    let rise = most as f64 / first.memory as f64 - 1.0;
    println!(
        "constant after the warm-up: threads, descriptors, watches; memory rose by {:.1} % at most",
        rise * 100.0
    );
    ensure!(rise <= MARGIN, "memory grows");
    Ok(())
}

fn row(at: Duration, saves: u32, generations: u32, held: Holdings) {
    println!(
        "| {:.0} s | {saves} | {generations} | {:.1} MiB | {} | {} | {} |",
        at.as_secs_f64(),
        held.memory as f64 / 1024.0,
        held.threads,
        held.descriptors,
        held.watches
    );
}

/// Returns the current resources of this process, from procfs.
fn holdings() -> Result<Holdings> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let mut watches = 0;
    for path in read_dir_sorted(Path::new("/proc/self/fdinfo"))? {
        // The descriptor of the listing itself is closed by now.
        let text = fs::read_to_string(path).unwrap_or_default();
        watches += text.lines().filter(|line| line.starts_with("inotify wd:")).count();
    }
    Ok(Holdings {
        memory: memory.context("no VmRSS")?.trim().parse()?,
        threads: count(Path::new("/proc/self/task"))?,
        descriptors: count(Path::new("/proc/self/fd"))?,
        watches,
    })
}

fn count(folder: &Path) -> Result<usize> {
    Ok(read_dir_sorted(folder)?.len())
}
