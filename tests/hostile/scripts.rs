//! Hostile scripts by name, with their expected outcomes.
#![allow(clippy::too_many_lines, reason = "tables")]
#![allow(clippy::format_collect, reason = "texts that are created once")]

/// The outcome of a script in both execution modes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// Rejected when it is loaded, with a message that contains this text.
    Refused(&'static str),
    /// Loaded; then every call fails, with a message that contains this text.
    Fails(&'static str),
    /// Any outcome without harm.
    Harmless,
}

use End::{Fails, Harmless, Refused};

/// Name, text, end.
pub(crate) type Row = (&'static str, String, End);

const OPERATIONS: &str = "more than 100000 operations";
const DEEP: &str = "16 deep";
const LIMIT: &str = "grew past its limit";
/// Exceeds every limit on nesting.
const MANY: usize = 20_000;

/// Every row.
pub(crate) fn rows() -> Vec<Row> {
    [endless(), growing(), nested(), long(), forbidden(), odd()].concat()
}

/// A behavior with the body `body`.
fn steer(body: &str) -> String {
    format!("fn steer(me, world) {{ {body} }}")
}

fn endless() -> Vec<Row> {
    let deep = "fn deep(n) { deep(n + 1) } fn steer(me, world) { deep(0) }";
    let mutual = "fn odd(n) { even(n) } fn even(n) { odd(n) } fn steer(me, world) { odd(0) }";
    let top = "loop { } fn steer(me, world) { 0 }";
    vec![
        ("loop", steer("loop { }"), Fails(OPERATIONS)),
        ("while true", steer("let x = 0; while true { x += 1; }"), Fails(OPERATIONS)),
        ("recursion", deep.to_owned(), Fails(DEEP)),
        ("mutual recursion", mutual.to_owned(), Fails(DEEP)),
        ("loop in try", steer("try { loop { } } catch { 1 }"), Fails(OPERATIONS)),
        ("caught again and again", steer("loop { try { throw 1; } catch { } }"), Fails(OPERATIONS)),
        (
            "caught recursion",
            format!("fn f(n) {{ try {{ f(n + 1) }} catch {{ f(n + 1) }} }} {}", steer("f(0)")),
            Fails(""),
        ),
        ("loop at the top", top.to_owned(), Refused("operations")),
        (
            "loop in a constant",
            format!("const X = {{ let i = 0; loop {{ i += 1; }} }}; {}", steer("X")),
            Refused("operations"),
        ),
        (
            "range of all integers",
            steer("let n = 0; for i in 0..9223372036854775807 { n = i; } n"),
            Fails(OPERATIONS),
        ),
    ]
}

fn growing() -> Vec<Row> {
    let fill = "let a = []; for i in 0..1000 { a.push(i); }";
    let everywhere = (0..60).map(|i| format!("let v{i} = a; ")).collect::<String>();
    let levels = format!("fn f(n) {{ {fill} {everywhere} if n < 14 {{ f(n + 1) }} else {{ 0 }} }}");
    vec![
        ("string doubling", steer("let s = \"x\"; loop { s += s; }"), Fails(LIMIT)),
        ("array doubling", steer("let a = [1]; loop { a += a; }"), Fails("")),
        ("array literal doubling", steer("let a = [1]; loop { a = [a, a]; }"), Fails(LIMIT)),
        ("array pushed into itself", steer("let a = [1]; loop { a.push(a); }"), Fails(LIMIT)),
        (
            "array set into itself",
            steer("let a = [0, 0, 0, 0]; loop { a[0] = a; a[1] = a; a[2] = a; }"),
            Fails(LIMIT),
        ),
        (
            "arrays in every element",
            steer(&format!("{fill} let b = a; for i in 0..1000 {{ b[i] = a; }} 0")),
            Fails(LIMIT),
        ),
        ("blob doubling", steer("let b = blob(10); loop { b += b; }"), Refused("blob")),
        (
            "map of new names",
            steer("let m = #{}; let i = 0; loop { m[\"k\" + i] = i; i += 1; }"),
            Fails(LIMIT),
        ),
        (
            "map of long names",
            steer(
                "let s = \"x\"; for i in 0..10 { s += s; } let m = #{}; let i = 0; loop { m[s + i] = s; i += 1; }",
            ),
            Fails(LIMIT),
        ),
        (
            "map in a map",
            steer("let m = #{ a: #{} }; let i = 0; loop { m.a[\"k\" + i] = i; i += 1; }"),
            Fails(LIMIT),
        ),
        ("map set into itself", steer("let m = #{ a: 0, b: 0 }; loop { m.a = m; m.b = m; }"), Fails(LIMIT)),
        (
            "this of a map",
            format!(
                "fn grow() {{ let i = 0; loop {{ this[\"k\" + i] = i; i += 1; }} }} {}",
                steer("let m = #{}; m.grow()")
            ),
            Fails(""),
        ),
        ("every variable full", steer(&format!("{fill} {everywhere} 0")), Harmless),
        ("every variable of every call full", format!("{levels} {}", steer("f(0)")), Harmless),
        ("copies without end", steer(&format!("{fill} loop {{ let b = a; }}")), Fails(OPERATIONS)),
        (
            "strings without end",
            steer("let s = \"x\"; for i in 0..11 { s += s; } let a = []; loop { a.push(s + 1); }"),
            Fails(LIMIT),
        ),
        (
            "growing at the top",
            format!(
                "const X = {{ let m = #{{}}; let i = 0; loop {{ m[\"k\" + i] = i; i += 1; }} }}; {}",
                steer("0")
            ),
            Refused(""),
        ),
        (
            "a constant as big as allowed",
            format!(
                "const X = {{ let a = []; for i in 0..1000 {{ a.push(i); }} a }}; {}",
                steer("let n = 0; for i in 0..1000 { n += X[i]; } n")
            ),
            Harmless,
        ),
    ]
}

fn nested() -> Vec<Row> {
    let wrap = |open: &str, inner: &str, close: &str, count| {
        steer(&format!("{}{inner}{}", open.repeat(count), close.repeat(count)))
    };
    vec![
        ("parentheses", wrap("(", "1", ")", MANY), Refused("nested too deeply")),
        ("brackets", wrap("[", "1", "]", MANY), Refused("nested too deeply")),
        ("braces", wrap("{", "1", "}", MANY), Refused("")),
        ("maps", wrap("#{a:", "1", "}", 10_000), Refused("nested too deeply")),
        ("minus signs", wrap("-", "1", "", MANY), Refused("")),
        ("exclamation marks", wrap("!", "true", "", MANY), Refused("")),
        ("sums", steer(&"1+".repeat(MANY)), Refused("nested too deeply")),
        ("additions to the right", wrap("1+(", "1", ")", 10_000), Refused("nested too deeply")),
        ("ifs", wrap("if true {", "1", "}", 5_000), Refused("")),
        (
            "else ifs",
            steer(&format!("if false {{ 1 }} {}", "else if false { 1 } ".repeat(2_500))),
            Refused(""),
        ),
        ("loops", wrap("loop {", "break;", "}", 5_000), Refused("")),
        ("calls", wrap("abs(", "1", ")", 10_000), Refused("nested too deeply")),
        ("properties", steer(&format!("me{}", ".position".repeat(6_000))), Refused("")),
        ("indices", steer(&format!("me{}", "[0]".repeat(MANY))), Refused("")),
        ("functions", wrap("|x| ", "1", "", 10_000), Refused("")),
        ("comments", format!("{}{}", "/*".repeat(MANY), steer("1")), Refused("")),
        ("text in text", wrap("`${", "1", "}`", 5_000), Refused("")),
        ("switches", wrap("switch 1 { _ => ", "1", "}", 3_000), Refused("")),
        ("as deep as allowed", wrap("(", "me.speed", ")", 40), Harmless),
    ]
}

const SUM: &str = "x+=me.speed*0.5+x;";
const LOOP: &str = "for m in me.others{x+=m.speed;}";
const DRAW: &str = "me.draw_line(me.position,me.velocity);";

fn long() -> Vec<Row> {
    let distinct = |form: &dyn Fn(usize) -> String, count| (0..count).map(form).collect::<String>();
    let lets = distinct(&|i| format!("let v{i}=0;"), 5_500);
    let constants = distinct(&|i| format!("const V{i}=0;"), 4_300);
    let blocks = distinct(&|i| format!("{{let v{i}=me.speed;}}"), 2_500);
    let functions = distinct(&|i| format!("fn f{i}(){{{i}}}"), 3_000);
    let sums = SUM.repeat(3_300);
    let ifs = "if x>1{x-=1}else{x+=2}".repeat(2_700);
    let loops = LOOP.repeat(2_000);
    let calls = distinct(&|i| format!("x+=h{}(x,me);", i % 60), 4_000);
    let helpers = distinct(&|i| format!("fn h{i}(x,m){{x*0.5+m.speed}}"), 60);
    let chain = distinct(&|i| format!("fn c{i}(a){{c{}(a)+c{}(1)+c{}(1.0)}}", i + 1, i + 1, i + 1), 60);
    let widening = [
        distinct(&|i| format!("let v{i}=();"), 60),
        distinct(&|i| format!("for i in 0..2{{v{i}=v{};}}", i + 1), 59),
    ];
    let widening = format!("{}v59=1;", widening.concat());
    let words = distinct(&|i| format!("me.mark(\"m{i}\");"), 3_500);
    vec![
        (
            "100,000 variables",
            distinct(&|i| format!("let v{i} = 0;\n"), 100_000),
            Refused("longer than 64 KiB"),
        ),
        ("64 KiB of variables", steer(&lets), Refused("")),
        (
            "64 KiB of statements without effect",
            steer(&"1;".repeat(30_000)),
            Refused("more than 2000 statements"),
        ),
        ("64 KiB of consecutive blocks", steer(&"{1}".repeat(20_000)), Refused("more than 2000 statements")),
        ("as many blocks as are read", steer(&"{1}".repeat(1_990)), Harmless),
        ("as many variables as are read", steer(&lets[..21_690]), Fails("more than 64 variables")),
        (
            "a large constant in many places",
            format!(
                "const X = {{ let a = []; for i in 0..1000 {{ a.push(i); }} a }}; {}",
                steer(&format!("let x = 0; {}", "x=X==X;".repeat(1_900)))
            ),
            Harmless,
        ),
        ("64 KiB of variables at the top", format!("{lets}{}", steer("0")), Refused("")),
        ("64 KiB of constants", format!("{constants}{}", steer("0")), Refused("")),
        ("64 KiB of blocks", steer(&blocks), Harmless),
        ("64 KiB of functions", format!("{functions}{}", steer("0")), Refused("more than 64 functions")),
        ("64 KiB of sums", steer(&format!("let x=0.0;{sums} x")), Harmless),
        ("64 KiB of branches", steer(&format!("let x=0.0;{ifs} x")), Harmless),
        ("64 KiB of loops", steer(&format!("let x=0.0;{loops} x")), Harmless),
        (
            "as many loops as are compiled",
            steer(&format!("let x=0.0;{} x", &loops[..75 * LOOP.len()])),
            Harmless,
        ),
        (
            "as many sums as are compiled",
            steer(&format!("let x=0.0;{} x", &sums[..330 * SUM.len()])),
            Harmless,
        ),
        ("as many draws as are compiled", steer(&format!("let x=0.0;{} x", &DRAW.repeat(430))), Harmless),
        ("64 KiB of calls", format!("{helpers}{}", steer(&format!("let x=0.0;{calls} x"))), Harmless),
        ("functions that branch out", format!("{chain} fn c60(a){{a}} {}", steer("c0(1)")), Fails("")),
        ("variables that widen one by one", steer(&format!("{widening} v0")), Harmless),
        ("64 KiB of marks", steer(&words), Harmless),
        ("64 KiB of text", format!("const A = \"{}\"; {}", "x".repeat(60_000), steer("0")), Refused("")),
        ("64 KiB of digits", steer(&"9".repeat(60_000)), Harmless),
        ("64 KiB in one name", steer(&"x".repeat(60_000)), Refused("")),
        ("64 KiB of semicolons", steer(&";".repeat(60_000)), Harmless),
        ("64 KiB of words", steer(&"a b ".repeat(15_000)), Refused("")),
        ("64 KiB of an array", steer(&format!("[{}]", "1,".repeat(30_000))), Refused("")),
        (
            "64 KiB of switch cases",
            steer(&format!("switch me.id {{ {} _ => 0 }}", distinct(&|i| format!("{i}=>1,"), 6_000))),
            Harmless,
        ),
    ]
}

fn forbidden() -> Vec<Row> {
    vec![
        ("sleep", steer("sleep(5)"), Refused("there is no function `sleep`")),
        ("eval", steer("eval(\"1\")"), Refused("eval")),
        ("curry", steer("let f = |x| x; f = f.curry(f); 0"), Refused("closures cannot be used here")),
        (
            "curry in a loop",
            steer("let f = |x| x; loop { f = curry(f, f); }"),
            Refused("closures cannot be used here"),
        ),
        ("Fn", steer("let f = Fn(\"steer\"); 0"), Refused("Fn")),
        ("call", steer("let f = |x| x; f.call(1)"), Refused("closures cannot be used here")),
        ("call of a name", steer("let f = steer; f(me, world)"), Refused("there is no variable `steer`")),
        ("print", steer("print(\"x\")"), Refused("there is no function `print`")),
        ("debug", steer("debug(\"x\")"), Refused("there is no function `debug`")),
        ("timestamp", steer("timestamp()"), Refused("there is no function")),
        ("parse_json", steer("parse_json(\"{}\")"), Refused("there is no function")),
        (
            "sort with a comparator",
            steer("[2, 1].sort(|a, b| throw 1)"),
            Refused("there is no function `sort`"),
        ),
        ("map of an array", steer("[2, 1].map(|a| loop { })"), Refused("there is no function `map`")),
        ("rand", steer("rand()"), Refused("there is no function `rand`")),
        ("a property of the engine", steer("global::X"), Refused("nothing is imported as `global`")),
        ("exit", steer("exit(1)"), Refused("there is no function `exit`")),
        ("is_def_var", steer("is_def_var(\"x\")"), Refused("is_def_var")),
        ("a parameter while it runs", steer("param(1.0)"), Refused("`param`")),
    ]
}

fn odd() -> Vec<Row> {
    let nul = steer("\0");
    vec![
        ("empty", String::new(), Refused("there is no `fn steer`")),
        ("blank", " \n\t ".to_owned(), Refused("there is no `fn steer`")),
        ("unclosed comment", "/* fn steer(me, world) { }".to_owned(), Refused("")),
        ("unclosed text", steer("\"x"), Refused("")),
        ("unknown function", steer("unheard_of(1)"), Refused("there is no function `unheard_of`")),
        ("NUL", nul, Refused("")),
        ("least integer by -1", steer("-9223372036854775808 / -1"), Harmless),
        ("least integer modulo -1", steer("let a = -9223372036854775807 - 1; let b = -1; a % b"), Fails("")),
        ("shift by 64", steer("let n = 64; 1 << n"), Harmless),
        ("shift by -1", steer("let n = -1; 1 << n"), Harmless),
        ("power", steer("let n = 2; n ** 9223372036854775807"), Fails("")),
        ("NaN", steer("let z = 0.0; z / z"), Fails("not finite")),
        ("infinite", steer("let z = 0.0; vec(1 / z, 0)"), Fails("not finite")),
        ("text returned", steer("\"left\""), Fails("steer returned a string")),
        ("far index", steer("me.others[9223372036854775807].speed"), Fails("")),
        ("negative index", steer("me.others[-9223372036854775808].speed"), Fails("")),
        ("right to left", steer("\u{202e} 1 \u{2066}"), Refused("")),
    ]
}
