//! Error messages for scripts that do not parse.

use rhai::{LexError, ParseError, ParseErrorType as Error};
use steerbox_core::diagnostics::{Fault, Fix, LookAlike, closing, did_you_mean, line_and_column, offset_of};

use super::absent;
use super::fixes;
use super::missing;
use super::repair::{self, Repair};
use super::text::{self, Missing, Open, Source, arguments, plain};
use crate::budget::MAX_FUNCTIONS;
use crate::foreign::{self, On};
use crate::messages::operands;
use crate::messages::words::{Explanation, explanation};

/// The offset at which the parser stopped, and the unclosed bracket or text if that is the cause.
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) open: Option<Open>,
}

impl Stop {
    pub(crate) fn new(text: &str, error: &ParseError) -> Self {
        let place = text::place(error.position());
        let at = place.map_or(text.len(), |place| offset_of(text, place));
        let open = may_be_left_open(error.err_type()).then(|| text::left_open(text)).flatten();
        Self { at, open }
    }

    /// The offset of the cause.
    pub(crate) fn cause(&self) -> usize {
        self.open.map_or(self.at, Open::at)
    }

    /// Returns the possible fixes, the likeliest first.
    pub(crate) fn fixes(&self, text: &str, error: &ParseError) -> impl Iterator<Item = Fix> {
        let missing = match error.err_type() {
            Error::MissingToken(token, _) => token.as_str(),
            _ => "",
        };
        fixes::fixes(text, self.at, self.open, missing)
    }

    /// Returns a repair after which the rest may parse.
    pub(crate) fn repair(&self, text: &str, error: &ParseError) -> Option<Repair> {
        let missing = match error.err_type() {
            Error::MissingToken(token, _) => token.as_str(),
            _ => "",
        };
        let rest = &text[self.at..];
        match (self.open, missing) {
            (Some(open), _) => repair::bracket(text, open),
            // The source delimits blocks by indentation.
            (None, _) if let Some((word, at)) = nothing(text, self.at) => Some(repair::word(word, at, "()")),
            (None, _) if let Some((word, at)) = text::misspelled_function(text, self.at) => {
                Some(repair::word(word, at, "fn"))
            }
            (None, "{") if rest.starts_with(':') => None,
            (None, "{") if rest.starts_with(';') => Some(repair::nothing(self.at)),
            (None, ";") if missing::is_two_statements(text, self.at) => {
                repair::semicolon(text, self.at).or_else(|| repair::statement(text, self.at))
            }
            _ => repair::statement(text, self.at),
        }
    }
}

/// Builds the fault of a script that does not parse.
pub(crate) fn fault(source: Source<'_>, error: &ParseError) -> Fault {
    let Source { path, text } = source;
    let Stop { at, open } = Stop::new(text, error);
    if let Some(open) = open {
        return left_open(source, open);
    }
    if let Some((word, at)) = text::misspelled_function(text, at) {
        let message = format!("`{word}` is not a word of the language");
        return source.fault_at(at, message).wide(word.chars().count()).help(did_you_mean("fn"));
    }
    if let Some((word, at, (message, help))) = foreign(text, at) {
        return (source.fault_at(at, message)).wide(word.chars().count()).maybe_help(help);
    }
    let (message, help) = why(error.err_type(), text, at);
    // The parser stops after the name.
    if let Error::FnMissingParams(name) = error.err_type()
        && let Some(head) = text[..at].trim_end().strip_suffix(name.as_str())
    {
        return source.fault_at(head.len(), message).wide(name.chars().count()).maybe_help(help);
    }
    let fault = match text::place(error.position()) {
        None => Fault::of_file(path, message),
        Some(place) => source.fault(place, message),
    };
    fault.maybe_help(help)
}

/// Returns true if the parser may report an unclosed bracket or text as this error.
fn may_be_left_open(error: &Error) -> bool {
    match error {
        Error::UnexpectedEOF
        | Error::MissingToken(..)
        | Error::ExprExpected(_)
        | Error::MissingSymbol(_)
        | Error::PropertyExpected
        | Error::VariableExpected
        | Error::BadInput(LexError::UnterminatedString) => true,
        Error::BadInput(LexError::UnexpectedInput(found)) => [")", "]", "}"].contains(&found.as_str()),
        _ => false,
    }
}

/// Returns the fault of an unclosed comment, which the parser silently extends to the end of the file.
pub(crate) fn open_comment(source: Source<'_>) -> Option<Fault> {
    let open = text::left_open(source.text).filter(|open| matches!(open, Open::Comment(_)));
    open.map(|open| left_open(source, open))
}

/// Builds the fault of an unclosed comment, text or bracket, or of a closing bracket without an opening one.
fn left_open(source: Source<'_>, open: Open) -> Fault {
    let text = source.text;
    let fault = |at: usize, message: String| source.fault_at(at, message).wide(1);
    let line = |at: usize| line_and_column(text, at).0;
    match open {
        Open::Comment(at) => fault(at, "this comment is not closed".to_owned())
            .wide(2)
            .help("end it with `*/`: until then all is comment"),
        Open::Text(at) => {
            let quote = if text[at..].starts_with('`') { '`' } else { '"' };
            let help = if text[..at].ends_with("\"\"") {
                "a comment begins with `//`".to_owned()
            } else {
                format!("end it with `{quote}`")
            };
            fault(at, "this text is not closed".to_owned()).help(help)
        }
        Open::Bracket(bracket, at, found) => {
            let wanted = closing(bracket);
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
    }
}

/// Returns true if a name must follow `head`, as in `let end` and `unit.is("fish")`.
fn is_name(head: &str) -> bool {
    let head = head.trim_end();
    let last = head.rsplit(|c: char| !c.is_alphanumeric()).next();
    head.ends_with('.') || ["let", "const", "fn", "for"].contains(&last.unwrap_or_default())
}

/// Finds a keyword of another language at `at`, or the last one before it.
fn foreign(text: &str, at: usize) -> Option<(&str, usize, Explanation)> {
    let word_at = |at: usize| {
        let rest = &text[at..];
        &rest[..rest.find(|c| !text::is_part_of_name(c)).unwrap_or(rest.len())]
    };
    let head = text[..at].trim_end();
    let before = head
        .rfind(|c| !text::is_part_of_name(c))
        .map_or(0, |end| end + head[end..].chars().next().map_or(1, char::len_utf8));
    [at, before].into_iter().find_map(|at| {
        let word = word_at(at);
        let is_called = text[at + word.len()..].starts_with('(');
        let found = if word != "mut" && is_name(&text[..at]) {
            return None;
        } else if foreign::is_nothing(word) {
            absent::nothing(word, text, at)
        } else if let Some(help) = foreign::help(On::Call, word).filter(|_| is_called) {
            explanation(format!("there is no function `{word}`"), help)
        } else {
            let (message, help) = foreign::word(word)?;
            explanation(message, help)
        };
        Some((word, at, found))
    })
}

/// Returns the word for `()` of another language that stopped the parser, if it is a value.
fn nothing(text: &str, at: usize) -> Option<(&str, usize)> {
    let (word, at, _) = foreign(text, at)?;
    let rest = text[at + word.len()..].trim_start();
    let is_value = !rest.starts_with(|c| c == '(' || text::is_part_of_name(c));
    (is_value && foreign::is_nothing(word)).then_some((word, at))
}

/// Explains the error at the offset at which the parser stopped.
fn why(error: &Error, text: &str, at: usize) -> Explanation {
    let (head, rest) = (&text[..at], &text[at..]);
    match error {
        Error::BadInput(_) if head.ends_with('<') && rest.starts_with('>') => {
            let help = foreign::operator("<>").map(str::to_owned);
            ("`<>` means nothing here".to_owned(), help)
        }
        Error::BadInput(error) => bad_input(error),
        Error::MissingToken(token, _) if token == ";" => missing::semicolon(text, at),
        Error::MissingToken(token, _) if token == "{" => missing::block(text, at),
        Error::MissingToken(token, purpose) => missing::token(text, at, token, purpose),
        Error::UnknownOperator(operator) => unknown_operator(operator),
        Error::MismatchedType(wanted, found) => {
            let is_condition = wanted.contains("boolean");
            let help = is_condition.then(|| operands::condition(found, None));
            (format!("expected {wanted}, not {found}"), help)
        }
        Error::AssignmentToConstant(name) if !name.is_empty() => constant_assigned(name),
        Error::AssignmentToInvalidLHS(_) | Error::AssignmentToConstant(_) => {
            let help = "compare with `==`; `=` gives a variable a value";
            explanation("this cannot be given a value", help)
        }
        Error::ExprTooDeep => explanation("the expression is nested too deeply", "split it with `let`"),
        Error::TooManyFunctions => {
            let message = format!("there are more than {MAX_FUNCTIONS} functions");
            (message, None)
        }
        Error::Reserved(word) => reserved(word, head),
        Error::VariableUndefined(name) => (format!("there is no variable `{name}`"), None),
        Error::VariableExpected if is_in_parentheses(text, at) => {
            let help = "write `for mate in me.neighbors { … }` or `for i in 0..3 { … }`";
            explanation("`for` goes over a list or a range, without parentheses", help)
        }
        Error::VariableExpected if rest.starts_with(['(', '[', '{']) => {
            let help = "write `let a = 1; let b = 2;`";
            explanation("one variable is declared at a time", help)
        }
        Error::VariableExpected => {
            let help = "write `let n = 0;`, `for unit in list { … }` or `for (unit, i) in list { … }`";
            explanation("expected the name of a variable here", help)
        }
        Error::PropertyExpected if rest.starts_with("call") => {
            let help =
                "write a function at the top of the file, `fn far(unit) { … }`, and call it: `far(unit)`";
            explanation("closures cannot be used here", help)
        }
        Error::PropertyExpected => {
            let help = "`call`, `curry` and `eval` are not available to scripts";
            explanation("what follows the dot is not a name that a script may use", help)
        }
        Error::WrongFnDefinition => {
            let help = "put it at the top of the file, and hand it what it needs: `fn far(unit) { … }`";
            explanation("a function cannot stand inside another", help)
        }
        Error::FnDuplicatedDefinition(name, count) => {
            let message = format!("`fn {name}` with {} is there twice", arguments(*count));
            explanation(message, "give one of them another name, or leave it out")
        }
        Error::FnMissingName => explanation("`fn` needs a name", "write `fn steer(me, world) { … }`"),
        Error::FnMissingParams(name) => {
            let parameters = if name == "steer" { "me, world" } else { "unit" };
            let help = format!("write `fn {name}({parameters}) {{ … }}`");
            explanation(format!("`fn {name}` needs parameters in parentheses"), help)
        }
        Error::FnMissingBody(name) => {
            explanation(format!("`fn {name}` needs a body"), "write it in braces: `{ … }`")
        }
        Error::LoopBreak => {
            let help = "leave a function with `return`";
            explanation("`break` and `continue` stand in loops only", help)
        }
        Error::UnexpectedEOF => ("the script ends in the middle of this".to_owned(), None),
        other => (plain(&other.to_string()), None),
    }
}

fn bad_input(error: &LexError) -> Explanation {
    match error {
        LexError::ImproperSymbol(_, words) if words.contains("typo of '=='") => {
            let message = "`=` gives a value and cannot stand in a condition";
            explanation(message, "compare with `==`")
        }
        LexError::ImproperSymbol(word, words) if words.contains("is disabled") => {
            (format!("`{word}` is not available to scripts"), None)
        }
        LexError::UnterminatedString => explanation("this text is not closed", "end it with `\"`"),
        LexError::MalformedChar(inside) => {
            let help = format!("write \"{inside}\" in double quotes");
            explanation(format!("`'{inside}'` is not a text"), help)
        }
        LexError::MalformedNumber(number) => (format!("`{number}` is not a number"), None),
        LexError::UnexpectedInput(found) if let Some(found) = LookAlike::at(found, 0) => {
            explanation(format!("{} means nothing here", found.name), &found.help)
        }
        LexError::UnexpectedInput(symbol) | LexError::ImproperSymbol(symbol, _) => {
            let help = foreign::operator(symbol).map(str::to_owned);
            (format!("`{symbol}` means nothing here"), help)
        }
        LexError::StringTooLong(most) => (format!("this text is longer than {most}"), None),
        LexError::MalformedEscapeSequence(escape) => {
            explanation(format!("`{escape}` is not an escape"), "write a backslash as `\\\\`")
        }
        other => (plain(&other.to_string()), None),
    }
}

/// Returns true for an offset in parentheses after `for`.
fn is_in_parentheses(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end();
    let before = head.strip_suffix('(').unwrap_or(head).trim_end();
    before.ends_with("for") && (head.ends_with('(') || text[at..].starts_with('('))
}

fn unknown_operator(operator: &str) -> Explanation {
    let help = foreign::operator(operator);
    let help = help.unwrap_or("the operators are + - * / % ** == != < <= > >= && || !");
    explanation(format!("there is no operator `{operator}`"), help)
}

/// Explains a reserved word after `head`.
fn reserved(word: &str, head: &str) -> Explanation {
    match word {
        word if head.trim_end().ends_with('.') && word.starts_with(char::is_alphabetic) => {
            (format!("nothing has a property or function `{word}`"), foreign::help(On::Anything, word))
        }
        "export" => {
            let help = "leave it out: others can import every function and constant at the top";
            explanation("`export` is not available to scripts", help)
        }
        "eval" | "Fn" | "call" | "curry" => (format!("`{word}` is not available to scripts"), None),
        "#" => {
            let help = foreign::operator(word).map(str::to_owned);
            ("`#` means nothing here".to_owned(), help)
        }
        word if !word.contains(char::is_alphabetic) => unknown_operator(word),
        word => explanation(format!("`{word}` is a word of the language"), "choose another name"),
    }
}

/// Explains an assignment to a constant.
pub(crate) fn constant_assigned(name: &str) -> Explanation {
    let help = "declare it with `let` where it changes, or remember it: `const MEMORY = #{ … };`";
    explanation(format!("`{name}` is a constant and cannot change"), help)
}
