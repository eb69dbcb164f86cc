//! For any script or scene the program reports an error and continues.

mod costly;
mod edited;
mod scenes;
mod scripts;
mod watch;

use std::sync::Mutex;

use scripts::End;
use steerbox_script::Execution;

/// Maximum memory of a script in bytes, for loading and running.
const MEMORY: usize = 32 << 20;

/// Memory is counted for all threads, so tests run one at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn every_hostile_script_ends_with_a_message_in_both_modes_and_within_its_memory() {
    let _alone = ALONE.lock();
    let frozen = watch::state();
    let mut wrong = Vec::new();
    for (name, text, end) in scripts::rows() {
        for execution in [Execution::Native, Execution::Interpreted] {
            let seen = watch::watch(&frozen, &text, execution);
            let (refused, failed) = (seen.refused.as_deref(), seen.failed.as_deref());
            let ended = match end {
                End::Refused(words) => refused.is_some_and(|cause| cause.contains(words)),
                End::Fails(words) => failed.is_some_and(|cause| cause.contains(words)),
                End::Harmless => true,
            };
            if !ended || seen.memory > MEMORY {
                let memory = seen.memory;
                let row = format!("{name}, {execution:?}: {end:?}, {refused:?}, {failed:?}, {memory} bytes");
                wrong.push(row.chars().take(400).collect::<String>());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_hostile_scene_is_built_or_rejected_with_a_message() {
    let _alone = ALONE.lock();
    let mut wrong = Vec::new();
    for (name, text, words) in scenes::rows() {
        let read = watch::load(&text).0;
        let refused = read.as_ref().err().map(String::as_str);
        let ended = words.is_none_or(|words| refused.is_some_and(|cause| cause.contains(words)));
        if !ended {
            wrong.push(format!("{name}: {refused:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_world_for_fuzzing_scripts_is_valid() {
    let text = include_str!("../../fuzz/seeds/few.ron");
    let read = steerbox_scene::read("few.ron", text);
    assert_eq!(read.map(|scene| scene.unit_count()), Ok(7));
}
