//! Templates of new scenes: each moves at once, with rules that come with the program.

/// A template of a scene.
#[derive(Clone, Copy, Debug)]
pub struct SceneTemplate {
    /// The name for `steerbox new --template`.
    pub name: &'static str,
    /// The title in lists.
    pub title: &'static str,
    /// The stem of the name of a new file.
    pub stem: &'static str,
    /// The text of the scene.
    pub text: &'static str,
}

/// Declares a template from the file of its name.
macro_rules! template {
    ($name:literal, $title:literal) => {
        SceneTemplate {
            name: $name,
            title: $title,
            stem: concat!("my_", $name),
            text: include_str!(concat!("templates/", $name, ".ron")),
        }
    };
}

/// All templates of scenes.
pub const SCENE_TEMPLATES: [SceneTemplate; 6] = [
    template!("plane", "flock in a plane"),
    template!("space", "school in space"),
    template!("player", "player and enemies"),
    template!("crowd", "crowd and exits"),
    template!("predators", "predator and prey"),
    template!("empty", "empty"),
];

#[cfg(test)]
mod tests {
    use super::super::{Loader, Place};
    use super::*;

    #[test]
    fn every_template_runs_without_warnings_and_moves() {
        for SceneTemplate { name, stem, text, .. } in SCENE_TEMPLATES {
            let folder = tempfile::tempdir().expect("there is a temporary folder");
            let path = folder.path().join(format!("{stem}.ron"));
            std::fs::write(&path, text).expect("the folder is writable");
            let (_, generation) = Loader::load(Place::of_scene(&path), Vec::new())
                .unwrap_or_else(|error| panic!("{name}: {:?}", error.0));
            assert_eq!(generation.warnings, [], "{name}");
            let mut simulation = generation.start(None);
            let start = simulation.world().units.position.clone();
            (0..30).for_each(|_| simulation.step());
            assert_eq!(simulation.reports(), [], "{name}");
            assert_ne!(simulation.world().units.position, start, "{name}");
        }
    }
}
