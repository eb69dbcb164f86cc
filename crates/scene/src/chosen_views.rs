//! Views that the user chose for groups: as for tuned values, each stays until the view of the group in the file changes.

use steerbox_core::world::{NamedView, World};

use super::{lineage, plan::Scene};

/// The name of a view, or none.
type Name<'a> = Option<&'a str>;

/// Applies the views that were chosen in `running` to `world`, which was built from `new`. Returns a note for each that is
/// dropped.
pub(super) fn apply_chosen_views(
    old: &Scene,
    new: &Scene,
    running: &World,
    world: &mut World,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (plan, before) in new.groups.iter().zip(lineage::groups(old, new)) {
        let name = plan.common.name.as_str();
        let was = before.map(|before| &old.groups[before]);
        let live = was.and_then(|was| running.groups.iter().find(|live| live.name == was.common.name));
        let group = world.groups.iter_mut().find(|group| group.name == name);
        let (Some(was), Some(live), Some(group)) = (was, live, group) else { continue };
        let before = view_name(&old.world.views, was.common.view);
        let file = view_name(&new.world.views, plan.common.view);
        let chosen = view_name(&running.views, live.view);
        if chosen == before || chosen == file {
            continue;
        }
        let found = new.world.views.iter().position(|view| Some(view.name.as_str()) == chosen);
        if before == file && (found.is_some() || chosen.is_none()) {
            group.view = found;
            continue;
        }
        let words = |name: Name<'_>| name.map_or("no view".to_owned(), |name| format!("view {name}"));
        notes.push(format!("{name} has {} instead of the chosen {}", words(file), words(chosen)));
    }
    notes
}

fn view_name(views: &[NamedView], at: Option<usize>) -> Name<'_> {
    views.get(at?).map(|view| view.name.as_str())
}
