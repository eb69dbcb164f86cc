//! Reload events as lines of the log.

use steerbox_project::reload::{Event, Generation, News, trouble};

use super::log::{Log, Tone};

/// Logs the lines about a reload.
pub(crate) fn log_news(log: &mut Log, step: u64, news: Vec<News>) {
    add(log, step, news);
}

/// Logs the events of all files but the loaded ones.
pub(crate) fn log_failures(log: &mut Log, step: u64, events: &[Event], generation: &Generation) {
    add(log, step, trouble(events, generation));
}

fn add(log: &mut Log, step: u64, news: Vec<News>) {
    for news in news {
        match news {
            News::Loaded(text) => log.add(Tone::Good, step, text),
            News::World(text) => log.add(Tone::Plain, step, text),
            News::Interpreted(text) | News::Kept(text) | News::Dropped(text) => {
                log.add(Tone::Warning, step, text);
            }
            News::Fault(fault) => log.fault(step, &fault),
        }
    }
}
