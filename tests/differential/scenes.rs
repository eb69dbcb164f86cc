//! Every shipped scene, from its initial state.

use std::path::Path;

use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Generation, Loader, Place, read_dir_sorted};
use steerbox_script::Execution;

use crate::common::{file, slots};
use crate::compare::Pair;
use crate::stage::on_threads;

/// Number of steps, and limit on unit-steps per scene: large scenes make fewer steps, at least two.
const STEPS: usize = 40;
const MOVES: usize = 6_000;

/// Scenes whose rules are not compiled for several units: they loop over ranges or the nearest of a list, or name groups.
const ONE_BY_ONE: [&str; 2] = ["murmuration", "orca"];

#[test]
fn every_shipped_scene_runs_the_same() {
    for path in read_dir_sorted(&file("scenes")).expect("the folder of scenes") {
        let pair = pair(&path);
        let steps = (MOVES / pair.world.units.len()).clamp(2, STEPS);
        let tally = pair.run(steps).unwrap_or_else(|difference| panic!("{}: {difference}", path.display()));
        assert_eq!(tally.exhausted, 0, "{}", path.display());
        let together = tally.in_batches * 20 > tally.succeeded;
        let is_one_by_one =
            path.file_stem().is_some_and(|name| ONE_BY_ONE.iter().any(|known| name == *known));
        assert!(!is_one_by_one || !together, "{}: remove it from the list: {tally:?}", path.display());
        // A rule that names a grid is compiled for one unit at a time, since the name may be unknown.
        let lanes = is_one_by_one || !pair.world.grids.is_empty() || !cfg!(feature = "native") || together;
        assert!(lanes, "{}: almost none decide together: {tally:?}", path.display());
        assert!(tally.succeeded > 0, "{}: nobody decides", path.display());
    }
}

fn pair(scene: &Path) -> Pair {
    let load = |execution| {
        let loaded = Loader::load_as(Place::of_scene(scene), Vec::new(), execution);
        let (_, generation) = loaded.unwrap_or_else(|error| panic!("{}: {:?}", scene.display(), error.0));
        start(&generation)
    };
    let (native, interpreted) = (load(Execution::Native), load(Execution::Interpreted));
    Pair { native: slots(&native), interpreted: slots(&interpreted), world: interpreted.world().clone() }
}

fn start(generation: &Generation) -> Simulation {
    on_threads(|| generation.start(None))
}
