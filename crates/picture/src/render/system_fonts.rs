//! Fonts of the system for characters that the embedded fonts lack: those of East Asia, Arabic, Devanagari and others.
//!
//! The files are read when such a character is first drawn, once per process. A plot in a file waits for that; the window
//! reads them on a thread.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use egui::epaint::text::{FallbackRequest, FontInsert};
use egui::{Context, FontData};
use read_fonts::{FileRef, FontRef, TableProvider, types::Tag};
use steerbox_project::reload::{read_dir_sorted, read_plain};

/// Maximum size of a file, bytes, and depth of folders.
const LARGEST_FILE: u64 = 256 << 20;
const DEPTH: usize = 6;
/// Parts of the names of files with other weights and slants than the regular one, which are not read.
const STYLES: &str = "bold black heavy light thin medium italic oblique condensed narrow";
/// Parts of the names of fonts that are used only if no other has the character.
const LAST: &str = "serif mono roman unifont nerd";

/// The fonts of the system in the order of preference.
static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| read(&folders()));

/// A font in a file.
struct Face {
    path: PathBuf,
    index: u32,
    /// First and last character of each range, in order.
    ranges: Vec<(u32, u32)>,
}

/// A font that was found.
#[derive(Clone)]
pub struct Font {
    face: &'static Face,
    insert: FontInsert,
}

impl Font {
    /// The font for egui, if it contains a character.
    pub fn with(&self, c: char) -> Option<FontInsert> {
        self.face.has(c).then(|| self.insert.clone())
    }
}

impl Face {
    fn has(&self, c: char) -> bool {
        let at = self.ranges.partition_point(|(_, last)| *last < c as u32);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= c as u32)
    }

    fn load(&'static self) -> Option<Font> {
        let (bytes, _) = read_plain(&self.path, LARGEST_FILE).ok()?;
        let data = FontData::from_blob(Arc::new(bytes), self.index);
        let insert = FontInsert::new(&format!("{} {}", self.path.display(), self.index), data, Vec::new());
        Some(Font { face: self, insert })
    }
}

/// Returns fonts for characters of any scripts, and the characters that no font contains. Characters of a script share a font
/// if one contains them all.
pub fn find(chars: &BTreeSet<char>) -> (Vec<Font>, BTreeSet<char>) {
    find_among(&FACES, chars)
}

fn find_among(all: &'static [Face], chars: &BTreeSet<char>) -> (Vec<Font>, BTreeSet<char>) {
    let (mut fonts, mut missing, mut scripts) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    for c in chars {
        scripts.entry(script(*c)).or_insert_with(BTreeSet::new).insert(*c);
    }
    for mut rest in scripts.into_values() {
        let mut faces: Vec<&'static Face> = all.iter().collect();
        while !rest.is_empty() {
            let count = |face: &Face| rest.iter().filter(|c| face.has(**c)).count();
            // Of equal ones, the first is preferred.
            let best = (0..faces.len()).rev().max_by_key(|at| count(faces[*at]));
            let Some(face) = best.map(|at| faces.remove(at)).filter(|face| count(face) > 0) else { break };
            if let Some(font) = face.load() {
                rest.retain(|c| !face.has(*c));
                fonts.push(font);
            }
        }
        missing.append(&mut rest);
    }
    (fonts, missing)
}

/// Returns the package of Debian that contains a font for a character.
pub fn package(c: char) -> &'static str {
    match script(c) {
        EAST_ASIA => "fonts-noto-cjk",
        0x20..0x30 | 0x1f0..0x200 => "fonts-symbola",
        _ => "fonts-noto-core",
    }
}

/// Adds the fonts to a context whose first frame is the only one: it waits for them.
pub(super) fn add_to(context: &Context) {
    context.add_font_provider(Arc::new(|request: &FallbackRequest<'_>| {
        let c = request.cluster.chars().next()?;
        find(&BTreeSet::from([c])).0.first()?.with(c)
    }));
}

const EAST_ASIA: u32 = 0x4e;

/// Returns a number for the script of a character: its block of 256, and one for all blocks of Chinese, Japanese and Korean.
fn script(c: char) -> u32 {
    match c as u32 >> 8 {
        0x11 | 0x2e..0xa0 | 0xa9 | 0xac..0xd8 | 0xf9..0xfb | 0xfe | 0xff | 0x200..0x400 => EAST_ASIA,
        block => block,
    }
}

/// Returns the folders of fonts, those of the user first.
fn folders() -> Vec<PathBuf> {
    let of = |variable: &str, names: &[&str]| {
        let folders = std::env::var_os(variable).unwrap_or_default();
        let folders: Vec<_> = std::env::split_paths(&folders).filter(|folder| folder.is_absolute()).collect();
        let each = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
        each.collect::<Vec<_>>()
    };
    let fixed = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"];
    let mut folders = of("HOME", &[".local/share/fonts", ".fonts", "Library/Fonts"]);
    folders.extend(of("XDG_DATA_HOME", &["fonts"]));
    folders.extend(of("LOCALAPPDATA", &["Microsoft/Windows/Fonts"]));
    folders.extend(of("XDG_DATA_DIRS", &["fonts"]));
    folders.extend(of("WINDIR", &["Fonts"]));
    folders.extend(fixed.map(PathBuf::from).into_iter().filter(|folder| folder.is_absolute()));
    folders
}

fn read(folders: &[PathBuf]) -> Vec<Face> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, DEPTH, &mut files);
    }
    files.sort_by_cached_key(|path| (has_part(path, LAST), path.clone()));
    files.dedup();
    files.iter().flat_map(|path| faces(path)).collect()
}

/// Adds the files of a folder that contain regular fonts.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for path in read_dir_sorted(folder).unwrap_or_default() {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if matches!(extension.to_str(), Some("ttf" | "otf" | "ttc" | "otc")) {
            files.extend((!has_part(&path, STYLES)).then_some(path));
        } else if depth > 0 && extension.is_empty() {
            collect(&path, depth - 1, files);
        }
    }
}

/// Returns true if the name of a file contains one of the words.
fn has_part(path: &Path, words: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    words.split(' ').any(|word| name.contains(word))
}

/// Returns the fonts of a file that have outlines; fonts of colored bitmaps are skipped.
fn faces(path: &Path) -> Vec<Face> {
    let Ok((bytes, _)) = read_plain(path, LARGEST_FILE) else { return Vec::new() };
    let fonts = FileRef::new(&bytes).into_iter().flat_map(|file| file.fonts().collect::<Vec<_>>());
    let face = |(index, font): (u32, FontRef<'_>)| {
        let outlines = [b"glyf", b"CFF ", b"CFF2"];
        outlines.iter().find_map(|tag| font.table_data(Tag::new(tag)))?;
        Some(Face { path: path.to_owned(), index, ranges: ranges(&font)? })
    };
    (0..).zip(fonts).filter_map(|(index, font)| face((index, font.ok()?))).collect()
}

fn ranges(font: &FontRef<'_>) -> Option<Vec<(u32, u32)>> {
    let (_, _, table) = font.cmap().ok()?.best_subtable()?;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (c, glyph) in table.iter().take_while(|(c, _)| *c <= u32::from(char::MAX)) {
        match ranges.last_mut() {
            _ if glyph.to_u32() == 0 => {}
            Some((_, last)) if *last + 1 == c => *last = c,
            _ => ranges.push((c, c)),
        }
    }
    Some(ranges)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use egui::{FontDefinitions, FontId};

    use super::*;

    #[test]
    fn regular_fonts_with_the_characters_are_found_below_the_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let bytes = |name: &str| FontDefinitions::default().font_data[name].bytes().to_vec();
        fs::create_dir_all(path("a/b")).unwrap();
        fs::write(path("a/b/Ubuntu.TTF"), bytes("Ubuntu-Light")).unwrap();
        fs::write(path("Serif.ttf"), bytes("Hack")).unwrap();
        for (skipped, bytes) in [("Ubuntu-Bold.ttf", bytes("Ubuntu-Light")), ("a/broken.ttf", vec![0; 99])] {
            fs::write(path(skipped), bytes).unwrap();
        }
        let all: &'static [Face] = read(&[folder.path().to_owned(), path("none")]).leak();
        let names: Vec<_> = all.iter().map(|face| face.path.strip_prefix(folder.path()).unwrap()).collect();
        assert_eq!(names, [Path::new("a/b/Ubuntu.TTF"), Path::new("Serif.ttf")]);
        // Both contain the first, the second is in Ubuntu alone, the third in Hack alone, and the last in neither.
        let [both, ubuntu, hack, neither] = ['a', '\u{18f}', '\u{2500}', '\u{9ce5}'];
        for (chars, expected, missing) in [
            (&[both][..], "a/b/Ubuntu.TTF", vec![]),
            (&[hack], "Serif.ttf", vec![]),
            (&[ubuntu, neither], "a/b/Ubuntu.TTF", vec![neither]),
        ] {
            let (fonts, absent) = find_among(all, &chars.iter().copied().collect());
            let found: Vec<_> = fonts.iter().map(|font| font.face.path.clone()).collect();
            assert_eq!((found, absent), (vec![path(expected)], missing.into_iter().collect()), "{chars:?}");
        }
    }

    #[test]
    fn characters_of_a_font_are_those_that_egui_draws() {
        let definitions = FontDefinitions::default();
        for (name, data) in &definitions.font_data {
            let face = Face {
                path: PathBuf::new(),
                index: 0,
                ranges: ranges(&FontRef::new(data.bytes()).unwrap()).unwrap(),
            };
            let mut only = FontDefinitions::empty();
            only.font_data.insert(name.clone(), data.clone());
            only.families.insert(egui::FontFamily::Monospace, vec![name.clone()]);
            let mut fonts = egui::epaint::Fonts::new(egui::epaint::TextOptions::default(), only);
            let mut view = fonts.with_pixels_per_point(1.0);
            for c in ('!'..='\u{1fff}')
                .chain('\u{2070}'..='\u{2fff}')
                .filter(|c| !c.is_control() && !c.is_whitespace())
            {
                assert_eq!(face.has(c), view.has_glyph(&FontId::monospace(14.0), c), "{name}: {c:?}");
            }
        }
    }

    #[test]
    fn packages_follow_the_script() {
        for (chars, package_of) in [
            ("鳥とりトリ새한中，", "fonts-noto-cjk"),
            ("سربझुंडกא", "fonts-noto-core"),
            ("🐦☃", "fonts-symbola"),
        ] {
            for c in chars.chars() {
                assert_eq!(package(c), package_of, "{c}");
            }
        }
    }
}
