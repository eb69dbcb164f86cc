//! Imports point downwards only, files of a layer import each other without cycles, and each external crate is used only
//! by its layers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use steerbox_project::reload::read_dir_sorted;

/// The layers from top to bottom: each may import itself and those below it.
const LAYERS: [&str; 18] = [
    "main",
    "cli",
    "app",
    "lsp",
    "language",
    "link",
    "plot",
    "experiment",
    "session",
    "reload",
    "script",
    "scene",
    "sim",
    "dynamics",
    "perception",
    "world",
    "diagnostics",
    "text",
];

/// External crates and the only layers that may use them.
const OUTSIDE: [(&str, &[&str]); 11] = [
    ("rhai", &["script"]),
    ("notify", &["reload"]),
    ("minifb", &["app"]),
    ("x11rb", &["app"]),
    ("egui", &["app"]),
    ("flate2", &["app", "session"]),
    ("base64", &["app", "session"]),
    ("ruzstd", &["cli"]),
    ("lsp_server", &["lsp"]),
    ("gen_lsp_types", &["lsp"]),
    ("std::fs", &["cli", "app", "link", "reload"]),
];

/// Functions that open files for writing, rename or remove them, and the only files that may call them: the one that
/// replaces files, those that open outputs, the one that opens for reading without blocking, and the one that removes
/// sockets.
const WRITING: [&str; 9] = [
    "rename",
    "hard_link",
    "copy",
    "write",
    "remove_file",
    "remove_dir_all",
    "create",
    "create_new",
    "OpenOptions",
];
const WRITERS: [&str; 5] =
    ["cli/output.rs", "cli/stream.rs", "link/sockets.rs", "reload/disk/files.rs", "reload/replace.rs"];

/// The text of every source file by path.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    collect(&source, &source, &mut files);
    assert!(files.len() > 50, "only {} files were found", files.len());
    files
}

#[test]
fn every_file_respects_its_layer() {
    let files = sources();
    let faults: Vec<_> = files.iter().flat_map(|(path, text)| faults(path, text)).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn files_of_a_layer_import_each_other_without_cycles() {
    let files = sources();
    let cycles = LAYERS.iter().flat_map(|layer| cycles(layer, &files));
    let cycles: Vec<_> =
        cycles.map(|cycle| format!("{} files:\n  {}", cycle.len(), cycle.join("\n  "))).collect();
    assert!(cycles.is_empty(), "\n{}\n", cycles.join("\n"));
}

#[test]
fn the_checker_detects_cycles_through_every_form_of_an_import() {
    let of = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        cycles("sim", &files.collect()).len()
    };
    let facade = ("sim/mod.rs", "mod a; mod b; pub use a::A;");
    for (import, expected) in [
        ("use super::A;", 1),
        ("use crate::sim::{self, work};", 1),
        ("use super::{b::B, A};", 1),
        ("fn f() -> super::A {}", 1),
        ("use super::b::{self, B};", 0),
        ("use crate::{sim::b::B, world::World};", 0),
        ("pub(in crate::sim) fn f() {}", 0),
        ("#[cfg(test)] mod tests { use super::*; use crate::sim::A; }", 0),
        ("mod a { fn f() {} } // use super::A;", 0),
    ] {
        assert_eq!(of(&[facade, ("sim/a.rs", import), ("sim/b.rs", "")]), expected, "{import}");
    }
    let (a, b) = (("sim/a.rs", "use super::b::c::C;"), ("sim/b/c.rs", "use super::super::a;"));
    assert_eq!(of(&[facade, a, ("sim/b/mod.rs", "pub mod c;"), b]), 1);
    assert_eq!(of(&[a, ("sim/b/mod.rs", "pub mod c;"), ("sim/b/c.rs", "")]), 0);
    assert_eq!(of(&[("sim/a.rs", "mod d; use d::D;"), ("sim/a/d.rs", "use super::A;")]), 1);
    assert_eq!(of(&[("sim/a/tests.rs", "use super::*;"), ("sim/a/mod.rs", "use tests::T;")]), 0);
}

#[test]
fn files_are_written_in_one_place_of_each_kind() {
    let files = sources();
    let tests = test_modules(&files);
    let writers: BTreeSet<_> = files
        .iter()
        .filter(|(path, _)| !is_test(path) && !tests.iter().any(|module| is_of(path, module)))
        .filter(|(_, text)| writes_files(&without_tests(&tokens(&bare(text)))))
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(writers, BTreeSet::from(WRITERS));
}

#[test]
fn the_checker_detects_every_way_to_write_a_file() {
    for writing in [
        "fn f() { std::fs::rename(a, b); }",
        "use std::fs; fn f() { fs::write(a, b); }",
        "use std::fs::{self, File}; fn f() { File::create_new(a); }",
        "fn f() { fs::OpenOptions::new(); }",
        "use std::fs::OpenOptions;",
        "use std::fs::{rename};",
        "use std::{fs::{File, write}, io};",
        "use std::fs::*;",
        "use std::fs as files;",
    ] {
        assert!(writes_files(&tokens(&bare(writing))), "{writing}");
    }
    for other in [
        "fn f() { fs::read(a); self.write(b); lines.write(c); Beside::create(d) }",
        "use std::fs::{File, read};",
    ] {
        assert!(!writes_files(&tokens(&bare(other))), "{other}");
    }
    let module = |path: &str| vec![path.to_owned()];
    let text = "#[cfg(all(test, unix))]\npub(crate) mod b;\nmod c;".to_owned();
    let files = BTreeMap::from([("sim/a.rs".to_owned(), text)]);
    assert_eq!(test_modules(&files), [[module("sim"), module("a"), module("b")].concat()]);
}

#[test]
fn the_module_tree_equals_the_list_of_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in read_dir_sorted(&source).expect("the crate has a source folder") {
        let name = path.file_name().expect("a name").to_string_lossy();
        let layer = name.trim_end_matches(".rs");
        assert!(layer == "lib" || LAYERS.contains(&layer), "{name} belongs to no layer");
    }
}

#[test]
fn the_checker_detects_every_form_of_an_import() {
    for wrong in [
        "use crate::scene::Scene;",
        "use crate::{world::World, scene::{Scene, read}};",
        "use crate::{\n    world,\n    scene,\n};",
        "fn f() { steerbox_window::show(); }",
        "use super::super::reload::Loader;",
        "use rhai::Engine;",
        "use std::fs;",
        "use std::{collections::BTreeMap, fs::File};",
        "fn f() { std::fs::read(\"x\"); }",
        "fn f(ui: &egui::Ui) {}",
    ] {
        assert_eq!(faults("sim/act.rs", wrong).len(), 1, "{wrong}");
    }
    assert_eq!(faults("sim/mod.rs", "use super::scene::Scene;").len(), 1);
    assert_eq!(faults("app/mod.rs", "use crate::cli::Command;").len(), 1);
}

#[test]
fn the_checker_accepts_everything_else() {
    for right in [
        "use crate::{dynamics::Motion, world::{World, View}};",
        "use crate::sim::UnitContext;",
        "use super::{Contribution, Slot};",
        "// use crate::scene::Scene;",
        "/* use rhai::Engine; */",
        "/// See [`crate::scene::read`].",
        "const A: &str = \"crate::scene \\\" rhai\"; const B: char = '\"';",
        "const C: &str = r#\"use egui::Ui; \"quoted\" \"#;",
        "pub(in crate::sim) fn f<'a>(x: &'a str) {}",
    ] {
        assert_eq!(faults("sim/act.rs", right), [""; 0], "{right}");
    }
    assert_eq!(faults("script/interpret/engine.rs", "use rhai::Engine;"), [""; 0]);
    assert_eq!(faults("lib.rs", "pub mod app;"), [""; 0]);
    assert_eq!(faults("world/tests.rs", "fn f() { std::fs::read(\"x\"); }"), [""; 0]);
}

fn collect(root: &Path, folder: &Path, into: &mut BTreeMap<String, String>) {
    for path in read_dir_sorted(folder).expect("a readable folder") {
        if path.is_dir() {
            collect(root, &path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).expect("a path below the root");
            let name = name.to_string_lossy().replace('\\', "/");
            into.insert(name, fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// Returns true if a file is compiled for tests only.
pub(crate) fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Returns the modules in separate files that are compiled for tests only.
pub(crate) fn test_modules(files: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let mut modules = Vec::new();
    for (path, text) in files {
        let bare = bare(text);
        let tokens = tokens(&bare);
        for at in 0..tokens.len() {
            let attribute = tokens[at..].split(|token| *token == "]").next().unwrap_or_default();
            let is_test = attribute.starts_with(&["#", "[", "cfg"]) && attribute.contains(&"test");
            let item = tokens.get(at + attribute.len() + 1..).unwrap_or_default();
            let is_visibility = |token: &&&str| ["pub", "(", "crate", "super", ")"].contains(*token);
            let item = &item[item.iter().take_while(is_visibility).count()..];
            if let (true, ["mod", name, ";", ..]) = (is_test, item) {
                modules.push([module(path), vec![(*name).to_owned()]].concat());
            }
        }
    }
    modules
}

/// Returns true for a file of a module or of one below it.
pub(crate) fn is_of(path: &str, module: &[String]) -> bool {
    self::module(path).starts_with(module)
}

/// Returns true if tokens name an item of `std::fs` that writes, renames or removes files, or import all of it.
fn writes_files(tokens: &[&str]) -> bool {
    (0..tokens.len()).any(|at| match &tokens[at..] {
        ["OpenOptions", ..] | ["fs", "as", ..] => true,
        ["fs" | "File", "::", "{", names @ ..] => {
            names.iter().take_while(|name| **name != "}").any(|name| WRITING.contains(name))
        }
        ["fs" | "File", "::", name, ..] => *name == "*" || WRITING.contains(name),
        _ => false,
    })
}

/// Returns the forbidden names in a file.
fn faults(path: &str, text: &str) -> Vec<String> {
    let first = path.split('/').next().unwrap_or_default();
    let layer = first.trim_end_matches(".rs");
    let Some(rank) = LAYERS.iter().position(|known| *known == layer) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for named in named(path, &tokens(&bare(text))) {
        let upper = LAYERS[..rank].contains(&named.as_str());
        let outside = OUTSIDE.iter().find(|(known, _)| *known == named);
        // Tests may create files that an upper layer reads.
        let is_allowed = named == "std::fs" && is_test(path);
        let foreign = outside.is_some_and(|(_, owners)| !owners.contains(&layer)) && !is_allowed;
        if upper || foreign {
            faults.push(format!("src/{path} names {named}"));
        }
    }
    faults
}

/// Returns the cycles among a layer's files: one line per file.
fn cycles(layer: &str, files: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let prefix = format!("{layer}/");
    let files = files.iter().filter(|(path, _)| path.starts_with(&prefix) && !is_test(path));
    let modules: BTreeMap<_, _> = files.clone().map(|(path, _)| (module(path), path)).collect();
    let imports = |(path, text): (&String, &String)| {
        let text = bare(text);
        let imported = paths(&module(path), &without_tests(&tokens(&text)), &modules);
        let owner = |path: &Vec<String>| (1..=path.len()).rev().find_map(|at| modules.get(&path[..at]));
        let owners = imported.iter().filter_map(owner).map(|owner| (*owner).clone());
        (path.clone(), owners.filter(|owner| owner != path).collect())
    };
    let graph: BTreeMap<String, BTreeSet<String>> = files.map(imports).collect();
    let reached: BTreeMap<_, _> = graph.keys().map(|file| (file, reached(file, &graph))).collect();
    let mut cycles = Vec::new();
    let mut left: BTreeSet<&String> = graph.keys().collect();
    while let Some(first) = left.first().copied() {
        let in_cycle = |other: &&String| {
            *other == first || reached[first].contains(*other) && reached[*other].contains(first)
        };
        let cycle: BTreeSet<_> = left.iter().copied().filter(in_cycle).collect();
        left.retain(|file| !cycle.contains(file));
        if cycle.len() > 1 {
            let line = |file: &&String| {
                let imported = graph[*file].iter().filter(|it| cycle.contains(it)).cloned();
                format!("{file} imports {}", imported.collect::<Vec<_>>().join(", "))
            };
            cycles.push(cycle.iter().map(line).collect());
        }
    }
    cycles
}

/// Returns all files that a file imports, directly or transitively.
fn reached<'a>(from: &'a str, graph: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a String> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(file) = next.pop() {
        next.extend(graph[file].iter().filter(|it| reached.insert(*it)).map(String::as_str));
    }
    reached
}

/// Returns the path of a file's module: `sim/act.rs` and `sim/act/mod.rs` are `sim`, `act`.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// Removes modules that are compiled for tests only.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    const TESTS: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if !tokens[at..].starts_with(&TESTS) || tokens.get(at + 9) != Some(&"{") {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        at += TESTS.len() + 2;
        let mut depth = 1;
        while depth > 0 && at < tokens.len() {
            depth += i32::from(tokens[at] == "{") - i32::from(tokens[at] == "}");
            at += 1;
        }
    }
    kept
}

/// Returns the absolute paths of names within the crate that the tokens of a module contain.
fn paths(module: &[String], tokens: &[&str], modules: &BTreeMap<Vec<String>, &String>) -> Vec<Vec<String>> {
    let (mut paths, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let child = [module, &[tokens[at].to_owned()]].concat();
        let visibility = at > 1 && tokens[at - 2..at] == ["(", "in"];
        let start = at == 0 || tokens[at - 1] != "::" && !visibility;
        let base = match tokens[at] {
            "crate" => Some(Vec::new()),
            "self" => Some(module.to_vec()),
            "super" => Some(module[..module.len() - 1].to_vec()),
            _ if modules.contains_key(&child) => Some(child),
            _ => None,
        };
        let is_path = start && tokens.get(at + 1) == Some(&"::");
        at += 1;
        if let Some(base) = base.filter(|_| is_path) {
            at = tree(base, tokens, at, &mut paths);
        }
    }
    paths
}

/// Adds the paths that start with `base` and continue at `at`; returns their end.
fn tree(mut base: Vec<String>, tokens: &[&str], at: usize, paths: &mut Vec<Vec<String>>) -> usize {
    let is_name = |name: &str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match tokens[at..] {
        ["::", "super", ..] => {
            base.pop();
            tree(base, tokens, at + 2, paths)
        }
        ["::", "self", ..] => tree(base, tokens, at + 2, paths),
        ["::", "{", ..] => {
            let mut at = at + 2;
            while at < tokens.len() && tokens[at] != "}" {
                at = match tokens[at] {
                    "self" | "*" => tree(base.clone(), tokens, at + 1, paths),
                    "as" => at + 2,
                    name if is_name(name) => {
                        let inner = [&base[..], &[name.to_owned()]].concat();
                        tree(inner, tokens, at + 1, paths)
                    }
                    _ => at + 1,
                };
            }
            at + 1
        }
        ["::", name, ..] if is_name(name) => {
            base.push(name.to_owned());
            tree(base, tokens, at + 2, paths)
        }
        _ => {
            paths.push(base);
            at
        }
    }
}

/// Returns the layers, external crates and `std::fs` that tokens name.
fn named(path: &str, tokens: &[&str]) -> Vec<String> {
    let depth = path.trim_end_matches("/mod.rs").split('/').count();
    let mut named = Vec::new();
    let mut supers = 0;
    for (at, token) in tokens.iter().enumerate() {
        let is_path = tokens.get(at + 1) == Some(&"::");
        let is_start = at == 0 || tokens[at - 1] != "::";
        match *token {
            "crate" | "steerbox" if is_path && is_start => named.extend(heads(&tokens[at + 2..])),
            "super" if is_path => {
                supers = if is_start { 1 } else { supers + 1 };
                if supers >= depth {
                    named.extend(heads(&tokens[at + 2..]));
                }
            }
            "std" if is_path && is_start => {
                let heads = heads(&tokens[at + 2..]).into_iter();
                named.extend(heads.map(|head| format!("std::{head}")));
            }
            token if OUTSIDE.iter().any(|(known, _)| *known == token) && is_start => {
                named.push(token.to_owned());
            }
            _ => {}
        }
    }
    named
}

/// Returns the first name of each path that starts here: one, or those of a group in braces.
fn heads(tokens: &[&str]) -> Vec<String> {
    if tokens.first() != Some(&"{") {
        return tokens.iter().take(1).map(|&name| name.to_owned()).collect();
    }
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut before = "";
    for token in tokens {
        match *token {
            "{" => depth += 1,
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            name if depth == 1 && matches!(before, "{" | ",") => heads.push(name.to_owned()),
            _ => {}
        }
        before = token;
    }
    heads
}

/// Splits a text into names, `::`, and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_name(first) {
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Removes comments and quoted text.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skip(rest);
        if skipped > 0 {
            bare.push(' ');
            rest = &rest[skipped..];
        } else {
            // A name is read as a whole, so that its last letter is not read as the `r` of a raw string.
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_name(first) {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            bare.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    bare
}

/// Returns the length in bytes of a comment, string or character that starts here; 0 if there is none.
pub(crate) fn skip(rest: &str) -> usize {
    let until =
        |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until(2, "*/");
    }
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(hashes + 2, &format!("\"{}", "#".repeat(hashes)));
        }
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    // A quote starts a character only if it is closed: otherwise it starts a lifetime.
    let mut characters = rest.char_indices().skip(1);
    match (rest.starts_with('\''), characters.next(), characters.next()) {
        (true, Some((_, '\\')), _) => quoted(rest, '\''),
        (true, _, Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// Returns the number of bytes to the closing quote, respecting backslashes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
