//! Shipped rules in degenerate positions.

use crate::common::on_threads;
use crate::stage::{steps, written};

#[test]
fn robots_at_one_place_part() {
    for apart in [0.0, 1e-6, 1e-3, 5.0] {
        for count in [2, 3] {
            let place = |unit: usize| format!("(position: ({}, 300))", 500.0 + apart * unit as f64);
            let places: Vec<_> = (0..count).map(place).collect();
            let text = format!(
                "(world: Plane(size: (800, 600), edges: Open), step: 0.05,
                  bodies: {{\"m\": Mover(length: 16, max_speed: 40, desired_speed: 32, max_velocity_change: 8)}},
                  views: {{\"near\": Around(radius: 120)}},
                  groups: [(name: \"g\", body: \"m\", view: \"near\", spawn: At([{}]), behaviors: [(script: \"orca\")])])",
                places.join(", ")
            );
            let generation = written(&text);
            on_threads(1, || {
                let mut simulation = generation.start(Some(1));
                steps(&mut simulation, 400, |_| {});
                let at = &simulation.world().units.position;
                for (unit, own) in at.iter().enumerate() {
                    for other in &at[unit + 1..] {
                        assert!(own.distance(*other) > 12.0, "{apart} apart: {own} {other}");
                    }
                    assert!(own.x < 420.0, "{apart} apart: it stays at {own}");
                }
            });
        }
    }
}
