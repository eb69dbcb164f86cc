//! Numbers of units in a scene's text.

use steerbox_core::diagnostics::Fault;

use super::items::value;
use super::layout::Splices;
use crate::node::Node;
use crate::plan::Scene;
use crate::read::read;

/// Returns the text of a scene in which each named group has this number of units; comments and layout are preserved.
/// `path_name` is the path in messages.
///
/// # Errors
/// The faults of an invalid scene, of a name that no group has, and of a number that the scene does not permit.
pub fn with_counts(path_name: &str, text: &str, counts: &[(&str, usize)]) -> Result<String, Vec<Fault>> {
    let scene = read(path_name, text)?;
    let fields = Node::root(text).fields().unwrap_or_default();
    let groups = value(&fields, "groups").and_then(Node::items).unwrap_or_default();
    let mut splices = Splices::default();
    for (name, count) in counts {
        let at = position(&scene, name);
        let Some(fields) = at.and_then(|at| groups.get(at)?.fields()) else {
            let message = format!("there is no group {name} in this file whose units could be counted");
            return Err(vec![Fault::of_file(path_name, message)]);
        };
        if let Some(node) = value(&fields, "count") {
            splices.put(node.range(), count.to_string());
        } else if let Some(node) = value(&fields, "name") {
            let end = node.range().end;
            splices.put(end..end, format!(", count: {count}"));
        }
    }
    let changed = splices.apply(text);
    read(path_name, &changed)?;
    Ok(changed)
}

fn position(scene: &Scene, name: &str) -> Option<usize> {
    scene.groups.iter().position(|plan| plan.common.name == name && !plan.is_player)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [(name: \"a\", body: \"m\", count: 7 /* few */), (name: \"b\", body: \"m\")])";

    #[test]
    fn counts_are_replaced_or_added() {
        let text = with_counts("s.ron", SCENE, &[("b", 3), ("a", 12)]).expect("it fits");
        let expected = SCENE.replace("7 /* few */", "12 /* few */");
        assert_eq!(text, expected.replace("\"b\",", "\"b\", count: 3,"));
    }

    #[test]
    fn unknown_groups_and_numbers_beyond_the_limit_are_faults() {
        assert!(with_counts("s.ron", SCENE, &[("c", 3)]).is_err());
        assert!(with_counts("s.ron", SCENE, &[("a", usize::MAX)]).is_err());
    }
}
