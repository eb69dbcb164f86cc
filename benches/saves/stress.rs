//! Parallel writers, each with its own file, and the loop that swaps generations.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use crate::Arguments;
use crate::content::content;
use crate::folders::upset;
use crate::patterns::{Pattern, nap, save};
use crate::shadow::Mapper;
use crate::stage::Stage;
use crate::tally::Tally;

/// Maximum time until a save is live.
const STALE: Duration = Duration::from_secs(5);
/// Number of saves between two operations on whole folders.
const UPSET: u32 = 250;

/// A writer's result of a save that it waited for.
#[derive(Clone, Copy)]
enum Outcome {
    Live(Pattern, Duration),
    Stale(Pattern),
}

/// A writer and its file.
struct Writer<'a> {
    index: usize,
    files: usize,
    path: std::path::PathBuf,
    elsewhere: &'a std::path::Path,
    dice: Dice,
    version: u32,
    mapper: Mapper,
    live: Receiver<(u32, Instant)>,
    outcomes: Sender<Outcome>,
}

/// State that all writers share.
struct Shared {
    /// Number of remaining saves.
    left: AtomicU32,
    /// Locked for writing by operations on folders.
    folders: RwLock<()>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let files = arguments.files.max(2) as usize;
    let mut stage = Stage::new(files)?;
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let busy = arguments.busy.unwrap_or(2 * cores);
    let begun = Instant::now();
    let mut versions = vec![1; files];
    let mut stale = 0;
    for (title, saves, busy) in [
        ("the processor idle".to_owned(), arguments.saves / 2, 0),
        (format!("{busy} busy threads"), arguments.saves.div_ceil(2), busy),
    ] {
        let seed = arguments.seed + busy as u64;
        let (mut tally, late) = half(&mut stage, saves, busy, seed, &mut versions)?;
        tally.print(&title);
        stale += late;
    }
    let settled = Instant::now();
    let mut differing = stage.differing()?;
    while !differing.is_empty() && settled.elapsed() < STALE {
        stage.frame(Duration::from_millis(10));
        differing = stage.differing()?;
    }
    let wrongs = stage.wrongs;
    println!(
        "\n{} saves of {files} files in {:.0} s, {} generations; stale {stale}, torn {}, rejected {}, \
         shown twice {}, older after newer {}, shown missing {}; differing in the end: {}",
        arguments.saves,
        begun.elapsed().as_secs_f64(),
        stage.swaps,
        wrongs.torn,
        wrongs.rejected,
        wrongs.doubled,
        wrongs.backward,
        wrongs.missing,
        differing.len(),
    );
    if let Some(trouble) = &stage.polling {
        println!("polling in the end: {trouble}");
    }
    ensure!(differing.is_empty(), "something else runs than is on disk: {differing:?}");
    let bad = stale + wrongs.torn + wrongs.rejected + wrongs.doubled + wrongs.backward;
    ensure!(bad == 0, "not every save was safe");
    Ok(())
}

/// Makes half of the saves, with `busy` threads that consume processor time.
fn half(stage: &mut Stage, saves: u32, busy: usize, seed: u64, versions: &mut [u32]) -> Result<(Tally, u32)> {
    let shared = Shared { left: AtomicU32::new(saves), folders: RwLock::new(()) };
    let (outcomes, told) = channel();
    let (mut lines, mut writers) = (Vec::new(), Vec::new());
    let elsewhere = stage.elsewhere.clone();
    for (index, version) in versions.iter().enumerate() {
        let (line, live) = channel();
        lines.push(line);
        writers.push(Writer {
            index,
            files: stage.files,
            path: stage.path(index),
            elsewhere: &elsewhere,
            dice: Dice(seed << 32 | (index as u64) << 24),
            version: *version,
            mapper: Mapper::start().context("mapping files takes python3")?,
            live,
            outcomes: outcomes.clone(),
        });
    }
    drop(outcomes);
    let over = AtomicBool::new(false);
    let mut tally = Tally::default();
    let mut stale = 0;
    thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let work = |mut writer: Writer<'_>| {
            let done = writer.work(&shared);
            (writer.version, done)
        };
        let shared = &shared;
        let folders = stage.root.clone();
        let upsetter = scope.spawn({
            let elsewhere = &elsewhere;
            move || upset_now_and_then(shared, saves, seed, &folders, elsewhere)
        });
        let handles: Vec<_> = writers.into_iter().map(|writer| scope.spawn(move || work(writer))).collect();
        while !handles.iter().all(thread::ScopedJoinHandle::is_finished) {
            for (index, version, ready) in stage.frame(Duration::from_millis(10)) {
                let _ = lines[index].send((version, ready));
            }
            for outcome in told.try_iter() {
                note(outcome, &mut tally, &mut stale);
            }
        }
        over.store(true, Ordering::Relaxed);
        let died = || anyhow::anyhow!("a writer died");
        for (handle, version) in handles.into_iter().zip(versions) {
            let (last, done) = handle.join().map_err(|_| died())?;
            *version = last;
            done.context("a save failed")?;
        }
        upsetter.join().map_err(|_| died())?.context("a folder")?;
        anyhow::Ok(())
    })?;
    for outcome in told.try_iter() {
        note(outcome, &mut tally, &mut stale);
    }
    Ok((tally, stale))
}

fn note(outcome: Outcome, tally: &mut Tally, stale: &mut u32) {
    match outcome {
        Outcome::Live(pattern, time) => tally.add(pattern, time),
        Outcome::Stale(pattern) => {
            println!("stale after {STALE:?}: {}", pattern.name());
            *stale += 1;
        }
    }
}

impl Writer<'_> {
    fn work(&mut self, shared: &Shared) -> std::io::Result<()> {
        loop {
            // Sometimes saves follow each other immediately: only the last one must be live.
            let burst = if self.dice.roll(8) == 0 { 1 + self.dice.roll(3) } else { 0 };
            for _ in 0..=burst {
                if !take_one(&shared.left) {
                    return Ok(());
                }
                let is_last = shared.left.load(Ordering::Relaxed) == 0;
                let (pattern, end) = self.save(shared)?;
                if is_last || self.dice.roll(burst + 1) == 0 {
                    self.await_live(pattern, end);
                    break;
                }
                nap(self.dice.roll(40));
            }
            nap(self.dice.roll(30));
        }
    }

    fn save(&mut self, shared: &Shared) -> std::io::Result<(Pattern, Instant)> {
        self.version += 1;
        let filling = [0, 3, 40, 400][self.dice.roll(4) as usize];
        let text = content(self.index, self.files, self.version, filling);
        let pattern = Pattern::ALL[self.dice.roll(Pattern::ALL.len() as u64) as usize];
        let _still = shared.folders.read().unwrap_or_else(PoisonError::into_inner);
        let dice = &mut self.dice;
        let mut pause = |most| nap(dice.roll(most));
        save(pattern, &self.path, self.elsewhere, &text, &mut self.mapper, &mut pause)?;
        Ok((pattern, Instant::now()))
    }

    fn await_live(&mut self, pattern: Pattern, end: Instant) {
        let outcome = loop {
            let left = STALE.saturating_sub(end.elapsed());
            match self.live.recv_timeout(left) {
                Ok((version, ready)) if version == self.version => {
                    break Outcome::Live(pattern, ready.saturating_duration_since(end));
                }
                Ok(_) => {}
                Err(_) => break Outcome::Stale(pattern),
            }
        };
        let _ = self.outcomes.send(outcome);
    }
}

fn take_one(left: &AtomicU32) -> bool {
    let one_less = |left: u32| left.checked_sub(1);
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
}

/// Makes operations on whole folders at intervals.
fn upset_now_and_then(
    shared: &Shared,
    saves: u32,
    seed: u64,
    root: &std::path::Path,
    elsewhere: &std::path::Path,
) -> std::io::Result<()> {
    let mut dice = Dice(seed << 40);
    let mut due = saves.saturating_sub(UPSET / 2);
    loop {
        let left = shared.left.load(Ordering::Relaxed);
        if left == 0 {
            return Ok(());
        }
        if left <= due {
            due = left.saturating_sub(UPSET);
            let _alone = shared.folders.write().unwrap_or_else(PoisonError::into_inner);
            let folder = root.join(if dice.roll(3) == 0 { "scenes" } else { "scripts" });
            let kind = dice.roll(3);
            upset(kind, &folder, elsewhere, &mut |most| nap(dice.roll(most)))?;
        }
        nap(5);
    }
}

/// Deterministic random numbers.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number from 0 to `sides` - 1.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 += 1;
        xxhash_rust::xxh3::xxh3_64(&self.0.to_le_bytes()) % sides.max(1)
    }
}
