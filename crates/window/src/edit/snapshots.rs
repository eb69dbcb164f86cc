//! Snapshots: named sets of tuned values in a file beside the scene.

use steerbox_core::diagnostics::{Fault, counted};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Handle, KnobName, Setting, ValuesFile};
use steerbox_project::session::{NamedValues, read_values, written_values};

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;

/// Longest name, characters.
const MAX_NAME: usize = 60;

impl LiveSession {
    /// The file of snapshots, if the scene has a file.
    fn values_file(&self) -> Option<ValuesFile> {
        self.place.scene.as_deref().map(ValuesFile::of_scene)
    }

    /// Reads the names of all snapshots.
    pub(crate) fn list_snapshots(&mut self) {
        let Some(file) = self.values_file() else {
            return;
        };
        match file.read().and_then(|text| read_values(&file.name(), &text)) {
            Ok(named) => self.snapshot_names = named.into_iter().map(|named| named.name).collect(),
            Err(fault) => self.log_fault(&fault),
        }
    }

    /// Saves all tuned values under a name; replaces a snapshot with that name.
    pub(crate) fn save_snapshot(&mut self, name: &str) {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        let settings: Vec<Setting> = self.run.newest().tuned().collect();
        let count = settings.len();
        if name.is_empty() || count == 0 {
            let why = if count == 0 {
                "no value is tuned: there is nothing to save"
            } else {
                "a snapshot needs a name"
            };
            self.add(Tone::Warning, why.to_owned());
            return;
        }
        let new = NamedValues { name: name.clone(), settings };
        let done = self.change_values(|named| match named.iter_mut().find(|other| other.name == new.name) {
            Some(known) => *known = new.clone(),
            None => named.push(new.clone()),
        });
        if done {
            self.add(Tone::Good, format!("saved {} as snapshot \"{name}\"", tuned_values(count)));
        }
    }

    /// Deletes a snapshot.
    pub(crate) fn delete_snapshot(&mut self, name: &str) {
        if self.change_values(|named| named.retain(|other| other.name != name)) {
            self.add(Tone::Plain, format!("deleted snapshot \"{name}\""));
        }
    }

    /// Changes the snapshots of the file. Returns true on success.
    fn change_values(&mut self, change: impl Fn(&mut Vec<NamedValues>)) -> bool {
        let Some(file) = self.values_file() else {
            let text = "this scene is built in: it has no folder for snapshots";
            self.add(Tone::Warning, text.to_owned());
            return false;
        };
        let changed = file.change(|text| {
            let mut named = read_values(&file.name(), text)?;
            change(&mut named);
            Ok(written_values(&named))
        });
        if let Err(fault) = &changed {
            self.log_fault(fault);
        }
        self.list_snapshots();
        changed.is_ok()
    }

    /// Tunes all values of a snapshot as one edit; resets all others to the file's.
    pub(crate) fn load_snapshot(&mut self, name: &str) {
        match self.snapshot_values(name) {
            Ok(settings) => {
                let count = settings.len();
                self.set_all_values(&settings);
                self.add(Tone::Good, format!("loaded snapshot \"{name}\": {}", tuned_values(count)));
            }
            Err(fault) => self.log_fault(&fault),
        }
    }

    /// The values of a snapshot, if all of them fit the running scene.
    ///
    /// # Errors
    /// If the file does not contain such a set, with the location of the error.
    pub(crate) fn snapshot_values(&self, name: &str) -> Result<Vec<Setting>, Fault> {
        let missing = |file: String| Fault::of_file(file, format!("there is no snapshot \"{name}\""));
        let file = self.values_file().ok_or_else(|| missing(self.place.scene_name()))?;
        let (text, path) = (file.read()?, file.name());
        let named = read_values(&path, &text)?.into_iter().find(|named| named.name == name);
        let named = named.ok_or_else(|| missing(path.clone()))?;
        named.check(self.run.newest(), &path, &text)?;
        Ok(named.settings)
    }

    /// Tunes these values, and resets all others.
    pub(crate) fn set_all_values(&mut self, settings: &[Setting]) {
        let is_set =
            |(handle, knob, _): &Setting| settings.iter().any(|(of, name, _)| (of, name) == (handle, knob));
        let others: Vec<_> = self.run.newest().tuned().filter(|tuned| !is_set(tuned)).collect();
        let cleared = others.into_iter().map(|(handle, knob, _)| (handle, knob, None));
        let set = settings.iter().cloned().map(|(handle, knob, value)| (handle, knob, Some(value)));
        let all: Vec<(Handle, KnobName, Option<ParamValue>)> = cleared.chain(set).collect();
        self.edit_values(&all);
    }

    fn add(&mut self, tone: Tone, text: String) {
        let step = self.run.simulation.world().steps;
        self.needs_redraw = true;
        self.log.add(tone, step, text);
    }

    fn log_fault(&mut self, fault: &Fault) {
        let step = self.run.simulation.world().steps;
        self.needs_redraw = true;
        self.log.fault(step, fault);
    }
}

/// A description of the number of tuned values.
fn tuned_values(count: usize) -> String {
    counted(count, ["tuned value", "tuned values"])
}
