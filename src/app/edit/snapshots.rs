//! Sets of tuned values with names, kept in a file beside the scene.

use crate::app::model::counted::counted;
use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::diagnostics::Fault;
use crate::reload::{Handle, KnobName, Setting, ValuesFile};
use crate::scene::ParamValue;
use crate::session::{NamedValues, read_values, written_values};

/// Longest name, characters.
const LONGEST: usize = 60;

impl LiveSession {
    /// The file, if the scene has one to stand beside.
    fn values_file(&self) -> Option<ValuesFile> {
        self.place.scene.as_deref().map(ValuesFile::of_scene)
    }

    /// Looks at which sets there are.
    pub(in crate::app) fn list_values(&mut self) {
        let Some(file) = self.values_file() else {
            return;
        };
        match file.read().and_then(|text| read_values(&file.name(), &text)) {
            Ok(named) => self.named_values = named.into_iter().map(|named| named.name).collect(),
            Err(fault) => self.tell_fault(&fault),
        }
    }

    /// Keeps everything that is tuned under a name; a set of that name is replaced.
    pub(in crate::app) fn save_values(&mut self, name: &str) {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        let settings: Vec<Setting> = self.run.newest().tuned().collect();
        let count = settings.len();
        if name.is_empty() || count == 0 {
            let why = if count == 0 {
                "no value is tuned: there is nothing to save"
            } else {
                "a snapshot needs a name"
            };
            self.say(Tone::Warning, why.to_owned());
            return;
        }
        let new = NamedValues { name: name.clone(), settings };
        let done = self.change_values(|named| match named.iter_mut().find(|other| other.name == new.name) {
            Some(known) => *known = new.clone(),
            None => named.push(new.clone()),
        });
        if done {
            self.say(Tone::Good, format!("saved {} as snapshot \"{name}\"", tuned_values(count)));
        }
    }

    /// Removes a set.
    pub(in crate::app) fn delete_values(&mut self, name: &str) {
        if self.change_values(|named| named.retain(|other| other.name != name)) {
            self.say(Tone::Plain, format!("deleted snapshot \"{name}\""));
        }
    }

    /// Changes the sets of the file; whether it took them.
    fn change_values(&mut self, change: impl Fn(&mut Vec<NamedValues>)) -> bool {
        let Some(file) = self.values_file() else {
            let text = "this scene is built in: it has no folder for snapshots";
            self.say(Tone::Warning, text.to_owned());
            return false;
        };
        let changed = file.change(|text| {
            let mut named = read_values(&file.name(), text)?;
            change(&mut named);
            Ok(written_values(&named))
        });
        if let Err(fault) = &changed {
            self.tell_fault(fault);
        }
        self.list_values();
        changed.is_ok()
    }

    /// Tunes everything as a set has it, as one edit; what is not among its values becomes the file's.
    pub(in crate::app) fn load_values(&mut self, name: &str) {
        match self.values_of(name) {
            Ok(settings) => {
                let count = settings.len();
                self.set_all_values(&settings);
                self.say(Tone::Good, format!("loaded snapshot \"{name}\": {}", tuned_values(count)));
            }
            Err(fault) => self.tell_fault(&fault),
        }
    }

    /// The values of a set, if all of them fit what runs.
    ///
    /// # Errors
    /// When the file does not hold such a set, with the place in it.
    pub(in crate::app) fn values_of(&self, name: &str) -> Result<Vec<Setting>, Fault> {
        let missing = |file: String| Fault::of_file(file, format!("there is no snapshot \"{name}\""));
        let file = self.values_file().ok_or_else(|| missing(self.place.scene_name()))?;
        let (text, path) = (file.read()?, file.name());
        let named = read_values(&path, &text)?.into_iter().find(|named| named.name == name);
        let named = named.ok_or_else(|| missing(path.clone()))?;
        named.check(self.run.newest(), &path, &text)?;
        Ok(named.settings)
    }

    /// Tunes these values and no others.
    pub(in crate::app) fn set_all_values(&mut self, settings: &[Setting]) {
        let is_set =
            |(handle, knob, _): &Setting| settings.iter().any(|(of, name, _)| (of, name) == (handle, knob));
        let others: Vec<_> = self.run.newest().tuned().filter(|tuned| !is_set(tuned)).collect();
        let cleared = others.into_iter().map(|(handle, knob, _)| (handle, knob, None));
        let set = settings.iter().cloned().map(|(handle, knob, value)| (handle, knob, Some(value)));
        let all: Vec<(Handle, KnobName, Option<ParamValue>)> = cleared.chain(set).collect();
        self.edit_values(&all);
    }

    fn say(&mut self, tone: Tone, text: String) {
        let step = self.run.simulation.world().steps;
        self.news = true;
        self.log.say(tone, step, text);
    }

    fn tell_fault(&mut self, fault: &Fault) {
        let step = self.run.simulation.world().steps;
        self.news = true;
        self.log.fault(step, fault);
    }
}

/// So many tuned values, in words.
fn tuned_values(count: usize) -> String {
    counted(count, ["tuned value", "tuned values"])
}
