//! Models of the literature whose scenes show a published effect.

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
            let goals: Vec<_> = simulation.world().units.position.iter().map(|at| center * 2.0 - *at).collect();
            let mut least = f32::INFINITY;
            steps(&mut simulation, 800, |simulation| {
                let at = &simulation.world().units.position;
                for (unit, own) in at.iter().enumerate() {
                    least = at[unit + 1..].iter().map(|other| own.distance(*other)).fold(least, f32::min);
                }
            });
            assert!(least > 16.0 * 0.99, "seed {seed}: {least} between centers");
            assert!(least < 16.0 * 1.5, "seed {seed}: nobody met: {least}");
            let rest = simulation.world().units.position.iter().zip(&goals).map(|(at, goal)| at.distance(*goal));
            let farthest = rest.fold(0.0, f32::max);
            assert!(farthest < 2.0, "seed {seed}: {farthest} to a goal after 40 s");
        });
    }
}
