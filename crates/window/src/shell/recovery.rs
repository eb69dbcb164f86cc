//! Unsaved texts of the editor, stored beside the window's configuration, so that they survive a crash.
//!
//! Each window has a file of its own for its scene, and a claim on it while it runs. The next window takes over the files
//! without a claim, stores their texts in its own file and removes them. A file is written on a separate thread at most twice a
//! second and replaced as a whole; a killed program loses at most the last second.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use steerbox_project::reload::{Claim, Pending, Place, read_dir_sorted, read_plain, remove_written};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::editor::Unsaved;

/// Minimum time between two comparisons of the texts with the file.
const INTERVAL: Duration = Duration::from_millis(500);
/// Maximum size of a file, bytes.
const MAX_BYTES: u64 = 32 << 20;
/// Extensions of the texts, and of the claim on them.
const EXTENSION: &str = "ron";
const CLAIM: &str = "lock";

/// The stored texts of the window.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    folder: Option<PathBuf>,
    /// The texts that the file of this window contains, and the time of the last comparison with them.
    stored: Vec<Unsaved>,
    compared: Option<Instant>,
    /// Files of windows that ended, until their texts are in the file of this window.
    taken_over: Vec<TakenOver>,
    writer: Option<Writer>,
}

/// The file of a window that no longer runs.
#[derive(Debug)]
struct TakenOver {
    path: PathBuf,
    /// Prevents other windows from offering the same texts.
    _claim: Claim,
}

/// The thread that writes the file of a scene.
#[derive(Debug)]
struct Writer {
    jobs: Option<Sender<Job>>,
    errors: Receiver<String>,
    thread: Option<JoinHandle<()>>,
}

/// Texts to be stored, and the files that contained some of them.
#[derive(Debug)]
struct Job {
    texts: Vec<Unsaved>,
    taken_over: Vec<TakenOver>,
}

impl Recovery {
    /// The texts in a folder; without one, nothing is stored.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// Takes over the texts that windows of a scene left, also by a crash. Returns them, and messages for the user about files
    /// that are not valid.
    pub(crate) fn read(&mut self, place: &Place) -> (Vec<Unsaved>, Vec<String>) {
        (self.stored, self.compared) = (Vec::new(), None);
        let (mut texts, mut known, mut troubles) = (Vec::new(), BTreeSet::new(), Vec::new());
        let Some((folder, scene)) = self.folder.clone().zip(Some(scene_key(place))) else {
            return (texts, troubles);
        };
        let is_of_scene = |path: &PathBuf| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let rest = name.strip_prefix(&*scene);
            let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
            is_own && path.extension().is_some_and(|it| it == EXTENSION)
        };
        for path in read_dir_sorted(&folder).unwrap_or_default().into_iter().filter(is_of_scene) {
            // The texts of a window that runs are its own.
            let Ok(Some(claim)) = Claim::new(&path.with_extension(CLAIM)) else {
                continue;
            };
            match read_texts(&path) {
                // Another window took it over in this moment.
                Ok(None) => {}
                Ok(Some(found)) => {
                    // A window that ended in this moment had stored the texts of another one.
                    texts.extend(found.into_iter().filter(|text| known.insert(text.clone())));
                    self.taken_over.push(TakenOver { path, _claim: claim });
                }
                Err(error) => {
                    let path = path.display();
                    troubles.push(format!("unsaved texts in {path} cannot be read: {error}"));
                }
            }
        }
        (texts, troubles)
    }

    /// Stores the unsaved texts of a scene if they have changed; compares them at most twice a second.
    ///
    /// # Errors
    /// If they cannot be stored, with a message for the user.
    pub(crate) fn remember(
        &mut self,
        place: &Place,
        texts: impl FnOnce() -> Vec<Unsaved>,
        now: Instant,
    ) -> Result<(), String> {
        if self.compared.is_none_or(|compared| now.saturating_duration_since(compared) >= INTERVAL) {
            self.compared = Some(now);
            self.store(place, texts())?;
        }
        let error = self.writer.as_ref().and_then(|writer| writer.errors.try_recv().ok());
        error.map_or(Ok(()), Err)
    }

    fn store(&mut self, place: &Place, texts: Vec<Unsaved>) -> Result<(), String> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        if texts == self.stored && self.taken_over.is_empty() {
            return Ok(());
        }
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => Writer::start(folder.clone(), scene_key(place))
                .map_err(|error| format!("unsaved texts are not stored: {error}"))?,
        };
        self.stored.clone_from(&texts);
        let job = Job { texts, taken_over: std::mem::take(&mut self.taken_over) };
        // A writer that has ended has sent the reason.
        let _ = writer.jobs.as_ref().map(|jobs| jobs.send(job));
        self.writer = Some(writer);
        Ok(())
    }

    /// Stores the texts of a scene immediately, and leaves them to the next window.
    pub(crate) fn finish(&mut self, place: &Place, texts: Vec<Unsaved>) {
        // The window closes: a failure cannot be shown any more.
        let _ = self.store(place, texts);
        (self.writer, self.stored) = (None, Vec::new());
    }
}

impl Writer {
    fn start(folder: PathBuf, scene: String) -> std::io::Result<Self> {
        let (jobs, inbox) = channel::<Job>();
        let (report, errors) = channel();
        let thread = std::thread::Builder::new().name("unsaved texts".to_owned()).spawn(move || {
            let (mut file, mut taken_over) = (None, Vec::new());
            while let Ok(job) = inbox.recv() {
                let mut texts = Vec::new();
                for job in std::iter::once(job).chain(inbox.try_iter()) {
                    texts = job.texts;
                    taken_over.extend(job.taken_over);
                }
                match write(&folder, &scene, &mut file, &texts) {
                    Ok(()) => taken_over.drain(..).for_each(TakenOver::remove),
                    Err(error) => {
                        let folder = folder.display();
                        let _ = report.send(format!("unsaved texts cannot be stored in {folder}: {error}"));
                    }
                }
            }
        })?;
        Ok(Self { jobs: Some(jobs), errors, thread: Some(thread) })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl TakenOver {
    fn remove(self) {
        let _ = remove_written(&self.path);
    }
}

/// Writes texts to the file of this window, which is claimed with the first of them and removed with the last one.
fn write(
    folder: &Path,
    scene: &str,
    file: &mut Option<(PathBuf, Claim)>,
    texts: &[Unsaved],
) -> Result<(), String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    if texts.is_empty() {
        if let Some((path, _claim)) = file.take() {
            remove_written(&path).map_err(|error| words(&error))?;
        }
        return Ok(());
    }
    let text = ron::to_string(texts).map_err(|error| words(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("they have {} bytes, at most {MAX_BYTES} are stored: save them", text.len()));
    }
    if file.is_none() {
        fs::create_dir_all(folder).map_err(|error| words(&error))?;
        *file = Some(claimed(folder, scene)?);
    }
    let Some((path, _)) = file else { return Ok(()) };
    let mut pending = Pending::replace(path).map_err(|error| words(&error))?;
    pending.write_all(text.as_bytes()).map_err(|error| words(&error))?;
    pending.complete().map_err(|error| words(&error))
}

/// Claims a file that does not exist: its name contains the number of the process, which another one may have had before.
fn claimed(folder: &Path, scene: &str) -> Result<(PathBuf, Claim), String> {
    for number in 0..1000 {
        let path = folder.join(format!("{scene}-{}-{number}.{EXTENSION}", std::process::id()));
        let claim = Claim::new(&path.with_extension(CLAIM)).map_err(|error| error.to_string())?;
        if let Some(claim) = claim.filter(|_| matches!(path.try_exists(), Ok(false))) {
            return Ok((path, claim));
        }
    }
    Err("no name is free".to_owned())
}

/// Reads the texts in a file; `None` if there is no such file.
fn read_texts(path: &Path) -> Result<Option<Vec<Unsaved>>, String> {
    if matches!(path.try_exists(), Ok(false)) {
        return Ok(None);
    }
    let (bytes, _) = read_plain(path, MAX_BYTES).map_err(|error| error.to_string())?;
    ron::de::from_bytes(&bytes).map(Some).map_err(|error| error.to_string())
}

/// The start of the names of files for a scene: its name and a hash of its path.
fn scene_key(place: &Place) -> String {
    let path = place.scene.as_ref().map_or_else(|| PathBuf::from(place.scene_name()), PathBuf::clone);
    let hash = xxh3_64(path.as_os_str().as_encoded_bytes());
    let name = place.scene_name();
    let stem: String = name.trim_end_matches(".ron").chars().take(40).collect();
    format!("{stem}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Unsaved> {
        vec![Unsaved { name: "a.rhai".to_owned(), base: Some("1\r\n".to_owned()), text: text.to_owned() }]
    }

    struct Case {
        folder: tempfile::TempDir,
        place: Place,
        now: Instant,
    }

    impl Case {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("there is a temporary folder");
            Self { folder, place: Place::built_in("flock.ron"), now: Instant::now() }
        }

        fn open(&self) -> Recovery {
            Recovery::new(Some(self.folder.path().join("unsaved")))
        }

        /// A new window, and the texts that it offers, sorted: the threads of windows choose the names of their files.
        fn offered(&self) -> (Recovery, Vec<Unsaved>) {
            let mut recovery = self.open();
            let (mut texts, troubles) = recovery.read(&self.place);
            assert_eq!(troubles, [""; 0]);
            texts.sort_by(|a, b| a.text.cmp(&b.text));
            (recovery, texts)
        }

        fn remember(&mut self, recovery: &mut Recovery, texts: Vec<Unsaved>) {
            self.now += INTERVAL;
            recovery.remember(&self.place, || texts, self.now).expect("they are stored");
        }

        fn names(&self) -> Vec<String> {
            let paths = read_dir_sorted(&self.folder.path().join("unsaved")).unwrap_or_default();
            paths
                .iter()
                .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
                .collect()
        }
    }

    #[test]
    fn texts_are_stored_at_intervals_and_by_scene() {
        let mut case = Case::new();
        let other = Place::of_scene(Path::new("/p/flock.ron"));
        let (mut recovery, none) = case.offered();
        assert_eq!(none, []);
        case.remember(&mut recovery, texts("ä\n\"2\""));
        let soon = case.now + INTERVAL / 2;
        recovery.remember(&case.place, || texts("3"), soon).expect("it waits");
        assert_eq!(recovery.stored, texts("ä\n\"2\""));
        case.remember(&mut recovery, texts("3"));
        recovery.finish(&case.place, texts("4"));
        assert_eq!(case.names().len(), 1, "no claim remains");
        assert_eq!(case.open().read(&other).0, []);
        let (mut recovery, found) = case.offered();
        assert_eq!(found, texts("4"));
        recovery.finish(&case.place, Vec::new());
        assert_eq!((case.offered().1, case.names()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn texts_of_all_windows_that_ended_are_offered_and_those_of_a_running_one_are_not() {
        let mut case = Case::new();
        let (mut one, mut two, mut three) = (case.open(), case.open(), case.open());
        case.remember(&mut one, texts("1"));
        case.remember(&mut two, texts("2"));
        case.remember(&mut three, texts("3"));
        // As after a crash: the threads end, and nothing is removed.
        drop((one, two));
        let (mut next, found) = case.offered();
        assert_eq!(found, [texts("1"), texts("2")].concat());
        // A window that starts in the same moment offers none of them.
        assert_eq!(case.offered().1, []);
        // A crash before the window has stored them loses nothing.
        drop(next);
        (next, _) = case.offered();
        case.remember(&mut next, found.clone());
        drop(next);
        assert_eq!(case.names().len(), 3, "one file of each window, and a claim: {:?}", case.names());
        let (mut next, again) = case.offered();
        assert_eq!(again, found);
        // One is rejected, the other is restored and saved.
        case.remember(&mut next, texts("2"));
        case.remember(&mut next, Vec::new());
        next.finish(&case.place, Vec::new());
        assert_eq!(case.offered().1, []);
        drop(three);
        assert_eq!(case.offered().1, texts("3"));
    }

    #[test]
    fn of_windows_that_start_together_one_takes_over_a_text() {
        let mut case = Case::new();
        for round in 0..20 {
            let mut left = case.open();
            case.remember(&mut left, texts(&round.to_string()));
            drop(left);
            let windows: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| case.offered())).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert_eq!(windows.iter().filter(|(_, texts)| !texts.is_empty()).count(), 1);
            for (mut window, _) in windows {
                window.finish(&case.place, Vec::new());
            }
            assert_eq!(case.names(), [""; 0]);
        }
    }

    #[test]
    fn a_text_that_was_stored_twice_before_a_crash_is_offered_once_and_old_files_are_read() {
        let case = Case::new();
        let unsaved = case.folder.path().join("unsaved");
        fs::create_dir(&unsaved).expect("the folder is new");
        let key = scene_key(&case.place);
        for name in [format!("{key}.ron"), format!("{key}-7-0.ron"), format!("{key}-8-0.ron")] {
            fs::write(unsaved.join(name), ron::to_string(&texts("1")).expect("it is plain"))
                .expect("the folder is writable");
        }
        // A killed window leaves the file of its claim.
        fs::write(unsaved.join(format!("{key}-7-0.lock")), "").expect("the folder is writable");
        let (mut recovery, found) = case.offered();
        assert_eq!(found, texts("1"));
        recovery.finish(&case.place, Vec::new());
        assert_eq!(case.names(), [""; 0]);
    }

    #[test]
    fn without_a_folder_nothing_is_stored_and_failures_are_reported() {
        let case = Case::new();
        let mut nowhere = Recovery::default();
        assert_eq!(nowhere.remember(&case.place, || texts("1"), case.now), Ok(()));
        let file = case.folder.path().join("file");
        fs::write(&file, "").expect("the folder is writable");
        let until_error = |recovery: &mut Recovery, texts: &[Unsaved]| loop {
            if let Err(error) = recovery.remember(&case.place, || texts.to_vec(), case.now) {
                return error;
            }
            std::thread::yield_now();
        };
        until_error(&mut Recovery::new(Some(file)), &texts("1"));
        let long = texts(&"x".repeat(MAX_BYTES as usize));
        assert!(until_error(&mut case.open(), &long).contains("at most"));
        let unsaved = case.folder.path().join("unsaved");
        let _ = fs::create_dir(&unsaved);
        let path = unsaved.join(format!("{}-7-0.ron", scene_key(&case.place)));
        fs::write(&path, "(").expect("the folder is writable");
        let (texts, troubles) = case.open().read(&case.place);
        assert_eq!((texts.len(), troubles.len()), (0, 1));
        assert!(path.exists(), "it is not removed");
    }
}
