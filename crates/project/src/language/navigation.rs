//! Definitions, references and renaming, by the names of all documents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::text::{Name, Occurrence, TextEdit, apply};

use super::document::Document;
use super::model::{Location, WorkspaceEdit};
use super::workspace::Workspace;

/// Returns the declarations of the name at a place.
pub(super) fn definition(workspace: &Workspace, path: &Path, at: usize) -> Vec<Location> {
    let name = workspace.document(path).and_then(|document| document.name_at(at));
    name.map_or_else(Vec::new, |found| locations(workspace, &found.name, true))
}

/// Returns all places of the name at a place, its declarations first.
pub(super) fn references(workspace: &Workspace, path: &Path, at: usize) -> Vec<Location> {
    let Some(found) = workspace.document(path).and_then(|document| document.name_at(at)) else {
        return Vec::new();
    };
    let mut all = locations(workspace, &found.name, true);
    all.extend(locations(workspace, &found.name, false));
    all
}

/// Returns the places of a name that declare it, or those that do not.
fn locations(workspace: &Workspace, name: &Name, declarations: bool) -> Vec<Location> {
    let mut found = Vec::new();
    for document in workspace.documents() {
        let of_name = document.names().iter().filter(|one| one.name == *name);
        let wanted = of_name.filter(|one| one.is_declaration == declarations);
        found.extend(wanted.map(|one| Location { path: document.path.clone(), range: one.range.clone() }));
    }
    found
}

/// Returns the part that a renaming at a place replaces.
pub(super) fn renamed_at(workspace: &Workspace, path: &Path, at: usize) -> Option<Range<usize>> {
    let found = workspace.document(path)?.name_at(at)?;
    (!found.name.is_built_in() && !found.range.is_empty()).then(|| found.range.clone())
}

/// Renames the name at a place in all files.
///
/// # Errors
/// With a message if the name cannot be renamed, or the new one is invalid or denotes something else already.
pub(super) fn rename(
    workspace: &Workspace,
    path: &Path,
    at: usize,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    renamed_at(workspace, path, at).ok_or("there is no name here that can be changed")?;
    let found = workspace.document(path).and_then(|document| document.name_at(at));
    let old = &found.ok_or("there is no name here that can be changed")?.name;
    check_new(old, new)?;
    let names = declared_together(workspace, old);
    let mut edit = WorkspaceEdit::default();
    for document in workspace.documents() {
        let places = document.names().iter();
        let places = places.filter(|one| names.contains(&one.name) && !one.range.is_empty());
        let mut edits: Vec<_> = places.map(|one| TextEdit::replace(one.range.clone(), new)).collect();
        edits.dedup();
        if !edits.is_empty() {
            check_meaning(document, &edits, new)?;
            edit.edits.push((document.path.clone(), edits));
        }
    }
    if let Name::Script(script) = old {
        edit.renames = renamed_files(workspace, script, new)?;
    }
    Ok(edit)
}

/// Returns a name and those that are declared at the same places, which are renamed with it: a group without kinds also
/// declares the kind of its name.
fn declared_together(workspace: &Workspace, name: &Name) -> BTreeSet<Name> {
    let (mut names, mut found) = (BTreeSet::new(), vec![name.clone()]);
    while let Some(name) = found.pop() {
        if names.contains(&name) {
            continue;
        }
        for document in workspace.documents() {
            let all = document.names();
            for place in all.iter().filter(|one| one.is_declaration && one.name == name) {
                let here = all.iter().filter(|one| one.is_declaration && one.range == place.range);
                found.extend(here.filter(|one| one.name != name).map(|one| one.name.clone()));
            }
        }
        names.insert(name);
    }
    names
}

/// Checks the spelling of a new name.
fn check_new(old: &Name, new: &str) -> Result<(), String> {
    let is_identifier = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (is_valid, rule) = match old {
        Name::Script(_) => {
            let is_valid = !new.is_empty() && new.chars().all(|c| is_identifier(c) || c == '-');
            (is_valid, "use letters, digits, _ and -")
        }
        Name::Shared(..) | Name::OfScene { .. } => {
            let is_valid = !new.trim().is_empty() && !new.contains(['"', '\\', '\n', '\r']);
            (is_valid, "use anything but quotes and backslashes")
        }
        _ => {
            let begins = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            (begins && new.chars().all(is_identifier), "use letters, digits and _, with no digit first")
        }
    };
    match old {
        Name::Constant { name, .. } if name == "MEMORY" => Err("`MEMORY` is a fixed name".to_owned()),
        _ if is_valid => Ok(()),
        _ => Err(format!("`{}` is not a valid name here: {rule}", new.escape_debug())),
    }
}

/// Checks that all names of a document denote the same after edits that rename one of them: the edited text has the same
/// number of names, and equal names remain equal.
fn check_meaning(document: &Document, edits: &[TextEdit], new: &str) -> Result<(), String> {
    let text = apply(&document.text, edits).map(Arc::from);
    let edited = text.and_then(|text| Document::new(&document.path, text));
    let edited = edited.map(|edited| classes(edited.names()));
    if edited.is_some_and(|edited| edited == classes(document.names())) {
        return Ok(());
    }
    Err(format!("`{new}` has another meaning in {}", document.file_name()))
}

/// Returns for each name the index of its first place.
fn classes(names: &[Occurrence]) -> Vec<usize> {
    let mut first: BTreeMap<&Name, usize> = BTreeMap::new();
    names.iter().enumerate().map(|(index, one)| *first.entry(&one.name).or_insert(index)).collect()
}

/// Returns the files of a script and their new paths.
fn renamed_files(workspace: &Workspace, script: &str, new: &str) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    let mut renames = Vec::new();
    for document in workspace.documents() {
        if document.file_name() == format!("{script}.rhai") {
            let path = document.path.with_file_name(format!("{new}.rhai"));
            if workspace.document(&path).is_some() {
                return Err(format!("there is a script {new}.rhai already"));
            }
            renames.push((document.path.clone(), path));
        }
    }
    if renames.is_empty() {
        return Err(format!("{script}.rhai is built into the program"));
    }
    Ok(renames)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "import \"lib\" as l;\nconst REACH = param(1.0, 0.0, 2.0);\nfn near(unit) { REACH }\nfn steer(me, world) {\n    let a = near(me);\n    let b = l::f(a);\n    me.mark(\"leader\");\n    a + REACH\n}\n";
    const LIBRARY: &str = "fn f(x) { x }\n";
    const OTHER: &str = "fn steer(me, world) { if me.has_mark(\"leader\") { 1.0 } else { 0.0 } }\n";

    fn workspace() -> Workspace {
        let mut workspace = Workspace::default();
        for (name, text) in [("rule", SCRIPT), ("lib", LIBRARY), ("other", OTHER)] {
            workspace.set_buffer(Path::new(&format!("/p/scripts/{name}.rhai")), text.into());
        }
        workspace
    }

    /// Renames the name at the first occurrence of a word in the script; returns all changed texts.
    fn renamed(word: &str, new: &str) -> Result<Vec<String>, String> {
        let workspace = workspace();
        let path = Path::new("/p/scripts/rule.rhai");
        let edit = workspace.rename(path, SCRIPT.find(word).expect("the word"), new)?;
        let apply = |(path, edits): &(PathBuf, Vec<TextEdit>)| {
            apply(&workspace.document(path).expect("a document").text, edits).expect("the edits fit")
        };
        let mut changed: Vec<_> = edit.edits.iter().map(apply).collect();
        changed.extend(edit.renames.iter().map(|(from, to)| format!("{} {}", from.display(), to.display())));
        Ok(changed)
    }

    #[test]
    fn a_name_is_renamed_in_all_files_that_contain_it() {
        assert_eq!(renamed("REACH", "FAR").expect("a renaming"), [SCRIPT.replace("REACH", "FAR")]);
        assert_eq!(renamed("a = near", "b2").expect("a renaming").len(), 1);
        let marks = renamed("leader", "first one").expect("a renaming");
        assert_eq!(marks, [OTHER.replace("leader", "first one"), SCRIPT.replace("leader", "first one")]);
        let functions = renamed("f(a)", "g").expect("a renaming");
        assert_eq!(functions, [LIBRARY.replace("f(x)", "g(x)"), SCRIPT.replace("l::f", "l::g")]);
        let files = renamed("lib", "help").expect("a renaming");
        assert_eq!(
            files,
            [SCRIPT.replace("lib", "help"), "/p/scripts/lib.rhai /p/scripts/help.rhai".to_owned()]
        );
    }

    #[test]
    fn a_renaming_that_changes_the_meaning_is_rejected() {
        for (word, new) in [
            ("a = near", "b"),
            ("a = near", "REACH"),
            ("a = near", "2a"),
            ("a = near", "if"),
            ("REACH", "near me"),
            ("lib", "other"),
            ("mark(", "m"),
            ("leader", "a\"b"),
        ] {
            assert!(renamed(word, new).is_err(), "{word} to {new}");
        }
    }

    #[test]
    fn a_group_is_renamed_with_its_kind_and_the_player_has_a_fixed_one() {
        let scene = |groups: &str| {
            format!(
                "(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, player: (body: \"m\"), groups: [{groups}])"
            )
        };
        let text = scene(
            "(name: \"shoal\", body: \"m\"), (name: \"pikes\", body: \"m\", enemies: [\"shoal\", \"player\"])",
        );
        let rule = "fn steer(me, world) { if me.is(\"shoal\") { 1.0 } else { 0.0 } }\n";
        let mut workspace = Workspace::default();
        let (path, script) = (Path::new("/p/scenes/a.ron"), Path::new("/p/scripts/rule.rhai"));
        workspace.set_buffer(path, text.as_str().into());
        workspace.set_buffer(script, rule.into());
        let changed = |word: &str| -> Result<Vec<String>, String> {
            let edit = workspace.rename(path, text.find(word).expect("the word") + 1, "swarm")?;
            let apply = |(path, edits): &(PathBuf, Vec<TextEdit>)| {
                apply(&workspace.document(path).expect("a document").text, edits).expect("the edits fit")
            };
            Ok(edit.edits.iter().map(apply).collect())
        };
        let all = [text.replace("shoal", "swarm"), rule.replace("shoal", "swarm")];
        assert_eq!(changed("\"shoal\""), Ok(all.to_vec()));
        assert_eq!(changed("\"shoal\", \"player"), Ok(all.to_vec()));
        assert!(changed("\"player\"]").is_err() && changed("player:").is_err());
        let found = workspace.definition(path, text.find("\"player\"]").expect("the word") + 1);
        assert!(matches!(&found[..], [one] if text[one.range.clone()] == *"player"), "{found:?}");
    }

    #[test]
    fn definitions_and_references_are_found_across_files() {
        let workspace = workspace();
        let path = Path::new("/p/scripts/rule.rhai");
        let found = workspace.definition(path, SCRIPT.find("f(a)").expect("the call"));
        assert!(
            matches!(&found[..], [one] if one.path.ends_with("lib.rhai") && one.range == (3..4)),
            "{found:?}"
        );
        let found = workspace.references(path, SCRIPT.find("a + REACH").expect("the end"));
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].range.start, SCRIPT.find("a = near").expect("the declaration"));
        let script = workspace.definition(path, SCRIPT.find("lib").expect("the import"));
        assert!(matches!(&script[..], [one] if one.path.ends_with("lib.rhai") && one.range == (0..0)));
    }
}
