//! Data of the window: the state of the view, the live session, selection, log and plots. Imports no verbs.

pub(in crate::app) mod browser;
pub(in crate::app) mod compared;
pub(in crate::app) mod config;
pub(in crate::app) mod counted;
pub(in crate::app) mod dialog;
pub(in crate::app) mod drags;
pub(in crate::app) mod drawing;
pub(in crate::app) mod edits;
pub(in crate::app) mod faulty_files;
pub(in crate::app) mod history;
pub(in crate::app) mod keyboard;
pub(in crate::app) mod layout;
pub(in crate::app) mod live_session;
pub(in crate::app) mod log;
pub(in crate::app) mod moved_scatter;
pub(in crate::app) mod pause_when;
pub(in crate::app) mod plots;
pub(in crate::app) mod pointing;
pub(in crate::app) mod question;
pub(in crate::app) mod refill;
pub(in crate::app) mod reload_log;
pub(in crate::app) mod search;
pub(in crate::app) mod selection;
pub(in crate::app) mod unit_set;
pub(in crate::app) mod view_state;
pub(in crate::app) mod welcome;
