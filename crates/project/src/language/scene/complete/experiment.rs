//! The names that can be inserted in an experiment: those of the scene that it uses.

use steerbox_core::sim::MeasureNames;
use steerbox_scene::Thing;

use super::candidates::plain;
use super::{Candidate, Completer};
use crate::language::scene::scripts::KnownParam;
use crate::reload::Generation;

impl Completer<'_> {
    /// Returns the scenes, the variables or the measures that an experiment can use.
    pub(super) fn of_experiment(&self, thing: Thing) -> Vec<Candidate> {
        match thing {
            Thing::Scene => {
                let names = self.workspace.scene_names(self.document);
                names.map(|name| plain(name, String::new())).collect()
            }
            Thing::Variable => self.rules().as_ref().map_or_else(Vec::new, variables),
            Thing::Measure => self.rules().as_ref().map_or_else(Vec::new, |rules| {
                let names = MeasureNames::of(&rules.start(None));
                let all = names.all().into_iter();
                all.map(|measure| plain(measure.name(), measure.about().to_owned())).collect()
            }),
            _ => Vec::new(),
        }
    }

    /// Returns the rules of the scene.
    fn rules(&self) -> Option<Generation> {
        let mut scenes = self.outline.mentions.iter().filter(|mention| mention.thing == Thing::Scene);
        self.workspace.generation_of(self.document, scenes.next()?.name.as_deref()?)?.ok()
    }
}

/// Returns the values of a scene that can vary, each with its range.
fn variables(rules: &Generation) -> Vec<Candidate> {
    let mut all = Vec::new();
    for group in rules.scene.groups.iter().filter(|group| !group.is_player) {
        let name = &group.common.name;
        all.push(plain(format!("{name}.count"), format!("{} units", group.count)));
    }
    for planned in rules.planned() {
        let (group, script) = (&planned.handle.group, &planned.handle.script);
        let path = |knob: &str| format!("{group}.{script}.{knob}");
        all.push(plain(path("gain"), String::new()));
        for param in planned.script.iter().flat_map(|script| &script.params) {
            let known = KnownParam { name: param.name.clone(), declared: Some(param.clone()) };
            all.push(plain(path(&param.name), known.detail()));
        }
    }
    all
}
