//! New rules, scenes and groups from templates; edits of the rules and groups of a scene.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use steerbox_core::diagnostics::Fault;
use steerbox_project::reload::{
    Place, SCENE_TEMPLATES, SceneTemplate, create_file, embedded_scripts, shown_name,
};
use steerbox_project::session::Options;
use steerbox_scene::{Addition, ListItem, Rearrange, free_group_name, grown, outline, rearranged};

use crate::commands::action::{EditorAction, SessionAction, ViewAction};
use crate::model::dialog::{Dialog, NewRule};
use crate::model::editor::Request;
use crate::model::editor::buffer::Buffer;
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::templates::{FLOW, RULES, free_name, is_rule};
use crate::model::view_state::ViewState;

/// Number of lines that are shown above an addition.
const ABOVE: usize = 3;
/// Maximum number of bytes of the name of a new rule.
const MAX_NAME: usize = 100;

impl ViewState {
    /// Opens the dialog for the name of a new rule, from a template by its index.
    pub(crate) fn name_rule(&mut self, template: usize, session: &mut LiveSession) {
        let Some((_, stem, _)) = RULES.get(template) else {
            return;
        };
        let free = free_name(stem, "rhai", |name| self.is_taken(name, session));
        let name = free.as_deref().unwrap_or(stem).trim_end_matches(".rhai").to_owned();
        self.new_rule = Some(NewRule { template, name });
        self.act(session, ViewAction::ToggleDialog(Dialog::NewRule));
    }

    /// True if a file with this name exists, saved or not.
    fn is_taken(&self, name: &str, session: &LiveSession) -> bool {
        session.place.saved(name).is_some()
            || self.editor.unsaved().iter().any(|unsaved| unsaved.name == name)
    }

    /// The reason why a new rule cannot have a name, or `None`.
    pub(crate) fn refusal_of_rule(&self, name: &str, session: &LiveSession) -> Option<String> {
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() {
            Some("Type a name first".to_owned())
        } else if name.len() > MAX_NAME {
            Some("The name is too long".to_owned())
        } else if !name.chars().all(is_plain) {
            Some("Use letters, digits, _ and - only".to_owned())
        } else {
            let file = format!("{name}.rhai");
            self.is_taken(&file, session).then(|| format!("{file} exists"))
        }
    }

    /// Opens a new rule, from a template by its index, as unsaved text. A flow field is added to the scene, too: no group
    /// runs it.
    pub(crate) fn create_rule(&mut self, template: usize, name: &str, session: &mut LiveSession) {
        let Some((_, _, text)) = RULES.get(template) else {
            return;
        };
        if let Some(why) = self.refusal_of_rule(name, session) {
            return session.refuse(&why);
        }
        let file = format!("{name}.rhai");
        let mut buffer = Buffer::new(&file, None);
        buffer.edit((*text).to_owned(), Instant::now());
        self.editor.open_buffer(buffer);
        if template == FLOW {
            self.add_to_scene(&Addition::Field(name.to_owned()), session);
        }
        let place = FilePlace { file, line: 1, column: 1 };
        self.act(session, EditorAction::Open(place));
    }

    /// Writes a new scene, from a template by its index, beside the present one, and opens it.
    pub(crate) fn new_scene(&mut self, template: usize, session: &mut LiveSession) {
        let Some(SceneTemplate { stem, text, .. }) = SCENE_TEMPLATES.get(template) else {
            return;
        };
        match create_scene(&session.scenes_folder(), stem, text) {
            Ok(path) => {
                session.log.add_written(session.run.simulation.world().steps, &path);
                session.requested_scene = Some(Options::new(Place::of_scene(&path)));
                self.edits_next_scene = true;
            }
            Err(why) => session.refuse(&why),
        }
    }

    /// The text of the scene in the editor, which has the saved one at first.
    ///
    /// # Errors
    /// If that cannot be read.
    fn scene_text(&mut self, session: &LiveSession) -> Result<String, Fault> {
        let scene = session.place.scene_name();
        self.editor.add(&scene, session.saved_text(&scene))?;
        Ok(self.editor.get(&scene).map_or_else(String::new, |buffer| buffer.text().to_owned()))
    }

    /// Adds a rule or a group to the text of the scene, which runs as a draft.
    pub(crate) fn add_to_scene(&mut self, addition: &Addition, session: &mut LiveSession) {
        let scene = session.place.scene_name();
        let Some(text) = self.edited_scene(session, |text| grown(&scene, text, addition)) else { return };
        // A rule that was never saved runs as a draft, too.
        if let Addition::Behavior(_, script) | Addition::Field(script) = addition {
            let name = format!("{script}.rhai");
            let unsaved = self.editor.get(&name).filter(|buffer| buffer.is_unsaved());
            if let Some(content) = unsaved.map(|buffer| Arc::clone(buffer.content())) {
                session.act(&SessionAction::RunText(name, Some(content)));
            }
        }
        self.run_scene(text, session);
    }

    /// The result of an edit of the text of the scene; `None` if that fails, which is logged.
    fn edited_scene<T>(
        &mut self,
        session: &mut LiveSession,
        edit: impl FnOnce(&str) -> Result<T, Vec<Fault>>,
    ) -> Option<T> {
        let text = self.scene_text(session).map_err(|fault| vec![fault]);
        let edited = text.and_then(|text| edit(&text));
        for fault in edited.as_ref().err().into_iter().flatten() {
            session.log.fault(session.run.simulation.world().steps, fault);
        }
        edited.ok()
    }

    /// Runs a text of the scene as a draft, and shows where it changed.
    fn run_scene(&mut self, text: String, session: &mut LiveSession) {
        let scene = session.place.scene_name();
        let mut line = 1;
        if let Some(buffer) = self.editor.get_mut(&scene) {
            line = first_changed_line(buffer.text(), &text);
            buffer.edit(text, Instant::now());
            let content = Arc::clone(buffer.content());
            session.act(&SessionAction::RunText(scene.clone(), Some(content)));
        }
        self.open_text(&scene, session);
        self.editor.request = Some(Request::Show(line.saturating_sub(ABOVE).max(1)));
    }

    /// Edits a rule or a group in the text of the scene, which runs as a draft, and selects the result.
    pub(super) fn rearrange(&mut self, item: &ListItem, edit: Rearrange, session: &mut LiveSession) {
        let scene = session.place.scene_name();
        let edited = self.edited_scene(session, |text| rearranged(&scene, text, item, edit));
        if let Some((text, then)) = edited {
            self.selection.pick_item(then);
            if self.editor.get(&scene).is_some_and(|buffer| buffer.text() != text) {
                self.run_scene(text, session);
            }
        }
    }

    /// Edits the selected rule or group.
    pub(crate) fn rearrange_selected(&mut self, edit: Rearrange, session: &mut LiveSession) {
        if let Some(item) = self.selection.item().cloned() {
            self.rearrange(&item, edit, session);
        }
    }

    /// Changes the text of the scene in the editor as an undo changed its draft, which was `before`. Other text remains.
    pub(crate) fn follow_scene_draft(&mut self, before: Option<&Arc<str>>, session: &LiveSession) {
        let after = session.scene_draft();
        if let Some(buffer) = self.editor.get_mut(&session.place.scene_name())
            && before != after.as_ref()
            && before.map_or(!buffer.is_unsaved(), |before| before == buffer.content())
        {
            match after {
                Some(text) => buffer.edit(text.to_string(), Instant::now()),
                None => buffer.revert(),
            }
        }
    }

    /// Adds a group with a name that is free.
    pub(crate) fn add_group(&mut self, session: &mut LiveSession) {
        let text = self.scene_text(session).unwrap_or_default();
        let name = free_group_name(&outline(&text), None);
        self.add_to_scene(&Addition::Group(name), session);
    }

    /// The rules that can be added to a group: those in the folders of the scene, of the program and in the editor. Flow
    /// fields and imported functions are not rules.
    pub(crate) fn known_rules(&self, session: &LiveSession) -> Vec<String> {
        let scripts = embedded_scripts().map(|(name, _)| name.to_owned()).chain(self.editable(session));
        let names: BTreeSet<_> = scripts.collect();
        let rules = names.into_iter().filter(|name| match self.editor.get(name) {
            Some(buffer) => is_rule(name, buffer.text()),
            None => matches!(session.place.saved(name), Some(Ok(text)) if is_rule(name, &text)),
        });
        rules.map(|name| name.trim_end_matches(".rhai").to_owned()).collect()
    }

    /// The names of the files that can be edited: those of the generation, of the editor, and in the folders of the scene.
    pub(crate) fn editable(&self, session: &LiveSession) -> Vec<String> {
        let known = session.run.newest().files.iter().map(|file| file.path.clone());
        let texts = self.editor.buffers().iter().map(|buffer| buffer.name.clone());
        let files = session.place.files();
        let on_disk = files.iter().map(|path| shown_name(path));
        let mut seen = BTreeSet::new();
        known.chain(texts).chain(on_disk).filter(|name| seen.insert(name.clone())).collect()
    }
}

/// The first line in which two texts differ, from 1.
fn first_changed_line(before: &str, after: &str) -> usize {
    1 + before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count()
}

/// Writes a new scene into a folder.
///
/// # Errors
/// With a message for the user.
fn create_scene(folder: &Path, stem: &str, text: &str) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let name = free_name(stem, "ron", |name| folder.join(name).symlink_metadata().is_ok());
    let path = folder.join(name.ok_or_else(|| format!("there are too many files {stem}"))?);
    create_file(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::first_changed_line;

    #[test]
    fn the_first_changed_line_is_the_first_of_an_addition() {
        assert_eq!(first_changed_line("a\nb\nc\n", "a\nb\nx\nc\n"), 3);
        assert_eq!(first_changed_line("a\nb", "a\nb\nc"), 3);
        assert_eq!(first_changed_line("a", "b"), 1);
    }
}
