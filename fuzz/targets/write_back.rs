//! Values are written back into any scene that reads: the result reads again and keeps the rest, or it is
//! refused in words.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use steerbox_core::world::ParamValue;
use steerbox_scene::{self as scene, Edit, Scene, SceneEdit, SceneEdits, Set, shifted};

fuzz_target!(|text: &str| {
    let Ok(scene) = scene::read("fuzz.ron", text) else {
        return;
    };
    // What is written depends on the text, so that mutations of it try other values.
    let seed = text.bytes().fold(7_u32, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let value = f32::from_bits(seed);
    let value = if value.is_finite() { value } else { 0.1 };
    let edits = edits(&scene, value, seed);
    let scene_edits = scene_edits(&scene, value);
    if let Ok(edited) = scene::rewrite("fuzz.ron", text, &edits, &scene_edits) {
        let again = scene::read("fuzz.ron", edited.trim_start_matches('\u{feff}'));
        let again = again.expect("what was written reads");
        assert_eq!(again.groups.len(), scene.groups.len());
        assert_eq!(again.world.obstacles, scene_edits.applied(&scene).world.obstacles);
        let twice = scene::rewrite("fuzz.ron", &edited, &edits, &SceneEdits::default());
        assert_eq!(twice.expect("values that are there"), edited);
    }
});

/// An edit of each kind for each behavior.
fn edits(scene: &Scene, value: f32, seed: u32) -> Vec<Edit> {
    let mut edits = Vec::new();
    for group in &scene.groups {
        let mut seen = BTreeMap::new();
        for used in &group.behaviors {
            let occurrence = seen.entry(&used.script).or_insert(0);
            let sets = [
                Set::Gain(value),
                Set::Enabled(seed.is_multiple_of(2)),
                Set::Param("NEW".to_owned(), ParamValue::Number(value)),
            ];
            edits.extend(sets.map(|set| Edit::Behavior {
                group: group.common.name.clone(),
                script: used.script.clone(),
                occurrence: *occurrence,
                set,
            }));
            *occurrence += 1;
        }
    }
    edits
}

/// Every obstacle elsewhere, or gone, or there once more.
fn scene_edits(scene: &Scene, value: f32) -> SceneEdits {
    let shift = glam::Vec3::new(value.clamp(-1e3, 1e3), 1.5, 0.0);
    let mut scene_edits = SceneEdits::default();
    for (at, obstacle) in scene.world.obstacles.iter().enumerate() {
        let (at_end, to) = (scene.world.obstacles.len(), shifted(obstacle, shift));
        let edit = match at % 3 {
            0 => SceneEdit::Obstacle { at, from: Some(obstacle.clone()), to },
            1 => SceneEdit::Obstacle { at, from: Some(obstacle.clone()), to: None },
            _ => SceneEdit::Obstacle { at: at_end, from: None, to },
        };
        scene_edits = scene_edits.edited(scene, &edit).unwrap_or(scene_edits);
    }
    scene_edits
}
