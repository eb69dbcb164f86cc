//! Names that only a scene can give.

use crate::diagnostics::quoted_suggestion;

/// How every error begins that is about such a name.
pub const NOT_IN_SCENE: &str = "the scene has no";

/// The index of a name.
pub(super) fn find<'a>(
    what: &str,
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, String> {
    let all = names.clone();
    names.position(|known| known == name).ok_or_else(|| {
        let help = quoted_suggestion(name, all);
        let help = help.map_or(String::new(), |help| format!(": {help}"));
        format!("{NOT_IN_SCENE} {what} \"{name}\"{help}")
    })
}
