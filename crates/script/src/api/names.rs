//! Names that the scene defines.

use steerbox_core::diagnostics::quoted_suggestion;

/// The first words of every error about such a name.
pub const NOT_IN_SCENE: &str = "the scene has no";

/// Returns the index of a name.
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
