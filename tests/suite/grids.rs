//! Environment grids against the reference in `NumPy`: `tests/reference/grid.py`.

use glam::Vec3;
use steerbox_core::dynamics::{GridBuffers, deposit};
use steerbox_core::world::{Edges, GridRules, ScalarGrid, testing};

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
    let rules = GridRules { cell: 2.0, diffusion: 12.0, evaporation: 0.5, initial: 0.25 };
    let mut grids = [ScalarGrid::new("trail", rules, &arena)];
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
