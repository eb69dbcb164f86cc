//! Writes values back into a scene's text: only changed values are replaced, so comments, order and formatting are
//! preserved.
//!
//! ```
//! use steerbox_scene::{self as scene, SceneEdits, Edit, Set};
//!
//! let text = "( // mine
//!     world: Plane(size: (200, 100)), bodies: {\"dart\": Mover()},
//!     groups: [(name: \"a\", body: \"dart\", behaviors: [(script: \"cohesion\" /* ! */)])],
//! )";
//! let edit = Edit::Behavior {
//!     group: "a".to_owned(),
//!     script: "cohesion".to_owned(),
//!     occurrence: 0,
//!     set: Set::Gain(1.5),
//! };
//! let edited = scene::rewrite("a.ron", text, &[edit], &SceneEdits::default()).expect("the scene is sound");
//! assert_eq!(edited, text.replace("/* ! */", "/* ! */, gain: 1.5"));
//! ```

mod behavior;
mod counts;
mod grow;
mod items;
mod layout;
mod obstacle;
mod path;
mod rearrange;
mod text;
mod wanted;

#[cfg(test)]
mod rearrange_tests;
#[cfg(test)]
mod tests;

pub use counts::with_counts;
pub use grow::free_group_name;
pub use grow::{Addition, Growing, grown};
pub use rearrange::{ListItem, Rearrange, rearranged};
pub use wanted::{Edit, Set};

use steerbox_core::diagnostics::Fault;

use super::edits::SceneEdits;
use super::node::Node;
use super::plan::{Scene, ScriptUse};
use super::read::read;
use layout::Splices;

/// Returns the text of a scene with all edits applied, including `scene_edits`; of two edits of one value the later
/// applies. `path_name` is the path in messages. A byte order mark is preserved.
///
/// The result is verified by reading it again: it has exactly the edited values, and everything else is unchanged.
///
/// # Errors
/// The faults of an invalid scene, of an edit that matches nothing in it, and of a value that a scene cannot represent.
pub fn rewrite(
    path_name: &str,
    text: &str,
    edits: &[Edit],
    scene_edits: &SceneEdits,
) -> Result<String, Vec<Fault>> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = &text[..text.len() - bare.len()];
    let scene = read(path_name, bare)?;
    let wanted = wanted::wanted(&scene, edits, scene_edits).map_err(|fault| vec![fault])?;
    let mut splices = Splices::default();
    for (was, is) in uses(&scene).zip(uses(&wanted)) {
        behavior::edit(&mut splices, bare, was, is);
    }
    let fields = Node::root(bare).fields().unwrap_or_default();
    obstacle::edit(&mut splices, bare, &fields, (&scene, scene_edits));
    path::edit(&mut splices, bare, &fields, (scene.world.arena.origin, scene_edits));
    let edited = splices.apply(bare);
    let found = read(path_name, &edited)?;
    if wanted::same(&found, &wanted) {
        return Ok(format!("{mark}{edited}"));
    }
    let message = "the values cannot be written without changing more than them";
    let help = "write them by hand, and report this scene: it is a bug of steerbox";
    Err(vec![Fault::of_file(path_name, message).help(help)])
}

fn uses(scene: &Scene) -> impl Iterator<Item = &ScriptUse> {
    scene.groups.iter().flat_map(|group| &group.behaviors)
}
