//! Why a script does not compile, in the user's words.

use rhai::{LexError, ParseError, ParseErrorType as Error};

use super::budget::MAX_FUNCTIONS;
use super::text::{self, Missing, Open};
use super::{foreign, missing, operands};
use crate::diagnostics::{Fault, line_and_column, offset_of};

/// A cause and, if one is known, a remedy.
type Cause = (String, Option<String>);

/// A fault of a script that does not compile.
pub(super) fn fault(path: &str, text: &str, error: &ParseError) -> Fault {
    let position = error.position();
    let place = position
        .line()
        .map(|line| (line, position.position().unwrap_or(1)));
    let at = place.map_or(text.len(), |place| offset_of(text, place));
    if let Some(fault) = left_open(path, text).filter(|_| may_be_left_open(error.err_type())) {
        return fault;
    }
    if let Some((word, at, (message, help))) = foreign(text, at) {
        return Fault::at(path, text, line_and_column(text, at), message)
            .wide(word.chars().count())
            .help(help);
    }
    let (message, help) = cause(error.err_type(), text, at);
    let fault = match place {
        None => Fault::of_file(path, message),
        Some(place) => Fault::at(path, text, place, message),
    };
    fault.maybe_help(help)
}

/// Whether something that was left open may look like this to the parser.
fn may_be_left_open(error: &Error) -> bool {
    match error {
        Error::UnexpectedEOF
        | Error::MissingToken(..)
        | Error::ExprExpected(_)
        | Error::MissingSymbol(_)
        | Error::PropertyExpected
        | Error::VariableExpected
        | Error::BadInput(LexError::UnterminatedString) => true,
        Error::BadInput(LexError::UnexpectedInput(found)) => {
            [")", "]", "}"].contains(&found.as_str())
        }
        _ => false,
    }
}

/// A comment that is not closed: the parser takes it to the end of the file without a word.
pub(super) fn open_comment(path: &str, text: &str) -> Option<Fault> {
    let is_comment = matches!(text::left_open(text), Some(Open::Comment(_)));
    is_comment.then(|| left_open(path, text)).flatten()
}

/// A comment, a text or a bracket that is not closed; a bracket that closes nothing.
fn left_open(path: &str, text: &str) -> Option<Fault> {
    let fault = |at: usize, message: String| {
        Fault::at(path, text, line_and_column(text, at), message).wide(1)
    };
    let line = |at: usize| line_and_column(text, at).0;
    Some(match text::left_open(text)? {
        Open::Comment(at) => fault(at, "this comment is not closed".to_owned())
            .wide(2)
            .help("end it with `*/`: until then all is comment"),
        Open::Text(at) => {
            let quote = if text[at..].starts_with('`') {
                '`'
            } else {
                '"'
            };
            let help = if text[..at].ends_with("\"\"") {
                "a comment begins with `//`".to_owned()
            } else {
                format!("end it with `{quote}`")
            };
            fault(at, "this text is not closed".to_owned()).help(help)
        }
        Open::Bracket(bracket, at, found) => {
            let wanted = text::closing(bracket);
            let help = match found {
                Some(Missing::Before(found, end)) => {
                    let before = line(end);
                    format!("a `{wanted}` is missing before the `{found}` of line {before}")
                }
                Some(Missing::AtEnd(end)) => {
                    format!("a `{wanted}` is missing at the end of line {}", line(end))
                }
                None => format!("a `{wanted}` is missing"),
            };
            fault(at, format!("this `{bracket}` is not closed")).help(help)
        }
        Open::Hidden(at) => fault(at, "this comment hides a `}`".to_owned())
            .wide(2)
            .help("`//` begins a comment, to the end of the line; a division is written `/`"),
        Open::Nothing(found, at) => fault(at, format!("this `{found}` closes nothing"))
            .help("leave it out: whatever was opened before is closed already"),
    })
}

/// Whether what follows `head` is a name, as in `let end` and `unit.is("fish")`.
fn is_name(head: &str) -> bool {
    let head = head.trim_end();
    let last = head.rsplit(|c: char| !c.is_alphanumeric()).next();
    head.ends_with('.') || ["let", "const", "fn", "for"].contains(&last.unwrap_or_default())
}

/// A word of another language at `at`, or the last one before it.
fn foreign(text: &str, at: usize) -> Option<(&str, usize, (&'static str, &'static str))> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word_at = |at: usize| {
        let rest = &text[at..];
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    };
    let head = text[..at].trim_end();
    let before = head.rfind(|c| !is_part(c)).map_or(0, |end| {
        end + head[end..].chars().next().map_or(1, char::len_utf8)
    });
    [at, before].into_iter().find_map(|at| {
        let word = word_at(at);
        let cause = foreign::word(word).filter(|_| word == "mut" || !is_name(&text[..at]));
        cause.map(|cause| (word, at, cause))
    })
}

fn cause(error: &Error, text: &str, at: usize) -> Cause {
    let some = |help: &str| Some(help.to_owned());
    match error {
        Error::BadInput(_) if text[..at].ends_with('<') && text[at..].starts_with('>') => (
            "`<>` means nothing here".to_owned(),
            foreign::operator("<>").map(str::to_owned),
        ),
        Error::BadInput(error) => bad_input(error),
        Error::MissingToken(token, _) if token == ";" => missing::semicolon(text, at),
        Error::MissingToken(token, _) if token == "{" => missing::block(text, at),
        Error::MissingToken(token, purpose) => missing::token(text, at, token, purpose),
        Error::UnknownOperator(operator) => unknown_operator(operator),
        Error::MismatchedType(wanted, found) => {
            let help = wanted
                .contains("boolean")
                .then(|| operands::condition(found).to_owned());
            (format!("expected {wanted}, not {found}"), help)
        }
        Error::AssignmentToConstant(name) if !name.is_empty() => constant_assigned(name),
        Error::AssignmentToInvalidLHS(_) | Error::AssignmentToConstant(_) => (
            "this cannot be given a value".to_owned(),
            some("compare with `==`; `=` gives a variable a value"),
        ),
        Error::ExprTooDeep => (
            "the expression is nested too deeply".to_owned(),
            some("split it with `let`"),
        ),
        Error::TooManyFunctions => {
            let message = format!("there are more than {MAX_FUNCTIONS} functions");
            (message, None)
        }
        Error::Reserved(word) => reserved(word),
        Error::VariableUndefined(name) => (format!("there is no variable `{name}`"), None),
        Error::VariableExpected if is_in_parentheses(text, at) => (
            "`for` goes over a list or a range, without parentheses".to_owned(),
            some("write `for mate in me.neighbors { … }` or `for i in 0..3 { … }`"),
        ),
        Error::VariableExpected if text[at..].starts_with(['(', '[', '{']) => (
            "one variable is declared at a time".to_owned(),
            some("write `let a = 1; let b = 2;`"),
        ),
        Error::VariableExpected => (
            "expected the name of a variable here".to_owned(),
            some("write `let n = 0;`, `for unit in list { … }` or `for (unit, i) in list { … }`"),
        ),
        Error::PropertyExpected if text[at..].starts_with("call") => (
            "closures are not supported".to_owned(),
            some(
                "declare a function at the top of the file, `fn far(unit) { … }`, and call it: `far(unit)`",
            ),
        ),
        Error::PropertyExpected => (
            "what follows the dot is no name that a script may use".to_owned(),
            Some("`call`, `curry` and `eval` are not available to scripts".to_owned()),
        ),
        Error::WrongFnDefinition => (
            "a function cannot stand inside another".to_owned(),
            some("put it at the top of the file, and hand it what it needs: `fn far(unit) { … }`"),
        ),
        Error::FnDuplicatedDefinition(name, count) => (
            format!("`fn {name}` with {} is there twice", arguments(*count)),
            some("give one of them another name, or leave it out"),
        ),
        Error::LoopBreak => (
            "`break` and `continue` stand in loops only".to_owned(),
            some("leave a function with `return`"),
        ),
        Error::UnexpectedEOF => ("the script ends in the middle of this".to_owned(), None),
        other => (plain(&other.to_string()), None),
    }
}

fn bad_input(error: &LexError) -> Cause {
    let cause = |message: &str, help: &str| (message.to_owned(), Some(help.to_owned()));
    match error {
        LexError::ImproperSymbol(_, words) if words.contains("typo of '=='") => cause(
            "`=` gives a value and cannot stand in a condition",
            "compare with `==`",
        ),
        LexError::ImproperSymbol(word, words) if words.contains("is disabled") => {
            (format!("`{word}` is not available to scripts"), None)
        }
        LexError::ImproperSymbol(symbol, _) => {
            let message = format!("`{symbol}` means nothing here");
            (message, foreign::operator(symbol).map(str::to_owned))
        }
        LexError::UnterminatedString => cause("this text is not closed", "end it with `\"`"),
        LexError::MalformedChar(inside) => {
            let message = format!("`'{inside}'` is no text");
            (
                message,
                Some(format!("write \"{inside}\" in double quotes")),
            )
        }
        LexError::MalformedNumber(number) => (format!("`{number}` is no number"), None),
        LexError::UnexpectedInput(found) if "“”„«»‘’".contains(found.as_str()) => {
            cause(
                "curly quotes mean nothing here",
                "write straight ones: \"leader\"",
            )
        }
        LexError::UnexpectedInput(found) => {
            let help = foreign::operator(found).map(str::to_owned);
            (format!("`{found}` means nothing here"), help)
        }
        LexError::StringTooLong(most) => (format!("this text is longer than {most}"), None),
        LexError::MalformedEscapeSequence(escape) => (
            format!("`{escape}` is no escape"),
            Some("write a backslash as `\\\\`".to_owned()),
        ),
        other => (plain(&other.to_string()), None),
    }
}

/// Whether what stands at `at` is in parentheses after `for`.
fn is_in_parentheses(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end();
    let before = head.strip_suffix('(').unwrap_or(head).trim_end();
    before.ends_with("for") && (head.ends_with('(') || text[at..].starts_with('('))
}

fn unknown_operator(operator: &str) -> Cause {
    let help = foreign::operator(operator);
    let help = help.unwrap_or("the operators are + - * / % ** == != < <= > >= && || !");
    let message = format!("there is no operator `{operator}`");
    (message, Some(help.to_owned()))
}

fn reserved(word: &str) -> Cause {
    match word {
        "export" => (
            "`export` is not available to scripts".to_owned(),
            Some(
                "leave it out: others can import every function and constant at the top".to_owned(),
            ),
        ),
        "eval" | "Fn" | "call" | "curry" => (format!("`{word}` is not available to scripts"), None),
        "#" => (
            "`#` means nothing here".to_owned(),
            foreign::operator(word).map(str::to_owned),
        ),
        word if !word.contains(char::is_alphabetic) => unknown_operator(word),
        word => (
            format!("`{word}` is a word of the language"),
            Some("choose another name".to_owned()),
        ),
    }
}

/// A constant that is given a value.
pub(super) fn constant_assigned(name: &str) -> Cause {
    let help = "declare it with `let` where it changes, or remember it: `const MEMORY = #{ … };`";
    (
        format!("`{name}` is a constant and cannot change"),
        Some(help.to_owned()),
    )
}

/// "1 argument", "2 arguments".
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

/// The engine's words in our form: no capital at the beginning, names in backticks.
pub(super) fn plain(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect::<String>().replace('\'', "`")
}
