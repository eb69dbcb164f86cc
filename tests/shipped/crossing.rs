//! Units stay on their branch of a path that crosses itself.

use crate::common::on_threads;
use crate::stage::{steps, written};

#[test]
fn units_follow_a_figure_of_eight_through_its_crossing() {
    for angle in [60.0, 90.0, 120.0, 150.0_f64] {
        // The branches x = 100 sin t, y = b sin 2t leave the crossing at this angle to each other.
        let b = 50.0 * ((180.0 - angle) / 2.0).to_radians().tan();
        let points = (0..64).map(|at| f64::from(at) * std::f64::consts::TAU / 64.0);
        let points: Vec<_> = points.map(|t| (150.0 + 100.0 * t.sin(), 100.0 + b * (2.0 * t).sin())).collect();
        let list = points.iter().map(|(x, y)| format!("({x:.3}, {y:.3})")).collect::<Vec<_>>().join(", ");
        let around = (0..64).map(|at| (points[at], points[(at + 1) % 64]));
        let length: f64 = around.map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1)).sum();
        let generation = written(&format!(
            "(world: Plane(size: (300, 200), edges: Open), step: 0.05, \
             bodies: {{\"m\": Mover(length: 4, max_speed: 40, desired_speed: 30, max_velocity_change: 2)}}, \
             paths: {{\"eight\": (points: [{list}], closed: true, radius: 6)}}, \
             groups: [(name: \"g\", body: \"m\", count: 20, path: \"eight\", spawn: Disc(center: (240, 100), radius: 10), \
             behaviors: [(script: \"follow_path\")])])"
        ));
        let mut simulation = on_threads(2, || generation.start(Some(1)));
        let (mut passes, mut wrong) = (0, 0);
        let mut before = simulation.world().units.position.clone();
        on_threads(2, || {
            steps(&mut simulation, 2400, |simulation| {
                let units = &simulation.world().units;
                for (at, (now, was)) in units.position.iter().zip(&before).enumerate() {
                    if (now.x - 150.0) * (was.x - 150.0) < 0.0 {
                        passes += 1;
                        // Both branches go up through the crossing.
                        wrong += usize::from(units.velocity[at].y < 0.0);
                    }
                }
                before.clone_from(&units.position);
            });
        });
        // A unit that turns into the other branch repeats a lobe and passes less often.
        let expected = 20.0 * 2.0 * 30.0 * 120.0 / length;
        assert_eq!(wrong, 0, "{angle} degrees");
        assert!(f64::from(passes) > 0.93 * expected, "{angle} degrees: {passes} of {expected} passes");
    }
}
