//! Data of the window: the state of the view, the live session, selection, log and plots.
//! Does not depend on commands, edits or the panel.

pub(crate) mod browser;
pub(crate) mod compared;
pub(crate) mod config;
pub(crate) mod counted;
pub(crate) mod dialog;
pub(crate) mod drawing;
pub(crate) mod editor;
pub(crate) mod edits;
pub(crate) mod experiments;
pub(crate) mod faulty_files;
pub(crate) mod filming;
pub mod frame_input;
pub(crate) mod handle;
pub(crate) mod history;
pub(crate) mod keyboard;
pub(crate) mod layout;
pub(crate) mod live_session;
pub(crate) mod log;
pub(crate) mod moved_scatter;
pub(crate) mod notes;
pub(crate) mod panes;
pub(crate) mod pause_when;
pub(crate) mod plots;
pub(crate) mod pointing;
pub(crate) mod question;
pub(crate) mod refill;
pub(crate) mod reload_log;
pub(crate) mod results;
pub(crate) mod search;
pub(crate) mod selection;
pub(crate) mod switch;
pub(crate) mod templates;
pub(crate) mod view_state;
pub(crate) mod welcome;
