//! Cells of a table of comma-separated values. A cell never contains a line break, so that each row is one line.

use std::borrow::Cow;
use std::fmt::Write as _;

use steerbox_core::text::number_cell;

/// Appends a text as a cell, in quotes if necessary; control characters become spaces.
pub(super) fn push_text(line: &mut String, text: &str) {
    let text: Cow<'_, str> = if text.contains(char::is_control) {
        text.replace(char::is_control, " ").into()
    } else {
        text.into()
    };
    if text.contains([',', '"']) || text.starts_with(' ') || text.ends_with(' ') {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(&text);
    }
}

/// Returns the first line of a table, with its end.
pub(super) fn header<'a>(
    variables: impl Iterator<Item = &'a str>,
    measures: impl Iterator<Item = &'a str>,
) -> String {
    let mut line = String::new();
    for name in variables.chain(["seed"]).chain(measures) {
        push_text(&mut line, name);
        line.push(',');
    }
    line.push_str("hash\n");
    line
}

/// Appends a number as a cell; nothing if there is none.
pub(super) fn push_number(line: &mut String, number: Option<f64>, is_count: bool) {
    // Writing to a string does not fail.
    let _ = number.map(|number| write!(line, "{}", number_cell(number, is_count)));
}

#[cfg(test)]
mod tests {
    use steerbox_core::text::cells;

    use super::*;

    #[test]
    fn a_row_is_one_line() {
        let text = |text: &str| {
            let mut line = String::new();
            push_text(&mut line, text);
            line
        };
        let texts = ["a b", "a,b", "say \"x\"\n", "", "error: x\ny"].map(text);
        assert_eq!(texts, ["a b", "\"a,b\"", "\"say \"\"x\"\" \"", "", "error: x y"]);
    }

    #[test]
    fn cells_are_split_as_they_were_written() {
        let texts = ["a b", "a,b", "say \"x\"", "", " ", "1.5"];
        let mut line = String::new();
        for text in texts {
            push_text(&mut line, text);
            line.push(',');
        }
        line.push('\n');
        assert_eq!(cells(&line, ','), [&texts[..], &[""]].concat());
        assert_eq!(cells("a,\"b", ','), ["a", "b"]);
    }
}
