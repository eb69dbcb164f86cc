//! Shipped scenes, loaded and run like the program does.

use std::sync::LazyLock;

use steerbox_core::sim::Simulation;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Generation, Handle, KnobName, Loader, Place, Project, read_dir_sorted};

use crate::common::file;

/// Loads a shipped scene with its scripts and changed values.
pub(crate) fn load(scene: &str, set: &[(&str, &str, KnobName, ParamValue)]) -> Generation {
    let path = file(&format!("scenes/{scene}.ron"));
    let (_, generation) = Loader::load(Place::of_scene(&path), tuned(set).collect())
        .unwrap_or_else(|error| panic!("{scene}: {:?}", error.0));
    generation
}

/// Loads a scene with some texts replaced, each of which must exist, and the shipped scripts.
pub(crate) fn altered(scene: &str, words: &[(&str, &str)]) -> Generation {
    altered_with(scene, words, &[])
}

/// [`altered`] with changed values.
pub(crate) fn altered_with(
    scene: &str,
    words: &[(&str, &str)],
    set: &[(&str, &str, KnobName, ParamValue)],
) -> Generation {
    let path = file(&format!("scenes/{scene}.ron"));
    let mut text = std::fs::read_to_string(path).expect("the scene");
    for (from, to) in words {
        assert!(text.contains(from), "{scene} does not say {from}");
        text = text.replace(from, to);
    }
    composed(&text, set)
}

/// Loads a scene from its text, with the shipped scripts.
pub(crate) fn written(text: &str) -> Generation {
    composed(text, &[])
}

fn composed(text: &str, set: &[(&str, &str, KnobName, ParamValue)]) -> Generation {
    let place = Place { scene: Some("scenes/written.ron".into()), ..Place::built_in("written.ron") };
    let mut project = Project::new(place);
    project.set_scene(Some(Ok(text.into())));
    for (handle, knob, value) in tuned(set) {
        project.tune(handle, knob, value);
    }
    project.compose().unwrap_or_else(|error| panic!("{text}: {:?}", error.0))
}

/// Returns changed values as the loader has them.
fn tuned<'a>(
    set: &'a [(&str, &str, KnobName, ParamValue)],
) -> impl Iterator<Item = (Handle, KnobName, ParamValue)> + 'a {
    set.iter().map(|(group, script, knob, value)| {
        let handle = Handle { group: (*group).to_owned(), script: (*script).to_owned(), occurrence: 0 };
        (handle, knob.clone(), value.clone())
    })
}

/// Makes steps and calls `look` after each.
pub(crate) fn steps(simulation: &mut Simulation, count: usize, mut look: impl FnMut(&mut Simulation)) {
    for _ in 0..count {
        simulation.step();
        look(simulation);
    }
}

/// Every shipped scene by name, loaded once.
pub(crate) static SHIPPED: LazyLock<Vec<(String, Generation)>> = LazyLock::new(|| {
    let files = read_dir_sorted(&file("scenes")).expect("the folder of scenes");
    let names = files.iter().filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".ron"));
    names.map(|name| (name.to_owned(), load(name, &[]))).collect()
});
