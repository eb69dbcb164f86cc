//! Hundreds of saves in random ways, at random intervals, by another thread.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::super::*;
use super::harness::{Harness, harness, polling};

/// A small counter-based generator, so that failures are reproducible.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 += 1;
        xxhash_rust::xxh3::xxh3_64(&self.0.to_le_bytes()) % sides
    }
}

/// Returns a text in which a missing part is detectable.
fn whole(number: u64) -> String {
    format!("<{}{number}>", ".".repeat(number as usize % 3000))
}

fn is_whole(text: &str) -> bool {
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    inner.is_some_and(|inner| {
        let number = inner.trim_start_matches('.').parse();
        number.is_ok_and(|number| whole(number) == text)
    })
}

fn in_parts(mut file: File, text: &str, pause: u64) {
    for part in text.as_bytes().chunks(text.len() / 3 + 1) {
        file.write_all(part).unwrap();
        thread::sleep(Duration::from_millis(pause));
    }
}

fn save(path: &Path, text: &str, dice: &mut Dice) {
    let beside = path.with_extension("beside");
    match dice.roll(9) {
        0 => fs::write(path, text).unwrap(),
        1 => {
            fs::write(&beside, text).unwrap();
            fs::rename(&beside, path).unwrap();
        }
        2 => {
            let _ = fs::rename(path, &beside);
            fs::write(path, text).unwrap();
            let _ = fs::remove_file(&beside);
        }
        3 => {
            let _ = fs::remove_file(path);
            fs::write(path, text).unwrap();
        }
        4 => in_parts(File::create(path).unwrap(), text, dice.roll(40)),
        5 => {
            let file = File::create(path).unwrap();
            thread::sleep(Duration::from_millis(dice.roll(60)));
            in_parts(file, text, 0);
        }
        6 => {
            fs::write(&beside, text).unwrap();
            let _ = fs::remove_file(path);
            fs::hard_link(&beside, path).unwrap();
            fs::remove_file(&beside).unwrap();
        }
        7 => drop(fs::remove_file(path)),
        _ => {
            let _ = File::options().append(true).open(path);
        }
    }
}

fn storm(mut harness: Harness, saves: u64, seed: u64) {
    let paths: Vec<PathBuf> =
        ["a.rhai", "b.rhai", "c.rhai", "scene.ron"].map(|name| harness.path(name)).to_vec();
    fs::write(&paths[0], whole(0)).unwrap();
    harness.until_text("a.rhai", &whole(0));
    harness.log.clear();
    let writer = thread::spawn(move || {
        let mut dice = Dice(seed << 32);
        for number in 1..=saves {
            let path = &paths[dice.roll(4) as usize];
            save(path, &whole(number), &mut dice);
            let longest = [1, 10, 80][dice.roll(3) as usize];
            thread::sleep(Duration::from_millis(dice.roll(longest)));
        }
    });
    while !writer.is_finished() {
        harness.run(Duration::from_millis(20));
    }
    writer.join().unwrap();
    harness.rest();
    harness.compare("after all saves");
    let mut names = BTreeSet::new();
    for (name, state) in &harness.log {
        names.insert(name.clone());
        if let Content::Text(text) = state {
            assert!(is_whole(text), "{name}: {} bytes: {text}", text.len());
        }
    }
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(harness.log.len() as u64 > saves / 20, "{}", harness.log.len());
}

#[test]
fn random_saves_end_in_what_is_on_disk_and_show_nothing_torn() {
    let storms = (1..=3).map(|seed| thread::spawn(move || storm(harness(), 80, seed)));
    let storms: Vec<_> = storms.collect();
    for storm in storms {
        storm.join().unwrap();
    }
}

#[test]
fn random_saves_end_in_what_is_on_disk_without_events() {
    storm(polling(), 80, 4);
}
