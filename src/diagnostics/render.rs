//! A fault as people read it in a terminal.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Fault;

/// The fault with path, line, column, source line, caret and remedy, in color; whoever prints it
/// takes the color out where it is not wanted.
pub fn render(fault: &Fault) -> String {
    let title = Level::ERROR.primary_title(fault.message.as_str());
    let mut group = if fault.line == 0 {
        title.element(annotate_snippets::Origin::path(fault.path.as_str()))
    } else {
        let start = byte_of(&fault.source, fault.column.saturating_sub(1));
        let end = byte_of(&fault.source, fault.column.saturating_sub(1) + fault.width);
        let annotation = AnnotationKind::Primary.span(start..end.max(start));
        let snippet = Snippet::source(fault.source.as_str())
            .line_start(fault.line)
            .path(fault.path.as_str())
            .annotation(annotation);
        title.element(snippet)
    };
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let report: &[Group<'_>] = &[group];
    Renderer::styled().render(report)
}

/// The byte at which the `column`-th character (from 0) of a line begins.
fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices()
        .nth(column)
        .map_or(line.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_caret_and_remedy_are_shown() {
        let fault = Fault::at("a.rhai", "one\nlet é = oops;", (2, 9), "no `oops`")
            .wide(4)
            .help("say ah");
        let plain = anstream::adapter::strip_str(&render(&fault)).to_string();
        for part in [
            "error: no `oops`",
            "a.rhai:2:9",
            "let é = oops;",
            "^^^^",
            "help: say ah",
        ] {
            assert!(plain.contains(part), "{plain}");
        }
    }

    #[test]
    fn a_place_past_the_end_of_its_line_does_no_harm() {
        for column in [0, 1, 4, 900] {
            let fault = Fault::at("a.rhai", "abc", (1, column), "odd").wide(50);
            assert!(render(&fault).contains("odd"));
        }
        assert!(render(&Fault::of_file("a.rhai", "whole")).contains("whole"));
    }
}
