//! The scripts that a scene can use.

use std::collections::BTreeMap;
use std::sync::Arc;

use steerbox_core::text::{Name, Occurrence};
use steerbox_core::world::ParamValue;
use steerbox_script::{Library, Param, ParamRange, Script, head_comment};

use crate::language::document::{Document, DocumentKind};
use crate::language::workspace::Workspace;
use crate::reload::{BuiltIn, Place, embedded_scripts};

/// A script and what scenes refer to.
pub(super) struct KnownScript {
    /// The comment at its head.
    pub(super) about: String,
    pub(super) params: Vec<KnownParam>,
    pub(super) marks: Vec<String>,
    pub(super) signals: Vec<String>,
    /// The names of the values that it watches.
    pub(super) watched: Vec<String>,
}

/// A parameter; without default and range if its script does not compile.
pub(super) struct KnownParam {
    pub(super) name: String,
    /// Its declaration.
    pub(super) declared: Option<Param>,
}

impl KnownScript {
    /// Returns the description of a parameter in the comment at the head.
    pub(super) fn about_param(&self, name: &str) -> String {
        let mut lines = self.about.lines().skip_while(|line| line.split_whitespace().next() != Some(name));
        let first = lines.next().unwrap_or_default().trim_start();
        let first = first.strip_prefix(name).unwrap_or_default().trim();
        let rest = lines.take_while(|line| line.starts_with(' ')).map(str::trim);
        let words: Vec<_> = std::iter::once(first).chain(rest).collect();
        words.join(" ")
    }
}

impl KnownParam {
    /// Returns default and range: `1, from 0 to 2`.
    pub(super) fn detail(&self) -> String {
        let Some(Param { default, range, .. }) = &self.declared else {
            return "its script has errors".to_owned();
        };
        match range {
            ParamRange::Number(least, most) => format!("{}, from {least} to {most}", value(default)),
            ParamRange::Integer(least, most) => {
                format!("{}, an integer from {least} to {most}", value(default))
            }
            ParamRange::Switch => format!("{}, true or false", value(default)),
            ParamRange::Choice(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("{}, one of {}", value(default), words.join(", "))
            }
        }
    }

    /// Returns the default as scenes contain it.
    pub(super) fn default(&self) -> String {
        self.declared.as_ref().map_or_else(String::new, |param| value(&param.default))
    }
}

/// Formats a value as in a scene.
fn value(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => number.to_string(),
        ParamValue::Integer(number) => number.to_string(),
        ParamValue::Switch(on) => on.to_string(),
        ParamValue::Choice(word) => format!("\"{word}\""),
        ParamValue::Distribution(distribution) => distribution.to_string(),
    }
}

/// Returns the texts of all scripts that a scene can use, by name: those on disk, then the built-in ones.
pub(super) fn all(workspace: &Workspace, scene: &Document) -> BTreeMap<String, Arc<str>> {
    let stem = |file: &str| file.trim_end_matches(".rhai").to_owned();
    let mut all: BTreeMap<_, _> = embedded_scripts().map(|(file, text)| (stem(file), text.into())).collect();
    let folders = Place::of_scene(&scene.path).folders;
    for folder in folders.iter().rev() {
        let scripts = workspace.of_kind(DocumentKind::Script);
        let here = scripts.filter(|script| script.folder() == Some(folder));
        all.extend(here.map(|script| (script.stem(), Arc::clone(&script.text))));
    }
    all
}

/// Returns true if a script fills flow fields.
pub(super) fn is_flow(text: &str) -> bool {
    text.contains("fn flow(")
}

/// Returns a script by the name that a scene uses.
pub(super) fn known(workspace: &Workspace, scene: &Document, name: &str) -> Option<KnownScript> {
    let file = format!("{name}.rhai");
    let document = workspace.script_of(&scene.path, name);
    let text =
        document.map_or_else(|| BuiltIn.text(name).ok(), |document| Some(Arc::clone(&document.text)))?;
    let compiled = match document {
        Some(document) => Script::compile_with(&file, &text, &workspace.library(&document.path), true),
        None => Script::compile_with(&file, &text, &BuiltIn, true),
    };
    let about = head_comment(&text);
    if let Ok(script) = compiled {
        let watched = script.watched();
        let Script { params, marks, signals, .. } = script;
        let param = |param: Param| KnownParam { name: param.name.clone(), declared: Some(param) };
        return Some(KnownScript {
            about,
            params: params.into_iter().map(param).collect(),
            marks,
            signals,
            watched,
        });
    }
    let names = document.into_iter().flat_map(|document| document.names());
    let param = |occurrence: &Occurrence| match &occurrence.name {
        Name::Param { name, .. } if occurrence.is_declaration => {
            Some(KnownParam { name: name.clone(), declared: None })
        }
        _ => None,
    };
    let params = names.filter_map(param).collect();
    Some(KnownScript { about, params, marks: Vec::new(), signals: Vec::new(), watched: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::workspace;

    #[test]
    fn scripts_on_disk_precede_built_in_ones_and_have_documented_parameters() {
        let (workspace, scene, _) = workspace("()");
        let names = all(&workspace, &scene);
        assert!(names.contains_key("pendulum") && names.contains_key("wander"));
        let wander = known(&workspace, &scene, "wander").expect("built in");
        assert_eq!(wander.params[0].name, "RESTLESS");
        assert_eq!(wander.params[0].detail(), "0.45, from 0 to 3");
        assert_eq!(
            wander.about_param("RESTLESS"),
            "how fast the wish drifts: standard deviation after a second, in radians"
        );
        let own = known(&workspace, &scene, "pendulum").expect("on disk");
        assert_eq!(own.params[1].detail(), "\"push\", one of \"push\", \"steer\"");
        assert_eq!(own.marks, ["tired"]);
        assert!(known(&workspace, &scene, "nothing").is_none());
    }
}
