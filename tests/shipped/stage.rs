//! Shipped scenes, loaded and run as the program does.

use std::path::Path;

use steerbox::reload::{Generation, KnobName, Loader, Place, Project, listing};
use steerbox::scene::ParamValue;
use steerbox::sim::Simulation;

/// A scene of the folder with its scripts, and values in place of the files'.
pub(crate) fn load(scene: &str, set: &[(&str, &str, KnobName, ParamValue)]) -> Generation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.ron"));
    let tuned = set.iter().map(|(group, script, knob, value)| {
        let handle = steerbox::reload::Handle {
            group: (*group).to_owned(),
            script: (*script).to_owned(),
            occurrence: 0,
        };
        (handle, knob.clone(), value.clone())
    });
    let (_, generation) = Loader::load(Place::of_scene(&path), tuned.collect())
        .unwrap_or_else(|error| panic!("{scene}: {:?}", error.0));
    generation
}

/// A scene with some of its words replaced, each of which must be there, and the shipped scripts.
pub(crate) fn altered(scene: &str, words: &[(&str, &str)]) -> Generation {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join(format!("scenes/{scene}.ron"));
    let mut text = std::fs::read_to_string(&file).expect("the scene");
    for (from, to) in words {
        assert!(text.contains(from), "{scene} does not say {from}");
        text = text.replace(from, to);
    }
    written(&text)
}

/// A scene by its text, and the shipped scripts.
pub(crate) fn written(text: &str) -> Generation {
    let place = Place {
        scene: Some("scenes/written.ron".into()),
        ..Place::built_in("written.ron")
    };
    let mut project = Project::new(place);
    project.set_scene(Some(Ok(text.into())));
    project
        .compose()
        .unwrap_or_else(|error| panic!("{text}: {:?}", error.0))
}

/// Runs `work` in a pool of its own, with the stack that scripts may need.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(16 << 20);
    pool.build().expect("threads").install(work)
}

/// Makes steps, and after each hands the simulation to `look`.
pub(crate) fn steps(
    simulation: &mut Simulation,
    count: usize,
    mut look: impl FnMut(&mut Simulation),
) {
    for _ in 0..count {
        simulation.step();
        look(simulation);
    }
}

/// The names of all shipped scenes.
pub(crate) fn scenes() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let files = listing(&folder).expect("the folder of scenes");
    let names = files.iter().filter_map(|path| path.file_name()?.to_str());
    names
        .filter_map(|name| Some(name.strip_suffix(".ron")?.to_owned()))
        .collect()
}
