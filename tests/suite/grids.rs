//! Environment grids against the reference in `NumPy`, `tests/reference/grid.py`, and a model that moves their values.

use glam::Vec3;
use steerbox_core::dynamics::{GridBuffers, deposit};
use steerbox_core::world::{Distribution, Edges, GridRules, ScalarGrid, testing};
use steerbox_project::reload::{Loader, Place};

use crate::common::{on_threads, project::ProjectDir};

const POINTS: [Vec3; 8] = [
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(2.0, 3.0, 0.0),
    Vec3::new(0.25, 11.5, 0.0),
    Vec3::new(23.9, 0.1, 0.0),
    Vec3::new(-1.0, 5.0, 0.0),
    Vec3::new(3.0, -2.0, 1.5),
    Vec3::new(-3.9, 1.2, -0.7),
    Vec3::new(30.0, 30.0, 30.0),
];

/// The grid of a case after its steps.
fn grid(case: &str) -> ScalarGrid {
    let arena = match case {
        "wrap" => testing::plane(24.0, 12.0, Edges::Wrap),
        "bounce" => testing::plane(24.0, 12.0, Edges::Bounce),
        _ => testing::space(4.0, Edges::Wrap),
    };
    let rules = GridRules { cell: 2.0, diffusion: 12.0, evaporation: 0.5 };
    let mut grids = [ScalarGrid::new("trail", rules, &arena).filled(&Distribution::Constant(0.25), 1)];
    let mut buffers = GridBuffers::default();
    for step in 0..20 {
        buffers.advance(&mut grids, 0.1);
        let [grid] = &mut grids;
        let place = grid.center(7 * step % grid.values().len());
        deposit(grid, place, step as f32 + 0.5);
    }
    grids[0].clone()
}

#[test]
fn grids_agree_with_numpy() {
    let table = include_str!("../reference/grid.csv");
    let (mut case, mut known, mut rows) = ("", None, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let [name, what, index, value] = fields[..] else { panic!("{line}") };
        if case != name {
            (case, known) = (name, Some(grid(name)));
        }
        let (grid, index) = (known.as_ref().expect("the grid of a case"), index.parse::<usize>().unwrap());
        let found = match what.strip_prefix("gradient ") {
            None if what == "cell" => grid.values()[index],
            None => grid.value(POINTS[index]),
            Some(axis) => grid.gradient(POINTS[index])["xyz".find(axis).unwrap()],
        };
        let expected: f32 = value.parse().unwrap();
        assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{line}: {found}");
        rows += 1;
    }
    assert_eq!(rows, 2 * (72 + 8 * 3) + 64 + 8 * 4);
}

/// After M. Resnick, "Turtles, Termites, and Traffic Jams", 1994: a termite takes the chip that it meets, and puts it on the
/// next one.
const TERMITE: &str = "const MEMORY = #{ chips: 0.0 };
fn steer(me, world) {
    let here = me.take(\"chips\", 1.0);
    if this.chips == 0.0 {
        this.chips = here;
    } else if here > 0.0 {
        me.deposit(\"chips\", here + this.chips);
        this.chips = 0.0;
    }
    me.signal(\"chips\", this.chips);
    me.heading.rotated(me.random_walk(1.0)) * me.desired_speed - me.velocity
}";

const TERMITES: &str = "(world: Plane(size: (40, 40)), step: 1,
    bodies: { \"termite\": Mover(length: 0.5, max_speed: 1, max_velocity_change: 2) },
    grids: { \"chips\": (cell: 1, initial: Choice([0, 0, 0, 1])) },
    groups: [(name: \"termites\", body: \"termite\", count: 400, behaviors: [(script: \"termite\")])])";

#[test]
fn termites_gather_chips_and_lose_none() {
    let project = ProjectDir::with(&[("scenes/s.ron", TERMITES), ("scripts/termite.rhai", TERMITE)]);
    let loaded = Loader::load(Place::of_scene(&project.path("scenes/s.ron")), Vec::new());
    let (_, generation) = loaded.unwrap_or_else(|error| panic!("{:?}", error.0));
    let run = |seed, threads| {
        on_threads(threads, || {
            let mut simulation = generation.start(Some(seed));
            let chips = simulation.world().grids[0].total();
            // Four standard deviations of the binomial distribution of 1,600 cells.
            assert!(
                (chips - 400.0).abs() < 4.0 * (1600.0_f64 * 0.25 * 0.75).sqrt(),
                "seed {seed}: {chips} chips"
            );
            for _ in 0..1000 {
                simulation.step();
                let world = simulation.world();
                let carried = world.units.signals.all().iter().copied().map(f64::from).sum::<f64>();
                assert_eq!(world.grids[0].total() + carried, chips, "seed {seed}, step {}", world.steps);
                assert!(world.grids[0].values().iter().all(|value| *value >= 0.0 && value.fract() == 0.0));
            }
            let piles = simulation.world().grids[0].values().iter().filter(|value| **value > 0.0).count();
            assert!((piles as f64) < 0.5 * chips, "seed {seed}: {piles} piles of {chips} chips");
            simulation.hash()
        })
    };
    for seed in [1, 2, 3] {
        assert_eq!(run(seed, 1), run(seed, 3), "seed {seed}");
    }
}
