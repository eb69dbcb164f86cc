//! The log: reload events and failures of behaviors, oldest first.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};

use steerbox_core::diagnostics::{Fault, Severity, printable, printable_source};
use steerbox_core::sim::{Failure, Report, SuspendReason};
use steerbox_core::world::Clock;

/// Maximum number of lines that are stored.
const MAX_LINES: usize = 200;

/// The severity of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// For information.
    Plain,
    /// Success, such as a reloaded file.
    Good,
    /// A warning.
    Warning,
    /// A rejection or a failure.
    Bad,
}

/// A place in a file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePlace {
    /// The file's name.
    pub(crate) file: String,
    /// From 1; 0 means the file as a whole.
    pub(crate) line: usize,
    /// From 1; 0 means the line as a whole.
    pub(crate) column: usize,
}

/// A line, with the source line and the help below it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) tone: Tone,
    pub(crate) step: u64,
    /// Simulated seconds up to its step.
    pub(crate) seconds: f64,
    pub(crate) text: String,
    /// The faulty source line, or nothing.
    pub(crate) source: String,
    /// The range of its faulty characters.
    pub(crate) under: Range<usize>,
    pub(crate) help: Option<String>,
    /// The place of the fault.
    pub(crate) place: Option<FilePlace>,
    /// The unit for which it was reported.
    pub(crate) unit: Option<usize>,
    /// The folder of a file that was written.
    pub(crate) folder: Option<PathBuf>,
    /// The failure of a behavior that this line counts.
    failure: Option<Counted>,
    /// Number of times that it was reported.
    times: u64,
}

/// A failure with its count, summed over all groups.
#[derive(Clone, Debug, PartialEq)]
struct Counted {
    script: String,
    failure: Failure,
    /// Number of failures by group.
    counts: Vec<(usize, u64)>,
    /// True if the suspension of the behavior is reported.
    suspended: bool,
}

impl Counted {
    fn set(&mut self, group: usize, count: u64) {
        match self.counts.iter_mut().find(|(known, _)| *known == group) {
            Some((_, known)) => *known = count,
            None => self.counts.push((group, count)),
        }
    }
}

impl Line {
    fn new(tone: Tone, step: u64, text: String) -> Self {
        Self {
            tone,
            step,
            seconds: 0.0,
            text,
            source: String::new(),
            under: 0..0,
            help: None,
            place: None,
            unit: None,
            folder: None,
            failure: None,
            times: 1,
        }
    }

    fn of_fault(tone: Tone, step: u64, text: String, fault: &Fault) -> Self {
        Self {
            source: fault.source.to_string(),
            under: fault.underlined(),
            help: fault.help.clone(),
            place: Some(FilePlace { file: fault.path.clone(), line: fault.line, column: fault.column }),
            ..Self::new(tone, step, text)
        }
    }

    /// Number of times that it happened.
    pub(crate) fn count(&self) -> u64 {
        let counts = self.failure.as_ref().map(|counted| &counted.counts);
        counts.map_or(self.times, |counts| counts.iter().map(|(_, count)| count).sum())
    }

    fn has_same_text(&self, other: &Self) -> bool {
        let words = |line: &Self| (line.text.clone(), line.source.clone());
        let counts = self.failure.is_some() || other.failure.is_some();
        !counts && self.tone == other.tone && words(self) == words(other)
    }
}

/// The log, at most `MAX_LINES` lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    lines: VecDeque<Line>,
    /// The durations of the steps of the run.
    pub(crate) clock: Clock,
    /// True if there was an error since errors were last dismissed.
    has_open_errors: bool,
}

impl Log {
    /// All lines, oldest first.
    pub(crate) fn lines(&self) -> impl ExactSizeIterator<Item = &Line> {
        self.lines.iter()
    }

    /// True while there are errors that are not dismissed.
    pub(crate) fn has_open_errors(&self) -> bool {
        self.has_open_errors
    }

    /// Dismisses all errors but failures that are still counted.
    pub(crate) fn settle(&mut self) {
        self.has_open_errors = self.lines.iter().any(|line| line.failure.is_some());
    }

    /// Adds a line about a written file; a click on the line opens the folder.
    pub(crate) fn add_written(&mut self, step: u64, path: &Path) {
        let folder = path.parent().map(Path::to_path_buf);
        let text = format!("wrote {}", path.display());
        self.push(Line { folder, ..Line::new(Tone::Good, step, text) });
    }

    /// Adds a line of text.
    pub(crate) fn add(&mut self, tone: Tone, step: u64, text: impl Into<String>) {
        self.push(Line::new(tone, step, text.into()));
    }

    /// Adds a line of text, unless it equals the last one.
    pub(crate) fn add_once(&mut self, tone: Tone, step: u64, text: &str) {
        if self.lines.back().is_none_or(|last| last.text != text) {
            self.add(tone, step, text);
        }
    }

    /// Adds a fault with its source line.
    pub(crate) fn fault(&mut self, step: u64, fault: &Fault) {
        let tone = match fault.severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Warning,
        };
        self.push(Line::of_fault(tone, step, fault.summary(), fault));
    }

    /// Counts a failure in its line, or adds one.
    pub(crate) fn report(&mut self, report: &Report, fault: impl FnOnce() -> Fault) {
        let (script, suspended) = (&report.script, report.suspended);
        let mut known = self.lines.iter_mut().rev().filter_map(|line| line.failure.as_mut());
        let known =
            known.find(|known| known.script == *script && known.failure.has_cause_of(&report.failure));
        if let Some(known) = known {
            known.set(report.group, report.count);
            if let Some(rest) = suspended.filter(|_| !known.suspended) {
                known.suspended = true;
                let text = format!("{script} {}", switched_off(rest));
                self.add(Tone::Bad, report.last_step, text);
            }
            return;
        }
        let fault = fault();
        let rest = suspended.map_or(String::new(), |rest| format!("; {script} {}", switched_off(rest)));
        let text = format!("{} (unit {}){rest}", fault.summary(), report.unit);
        self.push(Line {
            failure: Some(Counted {
                script: script.clone(),
                failure: report.failure.clone(),
                counts: vec![(report.group, report.count)],
                suspended: suspended.is_some(),
            }),
            unit: Some(report.unit),
            ..Line::of_fault(Tone::Bad, report.first_step, text, &fault)
        });
    }

    /// Ends the counts of a script's failures, since another version of it runs.
    pub(crate) fn close_reports(&mut self, script: &str) {
        for line in &mut self.lines {
            if line.failure.as_ref().is_some_and(|known| known.script == script) {
                line.times = line.count();
                line.failure = None;
            }
        }
    }

    /// Adds a line, whose texts may come from files.
    fn push(&mut self, mut line: Line) {
        self.has_open_errors |= line.tone == Tone::Bad;
        line.seconds = self.clock.seconds_after(line.step);
        line.text = printable(&line.text).into_owned();
        line.source = printable_source(&line.source).into_owned();
        line.help = line.help.map(|help| printable(&help).into_owned());
        if let Some(last) = self.lines.back_mut().filter(|last| last.has_same_text(&line)) {
            last.times += 1;
            (last.step, last.seconds) = (line.step, line.seconds);
            return;
        }
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

/// The message that a behavior is suspended, with the reason unless its failure states it.
fn switched_off(reason: SuspendReason) -> String {
    let off = "is suspended until the next save";
    match reason {
        SuspendReason::Exhausted => off.to_owned(),
        SuspendReason::Failing => format!("{off}: {}", reason.reason()),
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::World;

    use super::*;

    fn report(group: usize, message: &str, count: u64, suspended: Option<SuspendReason>) -> Report {
        Report {
            group,
            script: "a".to_owned(),
            unit: 3,
            failure: Failure {
                line: 4,
                column: 2,
                message: message.to_owned(),
                help: None,
                file: None,
                exhausted: false,
            },
            count,
            first_step: 9,
            last_step: 10,
            suspended,
        }
    }

    #[test]
    fn a_line_retains_its_time_when_the_step_changes() {
        let mut world = World { step: 0.5, steps: 8, ..World::default() };
        let mut log = Log { clock: world.clock(), ..Log::default() };
        log.add(Tone::Plain, 8, "first");
        world.set_step(0.25);
        world.steps += 8;
        log.clock = world.clock();
        log.add(Tone::Plain, 16, "second");
        log.clock = World::default().clock();
        let times: Vec<_> = log.lines().map(|line| line.seconds).collect();
        assert_eq!(times, [4.0, 6.0]);
    }

    fn logged(log: &Log) -> Vec<(&str, u64)> {
        let lines = log.lines();
        lines.map(|line| (line.text.as_str(), line.count())).collect()
    }

    #[test]
    fn repeated_failures_are_counted_in_one_line_until_the_script_is_replaced() {
        let mut log = Log::default();
        let fault = || Fault::of_file("a.rhai", "failed");
        log.report(&report(0, "a list of 1", 5, None), fault);
        log.report(&report(0, "a list of 2", 7, None), fault);
        log.report(&report(1, "a list of 3", 2, None), fault);
        assert_eq!(logged(&log), [("a.rhai: failed (unit 3)", 9)]);
        log.report(&report(1, "a list of 3", 2, Some(SuspendReason::Exhausted)), fault);
        log.report(&report(1, "a list of 3", 2, Some(SuspendReason::Exhausted)), fault);
        let off = ("a is suspended until the next save", 1);
        assert_eq!(logged(&log)[1..], [off]);
        log.close_reports("a");
        log.report(&report(0, "a list of 1", 1, Some(SuspendReason::Exhausted)), fault);
        let again = "a.rhai: failed (unit 3); a is suspended until the next save";
        assert_eq!(logged(&log)[2..], [(again, 1)]);
        assert_eq!(logged(&log)[0].1, 9);
    }

    #[test]
    fn a_written_file_is_named_with_its_folder_which_a_click_opens() {
        let mut log = Log::default();
        log.add_written(3, Path::new("/home/me/flock-plots-1.csv"));
        let line = log.lines().next().unwrap();
        assert_eq!(line.text, "wrote /home/me/flock-plots-1.csv");
        assert_eq!(line.folder.as_deref(), Some(Path::new("/home/me")));
        assert!(!log.has_open_errors());
        log.add(Tone::Bad, 4, "cannot write");
        assert!(log.has_open_errors());
        log.settle();
        assert!(!log.has_open_errors());
    }

    #[test]
    fn a_repeated_message_is_counted() {
        let mut log = Log::default();
        for text in ["one", "one", "two", "one"] {
            log.add(Tone::Plain, 0, text);
        }
        assert_eq!(logged(&log), [("one", 2), ("two", 1), ("one", 1)]);
    }

    #[test]
    fn line_breaks_in_texts_of_files_are_replaced() {
        let mut log = Log::default();
        log.add(Tone::Plain, 0, "a\nb\u{202e}");
        log.fault(0, &Fault::at("a\r.rhai", "x = \u{202e}y;", (1, 5), "odd\nerror").help("say\nah"));
        let lines: Vec<_> =
            log.lines().map(|line| (&*line.text, &*line.source, line.help.as_deref())).collect();
        let fault = ("a␍.rhai:1:5: odd␊error", "x = \u{fffd}y;", Some("say␊ah"));
        assert_eq!(lines, [("a␊b\u{fffd}", "", None), fault]);
    }
}
