//! A project on disk, the loader that watches it, and the simulation that it is swapped into.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use steerbox_core::sim::Simulation;
use steerbox_project::reload::{
    Command, EventKind, Generation, Loader, Place, RunningWorld, read_dir_sorted,
};

use crate::content::{content, file_name, script_name, version};

/// Detected faults.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrongs {
    /// Running contents that are incomplete.
    pub(crate) torn: u32,
    /// Complete contents that were reported as faulty, or torn ones: every written content is valid.
    pub(crate) rejected: u32,
    /// Files reported as missing.
    pub(crate) missing: u32,
    /// Contents that went live twice.
    pub(crate) doubled: u32,
    /// Files of which an older content went live after a newer one.
    pub(crate) backward: u32,
}

/// A running project of `files` files, the last of them the scene.
pub(crate) struct Stage {
    pub(crate) root: PathBuf,
    pub(crate) elsewhere: PathBuf,
    pub(crate) files: usize,
    pub(crate) wrongs: Wrongs,
    /// Number of generations swapped in.
    pub(crate) swaps: u32,
    pub(crate) polling: Option<String>,
    loader: Loader,
    generation: Generation,
    simulation: Simulation,
    live: Vec<u32>,
    _folder: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn new(files: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().canonicalize()?.join("project");
        let elsewhere = folder.path().canonicalize()?.join("elsewhere");
        for made in [root.join("scripts"), root.join("scenes"), elsewhere.clone()] {
            fs::create_dir_all(made)?;
        }
        for index in 0..files {
            fs::write(root.join(file_name(index, files)), content(index, files, 1, 0))?;
        }
        let place = Place::of_scene(&root.join(file_name(files - 1, files)));
        let (project, generation) = Loader::load(place, Vec::new())?;
        Ok(Self {
            root,
            elsewhere,
            files,
            wrongs: Wrongs::default(),
            swaps: 0,
            polling: None,
            loader: Loader::start(project)?,
            simulation: generation.start(None),
            generation,
            live: vec![1; files],
            _folder: folder,
        })
    }

    pub(crate) fn path(&self, index: usize) -> PathBuf {
        self.root.join(file_name(index, self.files))
    }

    /// Swaps in ready generations, like the window between two frames; returns the changed files, their versions, and the
    /// time at which all were ready.
    pub(crate) fn frame(&mut self, patience: Duration) -> Vec<(usize, u32, Instant)> {
        if self.loader.wants_sample() {
            let (scene, sample) = (Arc::clone(&self.generation.scene), self.simulation.sample());
            self.loader.send(Command::Sample(Box::new(RunningWorld { scene, sample })));
        }
        let Some(next) = self.loader.wait(patience) else {
            return Vec::new();
        };
        let ready = Instant::now();
        let before = Arc::clone(&self.generation.scene);
        next.swap_into(&mut self.simulation, &before, None);
        self.simulation.step();
        self.generation = next;
        self.swaps += 1;
        self.note_events();
        let changed = self.changed();
        changed.into_iter().map(|(index, version)| (index, version, ready)).collect()
    }

    fn note_events(&mut self) {
        self.polling.clone_from(&self.generation.polling);
        for event in &self.generation.events {
            match event.kind {
                EventKind::Rejected => {
                    self.wrongs.rejected += 1;
                    println!("rejected: {event:?}");
                }
                EventKind::Missing => self.wrongs.missing += 1,
                EventKind::Live | EventKind::Reconciled => {}
            }
        }
    }

    /// Returns the running text of each script.
    fn texts(&self) -> BTreeMap<String, Arc<str>> {
        let planned = self.generation.behaviors.iter().flatten();
        let scripts = planned.filter_map(|planned| planned.script.as_ref());
        scripts.map(|script| (script.path.clone(), Arc::clone(&script.text))).collect()
    }

    fn text(&self, texts: &BTreeMap<String, Arc<str>>, index: usize) -> Arc<str> {
        if index + 1 == self.files {
            return Arc::clone(&self.generation.scene.source);
        }
        let name = format!("{}.rhai", script_name(index));
        texts.get(&name).map_or_else(|| "".into(), Arc::clone)
    }

    fn changed(&mut self) -> Vec<(usize, u32)> {
        let texts = self.texts();
        let mut changed = Vec::new();
        for index in 0..self.files {
            let text = self.text(&texts, index);
            let is_told = self.generation.changed.contains(&script_name(index));
            match version(&text) {
                None => {
                    self.wrongs.torn += 1;
                    println!("torn: {}: {text:?}", script_name(index));
                }
                Some(now) if now == self.live[index] => self.wrongs.doubled += u32::from(is_told),
                Some(now) => {
                    self.wrongs.backward += u32::from(now < self.live[index]);
                    self.live[index] = now;
                    changed.push((index, now));
                }
            }
        }
        changed
    }

    /// Waits until a version of a file, or a newer one, is live; returns the time after `since`.
    pub(crate) fn until(&mut self, index: usize, version: u32, since: Instant) -> Result<Duration> {
        while self.live[index] < version {
            if since.elapsed() > Duration::from_secs(10) {
                bail!("version {version} of {} did not come", file_name(index, self.files));
            }
            self.frame(Duration::from_millis(10));
        }
        Ok(since.elapsed())
    }

    /// Returns the files whose running content differs from that on disk.
    pub(crate) fn differing(&self) -> Result<Vec<String>> {
        let texts = self.texts();
        let mut differing = Vec::new();
        for index in 0..self.files {
            let on_disk = fs::read_to_string(self.path(index))?;
            if *self.text(&texts, index) != on_disk {
                differing.push(file_name(index, self.files));
            }
        }
        Ok(differing)
    }
}

/// Copies all entries of a folder; links remain links.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for path in read_dir_sorted(from)? {
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(path)?, to)?;
        } else {
            fs::copy(path, to)?;
        }
    }
    Ok(())
}
