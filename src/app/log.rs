//! What the console shows: events of reloading and failures of behaviors, oldest first.

use std::collections::VecDeque;

use crate::diagnostics::Fault;
use crate::sim::Report;

/// Lines that are kept.
const KEPT: usize = 200;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// For information.
    Plain,
    /// Something went live.
    Good,
    /// Something needs a look.
    Warning,
    /// Something was rejected or failed.
    Bad,
}

/// A line, and what stands below it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) tone: Tone,
    pub(super) step: u64,
    pub(super) text: String,
    /// Source line and caret, or nothing.
    pub(super) excerpt: String,
    pub(super) help: Option<String>,
    /// The failure that this line counts: script, line and message.
    failure: Option<(String, usize, String)>,
    /// Whether it was told that the behavior rests.
    rests: bool,
    /// How often it struck.
    pub(super) count: u64,
}

/// The lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(VecDeque<Line>);

impl Log {
    /// All lines, oldest first.
    pub(super) fn lines(&self) -> impl ExactSizeIterator<Item = &Line> {
        self.0.iter()
    }

    /// Adds a line of words.
    pub(super) fn say(&mut self, tone: Tone, step: u64, text: impl Into<String>) {
        let text = text.into();
        self.push(Line {
            tone,
            step,
            text,
            excerpt: String::new(),
            help: None,
            failure: None,
            rests: false,
            count: 1,
        });
    }

    /// Adds a fault with its source line.
    pub(super) fn fault(&mut self, step: u64, verdict: &str, fault: &Fault) {
        self.push(Line {
            tone: Tone::Bad,
            step,
            text: format!("{} {verdict}", fault.summary()),
            excerpt: fault.excerpt(),
            help: fault.help.clone(),
            failure: None,
            rests: false,
            count: 1,
        });
    }

    /// Counts a failure in the line that tells of it, or begins one.
    pub(super) fn report(&mut self, report: &Report, fault: impl FnOnce() -> Fault) {
        let key = (
            report.script.clone(),
            report.failure.line,
            report.failure.message.clone(),
        );
        if let Some(line) = self
            .0
            .iter_mut()
            .rev()
            .find(|line| line.failure.as_ref() == Some(&key))
        {
            line.count = report.count;
            if let Some(rest) = report.rests.filter(|_| !line.rests) {
                line.rests = true;
                let text = format!(
                    "{} rests until its next save: {}",
                    report.script,
                    rest.reason()
                );
                self.say(Tone::Bad, report.last_step, text);
            }
            return;
        }
        let fault = fault();
        let rests = report.rests.map_or(String::new(), |rest| {
            format!("; it rests until its next save: {}", rest.reason())
        });
        self.push(Line {
            tone: Tone::Bad,
            step: report.first_step,
            text: format!("{} (unit {}){rests}", fault.summary(), report.unit),
            excerpt: fault.excerpt(),
            help: fault.help,
            failure: Some(key),
            rests: report.rests.is_some(),
            count: report.count,
        });
    }

    /// Lets the failures of a script begin anew, because another version of it runs.
    pub(super) fn close_reports(&mut self, script: &str) {
        for line in &mut self.0 {
            if line
                .failure
                .as_ref()
                .is_some_and(|(known, ..)| known == script)
            {
                line.failure = None;
            }
        }
    }

    fn push(&mut self, line: Line) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(line);
    }
}
