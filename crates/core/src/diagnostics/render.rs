//! Rendering of faults for terminals.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::fault::{Fault, Severity};
use super::printable::{printable, printable_source};

/// Renders the fault with path, line, column, source line, caret and help, in color; the printer removes the color if the
/// output does not support it. A source line that exceeds `columns` is shifted so that the caret is visible; `None`
/// permits the longest excerpt.
pub fn render(fault: &Fault, columns: Option<usize>) -> String {
    let level = match fault.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let [message, path] = [&fault.message, &fault.path].map(|text| printable(text));
    let (source, help) = (printable_source(&fault.source), fault.help.as_deref().map(printable));
    let title = level.primary_title(&*message);
    let origin = Origin::path(&*path);
    let mut group = if fault.line == 0 {
        title.element(origin)
    } else {
        let start = fault.column.saturating_sub(fault.cut as usize + 1);
        let (from, to) = (byte_of(&source, start), byte_of(&source, start + fault.width));
        let annotation = AnnotationKind::Primary.span(from..to);
        let snippet = Snippet::source(&*source).line_start(fault.line).annotation(annotation);
        if fault.cut > 0 || fault.source.is_empty() {
            // For an excerpt, the renderer would count columns within the excerpt.
            let origin = origin.line(fault.line).char_column(fault.column.max(1));
            title.element(origin).element(snippet)
        } else {
            title.element(snippet.path(&*path))
        }
    };
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(&**help));
    }
    let report: &[Group<'_>] = &[group];
    let renderer = Renderer::styled();
    let renderer = columns.map_or(renderer.clone(), |columns| renderer.term_width(columns));
    renderer.render(report)
}

/// Returns the byte offset of the `column`-th character (from 0) of a line.
fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_caret_and_help_are_rendered() {
        let fault = Fault::at("a.rhai", "one\nlet é = oops;", (2, 9), "no `oops`").wide(4).help("say ah");
        let plain = anstream::adapter::strip_str(&render(&fault, None)).to_string();
        for part in ["error: no `oops`", "a.rhai:2:9", "let é = oops;", "^^^^", "help: say ah"] {
            assert!(plain.contains(part), "{plain}");
        }
    }

    #[test]
    fn caret_and_fault_are_within_the_columns_of_the_terminal() {
        let line = format!("    let {} = oops + {};", "a".repeat(70), "é + ".repeat(30));
        for columns in [20, 40, 80, 100] {
            let fault = Fault::at("a.rhai", &line, (1, line.find("oops").unwrap() + 1), "no `oops`");
            let shown = anstream::adapter::strip_str(&render(&fault, Some(columns))).to_string();
            let row = |part: &str| shown.lines().find(|row| row.contains(part)).unwrap_or_default();
            let (source, carets) = (row("oops +"), row("^^^^"));
            assert!(source.chars().count() <= columns, "{columns}: {shown}");
            let at = carets.find('^').unwrap();
            let under: String = source.chars().skip(at).take(4).collect();
            assert_eq!(under, "oops", "{shown}");
        }
    }

    #[test]
    fn a_position_past_the_end_of_its_line_is_harmless() {
        for column in [0, 1, 4, 900] {
            let fault = Fault::at("a.rhai", "abc", (1, column), "odd").wide(50);
            assert!(render(&fault, None).contains("odd"));
        }
        assert!(render(&Fault::of_file("a.rhai", "whole"), None).contains("whole"));
    }

    #[test]
    fn text_of_a_file_cannot_forge_a_line() {
        let hostile = "a\nerror: b\r\u{202e}\u{1b}[2J";
        let fault = Fault::at(hostile, "let x = \u{202e}oops;\r", (1, 9), hostile).help(hostile);
        let plain = anstream::adapter::strip_str(&render(&fault, None)).to_string();
        assert!(!plain.contains(['\r', '\u{1b}', '\u{202e}']), "{plain}");
        assert_eq!(plain.lines().filter(|line| line.starts_with("error")).count(), 1, "{plain}");
    }
}
