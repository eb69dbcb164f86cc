//! The models of the literature: their scenes show the published states, and their figures are those of the independent
//! references in `tests/reference`.

use glam::Vec3;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use steerbox_core::sim::{Simulation, metrics};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::KnobName;

use crate::common::{file, on_threads};
use crate::stage::{altered_with, load, steps};

const VICSEK: &str = "tests/reference/vicsek.csv";

/// Returns the mean of a figure over the states after the warm-up.
fn mean(mut simulation: Simulation, figure: &str, (warmup, last): (usize, usize)) -> f64 {
    let mut sum = 0.0;
    steps(&mut simulation, warmup, |_| {});
    steps(&mut simulation, last - warmup, |simulation| {
        let figures = metrics::of_groups(simulation.world());
        sum += f64::from(figures[0].named(figure).expect("a figure"));
    });
    sum / (last - warmup) as f64
}

/// Returns the mean polarization of particles for some seeds.
fn vicsek(count: u32, side: f64, noise: f64, seeds: u64, steps: (usize, usize)) -> Vec<f64> {
    let set = [("SCALE", 10.0 / side), ("NOISE", noise), ("COOLING", 0.0)];
    let set = set.map(|(name, value)| {
        ("particles", "vicsek", KnobName::Param(name.to_owned()), ParamValue::Number(value as f32))
    });
    let generation = altered_with("vicsek", &[("count: 400", &format!("count: {count}"))], &set);
    let seeds: Vec<_> = (1..=seeds).collect();
    on_threads(2, || {
        let run = |seed: &u64| mean(generation.start(Some(*seed)), "polarization", steps);
        seeds.par_iter().map(run).collect()
    })
}

#[test]
fn particles_move_in_one_direction_at_low_noise_and_in_none_at_high_noise() {
    for (count, side) in [(40, 3.1), (100, 5.0)] {
        let mean = |noise| vicsek(count, side, noise, 2, (400, 600)).iter().sum::<f64>() / 2.0;
        let [low, middle, high] = [0.5, 3.0, 5.0].map(mean);
        assert!(low > 0.97, "{count}: {low}");
        assert!((0.4..0.85).contains(&middle), "{count}: {middle}");
        // 40 random directions have the order 0.14, and a noise of 5 is not complete.
        assert!(high < 0.35, "{count}: {high}");
    }
}

#[test]
fn the_order_of_particles_is_that_of_the_reference() {
    const SEEDS: u64 = 8;
    let table = std::fs::read_to_string(file(VICSEK)).expect("the table of tests/reference/vicsek.py");
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let &[count, noise, _, expected, error] = &cells[..] else { panic!("{row}") };
        // Smaller noise needs longer runs than a test can make; so do more particles.
        if count != 40.0 || ![2.0, 3.0, 4.0].contains(&noise) {
            continue;
        }
        let runs = vicsek(40, 3.1, noise, SEEDS, (500, 1500));
        let mean = runs.iter().sum::<f64>() / SEEDS as f64;
        let variance = runs.iter().map(|run| (run - mean).powi(2)).sum::<f64>() / (SEEDS - 1) as f64;
        let combined = (variance / SEEDS as f64 + error * error).sqrt();
        // Four standard errors: a correct program fails once in thousands of choices of seeds.
        assert!((mean - expected).abs() < 4.0 * combined, "{noise}: {mean}, not {expected} ± {combined}");
        compared += 1;
    }
    assert_eq!(compared, 3);
}

/// Polarization and rotation of a group, and the part of their directions from the center that units retain for 20 s.
struct State {
    polarization: f64,
    milling: f64,
    retained: f32,
}

fn couzin(width: f32) -> State {
    const SETTLED: usize = 1500;
    const LATER: usize = 200;
    let width = ("fish", "couzin", KnobName::Param("ORIENTATION".to_owned()), ParamValue::Number(width));
    let generation = load("couzin", &[width]);
    let figure = |name| mean(generation.start(Some(1)), name, (SETTLED, SETTLED + LATER));
    let mut simulation = generation.start(Some(1));
    let mut outward = |count| {
        steps(&mut simulation, count, |_| {});
        let positions = &simulation.world().units.position;
        let center = positions.iter().sum::<Vec3>() / positions.len() as f32;
        positions.iter().map(|position| (*position - center).normalize()).collect::<Vec<_>>()
    };
    let (before, after) = (outward(SETTLED), outward(LATER));
    let cosines = before.iter().zip(&after).map(|(before, after)| before.dot(*after));
    let retained = cosines.sum::<f32>() / before.len() as f32;
    State { polarization: figure("polarization"), milling: figure("milling"), retained }
}

#[test]
fn a_wider_zone_of_orientation_leads_from_a_swarm_to_a_torus_and_to_parallel_groups() {
    let states: Vec<_> =
        on_threads(2, || [0.0, 1.0, 4.0, 8.0].par_iter().map(|width| couzin(*width)).collect());
    let [swarm, torus, dynamic, parallel] = &states[..] else { panic!("four states") };
    // The measured values are 0.1 to 0.2 and 0.1 to 0.2, 0.1 and 0.9, 0.91 and 0.03, 0.999 and 0.02.
    assert!(swarm.polarization < 0.4 && swarm.milling < 0.4, "{} {}", swarm.polarization, swarm.milling);
    assert!(torus.polarization < 0.4 && torus.milling > 0.7, "{} {}", torus.polarization, torus.milling);
    for (state, range) in [(dynamic, 0.8..0.97), (parallel, 0.99..1.0)] {
        assert!(
            range.contains(&state.polarization) && state.milling < 0.3,
            "{} {}",
            state.polarization,
            state.milling
        );
    }
    // Units of a dynamic group exchange their places; those of a highly parallel one retain them.
    assert!(dynamic.retained < 0.6 && parallel.retained > 0.9, "{} {}", dynamic.retained, parallel.retained);
}
