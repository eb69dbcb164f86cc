//! Names that only a scene can give.

use crate::diagnostics::closest;

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
        let near = closest(name, all);
        let hint = near.map_or(String::new(), |near| format!(": did you mean \"{near}\"?"));
        format!("{NOT_IN_SCENE} {what} \"{name}\"{hint}")
    })
}
