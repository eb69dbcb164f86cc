//! Other words by which the list of commands finds a command.

/// Commands of the window by their names, and their synonyms.
#[rustfmt::skip]
const SYNONYMS: &[(&str, &[&str])] = &[
    ("Pause or resume", &["stop", "play", "continue", "freeze"]),
    ("Step forward", &["next step", "single step"]),
    ("Step back", &["previous step", "rewind"]),
    ("Play backwards", &["reverse", "rewind"]),
    ("Restart", &["reset the run", "start again", "reload"]),
    ("Speed up", &["faster"]),
    ("Slow down", &["slower", "slow motion"]),
    ("Fit the world in the window", &["zoom out", "center", "reset the view", "camera"]),
    ("Follow the selected unit", &["track", "camera"]),
    ("Show or hide trails", &["traces", "tracks"]),
    ("Show or hide velocity and force of all units", &["arrows", "vectors"]),
    ("Color units by the next quantity", &["colour", "heat map"]),
    ("Switch the preview on or off", &["prediction", "future"]),
    ("Compare side by side", &["a/b", "split view", "two runs"]),
    ("Show or hide plots", &["graphs", "charts", "diagrams", "statistics", "figures"]),
    ("Save plots as CSV", &["export plots", "table", "spreadsheet"]),
    ("Show or hide the cost by rule", &["profile", "performance", "timing"]),
    ("Find a unit by its number", &["search for a unit", "go to a unit"]),
    ("Remove the selection", &["delete", "erase"]),
    ("Duplicate the selection", &["copy", "clone"]),
    ("Add a unit at the pointer", &["insert a unit", "new unit", "spawn"]),
    ("Add a circle at the pointer", &["obstacle", "ball", "disc"]),
    ("Add a box at the pointer", &["obstacle", "rectangle", "wall"]),
    ("Add a capsule at the pointer", &["obstacle", "wall"]),
    ("Draw a polygon", &["obstacle", "shape"]),
    ("Draw a path", &["route", "waypoints"]),
    ("Run the text", &["draft", "apply", "execute"]),
    ("Switch live editing on or off", &["hot reload", "run automatically"]),
    ("Save the text", &["write the file"]),
    ("Run the saved text", &["end the draft"]),
    ("Return to the saved text", &["revert", "discard changes"]),
    ("Show or hide the changes to the saved text", &["diff", "differences"]),
    ("Complete the word", &["autocomplete", "suggestions"]),
    ("Fix or change what is at the cursor", &["quick fix", "refactor", "make parameter", "extract function"]),
    ("Go to the definition", &["jump to the definition", "declaration"]),
    ("Rename what is at the cursor", &["refactor"]),
    ("Find in the text", &["search"]),
    ("Replace in the text", &["substitute"]),
    ("Save picture", &["screenshot", "image", "png", "export"]),
    ("SVG of this frame", &["vector graphics", "export"]),
    ("Save state", &["checkpoint"]),
    ("Save replay", &["export"]),
    ("Export page", &["html", "web page", "browser"]),
    ("Record", &["film", "movie", "capture", "mp4"]),
    ("GIF of the last 10 s", &["animation", "clip", "export"]),
    ("Video of the last 10 s", &["film", "movie", "clip", "mp4", "export"]),
    ("Copy the command line", &["terminal", "clipboard", "share"]),
    ("Open another scene", &["load", "browse", "examples", "gallery"]),
    ("Save to scene", &["write values", "apply values"]),
    ("Snapshots …", &["presets"]),
    ("Undo", &["revert"]),
    ("Redo", &["repeat"]),
    ("Reset the layout", &["panes", "docks"]),
    ("Show or hide the log", &["console", "messages", "errors", "output"]),
    ("Switch between dark and light", &["theme", "colors", "dark mode", "light mode", "night", "appearance", "paper"]),
    ("Enlarge everything", &["zoom", "scale", "font size", "bigger"]),
    ("Shrink everything", &["zoom", "scale", "font size", "smaller"]),
    ("Reset the size of everything", &["zoom", "scale", "font size"]),
    ("Full screen", &["fullscreen", "maximize"]),
    ("Fill the window with the world", &["presentation", "hide the panel"]),
    ("Close or deselect", &["escape", "cancel"]),
    ("Keys and mouse", &["help", "shortcuts", "hotkeys", "controls"]),
];

/// True if a synonym of a command, by its name, begins with typed letters.
pub(super) fn is_synonym(typed: &str, name: &str) -> bool {
    let typed = typed.trim().to_lowercase();
    let mut synonyms = SYNONYMS.iter().filter(|(of, _)| *of == name).flat_map(|(_, synonyms)| *synonyms);
    !typed.is_empty() && synonyms.any(|synonym| synonym.starts_with(&typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::keys;

    #[test]
    fn each_row_is_a_command_of_the_window() {
        for (name, synonyms) in SYNONYMS {
            let rows = SYNONYMS.iter().filter(|(other, _)| other == name).count();
            assert!(rows == 1 && keys::commands().any(|command| command.name == *name), "{name}");
            assert!(synonyms.iter().all(|synonym| *synonym == synonym.to_lowercase()), "{name}");
        }
        let dark = "Switch between dark and light";
        assert!(is_synonym("Theme", dark) && is_synonym("dark mo", dark) && !is_synonym("", dark));
        assert!(!is_synonym("theme", "Restart"));
    }
}
