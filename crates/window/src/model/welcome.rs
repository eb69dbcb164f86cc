//! The card of the first start: three lines that lead to the first change of a rule.

use std::path::Path;

use super::live_session::LiveSession;

/// The scene of the first start, and the script that the card refers to.
const SCENE: &str = "flock.ron";
pub(crate) const SCRIPT: &str = "cohesion.rhai";

/// The lines of the card; `None` in other scenes, and in one that does not run the script.
pub(crate) fn lines(session: &LiveSession) -> Option<[&'static str; 3]> {
    let newest = session.run.newest();
    let is_default = Path::new(&newest.scene.path).file_name().is_some_and(|name| name == SCENE);
    let runs_script = newest.files.iter().any(|file| file.path == SCRIPT && file.used);
    (is_default && runs_script).then_some([
        "Open the rule cohesion",
        "In line 21, put a minus before the bracket: let way = -(middle - me.position)…",
        "Press Ctrl+Enter: every unit continues from where it is, by the new rule",
    ])
}
