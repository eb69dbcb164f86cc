//! Keywords and operators of other languages.

/// Returns message and remedy for a keyword of another language.
pub(in super::super) fn word(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "and" => ("`and` is written `&&` here", "write `a && b`"),
        "or" => ("`or` is written `||` here", "write `a || b`"),
        "not" => ("`not` is written `!` here", "write `!a`"),
        "elif" | "elseif" | "elsif" | "elsei" => ("this is written `else if`", "write `else if … { … }`"),
        "def" | "function" | "func" | "fun" | "sub" | "proc" | "void" | "defn" | "to" => {
            ("a function is declared with `fn`", "write `fn name(a, b) { … }`")
        }
        "lambda" => (
            "functions without a name are not supported",
            "declare it at the top of the file: `fn far(unit) { … }`",
        ),
        "var" | "local" | "mut" | "auto" | "val" | "dim" | "my" | "our" => {
            ("a variable is declared with `let`", "write `let n = 0;`")
        }
        "float" | "int" | "double" | "number" | "bool" | "f32" | "i32" | "vec2" | "vec3" | "Vector2"
        | "Vector3" | "PVector" | "string" => {
            ("a variable is declared with `let`, without its type", "write `let n = 0.0;`")
        }
        "set" => ("a variable is set with `=`", "write `n = 1;`"),
        "REM" | "rem" => ("this is no comment", "a comment begins with `//`"),
        "IF" | "THEN" | "ELSE" | "FOR" | "WHILE" | "RETURN" | "END" | "LET" | "AND" | "OR" | "NOT" => (
            "words of the language are written in small letters",
            "write `if … { … } else { … }`, `for`, `return`, `&&`",
        ),
        "ifelse" | "cond" => ("there is no such word", "write `if … { … } else { … }`"),
        "guard" => ("there is no such word", "write `if x == () { return (); }`"),
        "then" | "begin" => ("blocks stand in braces", "write `if … { … } else { … }`"),
        "end" => ("a block ends with `}`", "write `if … { … } else { … }`"),
        "match" | "case" | "default" => (
            "cases are written with `switch` and `=>`",
            "write `switch n { 0 => 1.0, 1 | 2 => 2.0, _ => 0.0 }`",
        ),
        "new" => (
            "there is no `new`: values are made by functions",
            "a vector is written `vec(x, y)`, an error is thrown as a text: `throw \"no way\"`",
        ),
        "use" | "require" | "include" | "from" | "using" | "package" => (
            "other scripts are imported, and everything else is there already",
            "write `import \"helpers\" as h;` at the top of the file",
        ),
        "async" | "public" | "private" | "protected" | "static" | "extern" | "override" => (
            "functions and constants have no such word before them",
            "write `fn name(a, b) { … }` or `const NAME = 1.0;`",
        ),
        "class" | "struct" | "object" | "interface" | "enum" | "impl" | "trait" => (
            "there are no types to declare",
            "a script is functions and constants; what a unit remembers is declared in MEMORY",
        ),
        "as" => ("values are converted by functions", "write `to_float(n)` or `to_int(x)`"),
        "is" => ("values are compared with `==`", "write `a == b`"),
        "typeof" | "instanceof" => ("this is no operator here", "ask `unit.is(\"fish\")` for a unit's kind"),
        "foreach" | "repeat" | "each" | "ask" => (
            "loops are written with `for`, `while` and `loop`",
            "write `for unit in me.neighbors { … }` or `for i in 0..3 { … }`",
        ),
        "unless" | "until" => ("there is no such word", "write `if !(…) { … }` or `while !(…) { … }`"),
        "except" | "rescue" | "finally" => {
            ("errors are caught with `catch`", "write `try { … } catch { … }`")
        }
        "yield" | "await" | "spawn" | "go" | "thread" => (
            "a script cannot wait: it is called once for each unit and step",
            "remember when, `this.since = world.time;`, and compare",
        ),
        "fd" | "bk" | "rt" | "lt" | "forward" | "setxy" => (
            "units are moved by what steer returns: a push or a turn",
            "return a vector, or a number from -1 to 1",
        ),
        "goto" | "exit" => ("there is no such jump", "leave a function with `return`, a loop with `break`"),
        _ => return None,
    })
}

/// Returns true for words of other languages that mean `()`.
pub(in super::super) fn is_nothing(word: &str) -> bool {
    let words = ["null", "nil", "none", "nullptr", "undefined", "nothing", "nobody", "void", "undef"];
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the equivalent of an operator of another language.
pub(in super::super) fn operator(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "++" => "write `n += 1`",
        "--" => "write `n -= 1`; a comment begins with `//`",
        "°" => "angles are in radians: write `angle * PI / 180.0`",
        "!." | "!!" => "write `x?.position`, or check it first: `if x == () { return (); }`",
        "." => "numbers have a digit on both sides of the point: `0.5`, `1.0`",
        "&" => "there are no references: write the value alone",
        "let" => "declare it first: `let x = …; if x != () { … }`",
        "?" | "??" | "?:" => "write `if … { 1 } else { 0 }`",
        "===" | "=" => "compare with `==`",
        "!==" | "<>" | "~=" | "/=" | "~" => "compare with `!=`",
        "->" | "=>" => "a property has a dot, `me.speed`, and a function no arrow, `fn name(a) { … }`",
        ":=" | "<-" => "write `let n = 0;`, and `n = 1;` after that",
        "%" => "a comment begins with `//`, and a remainder is written `a % b`",
        "#" => "a comment begins with `//`",
        "..." => "write `0..3`, or `0..=3` with the end",
        "−" | "–" | "—" => "this is another character: write a plain `-`",
        "π" => "write `PI`",
        "×" | "·" | "⋅" => "write `*`",
        "÷" => "write `/`",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "≠" => "write `!=`",
        "@" | "$" | "\\" => "names consist of letters, digits and `_`",
        "::" => "write a dot: `me.position`",
        _ => return None,
    })
}
