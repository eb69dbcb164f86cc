//! Warnings about numbers that cannot represent the motion: steps beyond the limit of stability of explicit drag, and
//! positions too large for the distance of a step.

use glam::Vec3;
use steerbox_core::diagnostics::{Fault, Fix};
use steerbox_core::sim::rounded;
use steerbox_core::text::TextEdit;
use steerbox_core::world::{Arena, Body, Distribution, DragScheme, Edges, Extrema, Rigid};

use super::plan::{GroupPlan, Scene};
use super::starts::Spawn;

/// Returns the warnings about each group.
pub fn numeric_warnings(scene: &Scene) -> Vec<Fault> {
    let mut warnings = explicit_drag(scene);
    warnings.extend(coarse_positions(scene));
    warnings
}

/// Returns a warning for each group whose drag may reverse its motion within one step: at its top speed, at the speed of
/// its start, or at the angular velocity that its rudder reaches.
fn explicit_drag(scene: &Scene) -> Vec<Fault> {
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
    let moment = body.steering_force * body.length * 0.5;
    let turning = (moment / body.angular_drag_factor()).sqrt();
    let until = |limit: f32, reached: f32| if reached.is_finite() { limit / reached } else { f32::INFINITY };
    until(speed, top_speed(body).greater(start(&plan.spawn))).lesser(until(spin, turning))
}

/// Minimum number of resolvable distances within a step.
const RESOLVED: f32 = 1000.0;

/// Returns a warning for each group whose units move by fewer than [`RESOLVED`] resolvable distances within a step.
fn coarse_positions(scene: &Scene) -> Vec<Fault> {
    let (arena, step) = (&scene.world.arena, scene.world.step);
    let mut warnings = Vec::new();
    for (plan, span) in scene.groups.iter().zip(&scene.spans.spawns) {
        let [least, most] = extent(&plan.spawn, arena);
        let sizes = [least, most].into_iter().flat_map(|corner| corner.abs().to_array());
        let size = sizes.fold(0.0, f32::greater);
        let speed = match &plan.common.body {
            Body::Mover(body) => body.max_speed,
            Body::Rigid(body) => top_speed(body).greater(start(&plan.spawn)),
        };
        let (distance, resolution) = (speed * step, size.next_up() - size);
        if distance <= 0.0 || !distance.is_finite() || distance >= RESOLVED * resolution {
            continue;
        }
        let message = format!(
            "these units move by at most {} in a step, at positions up to {}, which are multiples of {}",
            rounded(distance),
            rounded(size),
            rounded(resolution)
        );
        let is_far = (most - least).to_array().into_iter().fold(0.0, f32::greater) < 0.1 * size;
        let help = if is_far {
            let from = (arena.origin + least.as_dvec3()).floor();
            let z = if arena.is_plane() { String::new() } else { format!(", {}", from.z) };
            format!(
                "add `origin: ({}, {}{z})` to the world: positions are stored relative to it",
                from.x, from.y
            )
        } else {
            "choose a larger `step`, or a smaller world".to_owned()
        };
        warnings.push(scene.fault(span, message).help(help).warning());
    }
    warnings
}

/// The top speed of a driven rigid body, or 0 if it is unlimited.
fn top_speed(body: &Rigid) -> f32 {
    if body.thrust > 0.0 && body.top_speed().is_finite() { body.top_speed() } else { 0.0 }
}

/// The corners of a box around the starts of a group and, where edges are closed, around the world.
fn extent(spawn: &Spawn, arena: &Arena) -> [Vec3; 2] {
    let mut corners: Vec<Vec3> = match spawn {
        Spawn::In { area, .. } => area.corners().into(),
        Spawn::At(starts) | Spawn::File { starts, .. } => starts.iter().map(|start| start.position).collect(),
    };
    if arena.edges != Edges::Open || corners.is_empty() {
        let (center, half) = (arena.center(), arena.size() * 0.5);
        corners.extend([center - half, center + half]);
    }
    let bound = |choose: fn(f32, f32) -> f32| {
        let of_axis = |axis: usize| corners.iter().map(|corner| corner[axis]).reduce(choose).unwrap_or(0.0);
        Vec3::from_array([0, 1, 2].map(of_axis))
    };
    [bound(f32::lesser), bound(f32::greater)]
}

/// The greatest listed speed of a start, or the mean one.
fn start(spawn: &Spawn) -> f32 {
    if let Spawn::In { speed, .. } = spawn {
        return speed.as_ref().map_or(0.0, Distribution::mean);
    }
    let velocities = spawn.listed().unwrap_or_default().iter().filter_map(|start| start.velocity);
    velocities.map(Vec3::length).max_by(f32::total_cmp).unwrap_or(0.0)
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
        explicit_drag(&scene).into_iter().filter_map(|fault| fault.help).collect()
    }

    #[test]
    fn positions_that_resolve_less_than_a_thousandth_of_a_step_cause_a_warning() {
        let warned = |world: &str, y: f64, step: &str| {
            let text = format!(
                "(world: Plane(size: (100, 100), edges: Open{world}), step: {step}, bodies: {{\"p\": Mover(desired_speed: 1.33,
                    max_speed: 2)}}, groups: [(name: \"p\", body: \"p\", spawn: At([(position: (40, {y}))]))])"
            );
            let scene = crate::read("a.ron", &text).unwrap();
            coarse_positions(&scene)
                .into_iter()
                .map(|it| it.message + &it.help.unwrap_or_default())
                .collect::<String>()
        };
        // 0.0665 in a step; 2⁻¹³ below 2048, 2⁻¹⁴ below 1024.
        assert_eq!(warned("", 1000.0, "0.05"), "");
        assert!(warned("", 1100.0, "0.05").contains("multiples of 1.22e-4"));
        assert_eq!(warned("", 1100.0, "0.1"), "");
        let far = warned("", 5_811_000.0, "0.05");
        assert!(far.contains("multiples of 0.5") && far.contains("origin: (40, 5811000)"), "{far}");
        assert_eq!(warned(", origin: (0, 5811000)", 5_811_012.3, "0.05"), "");
        assert!(warned(", origin: (0, 5811000)", 5_813_012.3, "0.05").contains("origin: (40, 5813012)"));
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
