//! Texts of editors: the check of a text that is being typed, and its write to a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, caught};

use super::disk::{Change, Content};
use super::place::{file_name, limit_of};
use super::project::Project;
use super::replace::{ATTEMPTS, Base, ReplaceError, move_file};

/// Result of the check of a text that does not run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// Name of the file.
    pub name: String,
    /// The text that was checked.
    pub text: Arc<str>,
    /// Errors and warnings of the text, with everything else as it is now. Trial runs are not part of the check.
    pub faults: Vec<Fault>,
}

/// A text to be written to a file, which drops the unsaved text of that file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Name of the file.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
    /// The new content.
    pub text: Arc<str>,
    /// The content that it replaces; `None` if there is to be no such file.
    pub base: Option<Arc<str>>,
    /// Path of the file until now, if it is renamed.
    pub from: Option<PathBuf>,
}

/// Result of a [`Write`].
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The requested write.
    pub write: Write,
    /// The reason why nothing was written.
    pub refusal: Option<Unwritten>,
}

/// Reason why a text was not written. The file is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub enum Unwritten {
    /// The file has another content than expected: this one, or `None` if it is gone.
    Changed(Option<Arc<str>>),
    /// The file cannot be written.
    Fault(Fault),
    /// Another file of the same request was refused before anything was written.
    Others,
}

/// Writes texts to their files and drops the unsaved ones; none is written if one of the files has another content than its
/// base. Passes the new contents to `reported`. Returns the results in the same order.
pub(super) fn write_texts(
    project: &mut Project,
    writes: Vec<Write>,
    reported: &mut dyn FnMut(&Path, &str),
) -> Vec<Written> {
    let refusals: Vec<_> = match writes.len() {
        1 => Vec::new(),
        _ => writes.iter().map(|write| write.base().err()).collect(),
    };
    if refusals.iter().any(Option::is_some) {
        let withheld = |refusal: Option<Unwritten>| refusal.or(Some(Unwritten::Others));
        let refused = writes.into_iter().zip(refusals);
        return refused.map(|(write, refusal)| Written { write, refusal: withheld(refusal) }).collect();
    }
    let write = |write: Write| {
        let written = caught(|| write.carry_out(project, reported).err());
        let failed = || Some(Unwritten::Fault(Fault::of_file(&write.name, "writing has failed")));
        let refusal = written.unwrap_or_else(failed);
        Written { write, refusal }
    };
    writes.into_iter().map(write).collect()
}

impl Write {
    /// Returns the name of the file before the write.
    pub fn old_name(&self) -> String {
        self.from.as_deref().map_or_else(|| self.name.clone(), file_name)
    }

    /// Returns the write that restores content and path of the file before this one.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let (path, text) =
            (self.from.as_ref().unwrap_or(&self.path), self.base.as_ref().unwrap_or(&self.text));
        Self {
            name: self.old_name(),
            path: path.clone(),
            text: Arc::clone(text),
            base: Some(Arc::clone(&self.text)),
            from: self.from.as_ref().map(|_| self.path.clone()),
        }
    }

    /// Reads the file that is replaced or renamed; returns it with its byte order mark.
    ///
    /// # Errors
    /// If it has another content than expected, cannot be replaced, the text is too long, or the new name of a renamed file is
    /// taken.
    fn base(&self) -> Result<(Base, &'static str), Unwritten> {
        let find = |path: &Path| Base::find(path, limit_of(path)).map_err(|error| self.refused(&error));
        if self.from.is_some() && find(&self.path)?.exists() {
            return Err(self.refused(&ReplaceError::Exists));
        }
        let base = find(self.from.as_ref().unwrap_or(&self.path))?;
        let old = base.text().map_err(|error| self.refused(&error))?;
        let (mark, old) = old.strip_prefix('\u{feff}').map_or(("", old), |rest| ("\u{feff}", rest));
        let old = base.exists().then(|| Arc::from(old));
        if old != self.base {
            return Err(Unwritten::Changed(old));
        }
        base.check_length(mark.len() + self.text.len()).map_err(|error| self.refused(&error))?;
        Ok((base, mark))
    }

    /// Writes the text, renames the file, and drops its unsaved text.
    ///
    /// # Errors
    /// If nothing was written, or the file was written and could not be renamed.
    fn carry_out(
        &self,
        project: &mut Project,
        reported: &mut dyn FnMut(&Path, &str),
    ) -> Result<(), Unwritten> {
        for _ in 0..ATTEMPTS {
            let (base, mark) = self.base()?;
            if self.from.is_none() || self.base.as_ref() != Some(&self.text) {
                match base.replace(&format!("{mark}{}", self.text)) {
                    Ok(()) => {}
                    Err(ReplaceError::Changed) => continue,
                    Err(error) => return Err(self.refused(&error)),
                }
            }
            if let Some(from) = &self.from {
                move_file(from, &self.path).map_err(|error| self.refused(&error))?;
                project.set(Change { path: from.clone(), content: Content::Missing });
                project.set_buffer(&file_name(from), None);
            }
            if project.place().scene.is_none() && self.name == project.place().scene_name() {
                project.set_scene_file(&self.path);
            }
            reported(&self.path, &self.text);
            project.set(Change { path: self.path.clone(), content: Content::Text(Arc::clone(&self.text)) });
            project.set_buffer(&self.name, None);
            project.resume();
            return Ok(());
        }
        Err(self.refused(&ReplaceError::Changed))
    }

    fn refused(&self, error: &ReplaceError) -> Unwritten {
        Unwritten::Fault(error.of_file(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use steerbox_script::MAX_SOURCE;

    use super::*;
    use crate::reload::{Command, FileState, Loader, Place, Status};

    const LONG: Duration = Duration::from_mins(1);

    /// A loader of a scene with the script `one`, in a folder.
    fn started(folder: &Path) -> Loader {
        let scene = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
            groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"one\")])])";
        std::fs::create_dir_all(folder.join("scripts")).expect("the folder is new");
        std::fs::write(folder.join("s.ron"), scene).expect("the folder is writable");
        std::fs::write(folder.join("scripts/one.rhai"), ONE).expect("the folder is writable");
        let place = Place::of_scene(&folder.join("s.ron"));
        let (project, _) = Loader::load(place, Vec::new()).expect("the scene works");
        Loader::start(project).expect("there is a thread")
    }

    const ONE: &str = "fn steer(me, world) { 1.0 }";
    const TWO: &str = "fn steer(me, world) { 2.0 }";

    /// Waits for a generation in which the script `one` is in a state.
    fn until(loader: &Loader, is_so: impl Fn(&FileState) -> bool) {
        loop {
            let generation = loader.wait(LONG).expect("a generation follows");
            if generation.files.iter().any(|file| file.path == "one.rhai" && is_so(file)) {
                return;
            }
        }
    }

    fn written(loader: &Loader, write: Write) -> Option<Unwritten> {
        loader.send(Command::Write(vec![write]));
        loop {
            if let Some(written) = loader.written().next() {
                return written.refusal;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_text_is_checked_without_effect_and_then_runs_as_compiled() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let loader = started(folder.path());
        loader.want_drafts(true);
        let check = |text: &str| {
            loader.send(Command::Check("one.rhai".to_owned(), text.into()));
            loop {
                if let Some(checked) = loader.checked().next() {
                    return checked;
                }
                std::thread::yield_now();
            }
        };
        let faulty = check("fn steer(me, world) { zork }");
        assert!(faulty.faults.iter().any(|fault| (fault.line, fault.column) == (1, 23)), "{faulty:?}");
        assert!(loader.draft().is_none());
        assert_eq!(check(TWO).faults, []);
        let draft = loader.draft().expect("the text differs from what runs");
        loader.send(Command::Buffer("one.rhai".to_owned(), Some(TWO.into())));
        let next = loader.wait(LONG).expect("every unsaved text has an answer");
        assert!(next.runs_like(&draft), "it is compiled once");
        let content = std::fs::read_to_string(folder.path().join("scripts/one.rhai"));
        assert_eq!(content.expect("the file exists"), ONE, "nothing is written");
    }

    #[test]
    fn a_write_replaces_only_the_content_that_it_is_based_on() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let (loader, path) = (started(folder.path()), folder.path().join("scripts/one.rhai"));
        let write = |text: &str, base: Option<&str>| Write {
            name: "one.rhai".to_owned(),
            path: path.clone(),
            text: text.into(),
            base: base.map(Into::into),
            from: None,
        };
        let content = || std::fs::read_to_string(&path).expect("the file exists");
        loader.send(Command::Buffer("one.rhai".to_owned(), Some(TWO.into())));
        until(&loader, |file| file.unsaved.is_some());
        let other = Unwritten::Changed(Some(ONE.into()));
        assert_eq!(written(&loader, write(TWO, Some("other"))), Some(other.clone()));
        assert_eq!(written(&loader, write(TWO, None)), Some(other));
        assert_eq!(content(), ONE);
        assert_eq!(written(&loader, write(TWO, Some(ONE))), None);
        assert_eq!(content(), TWO);
        until(&loader, |file| file.unsaved.is_none() && file.saved == Some(Ok(TWO.into())));
        // A faulty text is written, too, and the version before it runs.
        assert_eq!(written(&loader, write("fn", Some(TWO))), None);
        until(&loader, |file| matches!(file.status, Status::Rejected(_)));
        std::fs::remove_file(&path).expect("the file exists");
        assert_eq!(written(&loader, write(TWO, Some("fn"))), Some(Unwritten::Changed(None)));
        assert_eq!(written(&loader, write(TWO, None)), None);
        // A text of one byte more than can be read again is not written.
        let long = |length: usize| format!("{TWO}{}", " ".repeat(length - TWO.len()));
        let refused = written(&loader, write(&long(MAX_SOURCE + 1), Some(TWO)));
        let Some(Unwritten::Fault(fault)) = refused else { panic!("{refused:?}") };
        let words =
            format!("the text has {} bytes, and a file with more than {MAX_SOURCE} bytes", MAX_SOURCE + 1);
        assert!(fault.message.contains(&words), "{}", fault.message);
        assert_eq!(content(), TWO);
        assert_eq!(written(&loader, write(&long(MAX_SOURCE), Some(TWO))), None);
        until(&loader, |file| file.saved == Some(Ok(long(MAX_SOURCE).into())));
        // An unreadable file is not gone, and is not replaced.
        std::fs::write(&path, [0xe4, b'\n']).expect("the folder is writable");
        let refused = written(&loader, write(TWO, None));
        assert!(
            matches!(&refused, Some(Unwritten::Fault(fault)) if fault.message.contains("UTF-8")),
            "{refused:?}"
        );
        until(&loader, |file| matches!(&file.saved, Some(Err(fault)) if fault.message.contains("UTF-8")));
        let nowhere = Write { path: folder.path().join("no/one.rhai"), ..write(TWO, None) };
        assert!(matches!(written(&loader, nowhere), Some(Unwritten::Fault(_))));
    }

    #[test]
    fn several_files_are_written_and_renamed_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let loader = started(folder.path());
        let path = |name: &str| folder.path().join(name);
        let read = |name: &str| std::fs::read_to_string(path(name)).expect("the file exists");
        let scene = read("s.ron");
        let writes = |base: &str| {
            let renamed = scene.replace("\"one\"", "\"two\"").into();
            let of_scene = Write {
                name: "s.ron".to_owned(),
                path: path("s.ron"),
                text: renamed,
                base: Some(base.into()),
                from: None,
            };
            let of_script = Write {
                name: "two.rhai".to_owned(),
                path: path("scripts/two.rhai"),
                text: ONE.into(),
                base: Some(ONE.into()),
                from: Some(path("scripts/one.rhai")),
            };
            vec![of_script, of_scene]
        };
        let refusals = |writes: Vec<Write>| {
            let mut refusals = Vec::new();
            loader.send(Command::Write(writes));
            while refusals.len() < 2 {
                refusals.extend(loader.written().map(|written| written.refusal));
                std::thread::yield_now();
            }
            refusals
        };
        let changed = Unwritten::Changed(Some(scene.as_str().into()));
        assert_eq!(refusals(writes("other")), [Some(Unwritten::Others), Some(changed)]);
        assert_eq!(read("scripts/one.rhai"), ONE);
        std::fs::write(path("scripts/two.rhai"), TWO).expect("the folder is writable");
        let [Some(Unwritten::Fault(_)), Some(Unwritten::Others)] = &refusals(writes(&scene))[..] else {
            panic!("the new name is taken");
        };
        assert_eq!((read("scripts/one.rhai"), read("scripts/two.rhai")), (ONE.to_owned(), TWO.to_owned()));
        std::fs::remove_file(path("scripts/two.rhai")).expect("the file exists");
        assert_eq!(refusals(writes(&scene)), [None, None]);
        assert!(read("s.ron").contains("\"two\"") && !path("scripts/one.rhai").exists());
        assert_eq!(read("scripts/two.rhai"), ONE);
        loop {
            let generation = loader.wait(LONG).expect("a generation follows");
            let mut used = generation.files.iter().filter(|file| file.used);
            if used.any(|file| file.path == "two.rhai" && file.status == Status::Live) {
                return;
            }
        }
    }
}
