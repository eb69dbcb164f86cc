//! Commands: actions, keys, the list of all commands, their execution and their undo.

pub(crate) mod action;
mod external_editor;
pub(crate) mod keyboard;
pub(crate) mod keys;
pub(crate) mod palette;
pub(crate) mod scene_keys;
pub(crate) mod session_actions;
mod shortcut;
mod synonyms;
pub(crate) mod undo;
pub(crate) mod view_actions;
mod window_command;
