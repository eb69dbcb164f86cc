//! Source files of all crates as tokens and paths, for tests that search them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use steerbox_project::reload::read_dir_sorted;

/// Texts of source files by crate and path below its `src`, as in `core/sim/act.rs`.
pub(crate) type Sources = BTreeMap<String, String>;

/// The source files of all crates, except those that are compiled for tests only.
pub(crate) fn sources() -> Sources {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Sources::new();
    collect("steerbox", &root.join("src"), &mut files);
    for folder in read_dir_sorted(&root.join("crates")).expect("a folder of crates") {
        let name = folder.file_name().expect("a name").to_string_lossy();
        collect(&name, &folder.join("src"), &mut files);
    }
    without_test_files(files)
}

fn collect(name: &str, folder: &Path, into: &mut Sources) {
    for path in read_dir_sorted(folder).expect("a readable folder") {
        let name = format!("{name}/{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            collect(&name, &path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.insert(name, fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// Removes files that are compiled for tests only.
pub(crate) fn without_test_files(mut files: Sources) -> Sources {
    let mut tests = Vec::new();
    for (path, text) in &files {
        let modules = without_tests(&tokens(text)).1;
        tests.extend(modules.into_iter().map(|name| [module(path), vec![name.to_owned()]].concat()));
    }
    files.retain(|path, _| !tests.iter().any(|test| module(path).starts_with(test)));
    files
}

/// Returns the path of a file's module: `core/sim/act.rs` and `core/sim/act/mod.rs` are `core`, `sim`, `act`.
pub(crate) fn module(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod").trim_end_matches("/lib");
    path.split('/').map(str::to_owned).collect()
}

/// Splits tokens into those that are compiled for the program, and the names of modules in files that are compiled for
/// tests only.
pub(crate) fn without_tests<'a>(tokens: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    const TESTS: [&[&str]; 2] =
        [&["#", "[", "cfg", "(", "test", ")"], &["#", "[", "cfg", "(", "all", "(", "test", ","]];
    let (mut kept, mut modules, mut at) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        if !TESTS.iter().any(|attribute| tokens[at..].starts_with(attribute)) {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        let start = at;
        let mut depth = 0;
        while at < tokens.len() && depth >= 0 {
            depth += i32::from(["(", "[", "{"].contains(&tokens[at]));
            depth -= i32::from([")", "]", "}"].contains(&tokens[at]));
            at += usize::from(depth >= 0);
            if depth == 0 && [";", "}"].contains(&tokens[at - 1]) {
                break;
            }
        }
        if let [.., "mod", name, ";"] = &tokens[start..at] {
            modules.push(*name);
        }
    }
    (kept, modules)
}

/// Returns the absolute paths that the tokens of a module contain: those within the crate, and those that start with a
/// name of `outside`.
pub(crate) fn paths(
    module: &[String],
    tokens: &[&str],
    modules: &BTreeSet<Vec<String>>,
    outside: &[&str],
) -> Vec<Vec<String>> {
    let (mut paths, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let token = tokens[at];
        let child = [module, &[token.to_owned()]].concat();
        let visibility = at > 1 && tokens[at - 2..at] == ["(", "in"];
        let start = at == 0 || tokens[at - 1] != "::" && !visibility;
        let base = match token {
            "crate" | "steerbox" => Some(module[..1].to_vec()),
            "self" => Some(module.to_vec()),
            "super" => Some(module[..module.len() - 1].to_vec()),
            _ if modules.contains(&child) => Some(child),
            _ if outside.contains(&token) => Some(vec![token.to_owned()]),
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

/// Splits a text into names, `::` and single characters.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    lexemes(text).into_iter().filter(|lexeme| skip(lexeme) == 0).collect()
}

/// Splits a text into tokens, comments and quoted texts.
pub(crate) fn lexemes(text: &str) -> Vec<&str> {
    let (mut lexemes, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        // A name is read as a whole, so that its last letter is not read as the `r` of a raw string.
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match skip(rest) {
            0 if name > 0 => name,
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            skipped => skipped,
        };
        let (lexeme, after) = rest.split_at(length);
        lexemes.push(lexeme);
        rest = after.trim_start();
    }
    lexemes
}

/// Returns the length in bytes of a comment, string or character that starts here; 0 if there is none.
fn skip(rest: &str) -> usize {
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
