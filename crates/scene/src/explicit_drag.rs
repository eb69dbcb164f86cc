//! Warnings about steps beyond the limit of stability of explicit drag.

use steerbox_core::diagnostics::{Fault, Fix};
use steerbox_core::text::TextEdit;
use steerbox_core::world::{Body, Distribution, DragScheme, Extrema, Rigid};

use super::plan::{GroupPlan, Scene};
use super::starts::Spawn;

/// Returns a warning for each group whose drag may reverse its motion within one step: at its top speed, at the speed of
/// its start, or at the angular velocity that its rudder reaches.
pub fn explicit_drag_warnings(scene: &Scene) -> Vec<Fault> {
    let step = scene.world.step;
    let mut warnings = Vec::new();
    for (index, plan) in scene.groups.iter().enumerate() {
        let Body::Rigid(body) = &plan.common.body else { continue };
        let Some(span) = scene.spans.groups.get(index) else { continue };
        let limit = limit(body, plan);
        if body.drag_scheme == DragScheme::Explicit && step > limit {
            let message =
                format!("explicit drag reverses the motion of these units within a step of {step} s");
            // Rounded down, so that the suggested step is below the limit.
            let most = limit * 0.95;
            let help = format!("write a `step` of at most {most:.1e}, or remove `drag_scheme` from the body");
            let fault = scene.fault(span, message).help(help);
            warnings.push(fault.fixed(closed_form(&scene.source)).warning());
        }
    }
    warnings
}

/// Returns the fix that integrates all drag in closed form.
fn closed_form(source: &str) -> Option<Fix> {
    let is_scheme = |at: usize| {
        let field = source[..at].trim_end().strip_suffix(':');
        field.is_some_and(|field| field.trim_end().ends_with("drag_scheme"))
    };
    let schemes = source.match_indices("Explicit").filter(|(at, _)| is_scheme(*at));
    let edits: Vec<_> = schemes.map(|(at, word)| TextEdit::replace(at..at + word.len(), "Closed")).collect();
    (!edits.is_empty()).then(|| Fix::new("integrate drag in closed form", edits))
}

/// The step beyond which drag reverses the motion of a group.
fn limit(body: &Rigid, plan: &GroupPlan) -> f32 {
    let [speed, spin] = body.explicit_limits(1.0);
    let top = if body.thrust > 0.0 && body.top_speed().is_finite() { body.top_speed() } else { 0.0 };
    let moment = body.steering_force * body.length * 0.5;
    let turning = (moment / body.angular_drag_factor()).sqrt();
    let until = |limit: f32, reached: f32| if reached.is_finite() { limit / reached } else { f32::INFINITY };
    until(speed, top.greater(start(&plan.spawn))).lesser(until(spin, turning))
}

/// The greatest listed speed of a start, or the mean one.
fn start(spawn: &Spawn) -> f32 {
    match spawn {
        Spawn::Disc { speed, .. }
        | Spawn::Ring { speed, .. }
        | Spawn::Rect { speed, .. }
        | Spawn::Ball { speed, .. } => speed.as_ref().map_or(0.0, Distribution::mean),
        _ => {
            let velocities = spawn.listed().unwrap_or_default().iter().filter_map(|start| start.velocity);
            velocities.map(glam::Vec3::length).max_by(f32::total_cmp).unwrap_or(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(step: &str, body: &str, spawn: &str) -> Vec<String> {
        let text = format!(
            "(world: Plane(size: (100, 100)), step: {step}, bodies: {{\"b\": Rigid({body})}},
                groups: [(name: \"g\", body: \"b\", spawn: {spawn})])"
        );
        let scene = crate::read("a.ron", &text).unwrap();
        explicit_drag_warnings(&scene).into_iter().filter_map(|fault| fault.help).collect()
    }

    #[test]
    fn steps_beyond_the_limit_of_explicit_drag_cause_a_warning() {
        let fish = "mass: 0.1, inertia: 99, length: 0.3, width: 0.1, height: 0.1, thrust: 0, steering_force: 0, density: 1000";
        let explicit = format!("{fish}, drag_scheme: Explicit");
        let start = "At([(position: (50, 50), velocity: (3, 0))])";
        // 2 · 0.3 · ½ · 1000 · 0.04 / 0.1 · 3 = 360 per second.
        assert_eq!(warned("0.0166667", &explicit, start).len(), 1);
        assert!(warned("0.0166667", &explicit, start)[0].contains("2.6e-3"));
        assert!(warned("0.002", &explicit, start).is_empty());
        assert!(warned("0.0166667", fish, start).is_empty());
        let still = "At([(position: (50, 50))])";
        assert!(warned("0.0166667", &explicit, still).is_empty());
        // √(thrust / (0.3 · 1000 · 0.04)) = 2.9 at the top.
        let driven = explicit.replace("thrust: 0", "thrust: 100");
        assert_eq!(warned("0.0166667", &driven, still).len(), 1);
        // The rudder: ½ · 0.3 · 6 = 0.9, over 5000 · ½ · 1000 · 0.04 = 1e5, is 0.003² per second².
        let turned = explicit.replace("steering_force: 0", "steering_force: 6").replace("99", "0.1");
        assert_eq!(warned("0.0166667", &turned, still).len(), 1);
        assert!(warned("0.005", "drag_scheme: Explicit", still).is_empty());
    }
}
