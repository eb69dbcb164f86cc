//! After any edits, the running world behaves as a world that had always had its files, from its state.

use std::path::Path;
use std::sync::Arc;

use steerbox_core::sim::Simulation;

use crate::reload::{Generation, Place, Project, RunningWorld};
use crate::session::stored::Moment;

/// The kinds of edits: for each, its variants of a part of the files.
const PARTS: [(&str, &[&str]); 16] = [
    ("COUNT", &["4", "3", "6", "5"]),
    ("STEP", &["0.01", "0.02", "0.004"]),
    ("SEED", &["1", "2"]),
    ("SIZE", &["(200, 100)", "(150, 100)", "(300, 200)"]),
    (
        "GRIDS",
        &[
            "\"t\": (cell: 10)",
            "\"t\": (cell: 5), \"u\": (cell: 20)",
            "\"u\": (cell: 10), \"t\": (cell: 10, evaporation: 1)",
            "\"u\": (cell: 9)",
        ],
    ),
    (
        "OBSTACLES",
        &[
            "",
            "Circle(center: (90, 50), radius: 9)",
            "Circle(center: (90, 50), radius: 9), Circle(center: (20, 20), radius: 5, path: \"p\", speed: 9)",
        ],
    ),
    ("SPEED", &["20", "9"]),
    ("VIEW", &["30", "60"]),
    (
        "USES",
        &[
            "(script: \"z\")",
            "(script: \"z\", params: {\"K\": 2}), (script: \"z\")",
            "(script: \"z\"), (script: \"y\", gain: 0.5)",
            "(script: \"y\"), (script: \"z\", gain: 2)",
            "(script: \"y\", enabled: false), (script: \"z\")",
        ],
    ),
    (
        "OTHERS",
        &[
            "",
            "(name: \"b\", body: \"m\", count: 2, behaviors: [(script: \"y\")]),",
            "(name: \"c\", body: \"r\", count: 3, behaviors: [(script: \"z\")]),",
        ],
    ),
    ("DEFAULT", &["1.0, 0.0, 9.0", "2.0, 0.0, 9.0", "0.5, 0.0, 1.0"]),
    ("FIELDS", &["n: 0.0", "n: 0.0, c: vec(1, 2)", "c: vec(3, 4), n: 7.0", "n: 0.0, b: true"]),
    (
        "SIGNAL",
        &[
            "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15",
            "s16", "s17", "s18",
        ],
    ),
    ("MARK", &["m1", "m2", "m3"]),
    (
        "BODY",
        &[
            "vec(K, me.random_between(-1, 1)) + me.neighbors.mean_position * 0.001",
            "turn(this.n * 0.01, 0)",
            "vec(K, (",
            "missing + 1",
            "1 / to_int(0.2)",
        ],
    ),
    (
        "REST",
        &[
            "vec(0, me.signal(\"SIGNAL\") * 0.1)",
            "me.deposit(\"t\", 0.5); vec(0, 1)",
            "if me.age > 2 { return (); } vec(1, 1)",
        ],
    ),
];
const SCENE: &str = "(world: Plane(size: SIZE), step: STEP, seed: SEED, views: {\"v\": Around(radius: VIEW)}, grids: {GRIDS},
    bodies: {\"m\": Mover(max_speed: SPEED), \"r\": Rigid()}, paths: {\"p\": (points: [(20, 20), (80, 20)])}, obstacles: [OBSTACLES],
    groups: [OTHERS (name: \"a\", body: \"m\", count: COUNT, view: \"v\", behaviors: [USES])])";
const Z: &str = "const K = param(DEFAULT); const MEMORY = #{ FIELDS };
    fn steer(me, world) { this.n += 1.0; me.mark(\"MARK\"); me.signal(\"SIGNAL\", this.n); BODY }";
const Y: &str = "fn steer(me, world) { REST }";

/// Numbers of a linear congruential generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// Returns a file with the chosen variant of each part.
fn file(text: &str, chosen: &[usize]) -> Arc<str> {
    let filled = PARTS
        .iter()
        .zip(chosen)
        .rev()
        .fold(text.to_owned(), |text, ((part, variants), at)| text.replace(part, variants[*at]));
    filled.into()
}

fn save(project: &mut Project, chosen: &[usize]) {
    project.set_scene(Some(Ok(file(SCENE, chosen))));
    project.set_script("z", 0, Some(Ok(file(Z, chosen))));
    project.set_script("y", 0, Some(Ok(file(Y, chosen))));
}

fn swap(project: &mut Project, running: &mut (Generation, Simulation)) {
    let (generation, simulation) = running;
    let scene = Arc::clone(&generation.scene);
    project.set_running(RunningWorld { scene, sample: simulation.sample() });
    let next = project.compose().unwrap();
    next.swap_into(simulation, &generation.scene, None);
    *generation = next;
}

#[test]
fn after_500_edits_the_world_continues_as_a_fresh_start_from_its_state() {
    for seed in 0..4 {
        let (mut dice, mut chosen) = (Dice(seed), vec![0; PARTS.len()]);
        let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        save(&mut project, &chosen);
        let generation = project.compose().unwrap();
        let simulation = generation.start(None);
        let mut running = (generation, simulation);
        for edit in 0..125 {
            let part = dice.below(PARTS.len());
            // Every third edit reverts the part.
            chosen[part] = if edit % 3 == 0 { 0 } else { dice.below(PARTS[part].1.len()) };
            save(&mut project, &chosen);
            swap(&mut project, &mut running);
            (0..dice.below(4)).for_each(|_| running.1.step());
        }
        // A file with errors does not run: its last good version is not that of a fresh start.
        for part in [4, 8, 9, 14, 15] {
            chosen[part] = 0;
        }
        save(&mut project, &chosen);
        swap(&mut project, &mut running);
        let (generation, mut simulation) = running;
        assert!(
            generation.files.iter().all(|file| file.status == crate::reload::Status::Live),
            "{:?}",
            generation.files
        );
        let moment = Moment::of(&generation, &simulation, None).unwrap();
        let mut fresh = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        save(&mut fresh, &chosen);
        let mut other = moment.start(&fresh.compose().unwrap()).unwrap();
        for step in 0..60 {
            assert_eq!(simulation.hash(), other.hash(), "seed {seed}, step {step}");
            simulation.step();
            other.step();
        }
    }
}
