//! Scenes with slow steps cause a warning with an estimate when they are loaded; the shipped ones do not.

use steerbox_core::diagnostics::{Fault, Severity};

use crate::stage::{SHIPPED, written};

/// A body, and a plane of the default size.
const MOVER: &str = r#"bodies: {"m": Mover(length: 1, max_speed: 6, max_velocity_change: 0.4)}"#;
const PLANE: &str = "world: Plane(size: (800, 600), seamless: true)";

/// Returns the warning about slow steps, if any.
fn slow(warnings: &[Fault]) -> Option<&Fault> {
    let mut slow = warnings.iter();
    slow.find(|fault| fault.message.starts_with("a step takes about "))
}

/// Returns the estimate in such a warning, in seconds.
fn seconds(warning: &Fault) -> f64 {
    let mut words = warning.message.split(' ').skip(4);
    let (number, unit) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let number: f64 = number.parse().expect("a number");
    if unit == "ms" { number / 1e3 } else { number }
}

#[test]
fn shipped_scenes_have_no_slow_steps() {
    for (scene, generation) in SHIPPED.iter() {
        assert_eq!(slow(&generation.warnings), None, "{scene}");
    }
}

/// Scenes with many units: the named cost, the scene, and the measured duration of a step on one core in seconds (the
/// processor time of `steerbox run --threads 1`).
fn slow_scenes() -> [(&'static str, String, f64); 5] {
    let group = |count: usize, fields: &str| {
        format!("groups: [(name: \"a\", body: \"m\", count: {count}, {fields})]")
    };
    let seeing = |script: &str| {
        let behaviors = format!("behaviors: [(script: \"{script}\")]");
        let group = group(50_000, &format!("view: \"v\", {behaviors}"));
        format!("{PLANE}, {MOVER}, views: {{\"v\": Around(radius: 40)}}, {group}")
    };
    let pile = format!(
        "world: Plane(size: (0.001, 0.001), seamless: true), {MOVER}, contacts: (units: Separate), {}",
        group(2000, "")
    );
    let crowd = format!(
        "world: Plane(size: (400, 400)), {MOVER}, contacts: (units: Separate), {}",
        group(100_000, "")
    );
    let rocks = format!(
        "{PLANE}, {MOVER}, contacts: (obstacles: Bounce()), {}, scatter: [(count: 10000, radius: 2)]",
        group(10_000, "")
    );
    [
        ("contacts of units", pile, 0.3),
        ("contacts of units", crowd, 0.22),
        ("contacts of 10000 units with 10000 obstacles", rocks, 0.51),
        ("units of a to look at", seeing("separation"), 0.33),
        ("units of a to look at", seeing("cohesion").replace("50000", "500000").replace("40", "60"), 4.5),
    ]
}

#[test]
fn the_estimate_of_a_slow_step_is_within_a_factor_of_three() {
    for (what, text, measured) in slow_scenes() {
        let generation = written(&format!("({text})"));
        let warning = slow(&generation.warnings).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(warning.severity, Severity::Warning);
        assert!(warning.line == 1 && warning.help.is_some(), "{warning:?}");
        assert!(warning.message.contains(what), "{}", warning.message);
        let ratio = seconds(warning) / measured;
        assert!((1.0 / 3.0..3.0).contains(&ratio), "{}", warning.message);
        let event = &generation.events[0];
        assert!(event.others.contains(warning), "{event:?}");
    }
}
