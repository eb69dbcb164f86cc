//! Changes of folders, and of the watch set.

use std::fs;
use std::time::Duration;

use super::super::*;
use super::harness::{Harness, harness};

#[test]
fn a_new_file_in_the_folder_shows_and_others_do_not() {
    let mut harness = harness();
    harness.save("b.rhai", "new");
    harness.save("b.rhai~", "backup");
    harness.save(".#b.rhai", "lock");
    harness.until_text("b.rhai", "new");
    harness.rest();
    let names: Vec<_> = harness.log.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["scene.ron", "a.rhai", "b.rhai"]);
}

/// Asserts that an event reports a save: polling would hide a lost watch.
fn shows_by_events(harness: &mut Harness, text: &str) {
    assert_eq!(harness.watcher.polling(), None);
    harness.run(Duration::from_millis(50));
    let before = harness.wakes;
    harness.save_shows("a.rhai", text);
    assert!(harness.wakes > before, "{text} was found by polling");
}

#[test]
fn a_folder_renamed_away_and_back_is_still_watched() {
    let mut harness = harness();
    let (here, away) = (harness.root.join("scripts"), harness.root.join("away"));
    fs::rename(&here, &away).unwrap();
    fs::rename(&away, &here).unwrap();
    harness.run(Duration::from_millis(300));
    shows_by_events(&mut harness, "after a moment away");
    fs::rename(&here, &away).unwrap();
    harness.until("a.rhai", &Content::Missing);
    fs::write(away.join("a.rhai"), "edited away").unwrap();
    fs::rename(&away, &here).unwrap();
    harness.until_text("a.rhai", "edited away");
    shows_by_events(&mut harness, "two");
    let texts = ["one", "after a moment away", "Missing", "edited away", "two"];
    assert_eq!(harness.texts("a.rhai"), texts);
}

#[test]
fn a_folder_deleted_and_recreated_is_watched_anew() {
    let mut harness = harness();
    let here = harness.root.join("scripts");
    for text in ["two", "three"] {
        fs::remove_dir_all(&here).unwrap();
        fs::create_dir(&here).unwrap();
        harness.save_shows("a.rhai", text);
    }
    fs::remove_dir_all(&here).unwrap();
    harness.until("a.rhai", &Content::Missing);
    fs::create_dir(&here).unwrap();
    shows_by_events(&mut harness, "four");
    harness.rest();
    assert_eq!(harness.texts("a.rhai"), ["one", "two", "three", "Missing", "four"]);
}

#[test]
fn a_folder_exchanged_for_another_shows_the_other() {
    let mut harness = harness();
    let (here, other) = (harness.root.join("scripts"), harness.root.join("other"));
    fs::create_dir(&other).unwrap();
    fs::write(other.join("b.rhai"), "other").unwrap();
    fs::rename(&here, harness.root.join("away")).unwrap();
    fs::rename(&other, &here).unwrap();
    harness.until_text("b.rhai", "other");
    harness.until("a.rhai", &Content::Missing);
    shows_by_events(&mut harness, "back");
}

#[test]
fn an_expected_file_is_reported_when_it_is_missing() {
    let mut harness = harness();
    let gone = harness.path("gone.rhai");
    harness.watcher.expect(&gone);
    harness.until("gone.rhai", &Content::Missing);
}

#[test]
fn events_of_a_linked_folder_come_from_where_it_is() {
    let mut harness = harness();
    let (here, real) = (harness.root.join("scripts"), harness.root.join("real/deep"));
    fs::create_dir_all(real.parent().unwrap()).unwrap();
    fs::rename(&here, &real).unwrap();
    std::os::unix::fs::symlink(&real, &here).unwrap();
    harness.run(Duration::from_millis(600));
    shows_by_events(&mut harness, "through the link");
    fs::write(real.join("a.rhai"), "where it is").unwrap();
    harness.until_text("a.rhai", "where it is");
    assert_eq!(harness.watcher.polling(), None);
}

#[test]
fn the_target_of_a_scene_that_is_a_link_elsewhere_is_watched() {
    let mut harness = harness();
    let real = harness.root.join("far/away");
    fs::create_dir_all(&real).unwrap();
    fs::write(real.join("a"), "linked").unwrap();
    std::os::unix::fs::symlink(real.join("a"), harness.path("scene.ron")).unwrap();
    harness.until_text("scene.ron", "linked");
    harness.run(Duration::from_millis(600));
    for text in ["edited", "edited again"] {
        let before = harness.wakes;
        fs::write(real.join("a"), text).unwrap();
        harness.until_text("scene.ron", text);
        assert!(harness.wakes > before, "{text} was found by polling");
    }
    assert_eq!(harness.watcher.polling(), None);
}
