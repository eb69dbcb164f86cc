//! Models of the literature whose scenes show a published effect.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use steerbox::reload::{Generation, KnobName};
use steerbox::scene::ParamValue;

use crate::common::on_threads;
use crate::stage::{load, steps};

#[test]
fn robots_exchange_their_places_on_a_circle_without_a_collision() {
    // All ways cross in the center, and the longest takes 520 / 32 = 16 s without others. Hulls have a length of 16. In a
    // crowd without a permitted velocity, half-planes recede: a hundredth of a hull is the tolerance.
    let generation = load("orca", &[]);
    for seed in [1, 2, 3] {
        on_threads(2, || {
            let mut simulation = generation.start(Some(seed));
            let center = simulation.world().arena.center();
            let goals: Vec<_> =
                simulation.world().units.position.iter().map(|at| center * 2.0 - *at).collect();
            let mut least = f32::INFINITY;
            steps(&mut simulation, 800, |simulation| {
                let at = &simulation.world().units.position;
                for (unit, own) in at.iter().enumerate() {
                    least = at[unit + 1..].iter().map(|other| own.distance(*other)).fold(least, f32::min);
                }
            });
            assert!(least > 16.0 * 0.99, "seed {seed}: {least} between centers");
            assert!(least < 16.0 * 1.5, "seed {seed}: nobody met: {least}");
            let rest =
                simulation.world().units.position.iter().zip(&goals).map(|(at, goal)| at.distance(*goal));
            let farthest = rest.fold(0.0, f32::max);
            assert!(farthest < 2.0, "seed {seed}: {farthest} to a goal after 40 s");
        });
    }
}

/// Returns the mean numbers of ants on the short and the long branch in the last 50 of 250 s, and the remaining food.
fn branches(generation: &Generation, seed: u64) -> [f64; 3] {
    const LATE: usize = 500;
    let mut simulation = generation.start(Some(seed));
    let mut counts = [0_usize; 2];
    steps(&mut simulation, 2000, |_| {});
    steps(&mut simulation, LATE, |simulation| {
        let world = simulation.world();
        for at in &world.units.position[world.groups[0].units.clone()] {
            let middle = (at.x - 400.0).abs() < 80.0;
            counts[0] += usize::from(middle && at.y > 445.0);
            counts[1] += usize::from(middle && at.y < 135.0);
        }
    });
    let food = simulation.world().grids.iter().find(|grid| grid.name == "food").expect("a grid").total();
    let [short, long] = counts.map(|count| count as f64 / LATE as f64);
    [short, long, food]
}

#[test]
fn ants_choose_the_shorter_bridge() {
    // Both zones are 160 long, so that numbers in them are proportional to the traffic. One branch wins if it has half as many
    // ants again as the other one. Without trails neither does: there are 16 ants in each zone.
    let generation = load("ants", &[]);
    let attraction = ("ants", "ants", KnobName::Param("ATTRACTION".to_owned()), ParamValue::Number(0.0));
    let without = load("ants", &[attraction]);
    on_threads(2, || {
        let runs: Vec<_> =
            (1..=10).into_par_iter().map(|seed: u32| branches(&generation, seed.into())).collect();
        let won = runs.iter().filter(|[short, long, _]| *short > 1.5 * long).count();
        assert!(won >= 9, "{won} of 10: {runs:?}");
        // 40 units with 40 each at the start.
        assert!(runs.iter().all(|[_, _, food]| *food < 1500.0), "food remains: {runs:?}");
        let [short, long, _] = branches(&without, 1);
        assert!(short < 1.5 * long && long < 1.5 * short, "without trails: {short} and {long}");
    });
}
