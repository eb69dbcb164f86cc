//! Templates of new rules.

use std::path::Path;

use steerbox_project::reload::is_script;

/// Templates of rules: the name in the list of commands, the stem of the file's name, and the text.
pub(crate) const RULES: [(&str, &str, &str); 7] = [
    ("empty rule", "my_rule", include_str!("templates/empty.rhai")),
    ("flocking", "my_flock", include_str!("templates/flocking.rhai")),
    ("flocking with the seven nearest", "my_seven", include_str!("templates/nearest.rhai")),
    ("seek", "my_seek", include_str!("templates/seek.rhai")),
    ("states with memory", "my_states", include_str!("templates/states.rhai")),
    ("signal", "my_signal", include_str!("templates/signal.rhai")),
    ("flow field", "my_flow", include_str!("templates/flow.rhai")),
];

/// The template of a flow field, which a scene has to list.
pub(crate) const FLOW: usize = 6;

/// Returns the first file name with this stem and ending that is free.
pub(crate) fn free_name(stem: &str, ending: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let numbered = (2..1000).map(|number| format!("{stem}_{number}.{ending}"));
    std::iter::once(format!("{stem}.{ending}")).chain(numbered).find(|name| !is_taken(name))
}

/// True if a file is a script with the function that every rule has.
pub(crate) fn is_rule(name: &str, text: &str) -> bool {
    is_script(Path::new(name)) && text.contains("fn steer(")
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::{Loader, Place};
    use steerbox_script::{NoLibrary, Script};

    use super::*;

    #[test]
    fn rules_compile_without_warnings() {
        for (name, _, text) in RULES {
            let script = Script::reviewed("new.rhai", text, &NoLibrary, false);
            let script = script.unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
            assert_eq!(script.warnings, [], "{name}");
        }
    }

    #[test]
    fn the_seven_nearest_are_found_at_any_distance_in_a_view_without_a_limit() {
        let (.., rule) = RULES.iter().find(|(_, stem, _)| *stem == "my_seven").expect("the template");
        let test = "if mates.len != COUNT { throw \"not seven\"; }\n    if mates.is_empty";
        let rule = rule.replace("if mates.is_empty", test);
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let path = folder.path().join("scenes/a.ron");
        for part in ["scenes", "scripts"] {
            std::fs::create_dir(folder.path().join(part)).expect("the folder is new");
        }
        std::fs::write(folder.path().join("scripts/my_seven.rhai"), rule).expect("the folder is writable");
        for (world, edges) in [("Plane(size: (40000, 30000)", "Wrap"), ("Space(radius: 30000", "Open")] {
            for (radius, finds) in [("1000000", true), ("500", false)] {
                let scene = format!(
                    "(world: {world}, edges: {edges}), bodies: {{\"m\": Mover()}},
                    views: {{\"all\": Around(radius: {radius})}}, groups: [(name: \"a\", body: \"m\",
                    count: 40, view: \"all\", behaviors: [(script: \"my_seven\")])])"
                );
                std::fs::write(&path, scene).expect("the folder is writable");
                let (_, generation) = Loader::load(Place::of_scene(&path), Vec::new()).expect("it works");
                let mut simulation = generation.start(None);
                (0..5).for_each(|_| simulation.step());
                assert_eq!(simulation.reports().is_empty(), finds, "{world}, {radius}");
            }
        }
    }

    #[test]
    fn the_flow_field_is_the_template_without_steering() {
        for (at, (_, _, text)) in RULES.iter().enumerate() {
            assert_eq!(at == FLOW, !text.contains("fn steer("));
        }
    }

    #[test]
    fn a_taken_name_is_numbered() {
        let name = free_name("a", "rhai", |name| name == "a.rhai" || name == "a_2.rhai");
        assert_eq!(name.as_deref(), Some("a_3.rhai"));
    }
}
