//! Explanations of parse errors in which the parser expected a token and found another one.

use steerbox_core::diagnostics::line_and_column;

use super::absent::no_closures;
use super::text::{is_name, is_part_of_name, plain};
use crate::messages::words::{Explanation, explanation};

/// Explains a missing `;`: the parser stops at the next statement, but the `;` belongs at the end of the one before.
pub(crate) fn semicolon(text: &str, at: usize) -> Explanation {
    let here = line_and_column(text, at).0;
    let end = line_and_column(text, text[..at].trim_end().len()).0;
    if let Some(found) = not_a_statement(text, at) {
        return found;
    }
    let help = if end == here {
        "end what stands before it with `;`".to_owned()
    } else {
        format!("end line {end} with `;`")
    };
    explanation("a `;` is missing before this", help)
}

/// Explains a missing bracket, comma or keyword.
pub(crate) fn token(text: &str, at: usize, token: &str, purpose: &str) -> Explanation {
    let (head, rest) = (&text[..at], &text[at..]);
    let message = format!("`{token}` is missing here, {}", plain(purpose));
    let help = match token {
        ")" if rest.starts_with(',')
            && rest.split_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with("=>")) =>
        {
            return explanation("a function is declared with `fn`", "write `fn name(a, b) { … }`");
        }
        ")" if rest.starts_with(',') => {
            let message = "several values in parentheses are nothing here";
            return explanation(message, "a vector is written `vec(1.0, 2.0)`");
        }
        "," if rest.starts_with('{')
            && head.lines().next_back().is_some_and(|line| line.contains("function")) =>
        {
            return explanation("closures cannot be used here", "write a loop: `for unit in list { … }`");
        }
        "]" if rest.starts_with(':') => {
            "write `list.within(r)`, or `for i in 0..3 { let unit = list[i]; … }`"
        }
        _ if rest.starts_with(':') => {
            return explanation("types are not written here", "write `fn name(a, b) { … }`");
        }
        "," if rest.starts_with("for ") => "fill it in a loop: `for unit in list { a.push(unit.speed); }`",
        "in" => "write `for i in 0..3 { … }` or `for unit in list { … }`",
        "(" if rest.starts_with('[') => "a vector is written `vec(x, y)`, an array `[1, 2]`",
        _ => {
            return not_a_statement(text, at).unwrap_or((message, None));
        }
    };
    explanation(message, help)
}

/// Explains a missing block.
pub(crate) fn block(text: &str, at: usize) -> Explanation {
    let help = if text[at..].starts_with(':') {
        "blocks stand in braces, not behind `:`: `if … { … } else { … }`"
    } else if text[at..].starts_with(';') {
        "leave the `;` out: the block follows the condition"
    } else {
        "every branch and loop has braces: `if … { … } else { … }`"
    };
    explanation("a `{` is missing before this", help)
}

/// Returns true for two adjacent statements that are not a construct of another language.
pub(crate) fn is_two_statements(text: &str, at: usize) -> bool {
    not_a_statement(text, at).is_none()
}

/// Explains code that resembles two statements without a `;` between them but is a construct of another language.
fn not_a_statement(text: &str, at: usize) -> Option<Explanation> {
    let (head, rest) = (text[..at].trim_end(), &text[at..]);
    let found = |message: &str, help: &str| Some(explanation(message, help));
    let before = head.chars().next_back().unwrap_or(' ');
    let line = head.lines().next_back().unwrap_or_default().trim_start();
    let is_adjacent = text[..at] == *head;
    let is_one_line = !text[head.len()..at].contains('\n');
    let declared = line.strip_prefix("let ").map(str::trim);
    let casts = ["(float)", "(int)", "(double)", "(f32)"];
    if let Some(name) = rest.strip_prefix(':') {
        let declares = declared.is_some() || line.starts_with("const ");
        if is_adjacent && !declares && name.starts_with(char::is_alphabetic) {
            return found("a `:` leads to no property", "write a dot: `me.speed`");
        }
        let key = head.trim_end_matches(is_part_of_name);
        if key.trim_end().ends_with('{') {
            let help = "a map is written `#{ angle: 0.0 }`, a vector `vec(x, y)`";
            return found("braces hold statements, and no names with values", help);
        }
        let help = "a variable takes the type of its value: write `let n = 0;`";
        return found("types are not written here", help);
    }
    if rest.starts_with("=>") {
        return Some(no_closures(text, at));
    }
    if rest.starts_with('=') {
        let message = "a value is given to one variable at a time";
        return found(message, "write `b = 3; a = b;`");
    }
    if rest.starts_with(',') && declared.is_some() {
        let message = "one variable is declared at a time";
        return found(message, "write `let a = 1; let b = 2;`");
    }
    if rest.starts_with(',') {
        let help = if before.is_ascii_digit() {
            "decimals have a point, `0.5`; a vector is written `vec(1.0, 2.0)`"
        } else {
            "a vector is written `vec(1.0, 2.0)`; a statement ends with `;`"
        };
        return found("a `,` stands between arguments only", help);
    }
    if rest.starts_with('"') && is_adjacent && head.ends_with(['f', 'r', 'b', '$', '@']) {
        let help = "write values into a text between backticks: `${me.speed}`";
        return found("texts have no letter before them", help);
    }
    let called = line.strip_suffix(')').and_then(|call| call.split_once('('));
    if rest.starts_with('{') && called.is_some_and(|(name, _)| is_name(name)) {
        return Some(explanation("a function is declared with `fn`", format!("write `fn {line} {{ … }}`")));
    }
    if rest.starts_with(char::is_alphabetic) && before.is_ascii_digit() && is_adjacent {
        let help = match &rest[..rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len())] {
            "deg" | "degrees" => "angles are in radians: write `90 * PI / 180.0`",
            "rad" | "s" | "sec" | "ms" | "px" | "m" => {
                "write the number alone: units of measure are not written"
            }
            word if word.len() > 1 => "a product is written `2 * x`",
            _ => "write `1.0`; a product is written `2 * x`",
        };
        return found("numbers have no letter behind them", help);
    }
    if head.ends_with("\"\"\"") {
        return found("comments are not texts here", "a comment begins with `//`");
    }
    if rest.starts_with("if ") && is_one_line {
        let help = "write `if x > 3 { 1.0 } else { 0.0 }`";
        return found("the condition comes first", help);
    }
    if rest.starts_with("do ") && is_one_line {
        let help = "write `for unit in list { … }`";
        return found("lists are gone through with `for`", help);
    }
    if declared.is_some_and(is_name) && is_one_line {
        return found("a variable is given its value with `=`", "write `let n = 3;`");
    }
    if line.starts_with("import ") && !line.contains('"') {
        let help = "write `import \"helpers\" as h;`; functions of numbers are there already: `sin(x)`";
        return found("what is imported stands in quotes", help);
    }
    if casts.iter().any(|cast| head.ends_with(cast)) {
        let help = "write `to_float(n)` or `to_int(x)`";
        return found("values are converted by functions", help);
    }
    None
}
