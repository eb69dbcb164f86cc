//! Saves as editors make them, against the real file system. Every wait is for the thing itself.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::mpsc::{Receiver, channel};

use super::*;

struct Desk {
    folder: tempfile::TempDir,
    disk: Disk,
    woken: Receiver<()>,
}

impl Desk {
    /// A watched folder with `u.rhai` in it.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("scripts")).unwrap();
        fs::write(folder.path().join("scripts/u.rhai"), "old").unwrap();
        let (wake, woken) = channel();
        let interest = Interest {
            folders: vec![(folder.path().join("scripts"), "rhai", 1000)],
            files: vec![(folder.path().join("s.ron"), 1000)],
        };
        let mut disk = Disk::new(interest, move || {
            let _ = wake.send(());
        });
        let all = disk.read_all();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].state, content("old"));
        Self {
            folder,
            disk,
            woken,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("scripts").join(name)
    }

    fn polled(&mut self) -> Vec<Change> {
        let patience = self
            .disk
            .next_deadline()
            .saturating_duration_since(Instant::now());
        let _ = self.woken.recv_timeout(patience);
        self.disk.poll(Instant::now())
    }

    /// The next change, within reason.
    fn next(&mut self) -> Change {
        let give_up = Instant::now() + Duration::from_secs(10);
        while Instant::now() < give_up {
            if let Some(change) = self.polled().into_iter().next() {
                return change;
            }
        }
        panic!("nothing was told")
    }

    /// That `u.rhai` is told to hold `text` next, and nothing else before.
    fn expect(&mut self, text: &str) {
        let change = self.next();
        assert_eq!(
            (change.path, change.state),
            (self.path("u.rhai"), content(text))
        );
    }

    /// That nothing is told although the disk is looked at over and over, until after a save that
    /// is told: what was to come before it has not come.
    fn expect_nothing_before(&mut self, text: &str) {
        fs::write(self.path("v.rhai"), text).unwrap();
        let change = self.next();
        assert_eq!(
            (change.path, change.state),
            (self.path("v.rhai"), content(text))
        );
    }
}

fn content(text: &str) -> FileState {
    FileState::Content(text.into())
}

#[test]
fn saves_in_place_by_rename_and_in_the_way_of_vim_are_told_once() {
    let mut desk = Desk::new();
    let path = desk.path("u.rhai");
    fs::write(&path, "in place").unwrap();
    desk.expect("in place");
    fs::write(desk.path("tmp"), "by rename").unwrap();
    fs::rename(desk.path("tmp"), &path).unwrap();
    desk.expect("by rename");
    fs::rename(&path, desk.path("u.rhai~")).unwrap();
    fs::write(&path, "as vim").unwrap();
    fs::remove_file(desk.path("u.rhai~")).unwrap();
    desk.expect("as vim");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "as git").unwrap();
    desk.expect("as git");
    desk.expect_nothing_before("done");
}

#[test]
fn a_save_of_the_same_size_is_told() {
    let mut desk = Desk::new();
    for text in ["aaa", "bbb", "ccc"] {
        fs::write(desk.path("u.rhai"), text).unwrap();
        desk.expect(text);
    }
}

#[test]
fn a_file_in_pieces_is_told_when_it_is_whole() {
    let mut desk = Desk::new();
    let mut file = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(desk.path("u.rhai"))
        .unwrap();
    for piece in ["one ", "two ", "three"] {
        assert_eq!(desk.polled(), []);
        file.write_all(piece.as_bytes()).unwrap();
        assert_eq!(desk.polled(), []);
    }
    drop(file);
    desk.expect("one two three");
}

#[test]
fn the_empty_moment_of_a_truncating_editor_is_not_told() {
    let mut desk = Desk::new();
    drop(
        OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(desk.path("u.rhai"))
            .unwrap(),
    );
    for _ in 0..3 {
        assert_eq!(desk.disk.poll(Instant::now()), []);
    }
    fs::write(desk.path("u.rhai"), "whole").unwrap();
    desk.expect("whole");
}

#[test]
fn touching_and_reading_tell_nothing() {
    let mut desk = Desk::new();
    let path = desk.path("u.rhai");
    fs::read(&path).unwrap();
    fs::write(&path, "old").unwrap();
    OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    desk.expect_nothing_before("done");
}

#[test]
fn a_file_that_goes_is_missing_and_one_that_comes_is_found() {
    let mut desk = Desk::new();
    fs::remove_file(desk.path("u.rhai")).unwrap();
    let change = desk.next();
    assert_eq!(
        (change.path, change.state),
        (desk.path("u.rhai"), FileState::Missing)
    );
    fs::write(desk.path("u.rhai"), "back").unwrap();
    desk.expect("back");
    let scene = desk.folder.path().join("s.ron");
    fs::write(&scene, "()").unwrap();
    assert_eq!(
        desk.next(),
        Change {
            path: scene,
            state: content("()")
        }
    );
}

#[test]
fn a_folder_that_is_replaced_is_watched_again() {
    let mut desk = Desk::new();
    let (scripts, away) = (
        desk.folder.path().join("scripts"),
        desk.folder.path().join("away"),
    );
    fs::rename(&scripts, &away).unwrap();
    assert_eq!(desk.next().state, FileState::Missing);
    fs::create_dir(&scripts).unwrap();
    fs::write(desk.path("u.rhai"), "new folder").unwrap();
    desk.expect("new folder");
    fs::write(desk.path("u.rhai"), "and again").unwrap();
    desk.expect("and again");
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_followed() {
    let mut desk = Desk::new();
    let target = desk.folder.path().join("elsewhere.rhai");
    fs::write(&target, "linked").unwrap();
    fs::remove_file(desk.path("u.rhai")).unwrap();
    std::os::unix::fs::symlink(&target, desk.path("u.rhai")).unwrap();
    desk.expect("linked");
    fs::write(&target, "through the link").unwrap();
    desk.expect("through the link");
}

#[test]
fn what_is_not_text_or_too_long_is_told_as_such() {
    let mut desk = Desk::new();
    fs::write(desk.path("u.rhai"), b"ab\xff").unwrap();
    assert_eq!(
        desk.next().state,
        FileState::Unreadable(ReadFault::NotUtf8(2))
    );
    fs::write(desk.path("u.rhai"), vec![b'x'; 1001]).unwrap();
    assert_eq!(
        desk.next().state,
        FileState::Unreadable(ReadFault::TooLarge(1000))
    );
    fs::write(desk.path("u.rhai"), "\u{feff}marked").unwrap();
    desk.expect("marked");
}

#[test]
fn after_any_sequence_of_saves_what_is_told_is_what_is_there() {
    let mut desk = Desk::new();
    let path = desk.path("u.rhai");
    let mut told = "old".to_owned();
    for round in 0_u32..60 {
        let text = format!("version {round}");
        match round.wrapping_mul(2_654_435_761) >> 16 & 3 {
            0 => fs::write(&path, &text).unwrap(),
            1 => {
                fs::write(desk.path("x.tmp"), &text).unwrap();
                fs::rename(desk.path("x.tmp"), &path).unwrap();
            }
            2 => {
                fs::remove_file(&path).unwrap();
                fs::write(&path, &text).unwrap();
            }
            _ => {
                fs::write(&path, "").unwrap();
                fs::write(&path, &text).unwrap();
            }
        }
        for change in desk.disk.poll(Instant::now()) {
            let FileState::Content(text) = change.state else {
                panic!("{change:?}")
            };
            assert!(text.starts_with("version "), "torn: {text:?}");
            told = text.to_string();
        }
    }
    let there = fs::read_to_string(&path).unwrap();
    while told != there {
        let change = desk.next();
        let FileState::Content(text) = change.state else {
            panic!("{change:?}")
        };
        told = text.to_string();
    }
}
