//! What the parser misses where it stops, and what stands there instead.

use super::syntax::plain;
use crate::diagnostics::line_and_column;

/// A cause and, if one is known, a remedy.
type Cause = (String, Option<String>);

/// A `;` is missed where the next statement begins; it belongs at the end of the one before.
pub(super) fn semicolon(text: &str, at: usize) -> Cause {
    let (here, end) = (
        line_and_column(text, at).0,
        line_and_column(text, text[..at].trim_end().len()).0,
    );
    if let Some((message, help)) = not_a_statement(text, at) {
        return (message.to_owned(), Some(help.to_owned()));
    }
    let help = if end == here {
        "end what stands before it with `;`".to_owned()
    } else {
        format!("end line {end} with `;`")
    };
    ("a `;` is missing before this".to_owned(), Some(help))
}

/// Where brackets, commas or words are missed.
pub(super) fn token(text: &str, at: usize, token: &str, purpose: &str) -> Cause {
    let (head, rest) = (&text[..at], &text[at..]);
    let help = match token {
        ")" if rest.starts_with(',') => {
            let help = "a vector is written `vec(1.0, 2.0)`";
            return (
                "several values in parentheses are nothing here".to_owned(),
                Some(help.to_owned()),
            );
        }
        "," if rest.starts_with('"') && head.ends_with(['f', 'r']) => {
            let help = "write values into a text between backticks: `${me.speed}`";
            return (
                "texts have no letter before them".to_owned(),
                Some(help.to_owned()),
            );
        }
        "]" if rest.starts_with(':') => {
            "write `list.within(r)`, or `for i in 0..3 { let unit = list[i]; … }`"
        }
        _ if rest.starts_with(':') => "types are not written here: `fn name(a, b) { … }`",
        "," if rest.starts_with("for ") => {
            "fill it in a loop: `for unit in list { a.push(unit.speed); }`"
        }
        "in" => "write `for i in 0..3 { … }` or `for unit in list { … }`",
        "(" if rest.starts_with('[') => "a vector is written `vec(x, y)`, an array `[1, 2]`",
        _ => match not_a_statement(text, at) {
            Some((message, help)) => return (message.to_owned(), Some(help.to_owned())),
            None => {
                return (
                    format!("`{token}` is missing here, {}", plain(purpose)),
                    None,
                );
            }
        },
    };
    let message = format!("`{token}` is missing here, {}", plain(purpose));
    (message, Some(help.to_owned()))
}

/// Where a block has to begin and something else stands.
pub(super) fn block(text: &str, at: usize) -> Cause {
    let rest = &text[at..];
    let help = if rest.starts_with(':') {
        "blocks stand in braces, not behind `:`: `if … { … } else { … }`"
    } else if rest.starts_with(';') {
        "leave the `;` out: the block follows the condition"
    } else {
        "every branch and loop has braces: `if … { … } else { … }`"
    };
    (
        "a `{` is missing before this".to_owned(),
        Some(help.to_owned()),
    )
}

/// What looks like two statements without a `;` between them, and is something else.
fn not_a_statement(text: &str, at: usize) -> Option<(&'static str, &'static str)> {
    let (head, rest) = (text[..at].trim_end(), &text[at..]);
    let is_map = || {
        let name = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        name.trim_end().ends_with('{')
    };
    let before = head.chars().next_back().unwrap_or(' ');
    let line = head.lines().next_back().unwrap_or_default().trim_start();
    let is_adjacent = text[..at] == *head;
    let declares = line.starts_with("let ") || line.starts_with("const ");
    let asked = rest.strip_prefix(':').filter(|_| is_adjacent && !declares);
    if asked.is_some_and(|name| name.starts_with(char::is_alphabetic)) {
        return Some(("a `:` leads to no property", "write a dot: `me.speed`"));
    }
    if rest.starts_with(':') && is_map() {
        let help = "a map is written `#{ angle: 0.0 }`, a vector `vec(x, y)`";
        return Some(("braces hold statements, and no names with values", help));
    }
    if rest.starts_with(':') {
        let help = "a variable takes the type of its value: write `let n = 0;`";
        return Some(("types are not written here", help));
    }
    if rest.starts_with("=>") {
        let help = "declare a function at the top of the file: `fn far(unit) { … }`";
        return Some(("closures are not supported", help));
    }
    if rest.starts_with('=') {
        return Some((
            "a value is given to one variable at a time",
            "write `b = 3; a = b;`",
        ));
    }
    if rest.starts_with(',') && line.starts_with("let ") {
        return Some((
            "one variable is declared at a time",
            "write `let a = 1; let b = 2;`",
        ));
    }
    if rest.starts_with(',') && before.is_ascii_digit() {
        let help = "decimals have a point, `0.5`; a vector is written `vec(1.0, 2.0)`";
        return Some(("a `,` stands between arguments only", help));
    }
    if rest.starts_with(['f', 'd', 'L', 'u']) && before.is_ascii_digit() && is_adjacent {
        return Some(("numbers have no letter behind them", "write `1.0`"));
    }
    if head.ends_with("\"\"\"") {
        return Some(("comments are not texts here", "a comment begins with `//`"));
    }
    let is_one_line = !text[head.len()..at].contains('\n');
    if rest.starts_with("if ") && is_one_line {
        return Some((
            "the condition comes first",
            "write `if x > 3 { 1.0 } else { 0.0 }`",
        ));
    }
    if rest.starts_with("do ") && is_one_line {
        return Some((
            "lists are gone through with `for`",
            "write `for unit in list { … }`",
        ));
    }
    let declared = line.strip_prefix("let ").map(str::trim);
    if declared.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        && is_one_line
    {
        return Some((
            "a variable is given its value with `=`",
            "write `let n = 3;`",
        ));
    }
    if line.starts_with("import ") && !line.contains('"') {
        let help =
            "write `import \"helpers\" as h;`; functions of numbers are there already: `sin(x)`";
        return Some(("what is imported stands in quotes", help));
    }
    let casts = ["(float)", "(int)", "(double)", "(f32)"];
    if casts.iter().any(|cast| head.ends_with(cast)) {
        return Some((
            "values are converted by functions",
            "write `to_float(n)` or `to_int(x)`",
        ));
    }
    None
}
