//! One file, saved in the ways of editors.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::super::*;
use super::harness::{Harness, LIMIT, harness, polling};

#[test]
fn the_first_load_reports_every_file_and_missing_single_files() {
    let harness = harness();
    assert_eq!(harness.texts("a.rhai"), ["one"]);
    assert_eq!(harness.reports("scene.ron"), [Content::Missing]);
    assert_eq!(harness.watcher.polling(), None);
}

#[test]
fn saves_in_place_by_rename_and_by_link_show_once_each() {
    for mut harness in [harness(), polling()] {
        harness.save_shows("a.rhai", "two");
        harness.swap("a.rhai", "three");
        harness.until_text("a.rhai", "three");
        harness.save_shows("scene.ron", "()");
        fs::write(harness.path("b~"), "four").unwrap();
        harness.remove("a.rhai");
        fs::hard_link(harness.path("b~"), harness.path("a.rhai")).unwrap();
        harness.until_text("a.rhai", "four");
        harness.rest();
        assert_eq!(harness.texts("a.rhai"), ["one", "two", "three", "four"]);
    }
}

#[test]
fn edits_of_the_same_size_show() {
    for mut harness in [harness(), polling()] {
        for text in ["two", "six", "ten", "one"] {
            harness.save_shows("a.rhai", text);
        }
        // Some tools reset the time stamp.
        let path = harness.path("a.rhai");
        let stamp = fs::metadata(&path).unwrap().modified().unwrap();
        harness.save("a.rhai", "two");
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(stamp).unwrap();
        harness.until_text("a.rhai", "two");
    }
}

#[test]
fn a_backup_made_by_rename_is_no_removal() {
    let mut harness = harness();
    for text in ["two", "three"] {
        fs::rename(harness.path("a.rhai"), harness.path("a.rhai~")).unwrap();
        harness.save("a.rhai", text);
        fs::remove_file(harness.path("a.rhai~")).unwrap();
        harness.until_text("a.rhai", text);
    }
    harness.rest();
    assert_eq!(harness.texts("a.rhai"), ["one", "two", "three"]);
}

#[test]
fn deleted_is_missing_and_recreated_is_there_again() {
    for mut harness in [harness(), polling()] {
        harness.remove("a.rhai");
        harness.until("a.rhai", &Content::Missing);
        harness.save_shows("a.rhai", "one");
        harness.remove("a.rhai");
        harness.save_shows("a.rhai", "two");
        harness.rest();
        assert_eq!(harness.texts("a.rhai"), ["one", "Missing", "one", "two"]);
    }
}

#[test]
fn the_empty_moment_of_a_save_is_not_shown_and_an_empty_file_is() {
    for mut harness in [harness(), polling()] {
        let mut file = File::create(harness.path("a.rhai")).unwrap();
        harness.run(Duration::from_millis(300));
        file.write_all(b"two").unwrap();
        drop(file);
        harness.until_text("a.rhai", "two");
        harness.save_shows("a.rhai", "");
        harness.rest();
        assert_eq!(harness.texts("a.rhai"), ["one", "two", ""]);
    }
}

#[test]
fn a_slow_writer_shows_only_its_whole() {
    let mut harness = harness();
    let path = harness.path("a.rhai");
    let writer = thread::spawn(move || {
        let mut file = File::create(path).unwrap();
        for part in ["t", "w", "o", ", ", "slow"] {
            file.write_all(part.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(150));
        }
    });
    harness.until_text("a.rhai", "two, slow");
    writer.join().unwrap();
    harness.rest();
    assert_eq!(harness.texts("a.rhai"), ["one", "two, slow"]);
}

#[test]
fn touching_reading_and_permissions_are_not_reported() {
    let mut harness = harness();
    let path = harness.path("a.rhai");
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
    drop(file);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::read(&path).unwrap();
    harness.save("a.rhai", "one");
    harness.swap("a.rhai", "one");
    fs::hard_link(&path, harness.path("a.rhai~")).unwrap();
    harness.rest();
    assert_eq!(harness.texts("a.rhai"), ["one"]);
}

#[test]
fn the_target_of_a_link_shows_when_edited_and_when_exchanged() {
    let mut harness = harness();
    let (first, second) = (harness.path("first"), harness.path("second"));
    fs::write(&first, "first").unwrap();
    fs::write(&second, "second").unwrap();
    symlink(&first, harness.path("link.rhai")).unwrap();
    harness.until_text("link.rhai", "first");
    fs::write(&first, "edited").unwrap();
    harness.until_text("link.rhai", "edited");
    symlink(&second, harness.path("link~")).unwrap();
    fs::rename(harness.path("link~"), harness.path("link.rhai")).unwrap();
    harness.until_text("link.rhai", "second");
    fs::remove_file(&second).unwrap();
    harness.until("link.rhai", &Content::Missing);
}

#[test]
fn a_link_out_of_a_folder_is_refused_and_the_file_after_it_shows() {
    let mut harness = harness();
    let outside = harness.root.join("outside");
    fs::write(&outside, "two").unwrap();
    harness.remove("a.rhai");
    symlink(&outside, harness.path("a.rhai")).unwrap();
    harness.until("a.rhai", &Content::Unreadable(ReadFault::LeadsOut));
    for nowhere in ["/dev/zero", "/proc/kmsg"] {
        symlink(nowhere, harness.path("link~")).unwrap();
        fs::rename(harness.path("link~"), harness.path("a.rhai")).unwrap();
        harness.save_shows("b.rhai", nowhere);
    }
    harness.swap("a.rhai", "three");
    harness.until_text("a.rhai", "three");
    assert_eq!(harness.texts("a.rhai").last().unwrap(), "three");
    assert!(!harness.texts("a.rhai").contains(&"two".to_owned()));
}

#[test]
fn a_pipe_does_not_block() {
    let mut harness = harness();
    let pipe = harness.path("pipe.rhai");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    harness.save_shows("a.rhai", "two");
    harness.until_that("the pipe is refused", |harness| {
        let refused = "not a plain file";
        matches!(harness.last("pipe.rhai"), Some(Content::Unreadable(ReadFault::Io(why))) if why == refused)
    });
}

#[test]
fn a_writer_that_goes_back_and_forth_shows_only_its_end() {
    let mut harness = harness();
    let mut file = File::create(harness.path("a.rhai")).unwrap();
    for text in ["two, long", "three", "four"] {
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        harness.run(Duration::from_millis(60));
    }
    drop(file);
    harness.until_text("a.rhai", "four");
    assert_eq!(harness.texts("a.rhai"), ["one", "four"]);
}

#[test]
fn unreadable_files_have_a_reason_and_recover() {
    let mut harness = harness();
    fs::write(harness.path("a.rhai"), b"let x = \xff;").unwrap();
    let fault = ReadFault::NotUtf8("let x = ".into());
    harness.until("a.rhai", &Content::Unreadable(fault));
    harness.save("a.rhai", &"x".repeat(LIMIT as usize + 1));
    let fault = ReadFault::TooLarge(LIMIT);
    harness.until("a.rhai", &Content::Unreadable(fault));
    harness.save("a.rhai", "\u{feff}two");
    harness.until_text("a.rhai", "two");
    harness.remove("a.rhai");
    fs::create_dir(harness.path("a.rhai")).unwrap();
    harness.until_that("a folder is reported", |harness| {
        let last = harness.last("a.rhai");
        matches!(last, Some(Content::Unreadable(ReadFault::Io(_))))
    });
}

#[test]
fn files_saved_together_are_reported_together_after_a_limited_wait() {
    let mut harness = polling();
    harness.save_shows("b.rhai", "one");
    let start = Instant::now() + Duration::from_secs(1);
    let mut reported = Vec::new();
    let mut poll = |harness: &mut Harness, at: u64| {
        let changes = harness.watcher.poll(start + Duration::from_millis(at));
        reported.extend(changes.into_iter().map(|change| (at, change.path)));
    };
    harness.save("a.rhai", "two");
    poll(&mut harness, 0);
    harness.save("b.rhai", "two");
    for at in 5..200 {
        poll(&mut harness, at);
    }
    // A program that saves continuously does not delay the others.
    harness.save("a.rhai", "three");
    poll(&mut harness, 200);
    for at in 201..400 {
        if at % 5 == 0 {
            harness.save("b.rhai", &format!("{at}"));
        }
        poll(&mut harness, at);
    }
    let [a, b] = ["a.rhai", "b.rhai"].map(|name| harness.path(name));
    let at = |path: &PathBuf| -> Vec<u64> {
        let of_it = reported.iter().filter(|(_, reported)| reported == path);
        of_it.map(|(at, _)| *at).collect()
    };
    assert_eq!(at(&a)[0], at(&b)[0], "{reported:?}");
    assert_eq!(at(&a).len(), 2, "{reported:?}");
    assert!((320..=361).contains(&at(&a)[1]), "{reported:?}");
}
