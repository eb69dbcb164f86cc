//! The marks of a scene and its scripts: all of them fit into a mask, or who brings one too many is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::project::{Blame, Project};
use crate::diagnostics::{Fault, line_and_column};
use crate::scene::{Scene, ScriptUse};
use crate::script::Script;

/// Bits of a mask.
const MOST: usize = 64;

impl Project {
    /// Every mark that the scene's looks and its scripts name.
    pub(super) fn marks(&self, scene: &Scene, aside: &[Blame]) -> Vec<String> {
        let mut marks = of_looks(scene);
        for (_, script) in self.scripts_of(scene, aside) {
            marks.extend(script.marks.iter().cloned());
        }
        let mut known = BTreeSet::new();
        marks.retain(|mark| known.insert(mark.clone()));
        marks
    }

    fn scripts_of<'a>(
        &'a self,
        scene: &'a Scene,
        aside: &'a [Blame],
    ) -> impl Iterator<Item = (&'a ScriptUse, Arc<Script>)> {
        let used = scene.groups.iter().flat_map(|group| &group.behaviors);
        used.filter_map(|used| Some((used, self.chosen_script(&used.script, aside).0?)))
    }

    /// Marks must fit into a mask; what is new is to blame if they do not.
    pub(super) fn check_marks(&self, scene: &Arc<Scene>, aside: &[Blame]) -> Result<(), Blame> {
        let marks = self.marks(scene, aside);
        let Some(extra) = marks.get(MOST) else {
            return Ok(());
        };
        let count = marks.len();
        let message = format!("scene and scripts name {count} marks, but there are only {MOST}");
        let help = "marks are what looks name, and what scripts hand to `mark` and `has_mark`";
        if self.is_new(scene) {
            let mut scripts = self.scripts_of(scene, aside);
            let used = scripts.find(|(_, script)| script.marks.contains(extra));
            let name = self.place.scene_name();
            let fault = match used {
                Some((used, _)) if !of_looks(scene).contains(extra) => {
                    scene.fault(&used.span, message)
                }
                _ => at(&name, &scene.source, extra, message),
            };
            return Err(Blame(name, vec![fault.help(help)]));
        }
        let is_new = |used: &ScriptUse| self.chosen_script(&used.script, aside).1;
        let mut scripts = self.scripts_of(scene, aside);
        let Some((_, script)) = scripts.find(|(used, _)| is_new(used)) else {
            return Ok(());
        };
        let last = script.marks.last().map_or("", String::as_str);
        let fault = at(&script.path, &script.text, last, message);
        Err(Blame(script.path.clone(), vec![fault.help(help)]))
    }
}

fn of_looks(scene: &Scene) -> Vec<String> {
    let looks = scene.groups.iter().flat_map(|group| &group.look.marks);
    looks.map(|(name, _)| name.clone()).collect()
}

/// A fault where a text names a mark.
fn at(path: &str, text: &str, mark: &str, message: String) -> Fault {
    let quoted = format!("\"{mark}\"");
    let Some(at) = text.find(&quoted) else {
        return Fault::of_file(path, message);
    };
    let width = quoted.chars().count();
    Fault::at(path, text, line_and_column(text, at), message).wide(width)
}
