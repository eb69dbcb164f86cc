//! Live values of the window: hints, lenses, additions to hovers, failures.

use std::fmt::Write as _;
use std::path::Path;

use gen_lsp_types::{
    CodeLens, CodeLensParams, Command, Diagnostic, DiagnosticSeverity, InlayHint, InlayHintParams, Message,
    Position, Tooltip,
};
use serde_json::json;
use steerbox_project::language::DocumentKind;
use steerbox_project::link::{Failing, ScriptUse, State};

use super::lines::Lines;
use super::markup::markdown;
use super::snapshot::{Snapshot, Text};

/// Maximum length of a hint, characters.
const HINT: usize = 72;

/// Answers `textDocument/inlayHint`: the values of the selected unit, at the ends of their lines.
pub(super) fn hints(snapshot: &Snapshot, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let text = snapshot.text(&params.text_document)?;
    let state = snapshot.live.as_deref()?;
    let mut files = state.files.iter();
    let file = files.find(|file| text.path() == Path::new(&file.path))?;
    let wanted = params.range.start.line..=params.range.end.line;
    let hints = file.values.iter().filter_map(|value| {
        let line = shown_line(&text.lines, (value.line, &value.text), file.lines)?;
        let end = Position { line, character: u32::MAX };
        let position = text.lines.position(text.byte(end));
        wanted.contains(&line).then(|| hint(position, state, &value.values))
    });
    Some(hints.collect())
}

fn hint(position: Position, state: &State, values: &[String]) -> InlayHint {
    let all = values.join("; ");
    let mut label: String = all.chars().take(HINT).collect();
    if label.len() < all.len() {
        label.push('…');
    }
    let unit = state.unit.as_ref();
    let unit = unit.map(|unit| format!("Unit {} of {} in step {}", unit.index, unit.group, state.step));
    InlayHint {
        position,
        label: label.into(),
        tooltip: unit.map(|unit| {
            Tooltip::MarkupContent(markdown(&format!("{unit}\n\n    {}", values.join("\n    "))))
        }),
        padding_left: Some(true),
        kind: None,
        text_edits: None,
        padding_right: None,
        data: None,
    }
}

/// Returns the line of a document, from 0, that shows a line of the text that runs: the same line if it is still there, or
/// at the same distance from the end; `None` if it changed.
fn shown_line(lines: &Lines<'_>, (line, text): (usize, &str), count: usize) -> Option<u32> {
    let from_start = line.checked_sub(1)?;
    let from_end = (lines.count() + from_start).checked_sub(count);
    let shows = |at: &usize| lines.line(*at as u32).is_some_and(|shown| shown.trim_end() == text.trim_end());
    [Some(from_start), from_end].into_iter().flatten().find(shows).map(|at| at as u32)
}

/// Answers `textDocument/codeLens`: the uses of a script above its `fn steer`.
pub(super) fn lenses(snapshot: &Snapshot, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    let text = snapshot.text(&params.text_document)?;
    let state = snapshot.live.as_deref()?;
    let at = text.document.text.find("fn steer")?;
    let position = text.lines.position(at);
    let range = gen_lsp_types::Range { start: position, end: position };
    let lens = |command| CodeLens { range, command: Some(command), data: None };
    let used: Vec<_> = uses(state, &text).collect();
    if used.is_empty() {
        return Some(Vec::new());
    }
    let (title, name) =
        if state.paused { ("Resume", "steerbox.resume") } else { ("Pause", "steerbox.pause") };
    let pause = command(title.to_owned(), name, Vec::new());
    let uses = used.into_iter().map(|used| {
        command(
            words(used),
            "steerbox.selectUnit",
            used.units.1.map(|unit| json!(unit)).into_iter().collect(),
        )
    });
    Some(uses.chain([pause]).map(lens).collect())
}

fn command(title: String, command: &str, arguments: Vec<serde_json::Value>) -> Command {
    Command { title, tooltip: None, command: command.to_owned(), arguments: Some(arguments) }
}

fn uses<'a>(state: &'a State, text: &Text<'a>) -> impl Iterator<Item = &'a ScriptUse> {
    let path = text.document.path.as_path();
    state.uses.iter().filter(move |used| used.path.as_ref().is_some_and(|of| path == of))
}

/// Describes the use of a script by a group.
fn words(used: &ScriptUse) -> String {
    let mut words = format!("{}: {} units", used.group, used.units.0);
    if !used.enabled {
        return words + ", switched off";
    }
    if let Some(nanoseconds) = used.nanoseconds {
        let _ = write!(words, ", {nanoseconds} ns per unit");
    }
    match (&used.reason, used.is_native) {
        (None, true) => words + ", machine code",
        (None, false) => words + ", interpreted",
        (Some(reason), _) => words + ", " + reason.as_str(),
    }
}

/// Returns the present values of a parameter of a script, as Markdown.
pub(super) fn values_of(snapshot: &Snapshot, text: &Text<'_>, name: &str) -> Option<String> {
    let state = snapshot.live.as_deref().filter(|_| text.document.kind == DocumentKind::Script)?;
    let values: Vec<_> = uses(state, text)
        .filter_map(|used| {
            let param = used.params.iter().find(|param| param.name == name)?;
            let tuned = if param.is_tuned { " (tuned)" } else { "" };
            Some(format!("- {}: {}{tuned}", used.group, param.value))
        })
        .collect();
    (!values.is_empty()).then(|| format!("Now:\n{}", values.join("\n")))
}

/// Returns the failures of a running script as faults of its text.
pub(super) fn failures(snapshot: &Snapshot, text: &Text<'_>) -> Vec<Diagnostic> {
    let Some(state) = &snapshot.live else { return Vec::new() };
    let failing = state.failing.iter().filter(|failing| text.path() == Path::new(&failing.path));
    failing.filter_map(|failing| failure(text, failing)).collect()
}

fn failure(text: &Text<'_>, failing: &Failing) -> Option<Diagnostic> {
    let (line, column) = failing.place;
    let line = if line == 0 { 0 } else { shown_line(&text.lines, (line, &failing.text), failing.lines)? };
    let content = text.lines.line(line).unwrap_or_default();
    let start = content.char_indices().nth(column.saturating_sub(1)).map_or(0, |(at, _)| at);
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let length = content[start..].find(|letter| !is_word(letter)).unwrap_or(content.len() - start);
    let base = text.byte(Position { line, character: 0 });
    let end = if column == 0 { content.len() } else { start + length };
    let (unit, group, step) = &failing.first;
    Some(Diagnostic {
        range: text.range(&(base + start..base + end.max(start + 1).min(content.len()))),
        severity: Some(DiagnosticSeverity::Error),
        source: Some("steerbox run".to_owned()),
        message: Message::String(format!(
            "{} (first: unit {unit} of {group} in step {step})",
            failing.message
        )),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_lines_through_edits() {
        let shown = |text: &str, line: usize, of: &str| shown_line(&Lines::new(text), (line, of), 3);
        assert_eq!(shown("a\nb\nc", 2, "b"), Some(1));
        assert_eq!(shown("a\nnew\nb\r\nc", 2, "b"), Some(2), "from the end");
        assert_eq!(shown("a\nb\nnew\nc", 2, "b"), Some(1), "from the start");
        assert_eq!(shown("a\nchanged\nc", 2, "b"), None);
        assert_eq!(shown("", 3, "c"), None);
        assert_eq!(shown("a", 0, "a"), None);
    }
}
