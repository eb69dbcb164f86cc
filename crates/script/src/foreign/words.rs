//! Keywords and operators of other languages: messages, remedies, and what replaces them.

/// A keyword of another language.
struct Word {
    /// The spellings.
    words: &'static str,
    message: &'static str,
    help: &'static str,
    by: By,
}

/// The replacement of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum By {
    /// No single word.
    Other,
    /// This text.
    Text(&'static str),
    /// This text, also in place of the space after the keyword.
    Joined(&'static str),
    /// The same word in lower case.
    LowerCase,
}

const fn word_of(words: &'static str, message: &'static str, help: &'static str, by: By) -> Word {
    Word { words, message, help, by }
}

const FUNCTION: &str = "a function is declared with `fn`";
const FUNCTION_HELP: &str = "write `fn name(a, b) { … }`";
const CAPITALS: &str = "words of the language are written in small letters";
const CAPITALS_HELP: &str = "write `if … { … } else { … }`, `for`, `return`, `&&`";
const DECLARED: &str = "a variable is declared with `let`";
const DECLARED_HELP: &str = "write `let n = 0;`";
const IF_ELSE: &str = "write `if … { … } else { … }`";
const CASES: &str = "cases are written with `switch` and `=>`";
const CASES_HELP: &str = "write `switch n { 0 => 1.0, 1 | 2 => 2.0, _ => 0.0 }`";
const NO_WORD: &str = "functions and constants have no such word before them";
const NO_WORD_HELP: &str = "write `fn name(a, b) { … }` or `const NAME = 1.0;`";
const LOOPS: &str = "loops are written with `for`, `while` and `loop`";
const LOOPS_HELP: &str = "write `for unit in me.neighbors { … }` or `for i in 0..3 { … }`";
const CATCH: &str = "errors are caught with `catch`";
const CATCH_HELP: &str = "write `try { … } catch { … }`";
const BRACES: &str = "blocks stand in braces";

#[rustfmt::skip]
const WORDS: &[Word] = &[
    word_of("and", "`and` is written `&&` here", "write `a && b`", By::Text("&&")),
    word_of("or", "`or` is written `||` here", "write `a || b`", By::Text("||")),
    word_of("not", "`not` is written `!` here", "write `!a`", By::Joined("!")),
    word_of("elif elseif elsif", "this is written `else if`", "write `else if … { … }`", By::Text("else if")),
    word_of("elsei", "this is written `else if`", "write `else if … { … }`", By::Other),
    word_of("def function func fun sub proc defn", FUNCTION, FUNCTION_HELP, By::Text("fn")),
    word_of("void to", FUNCTION, FUNCTION_HELP, By::Other),
    word_of("lambda", "functions without a name are not supported", "declare it at the top of the file: `fn far(unit) { … }`", By::Other),
    word_of("var local auto val dim my our", DECLARED, DECLARED_HELP, By::Text("let")),
    word_of("mut", DECLARED, DECLARED_HELP, By::Joined("")),
    word_of("float int double number bool f32 i32 vec2 vec3 Vector2 Vector3 PVector string", "a variable is declared with `let`, without its type", "write `let n = 0.0;`", By::Text("let")),
    word_of("set", "a variable is set with `=`", "write `n = 1;`", By::Text("let")),
    word_of("REM rem", "this is not a comment", "a comment begins with `//`", By::Text("//")),
    word_of("IF ELSE FOR WHILE RETURN LET", CAPITALS, CAPITALS_HELP, By::LowerCase),
    word_of("AND", CAPITALS, CAPITALS_HELP, By::Text("&&")),
    word_of("OR", CAPITALS, CAPITALS_HELP, By::Text("||")),
    word_of("NOT", CAPITALS, CAPITALS_HELP, By::Joined("!")),
    word_of("THEN", CAPITALS, CAPITALS_HELP, By::Text("{")),
    word_of("END", CAPITALS, CAPITALS_HELP, By::Text("}")),
    word_of("ifelse cond", "there is no such word", IF_ELSE, By::Other),
    word_of("guard", "there is no such word", "write `if x == () { return (); }`", By::Other),
    word_of("then begin", BRACES, IF_ELSE, By::Text("{")),
    word_of("end", "a block ends with `}`", IF_ELSE, By::Text("}")),
    word_of("match", CASES, CASES_HELP, By::Text("switch")),
    word_of("case default", CASES, CASES_HELP, By::Other),
    word_of("new", "there is no `new`: values are made by functions", "a vector is written `vec(x, y)`, an error is thrown as a text: `throw \"no way\"`", By::Joined("")),
    word_of("use require include from using package", "other scripts are imported, and everything else is there already", "write `import \"helpers\" as h;` at the top of the file", By::Other),
    word_of("async public private protected static", NO_WORD, NO_WORD_HELP, By::Joined("")),
    word_of("extern override", NO_WORD, NO_WORD_HELP, By::Other),
    word_of("class struct object interface enum impl trait", "there are no types to declare", "a script is functions and constants; what a unit remembers is declared in MEMORY", By::Other),
    word_of("as", "values are converted by functions", "write `to_float(n)` or `to_int(x)`", By::Other),
    word_of("is", "values are compared with `==`", "write `a == b`", By::Text("==")),
    word_of("typeof instanceof", "this is not an operator here", "ask `unit.is(\"fish\")` for a unit's kind", By::Other),
    word_of("foreach", LOOPS, LOOPS_HELP, By::Text("for")),
    word_of("repeat each ask", LOOPS, LOOPS_HELP, By::Other),
    word_of("unless until", "there is no such word", "write `if !(…) { … }` or `while !(…) { … }`", By::Other),
    word_of("except rescue", CATCH, CATCH_HELP, By::Text("catch")),
    word_of("finally", CATCH, CATCH_HELP, By::Other),
    word_of("yield await spawn go thread", "a script cannot wait: it is called once for each unit and step", "remember when, `this.since = world.time;`, and compare", By::Other),
    word_of("fd bk rt lt forward setxy", "units are moved by what steer returns: a push or a turn", "return a vector, or a number from -1 to 1", By::Other),
    word_of("goto exit", "there is no such jump", "leave a function with `return`, a loop with `break`", By::Other),
];

/// Keywords of the script language that other languages place elsewhere; the message is that of the parser.
const MISPLACED: &[(&str, By)] = &[("export", By::Joined(""))];

fn found(word: &str) -> Option<&'static Word> {
    WORDS.iter().find(|row| row.words.split(' ').any(|known| known == word))
}

/// Returns message and remedy for a keyword of another language.
pub(in super::super) fn word(word: &str) -> Option<(&'static str, &'static str)> {
    found(word).map(|row| (row.message, row.help))
}

/// Returns the replacement of a keyword of another language.
pub(in super::super) fn replacement(word: &str) -> By {
    let misplaced = || MISPLACED.iter().find(|(known, _)| *known == word).map(|(_, by)| *by);
    found(word).map(|row| row.by).or_else(misplaced).unwrap_or(By::Other)
}

/// Returns true for words of other languages that mean `()`.
pub(in super::super) fn is_nothing(word: &str) -> bool {
    let words = ["null", "nil", "none", "nullptr", "undefined", "nothing", "nobody", "void", "undef"];
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// An operator of another language: its remedy, and its replacement if there is one.
struct Operator(&'static str, &'static str, Option<&'static str>);

const EQUAL: &str = "compare with `==`";
const UNEQUAL: &str = "compare with `!=`";
const ARROW: &str = "a property has a dot, `me.speed`, and a function no arrow, `fn name(a) { … }`";
const ASSIGNED: &str = "write `let n = 0;`, and `n = 1;` after that";
const THERE: &str = "write `x?.position`, or check it first: `if x == () { return (); }`";
const CHOICE: &str = "write `if … { 1 } else { 0 }`";
const NAMES: &str = "names consist of letters, digits and `_`";

/// Operators; longer ones precede their prefixes.
#[rustfmt::skip]
const OPERATORS: &[Operator] = &[
    Operator("===", EQUAL, Some("==")),
    Operator("!==", UNEQUAL, Some("!=")),
    Operator("<>", UNEQUAL, Some("!=")),
    Operator("~=", UNEQUAL, Some("!=")),
    Operator("/=", UNEQUAL, Some("!=")),
    Operator("++", "write `n += 1`", Some(" += 1")),
    Operator("--", "write `n -= 1`; a comment begins with `//`", Some(" -= 1")),
    Operator("->", ARROW, Some(".")),
    Operator("=>", ARROW, None),
    Operator("::", "write a dot: `me.position`", Some(".")),
    Operator(":=", ASSIGNED, Some("=")),
    Operator("<-", ASSIGNED, None),
    Operator("!.", THERE, Some("?.")),
    Operator("!!", THERE, None),
    Operator("...", "write `0..3`, or `0..=3` with the end", Some("..")),
    Operator("×", "write `*`", Some("*")),
    Operator("·", "write `*`", Some("*")),
    Operator("⋅", "write `*`", Some("*")),
    Operator("÷", "write `/`", Some("/")),
    Operator("≤", "write `<=`", Some("<=")),
    Operator("≥", "write `>=`", Some(">=")),
    Operator("≠", "write `!=`", Some("!=")),
    Operator("π", "write `PI`", Some("PI")),
    Operator("°", "angles are in radians: write `angle * PI / 180.0`", None),
    Operator(".", "numbers have a digit on both sides of the point: `0.5`, `1.0`", None),
    Operator("&", "there are no references: write the value alone", None),
    Operator("let", "declare it first: `let x = …; if x != () { … }`", None),
    Operator("?", CHOICE, None),
    Operator("??", CHOICE, None),
    Operator("?:", CHOICE, None),
    Operator("=", EQUAL, None),
    Operator("~", UNEQUAL, None),
    Operator("%", "a comment begins with `//`, and a remainder is written `a % b`", None),
    Operator("#", "a comment begins with `//`", None),
    Operator("@", NAMES, None),
    Operator("$", NAMES, None),
    Operator("\\", NAMES, None),
];

/// Returns the remedy for an operator of another language.
pub(in super::super) fn operator(operator: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|row| row.0 == operator).map(|row| row.1)
}

/// Returns the operator of another language at the start of a text, and its replacement.
pub(in super::super) fn leading_operator(text: &str) -> Option<(&'static str, &'static str)> {
    OPERATORS.iter().find_map(|row| Some((row.0, row.2?)).filter(|(operator, _)| text.starts_with(operator)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_word_and_operator_has_one_row() {
        let mut known = BTreeSet::new();
        let words = WORDS.iter().flat_map(|row| row.words.split(' '));
        for word in words.chain(OPERATORS.iter().map(|row| row.0)) {
            assert!(known.insert(word), "{word} twice");
        }
        assert_eq!(replacement("elif"), By::Text("else if"));
        assert_eq!(leading_operator("!== b"), Some(("!==", "!=")));
    }
}
