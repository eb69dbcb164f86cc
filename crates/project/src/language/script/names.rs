//! The outline of a script, and its names as occurrences.

use steerbox_core::text::{Name, Occurrence};
use steerbox_script::{Outline, Typed};

use crate::language::document::Document;

/// Returns the names of a script.
pub(in crate::language) fn names(document: &Document) -> Vec<Occurrence> {
    let names = document.outline().names.iter();
    let occurrence = |name: &Typed| Occurrence {
        range: name.range.clone(),
        name: name.name.clone(),
        is_declaration: name.is_declaration,
    };
    let mut names: Vec<_> = names.map(occurrence).collect();
    // The file itself declares the script.
    names.insert(0, Occurrence { range: 0..0, name: Name::Script(document.stem()), is_declaration: true });
    names
}

impl Document {
    /// Returns the outline of a script; empty for a scene.
    pub(in crate::language) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(&self.stem(), &self.text))
    }
}
