//! Lines of documentation.

/// The documentation of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldAbout {
    /// The items that have it, separated by `|`: `a group`, or the case: `Disc`.
    pub(crate) owners: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// Type and range as Markdown.
    pub kind: &'static str,
    /// Its default as Markdown; `required`, if there is none.
    pub default: &'static str,
    /// Meaning and unit as Markdown.
    pub about: &'static str,
}

/// The documentation of a case, or of a word that a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseAbout {
    /// The thing that has this case: `a spawn`; or the field that takes the word. Several are separated by `|`.
    pub(crate) owners: &'static str,
    /// The word.
    pub(crate) name: &'static str,
    /// Its meaning as Markdown.
    pub about: &'static str,
}
