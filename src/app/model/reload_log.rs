//! Reload events as lines of the log.

use super::log::{Log, Tone};
use crate::reload::{Event, Generation, News, news, trouble};

/// Adds the news of all files.
pub(in crate::app) fn tell(log: &mut Log, step: u64, events: &[Event], generation: &Generation) {
    add(log, step, news(events, generation));
}

/// Adds the news of all files but the loaded ones.
pub(in crate::app) fn tell_trouble(log: &mut Log, step: u64, events: &[Event], generation: &Generation) {
    add(log, step, trouble(events, generation));
}

fn add(log: &mut Log, step: u64, news: Vec<News>) {
    for news in news {
        match news {
            News::Loaded(text) => log.say(Tone::Good, step, text),
            News::Interpreted(text) | News::Kept(text) => log.say(Tone::Warning, step, text),
            News::Fault(fault) => log.fault(step, &fault),
        }
    }
}
