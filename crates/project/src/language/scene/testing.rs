//! Scenes for tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::language::document::Document;
use crate::language::workspace::Workspace;

/// Returns a scene of this text.
pub(super) fn document(name: &str, text: &str) -> Document {
    Document::new(&Path::new("/p/scenes").join(name), text.into()).expect("a scene")
}

/// Returns a workspace with a scene, in which `|` marks a place, and a script; and that place.
pub(super) fn workspace(marked: &str) -> (Workspace, Arc<Document>, usize) {
    const SCRIPT: &str = "//! Goes to and fro.\n//! Slowly.\nconst SPEED = param(1.0, 0.0, 2.0);\n\
        const FORM = param(\"push\", [\"push\", \"steer\"]);\n\
        fn steer(me, world) { me.mark(\"tired\"); me.heading * SPEED }\n";
    let at = marked.find('|').unwrap_or(0);
    let path = PathBuf::from("/p/scenes/a.ron");
    let mut workspace = Workspace::default();
    assert!(workspace.set_buffer(&path, marked.replacen('|', "", 1).into()));
    assert!(workspace.set_buffer(Path::new("/p/scripts/pendulum.rhai"), SCRIPT.into()));
    let document = Arc::clone(workspace.document(&path).expect("the scene"));
    (workspace, document, at)
}
