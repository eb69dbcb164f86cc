//! Additions to a scene's text: a rule of a group, a group, a flow field.

use steerbox_core::diagnostics::Fault;

use super::items::{Items, value};
use super::layout::Splices;
use super::text::ron_text;
use crate::node::Node;
use crate::parts::{SceneOutline, Thing};
use crate::plan::Scene;
use crate::read::read;

/// An addition to a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addition {
    /// A behavior at the end of a group: the names of the group and of the script.
    Behavior(String, String),
    /// A group of this name, with the body and the view of the first group.
    Group(String),
    /// A flow field that a script fills: the name of both.
    Field(String),
}

/// Returns the first name of a new group, or of a copy of the named one, that the text of a scene does not declare.
pub fn free_group_name(outline: &SceneOutline, copied: Option<&str>) -> String {
    let (stem, first) = match copied.map(|name| (name, name.trim_end_matches(|c: char| c.is_ascii_digit()))) {
        None => ("group".to_owned(), 1),
        Some((name, stem)) if stem == name => (format!("{name} "), 2),
        Some((_, stem)) => (stem.to_owned(), 2),
    };
    let mut names = (first..=u32::MAX).map(|number| format!("{stem}{number}"));
    let is_free = |name: &String| outline.declared(Thing::Group).all(|(taken, _)| taken != name);
    names.find(is_free).unwrap_or_default()
}

/// A scene that is read once for several additions.
pub struct Growing<'a> {
    path_name: &'a str,
    text: &'a str,
    scene: Scene,
}

/// Returns the text of a scene with an addition; comments and layout are preserved. `path_name` is the path in messages.
///
/// # Errors
/// The faults of an invalid scene, or of an addition that does not fit.
pub fn grown(path_name: &str, text: &str, addition: &Addition) -> Result<String, Vec<Fault>> {
    Growing::new(path_name, text)?.with(addition)
}

impl<'a> Growing<'a> {
    /// Reads a scene. `path_name` is the path in messages.
    ///
    /// # Errors
    /// The faults of an invalid scene.
    pub fn new(path_name: &'a str, text: &'a str) -> Result<Self, Vec<Fault>> {
        let scene = read(path_name, text)?;
        Ok(Self { path_name, text, scene })
    }

    /// Returns the text with an addition; comments and layout are preserved.
    ///
    /// # Errors
    /// The faults of an addition that does not fit.
    pub fn with(&self, addition: &Addition) -> Result<String, Vec<Fault>> {
        let Self { path_name, text, scene } = self;
        let fields = Node::root(text).fields().unwrap_or_default();
        let groups = value(&fields, "groups").and_then(Node::items).unwrap_or_default();
        let mut splices = Splices::default();
        match addition {
            Addition::Behavior(group, script) => {
                let at = scene.groups.iter().position(|plan| plan.common.name == *group && !plan.is_player);
                let Some(fields) = at.and_then(|at| groups.get(at)?.fields()) else {
                    let message =
                        format!("there is no group {} in this file to add a behavior to", ron_text(group));
                    return Err(vec![Fault::of_file(*path_name, message)]);
                };
                let behaviors = value(&fields, "behaviors").and_then(Node::items).unwrap_or_default();
                let places = behaviors.iter().map(|item| item.range()).collect();
                let items = Items { name: "behaviors", brackets: ['[', ']'], fields: &fields, places };
                items.edit(&mut splices, text, &[], &[format!("(script: {})", ron_text(script))]);
            }
            Addition::Group(name) => {
                let places = groups.iter().map(|item| item.range()).collect();
                let items = Items { name: "groups", brackets: ['[', ']'], fields: &fields, places };
                items.edit(&mut splices, text, &[], &[group(scene, &fields, &groups, name)]);
            }
            Addition::Field(script) => {
                let known = value(&fields, "fields").and_then(Node::entries).unwrap_or_default();
                let places = known.iter().map(|(key, value)| key.range().start..value.range().end).collect();
                let items = Items { name: "fields", brackets: ['{', '}'], fields: &fields, places };
                let script = ron_text(script);
                items.edit(&mut splices, text, &[], &[format!("{script}: Script(script: {script})")]);
            }
        }
        let grown = splices.apply(text);
        read(path_name, &grown)?;
        Ok(grown)
    }
}

/// The text of a group with the body and the view of the first one.
fn group(scene: &Scene, fields: &[(Node<'_>, Node<'_>)], groups: &[Node<'_>], name: &str) -> String {
    let first = groups.first().and_then(|group| group.fields()).unwrap_or_default();
    let bodies = value(fields, "bodies").and_then(Node::entries).unwrap_or_default();
    let body = value(&first, "body").map(|body| body.text.to_owned());
    let body = body.or_else(|| bodies.first().map(|(name, _)| name.text.to_owned()));
    let view = value(&first, "view").map_or(String::new(), |view| format!(", view: {}", view.text));
    let count = if scene.groups.is_empty() { 50 } else { 20 };
    let body = body.unwrap_or_else(|| "\"body\"".to_owned());
    format!(
        "(name: {}, body: {body}, count: {count}{view}, behaviors: [(script: \"wander\")])",
        ron_text(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [
        (name: \"a\", body: \"m\", behaviors: [
            (script: \"cohesion\"), // mine
        ]),
        (name: \"b\", body: \"m\"),
    ],
)";

    fn added(addition: &Addition) -> String {
        grown("s.ron", SCENE, addition).expect("it fits")
    }

    #[test]
    fn a_rule_is_added_behind_the_others_or_as_the_first() {
        let rule = |group: &str| Addition::Behavior(group.to_owned(), "seek".to_owned());
        let expected = SCENE.replace("// mine\n", "// mine\n            (script: \"seek\"),\n");
        assert_eq!(added(&rule("a")), expected);
        let text = added(&rule("b"));
        assert!(text.contains("(name: \"b\", body: \"m\", behaviors: [(script: \"seek\")])"), "{text}");
        assert!(grown("s.ron", SCENE, &rule("c")).is_err());
        assert!(grown("s.ron", "(", &rule("a")).is_err());
    }

    #[test]
    fn a_field_is_added_to_the_others_or_as_the_first() {
        let field = |text: &str, name: &str| {
            grown("s.ron", text, &Addition::Field(name.to_owned())).expect("it fits")
        };
        let text = field(SCENE, "waves");
        assert!(text.contains("\"waves\": Script(script: \"waves\")"), "{text}");
        let scene = read("s.ron", &field(&text, "my_wind")).expect("it is valid");
        assert_eq!(scene.flows.iter().map(|plan| &*plan.name).collect::<Vec<_>>(), ["waves", "my_wind"]);
        assert!(text.contains("// mine"));
        assert!(grown("s.ron", &text, &Addition::Field("waves".to_owned())).is_err(), "the name is taken");
    }

    #[test]
    fn a_new_group_has_a_free_name() {
        let name = |text: &str| free_group_name(&crate::outline(text), None);
        assert_eq!(name(SCENE), "group1");
        let text = added(&Addition::Group("group1".to_owned()));
        assert_eq!(
            (name(&text), name("(groups: [(name: \"group1\"")),
            ("group2".to_owned(), "group2".to_owned())
        );
    }

    #[test]
    fn a_group_has_the_body_of_the_first_one() {
        let text = added(&Addition::Group("new \"one\"".to_owned()));
        let scene = read("s.ron", &text).expect("it is valid");
        assert_eq!(scene.groups.len(), 3);
        assert_eq!((scene.groups[2].common.name.as_str(), scene.groups[2].count), ("new \"one\"", 20));
        assert!(text.contains("// mine"));
        assert!(grown("s.ron", &text, &Addition::Group("a".to_owned())).is_err(), "the name is taken");
    }
}
