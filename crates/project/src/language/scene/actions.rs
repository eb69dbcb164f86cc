//! Changes that editors offer: rules and groups to be added.

use std::ops::Range;

use steerbox_core::text::TextEdit;
use steerbox_scene::{Addition, Growing, Item, SceneOutline, Thing, free_group_name};

use crate::language::document::{Document, DocumentKind};
use crate::language::model::{Action, ActionKind, WorkspaceEdit};
use crate::language::scene::scripts;
use crate::language::workspace::Workspace;
use crate::reload::Place;

/// Maximum number of additions that are offered at a place.
const MAX_OFFERED: usize = 20;
/// Maximum total length of the scenes to which they are added, in bytes: each is read again.
const MAX_READ: usize = 128 << 10;

/// Returns the changes for a part of a scene: scripts of the project for the group there, and another group.
pub(in crate::language) fn actions(
    workspace: &Workspace,
    document: &Document,
    range: Range<usize>,
) -> Vec<Action> {
    let outline = document.parts();
    let here = |part: &Range<usize>| part.start <= range.end && range.start <= part.end;
    let mut actions = Vec::new();
    let groups: Vec<_> = groups(outline).collect();
    if let Some((group, name)) = groups.iter().find(|(group, _)| here(&group.range)) {
        let lacking = rules(workspace, document).filter(|script| !uses(outline, group, script));
        let affordable = MAX_READ / document.text.len().max(1);
        let file = document.file_name();
        if let Ok(growing) = Growing::new(&file, &document.text) {
            for script in lacking.take(affordable.min(MAX_OFFERED)) {
                let title = format!("Add the rule {script} to {name}");
                let addition = Addition::Behavior((*name).to_owned(), script);
                actions.extend(added(title, document, &growing, &addition));
            }
        }
    }
    let scene = outline.items.first();
    let field = scene.and_then(|scene| scene.fields.iter().find(|field| field.known == Some("groups")));
    if field.is_some_and(|field| here(&(field.key.start..field.value.end))) {
        actions.extend(another_group(document));
    }
    actions
}

/// Returns the addition of a group.
fn another_group(document: &Document) -> Option<Action> {
    let name = free_group_name(document.parts(), None);
    let file = document.file_name();
    let growing = Growing::new(&file, &document.text).ok()?;
    added("Add a group".to_owned(), document, &growing, &Addition::Group(name))
}

/// Returns the additions of a script to the groups of scenes that do not run it, if a part of its text is in the line of
/// `fn steer`.
pub(in crate::language) fn add_to_groups(
    workspace: &Workspace,
    script: &Document,
    range: &Range<usize>,
) -> Vec<Action> {
    let line = script.text.find("fn steer(").map(|at| {
        let start = script.text[..at].rfind('\n').map_or(0, |end| end + 1);
        start..script.text[at..].find('\n').map_or(script.text.len(), |end| at + end)
    });
    if line.is_none_or(|line| range.start > line.end || range.end < line.start) {
        return Vec::new();
    }
    let stem = script.stem();
    let (mut actions, mut read) = (Vec::new(), 0);
    for scene in workspace.of_kind(DocumentKind::Scene) {
        let is_visible = workspace.script_of(&scene.path, &stem).is_some_and(|own| own.path == script.path);
        if !is_visible || actions.len() >= MAX_OFFERED {
            continue;
        }
        let outline = scene.parts();
        let mut lacking = groups(outline).filter(|(group, _)| !uses(outline, group, &stem)).peekable();
        if lacking.peek().is_none() {
            continue;
        }
        let file = scene.file_name();
        let Ok(growing) = Growing::new(&file, &scene.text) else {
            continue;
        };
        for (_, name) in lacking.take(MAX_OFFERED) {
            read += scene.text.len();
            if read > MAX_READ {
                return actions;
            }
            let title = format!("Add this rule to {name} of {file}");
            let addition = Addition::Behavior(name.to_owned(), stem.clone());
            actions.extend(added(title, scene, &growing, &addition));
        }
    }
    actions.truncate(MAX_OFFERED);
    actions
}

/// Returns an addition to a scene; `None` if it does not fit.
fn added(title: String, document: &Document, growing: &Growing<'_>, addition: &Addition) -> Option<Action> {
    let grown = growing.with(addition).ok()?;
    let edits = vec![difference(&document.text, &grown)];
    let edit = WorkspaceEdit { edits: vec![(document.path.clone(), edits)], renames: Vec::new() };
    Some(Action { title, kind: ActionKind::Refactoring, edit, fault: None, new_name: None })
}

/// Returns the edit from one text to another without the parts that both begin and end with.
fn difference(old: &str, new: &str) -> TextEdit {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let ends = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = ends.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    TextEdit::replace(start..old.len() - end, &new[start..new.len() - end])
}

/// Returns the groups of a scene and their names.
fn groups(outline: &SceneOutline) -> impl Iterator<Item = (&Item, &str)> {
    let groups = outline.items.iter().filter(|item| item.owner == "a group");
    groups.filter_map(|group| {
        let field = group.fields.iter().find(|field| field.known == Some("name"))?;
        let mut names = outline.declared(Thing::Group);
        let (name, _) = names.find(|(_, mention)| mention.range == field.value)?;
        Some((group, name))
    })
}

/// Returns true if a group runs a script.
fn uses(outline: &SceneOutline, group: &Item, script: &str) -> bool {
    let mut inside = outline.mentions.iter().filter(|one| group.range.contains(&one.range.start));
    inside.any(|one| one.thing == Thing::Rule && one.name.as_deref() == Some(script))
}

/// Returns the names of the behaviors of the project that a scene can use.
fn rules(workspace: &Workspace, scene: &Document) -> impl Iterator<Item = String> {
    let folders = Place::of_scene(&scene.path).folders;
    let own = workspace.of_kind(DocumentKind::Script).filter(move |script| {
        script.folder().is_some_and(|folder| folders.iter().any(|known| known == folder))
    });
    let rules = own.filter(|script| script.text.contains("fn steer(") && !scripts::is_flow(&script.text));
    rules.map(|script| script.stem())
}

#[cfg(test)]
mod tests {
    use steerbox_core::text::apply;

    use super::*;
    use crate::language::scene::testing::workspace;

    const SCENE: &str = "(world: Plane(size: (8, 6)), bodies: {\"fish\": Mover()}, groups: [(name: \"a\", body: \"fish\"), \
        (name: \"group1\", body: \"fish\", behaviors: [(script: \"pendulum\")])])";

    #[test]
    fn rules_and_groups_are_added() {
        let (workspace, document, _) = workspace(SCENE);
        let at = |part: &str| SCENE.find(part).expect("the part");
        let titles = |part: &str| {
            let found = actions(&workspace, &document, at(part)..at(part));
            found.into_iter().map(|action| action.title).collect::<Vec<_>>()
        };
        assert_eq!(titles("name: \"a\""), ["Add the rule pendulum to a", "Add a group"]);
        assert_eq!(titles("\"group1\""), ["Add a group"]);
        assert!(titles("bodies").is_empty());
        let all = actions(&workspace, &document, at("groups")..at("groups"));
        let new = apply(&document.text, &all[0].edit.edits[0].1).expect("the edits fit");
        assert!(new.contains("[(script: \"pendulum\")]), (name: \"group2\", body: \"fish\", "), "{new}");
        let all = actions(&workspace, &document, at("name: \"a\"")..at("name: \"a\""));
        let edit = &all[0].edit.edits[0].1[0];
        assert!(edit.range.is_empty());
        assert_eq!(edit.text, ", behaviors: [(script: \"pendulum\")]");
    }

    #[test]
    fn a_script_is_added_to_groups_that_do_not_run_it() {
        let (workspace, ..) = workspace(SCENE);
        let script =
            workspace.script_of(std::path::Path::new("/p/scenes/a.ron"), "pendulum").expect("a script");
        let at = script.text.find("fn steer").expect("the function");
        let found = add_to_groups(&workspace, script, &(at..at));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].title, "Add this rule to a of a.ron");
        assert!(add_to_groups(&workspace, script, &(0..0)).is_empty());
    }
}
