//! Commands: actions, keys, the list of all commands, their execution and their undo.

pub(in crate::app) mod action;
pub(in crate::app) mod keyboard;
pub(in crate::app) mod keys;
pub(in crate::app) mod palette;
pub(in crate::app) mod scene_keys;
pub(in crate::app) mod session_actions;
pub(in crate::app) mod undo;
pub(in crate::app) mod view_actions;
