//! Shipped rules for every step: arrival ends at rest, and random walks do not depend on the step.

use glam::Vec3;

use crate::common::on_threads;
use crate::stage::{steps, written};

const GOAL: Vec3 = Vec3::new(2050.0, 2050.0, 0.0);

#[test]
fn arrival_ends_at_rest_for_every_step_speed_and_body() {
    for (step, radius, body) in [
        (0.1, 20.0, "Mover(max_speed: 400)"),
        (0.1, 80.0, "Mover(max_speed: 400)"),
        (1.0, 1.0, "Mover(max_speed: 2, max_velocity_change: 10)"),
        (0.016_666_7, 1.0, "Mover(max_speed: 100, max_velocity_change: 0.5)"),
        (0.25, 500.0, "Mover(max_speed: 50, max_velocity_change: 3)"),
        (0.05, 5.0, "Mover(max_speed: 1000, max_velocity_change: 4000)"),
        (0.02, 5.0, "Mover(max_speed: 100, max_velocity_change: 5, axes: (1, 0.9, 1))"),
        (0.5, 20.0, "Rigid(mass: 0.1, thrust: 0, drag: 0, steering_force: 1)"),
        (0.02, 80.0, "Rigid(mass: 10, thrust: 0, drag: 0, steering_force: 40)"),
    ] {
        for rule in ["arrive", "hold_formation"] {
            // A thrust of 0 without drag has no top speed, so a rigid body begins to brake by its force alone.
            let params = match rule {
                "arrive" => format!("{{\"SLOWING\": {radius}}}"),
                _ => format!("{{\"SLOWING\": {radius}, \"COLUMNS\": 1, \"SPACING\": 100}}"),
            };
            let text = format!(
                "(world: Plane(size: (4000, 4000), edges: Open), step: {step}, target: (2050, 2050),
                  bodies: {{\"m\": {body}, \"still\": Mover(max_speed: 1)}},
                  groups: [(name: \"g\", body: \"m\", count: 3, spawn: Disc(center: (2000, 2000), radius: 300),
                    behaviors: [(script: \"{rule}\", params: {params})])],
                  player: (body: \"still\", spawn: At([(position: (2050, 2050), heading: 90)])))"
            );
            let generation = written(&text);
            on_threads(1, || {
                let mut simulation = generation.start(Some(4));
                steps(&mut simulation, 6000, |_| {});
                let headings = simulation.world().units.heading.clone();
                steps(&mut simulation, 50, |simulation| {
                    let units = &simulation.world().units;
                    for (unit, heading) in headings.iter().enumerate().take(3) {
                        let behind = if rule == "arrive" { 0.0 } else { 100.0 * (1 + unit) as f32 };
                        let rest = units.position[unit].distance(GOAL - Vec3::Y * behind);
                        assert!(rest < 1e-2, "{rule}, step {step}, {body}: {rest} away");
                        assert!(units.velocity[unit].length() < 1e-2, "{body}: {}", units.velocity[unit]);
                        assert_eq!(units.heading[unit], *heading, "{rule}, step {step}, {body}");
                    }
                });
            });
        }
    }
}

/// Returns the root mean square distance of 2,000 movers from their start after some seconds.
fn spread(rule: &str, seconds: f64, step: f64, seed: u64) -> f64 {
    let text = format!(
        "(world: Plane(size: (1000, 1000), edges: Open), step: {step:.7},
          bodies: {{\"m\": Mover(length: 1, max_speed: 10, desired_speed: 10)}},
          groups: [(name: \"g\", body: \"m\", count: 2000, spawn: Disc(center: (500, 500), radius: 0.001),
            behaviors: [(script: \"{rule}\")])])"
    );
    let generation = written(&text);
    on_threads(2, || {
        let mut simulation = generation.start(Some(seed));
        steps(&mut simulation, (seconds / step).round() as usize, |_| {});
        let at = &simulation.world().units.position;
        let squares = at.iter().map(|at| f64::from(at.distance_squared(Vec3::new(500.0, 500.0, 0.0))));
        (squares.sum::<f64>() / at.len() as f64).sqrt()
    })
}

#[test]
fn the_spread_of_wanderers_does_not_depend_on_the_step() {
    // The standard error of a mean of four seeds is 0.6 %.
    let spreads = [30.0, 60.0, 120.0].map(|rate| {
        let runs = (1..=4).map(|seed| spread("wander", 20.0, 1.0 / rate, seed));
        runs.sum::<f64>() / 4.0
    });
    assert!(spreads.iter().all(|one| (one / spreads[1] - 1.0).abs() < 0.02), "{spreads:?}");
}

#[test]
fn cruise_drifts_to_one_side_as_printed_and_to_none_with_both_directions() {
    let drift = |params: &str| {
        let text = format!(
            "(world: Space(radius: 3000), step: 0.05, bodies: {{\"m\": Mover(desired_speed: 30, max_speed: 60)}},
              groups: [(name: \"g\", body: \"m\", count: 2000, spawn: Ball(center: (0, 0, 0), radius: 20, speed: 0),
                behaviors: [(script: \"cruise\", params: {params})])])"
        );
        let mut simulation = written(&text).start(Some(1));
        on_threads(1, || steps(&mut simulation, 200, |_| {}));
        let velocities = simulation.world().units.velocity.iter().copied();
        velocities.sum::<Vec3>() / 2000.0
    };
    let printed = drift("{}");
    assert!(printed.x > 1.0 && printed.y > 0.1 && printed.z > 1.0, "{printed}");
    let both = drift("{\"DIRECTIONS\": \"both\"}");
    assert!(both.abs().max_element() < 0.1 * printed.x, "{both}");
}
