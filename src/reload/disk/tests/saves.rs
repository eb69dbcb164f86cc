//! One file, saved in the ways that editors save.

use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;
use std::time::{Duration, SystemTime};

use super::super::*;
use super::bench::{Bench, LIMIT, bench, polling};

#[test]
fn the_first_load_tells_every_file_and_every_single_file_that_is_missing() {
    let bench = bench();
    assert_eq!(bench.texts("a.rhai"), ["one"]);
    assert_eq!(bench.reports("scene.ron"), [FileState::Missing]);
    assert_eq!(bench.disk.polling(), None);
}

#[test]
fn saves_in_place_and_by_rename_show_once_each() {
    for mut bench in [bench(), polling()] {
        bench.save("a.rhai", "two");
        bench.until_text("a.rhai", "two");
        bench.swap("a.rhai", "three");
        bench.until_text("a.rhai", "three");
        bench.save("scene.ron", "()");
        bench.until_text("scene.ron", "()");
        bench.rest();
        assert_eq!(bench.texts("a.rhai"), ["one", "two", "three"]);
    }
}

#[test]
fn edits_of_the_same_size_show() {
    for mut bench in [bench(), polling()] {
        for text in ["two", "six", "ten", "one"] {
            bench.save("a.rhai", text);
            bench.until_text("a.rhai", text);
        }
        // The time stamp put back, as some tools do.
        let stamp = fs::metadata(bench.path("a.rhai"))
            .unwrap()
            .modified()
            .unwrap();
        bench.save("a.rhai", "two");
        let file = File::options()
            .write(true)
            .open(bench.path("a.rhai"))
            .unwrap();
        file.set_modified(stamp).unwrap();
        bench.until_text("a.rhai", "two");
    }
}

#[test]
fn a_backup_made_by_rename_is_no_removal() {
    let mut bench = bench();
    for text in ["two", "three"] {
        fs::rename(bench.path("a.rhai"), bench.path("a.rhai~")).unwrap();
        bench.save("a.rhai", text);
        fs::remove_file(bench.path("a.rhai~")).unwrap();
        bench.until_text("a.rhai", text);
    }
    bench.rest();
    assert_eq!(bench.texts("a.rhai"), ["one", "two", "three"]);
}

#[test]
fn deleted_is_missing_and_recreated_is_there_again() {
    for mut bench in [bench(), polling()] {
        bench.remove("a.rhai");
        bench.until("a.rhai", &FileState::Missing);
        bench.save("a.rhai", "one");
        bench.until_text("a.rhai", "one");
        bench.remove("a.rhai");
        bench.save("a.rhai", "two");
        bench.until_text("a.rhai", "two");
        bench.rest();
        assert_eq!(bench.texts("a.rhai"), ["one", "Missing", "one", "two"]);
    }
}

#[test]
fn the_empty_moment_of_a_save_is_not_shown() {
    for mut bench in [bench(), polling()] {
        let mut file = File::create(bench.path("a.rhai")).unwrap();
        bench.run(Duration::from_millis(300));
        file.write_all(b"two").unwrap();
        drop(file);
        bench.until_text("a.rhai", "two");
        bench.rest();
        assert_eq!(bench.texts("a.rhai"), ["one", "two"]);
    }
}

#[test]
fn a_file_emptied_for_good_is_shown_empty() {
    let mut bench = bench();
    bench.save("a.rhai", "");
    bench.until_text("a.rhai", "");
}

#[test]
fn a_slow_writer_shows_only_its_whole() {
    let mut bench = bench();
    let path = bench.path("a.rhai");
    let writer = thread::spawn(move || {
        let mut file = File::create(path).unwrap();
        for part in ["t", "w", "o", ", ", "slow"] {
            file.write_all(part.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(150));
        }
    });
    bench.until_text("a.rhai", "two, slow");
    writer.join().unwrap();
    bench.rest();
    assert_eq!(bench.texts("a.rhai"), ["one", "two, slow"]);
}

#[test]
fn touching_reading_and_rights_are_no_news() {
    let mut bench = bench();
    let path = bench.path("a.rhai");
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
    drop(file);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let mut text = String::new();
    File::open(&path)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    bench.save("a.rhai", "one");
    bench.swap("a.rhai", "one");
    fs::hard_link(&path, bench.path("a.rhai~")).unwrap();
    bench.rest();
    assert_eq!(bench.texts("a.rhai"), ["one"]);
}

#[test]
fn the_target_of_a_link_shows_when_edited_and_when_exchanged() {
    let mut bench = bench();
    let (first, second) = (bench.path("first"), bench.path("second"));
    fs::write(&first, "first").unwrap();
    fs::write(&second, "second").unwrap();
    symlink(&first, bench.path("link.rhai")).unwrap();
    bench.until_text("link.rhai", "first");
    fs::write(&first, "edited").unwrap();
    bench.until_text("link.rhai", "edited");
    symlink(&second, bench.path("link~")).unwrap();
    fs::rename(bench.path("link~"), bench.path("link.rhai")).unwrap();
    bench.until_text("link.rhai", "second");
    fs::remove_file(&second).unwrap();
    bench.until("link.rhai", &FileState::Missing);
}

#[test]
fn a_link_out_of_a_folder_is_refused_and_the_file_after_it_shows() {
    let mut bench = bench();
    let outside = bench.root.join("outside");
    fs::write(&outside, "two").unwrap();
    bench.remove("a.rhai");
    symlink(&outside, bench.path("a.rhai")).unwrap();
    bench.until("a.rhai", &FileState::Unreadable(ReadFault::LeadsOut));
    for nowhere in ["/dev/zero", "/proc/kmsg"] {
        symlink(nowhere, bench.path("link~")).unwrap();
        fs::rename(bench.path("link~"), bench.path("a.rhai")).unwrap();
        bench.save("b.rhai", nowhere);
        bench.until_text("b.rhai", nowhere);
    }
    bench.swap("a.rhai", "three");
    bench.until_text("a.rhai", "three");
    assert_eq!(bench.texts("a.rhai").last().unwrap(), "three");
    assert!(!bench.texts("a.rhai").contains(&"two".to_owned()));
}

#[test]
fn a_pipe_holds_nobody_up() {
    let mut bench = bench();
    let pipe = bench.path("pipe.rhai");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    bench.save("a.rhai", "two");
    bench.until_text("a.rhai", "two");
    bench.until_that("the pipe is refused", |bench| {
        let refused = "not a plain file";
        matches!(bench.last("pipe.rhai"), Some(FileState::Unreadable(ReadFault::Io(why))) if why == refused)
    });
}

#[test]
fn a_swap_of_hard_links_shows() {
    let mut bench = bench();
    fs::write(bench.path("b~"), "two").unwrap();
    bench.remove("a.rhai");
    fs::hard_link(bench.path("b~"), bench.path("a.rhai")).unwrap();
    bench.until_text("a.rhai", "two");
    assert_eq!(bench.texts("a.rhai"), ["one", "two"]);
}

#[test]
fn a_writer_that_goes_back_and_forth_shows_only_its_end() {
    let mut bench = bench();
    let mut file = File::create(bench.path("a.rhai")).unwrap();
    for text in ["two, long", "three", "four"] {
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        bench.run(Duration::from_millis(60));
    }
    drop(file);
    bench.until_text("a.rhai", "four");
    assert_eq!(bench.texts("a.rhai"), ["one", "four"]);
}

#[test]
fn what_cannot_be_read_says_why_and_recovers() {
    let mut bench = bench();
    fs::write(bench.path("a.rhai"), b"let x = \xff;").unwrap();
    let fault = ReadFault::NotUtf8("let x = ".into());
    bench.until("a.rhai", &FileState::Unreadable(fault));
    bench.save("a.rhai", &"x".repeat(LIMIT as usize + 1));
    let fault = ReadFault::TooLarge(LIMIT);
    bench.until("a.rhai", &FileState::Unreadable(fault));
    bench.save("a.rhai", "\u{feff}two");
    bench.until_text("a.rhai", "two");
    bench.remove("a.rhai");
    fs::create_dir(bench.path("a.rhai")).unwrap();
    bench.until_that("a folder is told", |bench| {
        matches!(
            bench.last("a.rhai"),
            Some(FileState::Unreadable(ReadFault::Io(_)))
        )
    });
}

#[test]
fn files_that_are_saved_together_are_told_together_and_none_waits_for_long() {
    let mut bench = polling();
    bench.save("b.rhai", "one");
    bench.until_text("b.rhai", "one");
    let start = Instant::now() + Duration::from_secs(1);
    let mut told = Vec::new();
    let mut poll = |bench: &mut Bench, at: u64| {
        let changes = bench.disk.poll(start + Duration::from_millis(at));
        told.extend(changes.into_iter().map(|change| (at, change.path)));
    };
    bench.save("a.rhai", "two");
    poll(&mut bench, 0);
    bench.save("b.rhai", "two");
    for at in 5..200 {
        poll(&mut bench, at);
    }
    // Somebody who goes on saving holds nobody up.
    bench.save("a.rhai", "three");
    poll(&mut bench, 200);
    for at in 201..400 {
        if at % 5 == 0 {
            bench.save("b.rhai", &format!("{at}"));
        }
        poll(&mut bench, at);
    }
    let [a, b] = ["a.rhai", "b.rhai"].map(|name| bench.path(name));
    let at = |path: &PathBuf| -> Vec<u64> {
        let of_it = told.iter().filter(|(_, told)| told == path);
        of_it.map(|(at, _)| *at).collect()
    };
    assert_eq!(at(&a)[0], at(&b)[0], "{told:?}");
    assert_eq!(at(&a).len(), 2, "{told:?}");
    assert!((320..=361).contains(&at(&a)[1]), "{told:?}");
}
