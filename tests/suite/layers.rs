//! Imports of a crate point downwards only, files import each other without cycles, and files are accessed and written
//! where the tables state it. Cargo enforces the order of the crates and the external crates of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::{Sources, module, paths, sources, tokens, without_test_files, without_tests};

/// The parts of each crate, which are the folders and files of its `src`, from top to bottom: each may import itself and
/// those below it. `lib.rs` is above all of them; tests may import every part.
const PARTS: [(&str, &str); 7] = [
    ("steerbox", "main cli lsp"),
    ("window", "shell panel edit time commands model"),
    ("picture", "record render"),
    ("project", "language link plot experiment session reload"),
    (
        "script",
        "outline probe behavior native analysis front review reductions checks typed interpret syntax messages foreign \
         api budget param world_form types handles",
    ),
    (
        "scene",
        "reconcile members rows changes chosen_views lineage rewrite edits cost numerics build scatter outline recording format read spawn fields frame points \
         reader recorder syntax plan expectation experiment starts data remedy words node about parts color color_names \
         ron_file shifted span tokens bounds foreign",
    ),
    ("core", "sim dynamics perception world diagnostics text"),
];

/// Names of which the manifest of a crate does not restrict the use to these parts.
const OUTSIDE: [(&str, &[&str]); 7] = [
    ("std::fs", &["steerbox/cli", "window", "project/link", "project/reload"]),
    ("notify", &["project/reload"]),
    ("flate2", &["picture", "project/session"]),
    ("base64", &["picture", "project/session"]),
    ("ruzstd", &["steerbox/cli"]),
    ("lsp_server", &["steerbox/lsp"]),
    ("gen_lsp_types", &["steerbox/lsp"]),
];

/// Functions that open files for writing, rename or remove them, and the only files that may call them: the one that
/// replaces files, those that open outputs, the one that opens for reading without blocking, and the one that removes
/// sockets.
const WRITING: &str = "rename hard_link copy write remove_file remove_dir_all create create_new OpenOptions";
const WRITERS: [&str; 5] = [
    "project/link/sockets.rs",
    "project/reload/disk/files.rs",
    "project/reload/replace.rs",
    "steerbox/cli/output.rs",
    "steerbox/cli/stream.rs",
];

/// The files that each file imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn imports_of_a_crate_point_downwards() {
    let faults = faults(&sources());
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn files_import_each_other_without_cycles() {
    let cycles = cycles(&graph(&sources()));
    assert!(cycles.is_empty(), "\n{}\n", cycles.join("\n"));
}

#[test]
fn files_are_written_in_one_place_of_each_kind() {
    let files = sources();
    let writes = |text: &String| writes_files(&without_tests(&tokens(text)).0);
    let writers = files.iter().filter(|(_, text)| writes(text)).map(|(path, _)| path.as_str());
    assert_eq!(writers.collect::<BTreeSet<_>>(), BTreeSet::from(WRITERS));
}

#[test]
fn the_table_lists_the_crates_and_their_parts() {
    let files = sources();
    let found = files.keys().map(|path| module(path)[..].iter().take(2).cloned().collect::<Vec<_>>());
    let found: BTreeSet<_> = found.filter(|part| part.len() == 2).map(|part| part.join("/")).collect();
    let listed = PARTS
        .iter()
        .flat_map(|(name, parts)| parts.split_whitespace().map(move |part| format!("{name}/{part}")));
    assert_eq!(found, listed.collect());
}

fn files(files: &[(&str, &str)]) -> Sources {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_checker_detects_cycles_through_every_form_of_an_import() {
    let has_cycle = |list: &[(&str, &str)]| !cycles(&graph(&without_test_files(files(list)))).is_empty();
    let facade = ("core/sim/mod.rs", "mod a; mod b; pub use a::A;");
    for (import, expected) in [
        ("use super::A;", true),
        ("use crate::sim::{self, work};", true),
        ("use super::{b::B, A};", true),
        ("fn f() -> super::A {}", true),
        ("use super::b::{self, B};", false),
        ("use crate::{sim::b::B, world::World};", false),
        ("pub(in crate::sim) fn f() {}", false),
        ("#[cfg(test)] mod tests { use super::*; use crate::sim::A; }", false),
        ("mod a { fn f() {} } // use super::A;", false),
    ] {
        let files = [facade, ("core/sim/a.rs", import), ("core/sim/b.rs", "")];
        assert_eq!(has_cycle(&files), expected, "{import}");
    }
    let (a, b) = (("core/sim/a.rs", "use super::b::c::C;"), "core/sim/b/c.rs");
    let inner = ("core/sim/b/mod.rs", "pub mod c;");
    assert!(has_cycle(&[facade, a, inner, (b, "use super::super::a;")]));
    assert!(!has_cycle(&[a, inner, (b, "")]));
    assert!(has_cycle(&[("core/sim/a.rs", "mod d; use d::D;"), ("core/sim/a/d.rs", "use super::A;")]));
    let tests = ("core/sim/a/mod.rs", "#[cfg(all(test, unix))]\npub(crate) mod tests; use tests::T;");
    assert!(!has_cycle(&[tests, ("core/sim/a/tests/mod.rs", "use super::*;")]));
    assert!(!has_cycle(&[tests, ("core/sim/a/tests.rs", "use super::*;")]));
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
        assert!(writes_files(&tokens(writing)), "{writing}");
    }
    for other in [
        "fn f() { fs::read(a); self.write(b); lines.write(c); Beside::create(d) }",
        "use std::fs::{File, read};",
    ] {
        assert!(!writes_files(&tokens(other)), "{other}");
    }
}

/// Returns the faults of a file of a crate with the files that it may import.
fn faults_of(path: &str, text: &str) -> Vec<String> {
    let known = [
        ("core/lib.rs", ""),
        ("core/sim/mod.rs", ""),
        ("core/perception/mod.rs", ""),
        ("core/world/mod.rs", ""),
        ("project/session/mod.rs", ""),
    ];
    faults(&files(&[&known[..], &[(path, text)]].concat()))
}

#[test]
fn the_checker_detects_every_form_of_an_import() {
    for wrong in [
        "use crate::sim::Simulation;",
        "use crate::Simulation;",
        "use crate::{world::World, sim::{Simulation, work}};",
        "use crate::{\n    world,\n    sim,\n};",
        "fn f() { crate::sim::run(); }",
        "use super::super::sim::Simulation;",
        "use std::fs;",
        "use std::{collections::BTreeMap, fs::File};",
        "fn f() { std::fs::read(\"x\"); }",
        "fn f(watcher: &notify::Watcher) {}",
        "#[cfg(not(test))] use std::fs;",
        "#[cfg(test)] fn f(a: [u8; 1]) { g() } use std::fs;",
    ] {
        assert_eq!(faults_of("core/perception/view.rs", wrong).len(), 1, "{wrong}");
    }
    assert_eq!(faults_of("core/world/mod.rs", "use super::sim::Simulation;").len(), 1);
    assert_eq!(faults_of("project/reload/a.rs", "use crate::session::Session;").len(), 1);
    assert_eq!(faults_of("project/plot/a.rs", "use flate2::Crc;").len(), 1);
    assert_eq!(faults_of("steerbox/lsp/a.rs", "use std::fs;").len(), 1);
}

#[test]
fn the_checker_accepts_everything_else() {
    for right in [
        "use crate::{perception::grid, world::{World, View}};",
        "use super::{View, grid};",
        "use steerbox_core::sim::Simulation;",
        "// use crate::sim::Simulation;",
        "/* use notify::Watcher; */",
        "/// See [`crate::sim::step`].",
        "const A: &str = \"crate::sim::step \\\" notify::A\"; const B: char = '\"';",
        "const C: &str = r#\"use notify::Watcher; \"quoted\" \"#;",
        "pub(in crate::sim) fn f<'a>(x: &'a str) {}",
        "#[cfg(test)]\nmod tests { use crate::sim::Simulation; use std::fs; }",
        "#[cfg(test)]\nuse crate::sim::Simulation;",
    ] {
        assert_eq!(faults_of("core/perception/view.rs", right), [""; 0], "{right}");
    }
    assert_eq!(faults_of("project/reload/disk/a.rs", "use std::fs; use notify::Watcher;"), [""; 0]);
    assert_eq!(faults_of("core/lib.rs", "pub mod sim; pub use sim::Simulation;"), [""; 0]);
    assert_eq!(faults_of("steerbox/cli/a.rs", "use crate::lsp; use std::fs;"), [""; 0]);
}

/// Returns the imports that point upwards, and the names that a part must not use.
fn faults(files: &Sources) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, imported) in graph(files) {
        let upwards = imported.iter().filter(|imported| rank(imported) < rank(&path));
        faults.extend(upwards.map(|imported| format!("{path} imports {imported}")));
    }
    for (path, names) in names(files) {
        let names: BTreeSet<_> = names.iter().map(|name| name.join("::")).collect();
        for (outside, owners) in OUTSIDE {
            let is_owner = owners.iter().any(|owner| Path::new(&path).starts_with(owner));
            let is_named = |name: &String| name == outside || name.starts_with(&format!("{outside}::"));
            if !is_owner && names.iter().any(is_named) {
                faults.push(format!("{path} names {outside}"));
            }
        }
    }
    faults
}

/// Returns the index of a file's part in its crate, from the top; 0 for the root of the crate.
fn rank(path: &str) -> usize {
    let module = module(path);
    let parts = PARTS.iter().find(|(name, _)| *name == module[0]).map_or("", |(_, parts)| parts);
    let Some(part) = module.get(1) else { return 0 };
    1 + parts.split_whitespace().take_while(|known| known != part).count()
}

/// Returns the imports that are part of a cycle among the files of a part.
fn cycles(graph: &Graph) -> Vec<String> {
    let of_its_part = |(file, imported): (&String, &BTreeSet<String>)| {
        let imported = imported.iter().filter(|imported| rank(imported) == rank(file));
        (file.clone(), imported.cloned().collect())
    };
    let graph: Graph = graph.iter().map(of_its_part).collect();
    let reached: BTreeMap<_, _> = graph.keys().map(|file| (file, reached(file, &graph))).collect();
    let edges = graph.iter().flat_map(|(file, imported)| imported.iter().map(move |it| (file, it)));
    let in_cycle = edges.filter(|(file, imported)| reached[imported].contains(file));
    in_cycle.map(|(file, imported)| format!("{file} imports {imported}")).collect()
}

/// Returns all files that a file imports, directly or transitively.
fn reached<'a>(from: &'a str, graph: &'a Graph) -> BTreeSet<&'a String> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(file) = next.pop() {
        next.extend(graph[file].iter().filter(|it| reached.insert(*it)).map(String::as_str));
    }
    reached
}

/// Returns the other files of its crate that each file imports.
fn graph(files: &Sources) -> Graph {
    let modules: BTreeMap<_, _> = files.keys().map(|path| (module(path), path)).collect();
    let owner = |name: &Vec<String>| (1..=name.len()).rev().find_map(|at| modules.get(&name[..at]));
    let imports = |(path, names): (String, Vec<Vec<String>>)| {
        let owners = names.iter().filter_map(owner).map(|owner| (*owner).clone());
        let others = owners.filter(|owner| *owner != path).collect();
        (path, others)
    };
    names(files).into_iter().map(imports).collect()
}

/// Returns the absolute paths of names that each file contains outside of its tests.
fn names(files: &Sources) -> BTreeMap<String, Vec<Vec<String>>> {
    let modules: BTreeSet<_> = files.keys().map(|path| module(path)).collect();
    let outside = OUTSIDE.map(|(name, _)| name.split("::").next().unwrap_or_default());
    let of = |(path, text): (&String, &String)| {
        (path.clone(), paths(&module(path), &without_tests(&tokens(text)).0, &modules, &outside))
    };
    files.iter().map(of).collect()
}

/// Returns true if tokens name an item of `std::fs` that writes, renames or removes files, or import all of it.
fn writes_files(tokens: &[&str]) -> bool {
    let is_writing = |name: &str| WRITING.split(' ').any(|known| known == name);
    (0..tokens.len()).any(|at| match &tokens[at..] {
        ["OpenOptions", ..] | ["fs", "as", ..] => true,
        ["fs" | "File", "::", "{", names @ ..] => {
            names.iter().take_while(|name| **name != "}").any(|name| is_writing(name))
        }
        ["fs" | "File", "::", name, ..] => *name == "*" || is_writing(name),
        _ => false,
    })
}
