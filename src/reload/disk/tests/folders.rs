//! What happens to the folders, and to what is asked for.

use std::fs;
use std::time::Duration;

use super::super::*;
use super::bench::{Bench, bench};

#[test]
fn a_new_file_in_the_folder_shows_and_others_do_not() {
    let mut bench = bench();
    bench.save("b.rhai", "new");
    bench.save("b.rhai~", "backup");
    bench.save(".#b.rhai", "lock");
    bench.until_text("b.rhai", "new");
    bench.rest();
    let names: Vec<_> = bench.log.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["scene.ron", "a.rhai", "b.rhai"]);
}

/// A save must show, and events must have told of it: polling would hide that a watch was lost.
fn shows_by_events(bench: &mut Bench, text: &str) {
    assert_eq!(bench.disk.polling(), None);
    bench.run(Duration::from_millis(50));
    let before = bench.wakes;
    bench.save("a.rhai", text);
    bench.until_text("a.rhai", text);
    assert!(bench.wakes > before, "{text} was found by polling");
}

#[test]
fn a_folder_renamed_away_and_back_is_still_watched() {
    let mut bench = bench();
    let (here, away) = (bench.root.join("scripts"), bench.root.join("away"));
    fs::rename(&here, &away).unwrap();
    fs::rename(&away, &here).unwrap();
    bench.run(Duration::from_millis(300));
    shows_by_events(&mut bench, "after a moment away");
    fs::rename(&here, &away).unwrap();
    bench.until("a.rhai", &FileState::Missing);
    fs::write(away.join("a.rhai"), "edited away").unwrap();
    fs::rename(&away, &here).unwrap();
    bench.until_text("a.rhai", "edited away");
    shows_by_events(&mut bench, "two");
    let texts = [
        "one",
        "after a moment away",
        "Missing",
        "edited away",
        "two",
    ];
    assert_eq!(bench.texts("a.rhai"), texts);
}

#[test]
fn a_folder_deleted_and_recreated_is_watched_anew() {
    let mut bench = bench();
    let here = bench.root.join("scripts");
    for text in ["two", "three"] {
        fs::remove_dir_all(&here).unwrap();
        fs::create_dir(&here).unwrap();
        bench.save("a.rhai", text);
        bench.until_text("a.rhai", text);
    }
    fs::remove_dir_all(&here).unwrap();
    bench.until("a.rhai", &FileState::Missing);
    fs::create_dir(&here).unwrap();
    shows_by_events(&mut bench, "four");
    bench.rest();
    assert_eq!(
        bench.texts("a.rhai"),
        ["one", "two", "three", "Missing", "four"]
    );
}

#[test]
fn a_folder_exchanged_for_another_shows_the_other() {
    let mut bench = bench();
    let (here, other) = (bench.root.join("scripts"), bench.root.join("other"));
    fs::create_dir(&other).unwrap();
    fs::write(other.join("b.rhai"), "other").unwrap();
    fs::rename(&here, bench.root.join("away")).unwrap();
    fs::rename(&other, &here).unwrap();
    bench.until_text("b.rhai", "other");
    bench.until("a.rhai", &FileState::Missing);
    shows_by_events(&mut bench, "back");
}

#[test]
fn a_file_that_was_there_before_is_told_when_it_is_gone() {
    let mut bench = bench();
    let gone = bench.path("gone.rhai");
    bench.disk.expect(&gone);
    bench.until("gone.rhai", &FileState::Missing);
}

#[test]
fn events_of_a_linked_folder_come_from_where_it_is() {
    let mut bench = bench();
    let (here, real) = (bench.root.join("scripts"), bench.root.join("real/deep"));
    fs::create_dir_all(real.parent().unwrap()).unwrap();
    fs::rename(&here, &real).unwrap();
    std::os::unix::fs::symlink(&real, &here).unwrap();
    bench.run(Duration::from_millis(600));
    shows_by_events(&mut bench, "through the link");
    fs::write(real.join("a.rhai"), "where it is").unwrap();
    bench.until_text("a.rhai", "where it is");
    assert_eq!(bench.disk.polling(), None);
}

#[test]
fn the_target_of_a_scene_that_is_a_link_elsewhere_is_watched() {
    let mut bench = bench();
    let real = bench.root.join("far/away");
    fs::create_dir_all(&real).unwrap();
    fs::write(real.join("a"), "linked").unwrap();
    std::os::unix::fs::symlink(real.join("a"), bench.path("scene.ron")).unwrap();
    bench.until_text("scene.ron", "linked");
    bench.run(Duration::from_millis(600));
    for text in ["edited", "edited again"] {
        let before = bench.wakes;
        fs::write(real.join("a"), text).unwrap();
        bench.until_text("scene.ron", text);
        assert!(bench.wakes > before, "{text} was found by polling");
    }
    assert_eq!(bench.disk.polling(), None);
}
