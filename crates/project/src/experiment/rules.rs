//! The scene and scripts of an experiment under the values of a point.

use std::sync::Arc;

use anyhow::{Context as _, anyhow, ensure};
use steerbox_core::diagnostics::Fault;
use steerbox_scene::with_counts;
use steerbox_script::Execution;

use super::variable::Variable;
use crate::reload::{Generation, LoadError, Loader, Place, Project, Setting, Texts};
use crate::session::check_settings;

/// The scene and scripts of an experiment. A clone shares compiled scripts.
#[derive(Clone)]
pub struct Rules {
    project: Project,
    /// The texts, without values of variables.
    pub texts: Texts,
    /// The values of `--set`.
    pub settings: Vec<Setting>,
    /// The rules without values of variables.
    pub base: Generation,
    /// The numbers of units in the present text of the scene.
    counts: Vec<(String, usize)>,
}

impl Rules {
    /// Loads a scene with settings.
    ///
    /// # Errors
    /// If the scene or a file that it uses has errors, or a setting does not fit: results without a rule would have other
    /// meanings.
    pub fn load(place: Place, settings: &[Setting], execution: Execution) -> anyhow::Result<Self> {
        let (project, base) = Loader::load_as(place, settings.to_vec(), execution)?;
        let invalid = base.faults_of_files();
        ensure!(invalid.is_empty(), LoadError(invalid));
        check_settings(&base, settings)?;
        let texts = base.texts().map_err(|fault| anyhow!("{}", fault.summary()))?;
        // With their declared names.
        let settings = base.tuned().collect();
        Ok(Self { project, texts, settings, base, counts: Vec::new() })
    }

    /// Returns the text of the scene in which groups have these numbers of units.
    ///
    /// # Errors
    /// If the scene does not permit them.
    pub fn scene_text(&self, counts: &[(&str, usize)]) -> anyhow::Result<String> {
        with_counts(&self.texts.name, &self.texts.scene, counts).map_err(|faults| LoadError(faults).into())
    }

    /// Composes the rules of a point: each variable with the index of its value.
    ///
    /// # Errors
    /// If the values do not fit each other.
    pub(super) fn at(&mut self, point: &[(&Variable, usize)]) -> anyhow::Result<Generation> {
        let counts: Vec<_> = point.iter().filter_map(|(variable, at)| variable.count(*at)).collect();
        if !counts.iter().copied().eq(self.counts.iter().map(|(name, count)| (name.as_str(), *count))) {
            let text = self.scene_text(&counts).map_err(|error| first_fault(&error))?;
            self.counts = counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
            self.project.set_scene(Some(Ok(Arc::from(text))));
        }
        for (handle, knob, value) in point.iter().filter_map(|(variable, at)| variable.setting(*at)) {
            self.project.tune(handle, knob, value);
        }
        let composed = self.project.compose_accepted();
        composed.map_err(|error| first_fault(&error.into())).context("the values do not fit")
    }
}

/// Returns the first fault of an error as one line.
fn first_fault(error: &anyhow::Error) -> anyhow::Error {
    let faults = error.downcast_ref::<LoadError>().map(|LoadError(faults)| faults.as_slice());
    let first = faults.and_then(<[Fault]>::first).map(Fault::summary);
    anyhow!("{}", first.unwrap_or_else(|| format!("{error:#}")))
}
