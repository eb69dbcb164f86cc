//! Information about the word at a place of a scene.

use std::ops::Range;

use steerbox_core::sim::metrics::FIGURES;
use steerbox_scene::{
    Fallback, FieldAbout, Item, Mention, SceneOutline, Thing, about_case, about_field, outline,
};
use steerbox_script::{MEASURES, head_comment};

use crate::language::document::Document;
use crate::language::model::Hover;
use crate::language::scene::{colors, names, scripts};
use crate::language::workspace::Workspace;
use crate::reload::{embedded_scenes, head_comment as scene_comment};

/// Returns information about the name, field, case or color at a place.
pub(in crate::language) fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<Hover> {
    let outline = document.parts();
    let is_at = |range: &Range<usize>| range.start <= at && at < range.end;
    let of = |range: &Range<usize>, markdown: String| Some(Hover { range: range.clone(), markdown });
    if let Some(mention) = outline.mentions.iter().find(|mention| is_at(&mention.range)) {
        return of(&mention.range, of_mention(workspace, document, mention)?);
    }
    if let Some((range, Some(color))) = outline.colors.iter().find(|(range, _)| is_at(range)) {
        return of(range, colors::texts(*color).join(" · "));
    }
    if let Some(choice) = outline.choices.iter().find(|choice| is_at(&choice.range)) {
        let word = &document.text[choice.range.clone()];
        let about = about_case(choice.owner, word)?;
        return of(&choice.range, format!("`{word}`: {}", about.about));
    }
    let item = outline.item_at(at)?;
    let field = item.fields.iter().find(|field| is_at(&field.key) || is_at(&field.value))?;
    let range = if is_at(&field.key) { &field.key } else { &field.value };
    of(range, of_field(item, field.known?)?)
}

/// Describes a field.
pub(super) fn of_field(item: &Item, name: &str) -> Option<String> {
    let FieldAbout { value, default, about, .. } = about_field((item.family, item.owner), name)?;
    let prefix = if matches!(default, Fallback::Required(_) | Fallback::Size) { "" } else { "default: " };
    let rest = if about.is_empty() { String::new() } else { format!("\n\n{about}") };
    Some(format!("`{name}` of {}: {value}, {prefix}{default}{rest}", item.owner))
}

fn of_mention(workspace: &Workspace, document: &Document, mention: &Mention) -> Option<String> {
    let name = mention.name.as_deref()?;
    let outline = document.parts();
    match mention.thing {
        Thing::Rule | Thing::FlowScript => Some(of_script(workspace, document, name)),
        Thing::Param => {
            let script = mention.script.as_deref()?;
            let known = scripts::known(workspace, document, script)?;
            let param = known.params.iter().find(|param| param.name == name)?;
            let about = known.about_param(name);
            let rest = if about.is_empty() { about } else { format!("\n\n{about}") };
            Some(format!("`{name}` of `{script}`: {}{rest}", param.detail()))
        }
        Thing::Body | Thing::View | Thing::Path | Thing::FlowField | Thing::Zone | Thing::Grid => {
            of_declared(document, mention)
        }
        Thing::Kind => {
            let groups = groups_of(outline, name);
            Some(format!("kind `{name}` of {}", if groups.is_empty() { "no group" } else { &groups }))
        }
        Thing::Scene => Some(of_scene(workspace, document, name)),
        Thing::Variable => of_field(outline.items.first()?, "vary"),
        Thing::Group => Some(format!("group `{name}`")),
        Thing::Mark => Some(format!("mark `{name}`, which scripts set with `me.mark(\"{name}\")`")),
        Thing::Signal => Some(format!("signal `{name}` of the units")),
        Thing::Measure => {
            let figure = FIGURES.iter().find(|figure| figure.name == name);
            let scripts = scripts::all(workspace, document);
            let about = scripts.get(&format!("{MEASURES}{name}")).map(|text| head_comment(text));
            let computed = about.map_or_else(String::new, |about| format!("\n\n{about}"));
            Some(figure.map_or_else(
                || format!("measure `{name}`{computed}"),
                |figure| format!("figure `{name}`: {}", figure.about),
            ))
        }
    }
}

/// Describes a scene by the comment at its head and its groups.
fn of_scene(workspace: &Workspace, document: &Document, name: &str) -> String {
    let scene = workspace.scene_of(document, name);
    let embedded = || embedded_scenes().find(|(file, _)| file.trim_end_matches(".ron") == name);
    let text = scene.map(|scene| scene.text.to_string()).or_else(|| Some(embedded()?.1.to_owned()));
    let Some(text) = text else {
        return format!("there is no scene `{name}`");
    };
    let parts = outline(&text);
    let groups: Vec<_> = parts.declared(Thing::Group).map(|(group, _)| format!("`{group}`")).collect();
    format!("scene `{name}` with {}\n\n{}", groups.join(", "), scene_comment(&text)).trim_end().to_owned()
}

/// Describes a script: the comment at its head and its parameters.
fn of_script(workspace: &Workspace, document: &Document, name: &str) -> String {
    let Some(script) = scripts::known(workspace, document, name) else {
        return format!("there is no script `{name}`");
    };
    let param =
        |param: &scripts::KnownParam| format!("\n- `{}`: {}", param.name, param.detail().replace('"', "`"));
    let params: Vec<_> = script.params.iter().map(param).collect();
    format!("**{name}**\n\n{}\n{}", script.about, params.concat()).trim_end().to_owned()
}

/// Describes a declared thing by its value.
fn of_declared(document: &Document, mention: &Mention) -> Option<String> {
    let (outline, name, what) = (document.parts(), mention.name.as_deref()?, mention.thing.noun());
    let declared = outline.declared(mention.thing).find(|(declared, _)| *declared == name);
    let Some((_, declared)) = declared else {
        return Some(format!("there is no {what} `{name}`"));
    };
    let value = names::value_of(&document.text, outline, declared)?;
    Some(format!("{what} `{name}`\n\n```ron\n{value}\n```"))
}

/// Returns the groups of a kind.
fn groups_of(outline: &SceneOutline, kind: &str) -> String {
    let mut groups: Vec<String> = Vec::new();
    for (_, mention) in outline.declared(Thing::Kind).filter(|(name, _)| *name == kind) {
        let item = outline.item_at(mention.range.start);
        let is_inside = |one: &Mention| item.is_some_and(|item| item.range.contains(&one.range.start));
        let mut names = outline.declared(Thing::Group);
        let group = names.find(|(_, one)| is_inside(one)).map_or("player", |(name, _)| name);
        groups.push(format!("`{group}`"));
    }
    groups.dedup();
    groups.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::workspace;

    const SCENE: &str = r#"(
        world: Plane(size: (80, 60), edges: Bounce),
        bodies: {"fish": Mover(length: 2)},
        views: {"near": Around(radius: 9)},
        groups: [(
            name: "shoal", body: "fish", view: "near", enemies: ["pike"], sense: 12,
            behaviors: [(script: "pendulum", params: {"SPEED": 2})],
            look: (color: "tomato", marks: {"tired": "red"}),
        ), (name: "hunters", body: "eel", kinds: ["pike"])],
    )"#;

    fn markdown(of: &str) -> String {
        let marked = SCENE.replacen(of, &of.replacen('§', "|", 1), 1);
        let at = SCENE.find(of).unwrap_or_else(|| panic!("no {of}"));
        let (workspace, document, _) = workspace(&marked);
        let found = hover(&workspace, &document, at).unwrap_or_else(|| panic!("nothing for {of}"));
        assert!(found.range.contains(&at));
        found.markdown
    }

    #[test]
    fn every_kind_of_word_is_described() {
        for (of, wanted) in [
            ("edges", "`edges` of Plane: `Wrap`, `Bounce`, `Open`, default: `Wrap`"),
            ("Bounce", "`Bounce`: a unit that leaves is mirrored back"),
            ("Mover", "`Mover`: steering changes the velocity directly"),
            ("length", "`length` of Mover: above 0, or a distribution, default: 1\n\nlength"),
            ("12", "`sense` of a group: not negative, default: the view's radius, or 100"),
            ("\"near\", enemies", "view `near`\n\n```ron\nAround(radius: 9)\n```"),
            ("\"fish\", view", "body `fish`\n\n```ron\nMover(length: 2)\n```"),
            ("\"eel\"", "there is no body `eel`"),
            ("\"pike\"], sense", "kind `pike` of `hunters`"),
            ("\"shoal\"", "kind `shoal` of `shoal`"),
            ("\"pendulum\"", "**pendulum**\n\nGoes to and fro.\nSlowly.\n\n- `SPEED`: 1, from 0 to 2"),
            ("\"SPEED\"", "`SPEED` of `pendulum`: 1, from 0 to 2"),
            ("\"tomato\"", "tomato · #ff6347"),
            ("\"tired\"", "mark `tired`"),
        ] {
            let found = markdown(of);
            assert!(found.starts_with(wanted), "{of}: {found}");
        }
    }
}
