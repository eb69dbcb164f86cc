//! Crates that compute states and results have stricter lints than the others. Clippy reads one file per crate.

use std::fs;

use crate::docs::assert_generated;

/// The methods that only these crates may not call.
const CRATES: [&str; 3] = ["core", "scene", "script"];
const METHODS: &str = r#"  # Either zero of two with different signs, by processor.
  { path = "f32::min", replacement = "steerbox_core::world::Extrema::lesser" },
  { path = "f32::max", replacement = "steerbox_core::world::Extrema::greater" },
  { path = "f32::clamp", replacement = "steerbox_core::world::Extrema::limited" },
  { path = "f64::min", replacement = "steerbox_core::world::Extrema::lesser" },
  { path = "f64::max", replacement = "steerbox_core::world::Extrema::greater" },
  { path = "f64::clamp", replacement = "steerbox_core::world::Extrema::limited" },
  { path = "glam::Vec4::min", replacement = "steerbox_core::world::Extrema::lesser" },
  { path = "glam::Vec4::max", replacement = "steerbox_core::world::Extrema::greater" },
  { path = "glam::Vec4::clamp", replacement = "steerbox_core::world::Extrema::limited" },
  { path = "glam::Vec4::min_element", reason = "the sign of a zero differs between processors" },
  { path = "glam::Vec4::max_element", reason = "the sign of a zero differs between processors" },
"#;
/// The entry of the root's file before which they are inserted.
const BEFORE: &str = "  # Their order is another";

#[test]
fn crates_that_compute_results_have_the_lints_of_the_root_and_their_own() {
    let root = fs::read_to_string(crate::common::file("clippy.toml")).expect("a readable file");
    assert_eq!(root.matches(BEFORE).count(), 1);
    let header = "# The root's `clippy.toml` with the entries of the test `lints`, which writes this file.\n";
    let made = format!("{header}{}", root.replace(BEFORE, &format!("{METHODS}{BEFORE}")));
    for name in CRATES {
        assert_generated(&format!("crates/{name}/clippy.toml"), &made);
    }
}
