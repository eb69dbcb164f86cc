//! Definition files for editors, written from the registered API itself.

use super::engine::engine;

/// File names and contents of the `.d.rhai` files that describe the API.
pub fn definitions() -> Vec<(String, String)> {
    let definitions = engine().definitions();
    definitions.iter_files().collect()
}
