//! Texts in the editor: what the keys do with them, and what follows from files, checks and writes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use steerbox_project::reload::{SavedText, Unwritten, Write, Written, is_experiment};
use steerbox_scene::Addition;

use crate::commands::action::{EditorAction, SessionAction};
use crate::model::editor::buffer::{Buffer, Conflict};
use crate::model::editor::text_state::TextState;
use crate::model::editor::{Find, Request, Unsaved};
use crate::model::live_session::LiveSession;
use crate::model::panes::Pane;
use crate::model::question::{Question, Waiting};
use crate::model::view_state::ViewState;

impl ViewState {
    /// Executes an action of the editor.
    pub(crate) fn edit_text(&mut self, action: EditorAction, session: &mut LiveSession) {
        let shown = self.editor.open_name().map(str::to_owned);
        match action {
            EditorAction::Open(place) => {
                self.open_text(&place.file, session);
                self.editor.request = Some(Request::GoTo(place.line.max(1), place.column.max(1)));
            }
            EditorAction::Type { name, text, joins, runs } => {
                self.change_text(&name, session, |buffer| {
                    buffer.edit_joined(text, joins, Instant::now());
                    buffer.runs_next = runs;
                });
            }
            EditorAction::Restore(at) => {
                if let Some(offered) = self.editor.withdraw(at) {
                    let saved = session.saved_text(&offered.name);
                    self.editor.restore(&offered, saved);
                    self.match_rule(session);
                }
            }
            EditorAction::Discard(at) => drop(self.editor.withdraw(at)),
            EditorAction::NewRule(template) => self.name_rule(template, session),
            EditorAction::CreateRule { template, name } => self.create_rule(template, &name, session),
            EditorAction::NewScene(template) => self.new_scene(template, session),
            EditorAction::AddRule { group, script } => {
                self.add_to_scene(&Addition::Behavior(group, script), session);
            }
            EditorAction::AddGroup => self.add_group(session),
            EditorAction::Rearrange(item, edit) => self.rearrange(&item, edit, session),
            EditorAction::Find(find) => self.editor.find = Some(find),
            EditorAction::OpenFind(replaces) => {
                let find = self.editor.find.take().unwrap_or_default();
                self.editor.find = Some(Find { replaces, ..find });
                self.editor.request = Some(Request::FocusFind);
            }
            EditorAction::Help(help) => self.editor.request = Some(Request::Help(help)),
            EditorAction::Assist(step) => self.assist(step, session),
            EditorAction::Run | EditorAction::RunSaved if self.shows_experiment() => {
                session.refuse("a window does not run experiments: use `steerbox sweep`");
            }
            EditorAction::Run => self.run_shown(session),
            EditorAction::Save => self.save_shown(session),
            EditorAction::Leave => {
                self.editor.assist.offer = None;
                self.editor.request = Some(Request::Leave);
            }
            EditorAction::RunSaved => {
                if let Some(name) = shown {
                    self.run_saved(name, session);
                }
            }
            EditorAction::Revert => {
                if let Some(name) = shown {
                    self.change_text(&name, session, Buffer::revert);
                }
            }
            EditorAction::UndoText(is_redo) => {
                if let Some(name) = shown {
                    let mut place = None;
                    self.change_text(&name, session, |buffer| place = buffer.undo(is_redo, Instant::now()));
                    if let Some(place) = place {
                        self.editor.request = Some(Request::Select(place..place));
                        self.follow_undo(&name, is_redo, session);
                    }
                }
            }
            EditorAction::Resolve(takes_file) => {
                if let Some(name) = shown {
                    self.change_text(&name, session, |buffer| buffer.resolve(takes_file));
                    self.editor.shows_difference = false;
                }
            }
        }
    }

    /// Offers unsaved texts of earlier windows, unless they were saved.
    pub(crate) fn offer_texts(&mut self, texts: Vec<Unsaved>, session: &LiveSession) {
        let is_unsaved = |text: &Unsaved| text.restored(session.saved_text(&text.name)).is_unsaved();
        self.editor.offered = texts.into_iter().filter(is_unsaved).collect();
    }

    /// Changes a text. One that runs and becomes the saved text again, as by undo, ends its draft.
    fn change_text(&mut self, name: &str, session: &mut LiveSession, change: impl FnOnce(&mut Buffer)) {
        if let Some(buffer) = self.editor.get_mut(name) {
            let runs = session.drafts.get(name) == Some(buffer.content());
            change(buffer);
            buffer.runs_next |= runs && !buffer.is_unsaved();
            session.needs_redraw = true;
        }
    }

    /// Shows a file in the editor.
    pub(crate) fn open_text(&mut self, name: &str, session: &LiveSession) {
        self.editor.open(name, session.saved_text(name));
        self.window.presenting = false;
        self.layout.raise(Pane::Editor);
        self.match_rule(session);
    }

    /// Runs the shown text as a draft, or the saved content if they are equal.
    fn run_shown(&mut self, session: &mut LiveSession) {
        if let Some(buffer) = self.editor.shown() {
            let text = Some(buffer.content()).filter(|_| buffer.is_unsaved()).cloned();
            session.act(&SessionAction::RunText(buffer.name.clone(), text));
        }
    }

    /// Runs the saved text. The live mode ends: it would run the unsaved text again.
    fn run_saved(&mut self, name: String, session: &mut LiveSession) {
        self.editor.live = false;
        session.act(&SessionAction::RunText(name, None));
    }

    /// Writes the shown text to its file, and then, if it is that of the scene, all tuned values.
    fn save_shown(&mut self, session: &mut LiveSession) {
        if let Some(name) = self.editor.shown().map(|buffer| buffer.name.clone()) {
            self.save_text(&name, session);
        }
    }

    /// Writes a text to its file; a file that came with the program is created after a question.
    fn save_text(&mut self, name: &str, session: &mut LiveSession) {
        self.values_follow = false;
        let Some(buffer) = self.editor.get(name) else {
            return;
        };
        match &buffer.conflict {
            Some(Conflict::Unreadable(fault)) => {
                return session.refuse(&format!("nothing was written: {}", fault.summary()));
            }
            Some(Conflict::Changed(_) | Conflict::Deleted) => {
                session
                    .refuse(&format!("{} differs from the file: choose one of the two first", buffer.name));
                self.editor.shows_difference = true;
                return;
            }
            None => {}
        }
        let write = match session.write_of(buffer) {
            Err(why) => return session.refuse(&why),
            Ok(write) => write,
        };
        self.values_follow = session.is_scene(name) && session.tuned() > 0;
        if write.base.is_none() && buffer.base.is_some() {
            let text = format!("{} came with the program. Write {}?", write.name, write.path.display());
            self.question = Some(Question::new(text, "Write", Waiting::Text(write)));
        } else {
            session.act(&SessionAction::WriteTexts(vec![write]));
        }
    }

    /// Ctrl+S: writes the shown text if it receives the keys, or if it is unsaved and nothing else is; otherwise all
    /// tuned values.
    pub(crate) fn save(&mut self, is_typing: bool, session: &mut LiveSession) {
        let is_unsaved = self.editor.shown().is_some_and(Buffer::is_unsaved);
        if is_unsaved && (is_typing || session.tuned() == 0) {
            self.save_shown(session);
        } else {
            session.run.resume();
            self.save_scene(session);
        }
    }

    /// Writes all edits into the scene's file; a scene that came with the program is written to a file first, after a question.
    /// Unsaved text of the scene is written before.
    pub(crate) fn save_scene(&mut self, session: &mut LiveSession) {
        let name = session.place.scene_name();
        if self.editor.get(&name).is_some_and(Buffer::is_unsaved) {
            return self.save_text(&name, session);
        }
        let text = session
            .saved_text(&name)
            .and_then(Result::ok)
            .filter(|_| session.lacks_file(&name) && session.tuned() > 0);
        let Some(text) = text else {
            return session.act(&SessionAction::Save);
        };
        if let Some(why) = session.cannot_save() {
            return session.refuse(why);
        }
        match session.write_of(&Buffer::new(&name, Some(text))) {
            Ok(write) => {
                let (path, edits) = (write.path.display(), session.tuned_words());
                let text = format!("{name} came with the program. Write {path} with {edits}?");
                self.question = Some(Question::new(text, "Write", Waiting::Scene(write)));
            }
            Err(why) => session.refuse(&why),
        }
    }

    /// Closes the topmost open part of the editor: a list, the search, the draft that runs, the signature. Returns false if
    /// nothing was open and the text does not have the keyboard focus, which it retains: the next letters are text.
    pub(crate) fn escape_text(&mut self, is_typing: bool, session: &mut LiveSession) -> bool {
        let Some(name) = self.editor.open_name().map(str::to_owned) else {
            return false;
        };
        let assist = &mut self.editor.assist;
        if assist.offer.take().is_some()
            || assist.renaming.take().is_some()
            || self.editor.find.take().is_some()
        {
            self.editor.request = Some(Request::Focus);
        } else if session.drafts.contains_key(&name) {
            self.run_saved(name, session);
        } else {
            if is_typing {
                assist.close_signature();
            }
            return is_typing;
        }
        true
    }

    /// Receives the results of checks and writes, compares with the files, and checks and runs texts that are due.
    pub(crate) fn follow_texts(&mut self, session: &mut LiveSession, now: Instant) {
        for checked in session.run.checked() {
            session.needs_redraw = true;
            if let Some(buffer) = self.editor.get_mut(&checked.name) {
                buffer.note_checked(checked);
            }
        }
        for written in session.run.written() {
            self.note_written(written, session);
        }
        self.follow_files(session, now);
        self.check_experiments(session, now);
        let live = self.editor.live;
        for buffer in self.editor.buffers_mut().iter_mut().filter(|buffer| !buffer.is_experiment()) {
            if let Some(content) = buffer.due(now) {
                session.check_text(&buffer.name, content, buffer.is_unsaved());
            }
            if buffer.is_ready(live, now) {
                buffer.runs_next = false;
                let text = Some(buffer.content()).filter(|_| buffer.is_unsaved()).cloned();
                if session.drafts.get(&buffer.name) != text.as_ref() {
                    session.act(&SessionAction::RunTyped(buffer.name.clone(), text));
                }
            }
        }
        if self.editor.shown().is_some() {
            // Hover needs the present text; other files are read when they are needed.
            self.editor.follow();
        }
        self.match_rule(session);
    }

    /// Compares the texts with their files. A file that the scene does not use is read, as rarely as polling does.
    fn follow_files(&mut self, session: &mut LiveSession, now: Instant) {
        let reads = self.editor.is_read_due(now);
        session.needs_redraw |= reads && session.experiments.read(&session.place);
        for name in self.editor.names() {
            let file = session.run.newest().files.iter().find(|file| file.path == name);
            session.needs_redraw |= match file.map(|file| file.saved.clone()) {
                Some(saved) if session.replaced.get(&name) == Some(&saved) => false,
                Some(saved) => {
                    session.replaced.remove(&name);
                    self.editor.compare(&name, saved)
                }
                None => reads && self.editor.compare_read(&name, session.place.saved(&name)),
            };
        }
    }

    fn note_written(&mut self, written: Written, session: &mut LiveSession) {
        session.needs_redraw = true;
        let Written { write, refusal } = written;
        let old = write.from.as_ref().and_then(|from| from.file_name()).map(|old| old.to_string_lossy());
        let step = session.run.simulation.world().steps;
        let (is_written, of_change) = (refusal.is_none(), write.clone());
        match refusal {
            None => {
                session.log.add_written(step, &write.path);
                session.drafts.remove(&write.name);
                session.replaced.insert(write.name.clone(), write.base.clone().map(Ok));
                if let Some(old) = old {
                    session.drafts.remove(&*old);
                    self.editor.rename(&old, &write.name);
                }
                if let Some(buffer) = self.editor.get_mut(&write.name) {
                    buffer.note_written(write.text);
                }
                self.editor.assist.expire();
                session.adopt_scene(&write.name, &write.path);
            }
            Some(Unwritten::Changed(saved)) => {
                let name = old.as_deref().unwrap_or(&write.name);
                if let Some(buffer) = self.editor.get_mut(name) {
                    self.editor.shows_difference |=
                        buffer.compare(saved.map(Ok)) && buffer.conflict.is_some();
                }
                session.refuse(&format!("{name} changed on disk: nothing was written"));
            }
            Some(Unwritten::Fault(fault)) => {
                session.log.fault(step, &fault);
                if let Some(buffer) = self.editor.get_mut(old.as_deref().unwrap_or(&write.name)) {
                    buffer.unwritten = Some(fault);
                }
            }
            Some(Unwritten::Others) => {}
        }
        self.note_change(&of_change, is_written, session);
        if session.is_scene(&of_change.name) && std::mem::take(&mut self.values_follow) && is_written {
            self.save_scene(session);
        }
    }

    /// Shows the values of the rule whose script is in the editor, if the inspected unit has it.
    fn match_rule(&mut self, session: &LiveSession) {
        let Some(script) = self.editor.open_name().and_then(|name| name.strip_suffix(".rhai")) else {
            self.script = None;
            return;
        };
        let run = &session.run;
        let unit = self.selection.inspected().and_then(|unit| run.simulation.world().units.group.get(unit));
        let planned = unit.and_then(|group| run.generation.behaviors.get(usize::from(*group)));
        let rules = planned.map_or(&[][..], |planned| &planned[..]);
        let is_of = |at: &usize| {
            rules.get(*at).is_some_and(|planned| {
                let mut imports = planned.script.iter().flat_map(|script| &script.imports);
                planned.handle.script == script || imports.any(|import| import.name == script)
            })
        };
        self.script = self.script.filter(is_of).or_else(|| (0..rules.len()).find(is_of));
    }
}

impl LiveSession {
    /// The saved content of a file, or the one that came with the program.
    pub(crate) fn saved_text(&self, name: &str) -> SavedText {
        let mut files = self.run.newest().files.iter();
        let known = files.find(|file| file.path == name);
        known.map_or_else(|| self.place.saved(name), |file| file.saved.clone())
    }

    pub(crate) fn is_scene(&self, name: &str) -> bool {
        self.place.scene_name() == name
    }

    /// The unsaved text of the scene that runs.
    pub(crate) fn scene_draft(&self) -> Option<Arc<str>> {
        self.drafts.get(&self.place.scene_name()).cloned()
    }

    /// The state of a text in the editor.
    pub(crate) fn text_state(&self, buffer: &Buffer) -> TextState {
        let draft = self.drafts.get(&buffer.name);
        let text = (buffer.content(), buffer.is_unsaved());
        TextState::of(&buffer.name, text, draft, self.run.newest())
    }

    /// True for a scene that came with the program.
    pub(crate) fn lacks_file(&self, name: &str) -> bool {
        self.place.scene.is_none() && self.is_scene(name)
    }

    /// Runs an unsaved text of a file, or the saved content again.
    pub(crate) fn run_text(&mut self, name: &str, text: Option<Arc<str>>) {
        match &text {
            Some(text) => drop(self.drafts.insert(name.to_owned(), Arc::clone(text))),
            None => drop(self.drafts.remove(name)),
        }
        self.run.run_text(name, text);
    }

    /// Checks a text; if it is what runs, no preview is shown.
    fn check_text(&mut self, name: &str, content: Arc<str>, is_unsaved: bool) {
        let running = self.drafts.get(name);
        if running.map_or(!is_unsaved, |running| *running == content) {
            self.run.end_preview();
        }
        self.run.check_text(name, content);
    }

    /// The write of a text to its file.
    ///
    /// # Errors
    /// If there is no place for it, with a message for the user.
    fn write_of(&self, buffer: &Buffer) -> Result<Write, String> {
        let name = buffer.name.clone();
        let known =
            self.place.path_of(&name).or_else(|| self.place.scene.clone().filter(|_| self.is_scene(&name)));
        let is_known = known.is_some();
        let path = known.or_else(|| self.new_path(&name));
        let path = path.ok_or_else(|| format!("{name}: this scene has no folder for scripts"))?;
        if !is_known && path.symlink_metadata().is_ok() {
            return Err(format!(
                "nothing was written: {} exists. Open that file, or rename it",
                path.display()
            ));
        }
        let base = buffer.base.clone().filter(|_| is_known);
        Ok(Write { name, path, text: Arc::clone(buffer.content()), base, from: None })
    }

    /// The path of a file that does not exist: in the first folder of scripts, or in those of scenes and experiments.
    fn new_path(&self, name: &str) -> Option<PathBuf> {
        if self.is_scene(name) {
            return Some(self.scenes_folder().join(name));
        }
        if is_experiment(Path::new(name)) {
            return self.place.experiment_path(name);
        }
        let folders = &self.place.folders;
        let existing = folders.iter().find(|folder| folder.is_dir());
        existing.or(folders.first()).map(|folder| folder.join(name))
    }

    /// Requests the write of texts, all or none.
    pub(crate) fn write_texts(&mut self, writes: &[Write]) {
        for write in writes {
            let folder = write.path.parent().unwrap_or(Path::new("."));
            if let Err(error) = std::fs::create_dir_all(folder) {
                return self.refuse(&format!("cannot create {}: {error}", folder.display()));
            }
        }
        if !self.run.write_texts(writes.to_vec()) {
            let names: Vec<_> = writes.iter().map(|write| write.name.as_str()).collect();
            self.refuse(&format!("{} cannot be written: reloading has failed", names.join(", ")));
        }
    }

    /// The folder of new scenes: the folder of the scene's file, else `scenes/` next to the first folder of scripts, else the folder of
    /// the working folder.
    pub(crate) fn scenes_folder(&self) -> PathBuf {
        let project = self.place.project();
        let beside = || {
            let scenes = project.unwrap_or(Path::new("")).join("scenes");
            std::path::absolute(&scenes).unwrap_or(scenes)
        };
        self.folder().map_or_else(beside, Path::to_owned)
    }

    /// Continues with the file of a scene that came with the program, once it is written.
    fn adopt_scene(&mut self, name: &str, path: &Path) {
        if self.lacks_file(name) {
            self.place = self.place.clone().with_scene(path);
            self.run.continue_at(self.place.clone());
        }
    }
}
