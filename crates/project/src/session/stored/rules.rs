//! Replacements of the rules in a replay: the texts that changed, and the values that override them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use steerbox_core::diagnostics::Fault;
use steerbox_scene::Scene;

use super::envelope::StoredError;
use crate::reload::{Generation, Project, Setting, Texts};
use crate::session::input::Replacement;

/// New rules, as differences from the texts before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredRules {
    scene: Option<String>,
    scripts: Vec<(String, String)>,
    files: Vec<(String, String)>,
    settings: Vec<Setting>,
    seed: Option<u64>,
    /// True if the world was reconciled, which resets contacts even if the scene has the same content.
    reconciles: bool,
}

impl StoredRules {
    /// Records a replacement of rules with these texts, and updates the texts.
    pub(super) fn new(replacement: &Replacement, texts: &mut Texts) -> Result<Self, Fault> {
        let Replacement { generation, seed, before: scene } = replacement;
        let before = std::mem::replace(texts, generation.texts()?);
        let changed = texts.scripts.iter().filter(|(name, text)| before.scripts.get(*name) != Some(text));
        let files = texts.files.iter().filter(|(name, text)| before.files.get(*name) != Some(text));
        Ok(Self {
            files: files.map(|(name, text)| (name.clone(), text.clone())).collect(),
            scene: (texts.scene != before.scene).then(|| texts.scene.clone()),
            scripts: changed.map(|(name, text)| (name.clone(), text.clone())).collect(),
            settings: generation.overrides().collect(),
            seed: *seed,
            reconciles: !Arc::ptr_eq(&generation.scene, scene),
        })
    }
}

/// Compiles the rules of a replay one after the other, so that what does not change is not compiled again.
pub(super) struct Successor {
    project: Project,
    scene: Arc<Scene>,
    texts: Texts,
    settings: Vec<Setting>,
}

impl Successor {
    /// Creates the successor of the rules at the start.
    pub(super) fn new(
        project: Project,
        generation: &Generation,
        (texts, settings): (Texts, Vec<Setting>),
    ) -> Self {
        Self { project, scene: Arc::clone(&generation.scene), texts, settings }
    }

    /// Returns the next replacement.
    pub(super) fn next(&mut self, rules: &StoredRules) -> Result<Replacement, StoredError> {
        let Self { project, texts, .. } = self;
        // The scene is read with these files.
        for (name, text) in &rules.files {
            texts.files.insert(name.clone(), text.clone());
            project.add_data(name, text);
        }
        if let Some(scene) = &rules.scene {
            texts.scene.clone_from(scene);
            project.set_buffer(&texts.name, Some(scene.as_str().into()));
        }
        for (name, text) in &rules.scripts {
            texts.scripts.insert(name.clone(), text.clone());
            project.set_buffer(&format!("{name}.rhai"), Some(text.as_str().into()));
        }
        texts.check().map_err(StoredError::Content)?;
        for (handle, knob, _) in std::mem::replace(&mut self.settings, rules.settings.clone()) {
            project.untune(&handle, &knob);
        }
        for (handle, knob, value) in rules.settings.iter().cloned() {
            project.tune(handle, knob, value);
        }
        let mut generation = project.compose_accepted().map_err(|error| StoredError::of_rules(&error))?;
        // Recorded as an input of its own.
        generation.resumes = false;
        match (rules.reconciles, Arc::ptr_eq(&generation.scene, &self.scene)) {
            (true, true) => generation.scene = Arc::new(Scene::clone(&self.scene)),
            (false, false) if *generation.scene == *self.scene => {
                generation.scene = Arc::clone(&self.scene);
            }
            _ => {}
        }
        let before = std::mem::replace(&mut self.scene, Arc::clone(&generation.scene));
        Ok(Replacement { generation: Arc::new(generation), before, seed: rules.seed })
    }
}
