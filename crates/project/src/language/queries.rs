//! The requests of editors, answered by the language of the document. Places are byte offsets; one outside the text or
//! within a character has no answer.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use steerbox_core::text::{Occurrence, TextEdit};

use super::document::{Document, DocumentKind};
use super::model::{
    Action, Color, Completion, Fold, Hover, Location, Signature, Symbol, Token, WorkspaceEdit,
};
use super::workspace::Workspace;
use super::{navigation, scene, script};

impl Workspace {
    /// Returns what can be inserted at a place.
    pub fn complete(&self, path: &Path, at: usize) -> Vec<Completion> {
        let Some(document) = self.at(path, at) else {
            return Vec::new();
        };
        match document.kind {
            DocumentKind::Script => script::complete(self, document, at),
            DocumentKind::Scene | DocumentKind::Experiment => scene::complete(self, document, at),
        }
    }

    /// Returns information about the name at a place.
    pub fn hover(&self, path: &Path, at: usize) -> Option<Hover> {
        let document = self.at(path, at)?;
        match document.kind {
            DocumentKind::Script => script::hover(self, document, at),
            DocumentKind::Scene | DocumentKind::Experiment => scene::hover(self, document, at),
        }
    }

    /// Returns the signature of the innermost call around a place.
    pub fn signature(&self, path: &Path, at: usize) -> Option<Signature> {
        let document = self.at(path, at)?;
        match document.kind {
            DocumentKind::Script => script::signature(self, document, at),
            DocumentKind::Scene | DocumentKind::Experiment => scene::signature(self, document, at),
        }
    }

    /// Returns the declarations of the name at a place.
    pub fn definition(&self, path: &Path, at: usize) -> Vec<Location> {
        navigation::definition(self, path, at)
    }

    /// Returns all places of the name at a place, its declaration first.
    pub fn references(&self, path: &Path, at: usize) -> Vec<Location> {
        navigation::references(self, path, at)
    }

    /// Returns the part that a renaming at a place replaces, if the name there can be renamed.
    pub fn renamed_at(&self, path: &Path, at: usize) -> Option<Range<usize>> {
        navigation::renamed_at(self, path, at)
    }

    /// Renames the name at a place in all files.
    ///
    /// # Errors
    /// With a message if the name cannot be renamed, or the new name is invalid or taken.
    pub fn rename(&self, path: &Path, at: usize, new: &str) -> Result<WorkspaceEdit, String> {
        navigation::rename(self, path, at, new)
    }

    /// Returns the outline of a document.
    pub fn symbols(&self, path: &Path) -> Vec<Symbol> {
        self.of_either(path, script::symbols, scene::symbols)
    }

    /// Returns the parts of a document that can be folded.
    pub fn folds(&self, path: &Path) -> Vec<Fold> {
        self.of_either(path, script::folds, scene::folds)
    }

    /// Returns the tokens of a document in the order of the text.
    pub fn tokens(&self, path: &Path) -> Vec<Token> {
        self.of_either(path, script::tokens, scene::tokens)
    }

    /// Returns the colors in a document.
    pub fn colors(&self, path: &Path) -> Vec<Color> {
        self.of_either(path, |_| Vec::new(), scene::colors)
    }

    /// Returns the edits that format a document; none if it has syntax errors.
    pub fn format(&self, path: &Path) -> Vec<TextEdit> {
        self.of_either(path, script::format, scene::format)
    }

    /// Returns the fixes and refactorings that are offered for a part of a document.
    pub fn actions(&self, path: &Path, range: Range<usize>) -> Vec<Action> {
        let Some(document) = self.at(path, range.end) else {
            return Vec::new();
        };
        let mut actions = self.fixes(path, &self.diagnostics(path), &range);
        match document.kind {
            DocumentKind::Script => {
                actions.extend(script::actions(document, &range));
                actions.extend(scene::add_to_groups(self, document, &range));
            }
            DocumentKind::Scene => actions.extend(scene::actions(self, document, range)),
            DocumentKind::Experiment => {}
        }
        actions
    }

    /// Returns a document if `at` is a place in it.
    fn at(&self, path: &Path, at: usize) -> Option<&Arc<Document>> {
        self.document(path).filter(|document| document.text.is_char_boundary(at))
    }

    fn of_either<T>(
        &self,
        path: &Path,
        of_script: fn(&Document) -> Vec<T>,
        of_scene: fn(&Document) -> Vec<T>,
    ) -> Vec<T> {
        match self.document(path) {
            Some(document) if document.kind == DocumentKind::Script => of_script(document),
            Some(document) => of_scene(document),
            None => Vec::new(),
        }
    }
}

impl Document {
    /// Returns all names in the text, in its order.
    pub fn names(&self) -> &[Occurrence] {
        self.names.get_or_init(|| match self.kind {
            DocumentKind::Script => script::names(self),
            DocumentKind::Scene | DocumentKind::Experiment => scene::names(self),
        })
    }

    /// Returns the name at a place, or directly before it.
    pub fn name_at(&self, at: usize) -> Option<&Occurrence> {
        let names = self.names();
        let within = names.iter().find(|name| name.range.contains(&at));
        within.or_else(|| names.iter().find(|name| name.range.end == at))
    }
}
