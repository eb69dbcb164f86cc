//! Data of the window: the state of the view, the live session, selection, log and plots. Imports no verbs.

pub(in crate::app) mod browser;
pub(in crate::app) mod dialog;
pub(in crate::app) mod faulty_files;
pub(in crate::app) mod history;
pub(in crate::app) mod live_session;
pub(in crate::app) mod log;
pub(in crate::app) mod moved_scatter;
pub(in crate::app) mod plots;
pub(in crate::app) mod reload_log;
pub(in crate::app) mod selection;
pub(in crate::app) mod unit_set;
pub(in crate::app) mod view_state;
pub(in crate::app) mod welcome;
