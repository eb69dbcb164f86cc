//! All expressions as forms: `$n` is a hole for a number; the other holes use the letters of [`Sort`]. The requirements
//! of a form must be in scope: `$m` and `$w` only where `me` and `world` are.
//!
//! The forms of the language are listed here; those of the API are derived from its rows.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use steerbox_script::{ApiRow, api_rows};

use super::sort::Sort;

/// The forms of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Forms without holes.
    pub(crate) leaves: &'static [&'static str],
    pub(crate) deep: &'static [&'static str],
    /// Forms that usually fail or are not finite.
    pub(crate) risky: &'static [&'static str],
}

/// Returns the forms of a type.
pub(crate) fn of(sort: Sort) -> Forms {
    match sort {
        Sort::Me | Sort::World | Sort::Block | Sort::Statement => Forms::default(),
        sort => FORMS.get(&sort.letter()).copied().unwrap_or_default(),
    }
}

/// All forms of the tables.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    let tables = |forms: &Forms| [forms.leaves, forms.deep, forms.risky].concat();
    FORMS.values().flat_map(tables)
}

/// Forms by the letter of their type.
static FORMS: LazyLock<BTreeMap<char, Forms>> = LazyLock::new(|| {
    let mut all: BTreeMap<char, [Vec<&'static str>; 3]> = BTreeMap::new();
    for (sort, tables) in LANGUAGE {
        all.insert(sort.letter(), tables.map(<[_]>::to_vec));
    }
    for row in api_rows() {
        for (sort, table, form) in forms(&row) {
            let table = &mut all.entry(sort.letter()).or_default()[table as usize];
            if !table.contains(&&*form) {
                table.push(form.leak());
            }
        }
    }
    let leaked = all.into_iter().map(|(letter, tables)| {
        let [leaves, deep, risky] = tables.map(|table| &*table.leak());
        (letter, Forms { leaves, deep, risky })
    });
    leaked.collect()
});

#[derive(Clone, Copy, PartialEq)]
enum Table {
    Leaves,
    Deep,
    Risky,
}

/// Functions whose result is rarely finite for arbitrary numbers.
const RARELY_FINITE: [&str; 4] = ["sqrt", "exp", "ln", "pow"];

/// Returns the forms of a row, with their types.
fn forms(row: &ApiRow) -> Vec<(Sort, Table, String)> {
    let arguments: Option<Vec<_>> = row.params.iter().map(|kind| values(row.name, kind)).collect();
    let Some(arguments) = arguments else {
        return Vec::new();
    };
    let gives: &[Sort] = match (row.returns, row.may_be_nothing) {
        ("float", false) => &[Sort::Number],
        ("float", true) => &[Sort::PerhapsNumber],
        ("int", _) => &[Sort::Integer],
        ("bool", _) => &[Sort::Switch],
        ("Vector", false) => &[Sort::Vector],
        ("Vector", true) => &[Sort::PerhapsVector, Sort::Perhaps],
        ("Turn", _) => &[Sort::Outcome],
        ("Unit", true) => &[Sort::PerhapsUnit, Sort::Perhaps],
        ("Unit", false) => &[Sort::Unit],
        ("string", _) => &[Sort::Text],
        ("List", _) => &[Sort::Units],
        ("Obstacle", true) => &[Sort::Obstacle, Sort::Perhaps],
        ("Obstacle", false) => &[Sort::Obstacle],
        ("ObstacleList", _) => &[Sort::Obstacles],
        ("Path", false) => &[Sort::Path],
        ("Field", false) => &[Sort::Field],
        ("Grid", false) => &[Sort::Grid],
        ("Path", true) => &[Sort::Path, Sort::Perhaps],
        ("Field", true) => &[Sort::Field, Sort::Perhaps],
        (_, true) => &[Sort::Perhaps],
        _ => &[],
    };
    let mut made = Vec::new();
    let is_whole = row.params.iter().all(|kind| *kind == "int");
    // Each argument in turn has all variants; the others have the first one.
    for at in 0..arguments.len() {
        for value in &arguments[at] {
            let mut picked: Vec<_> = arguments.iter().map(|values| values[0].clone()).collect();
            picked[at].clone_from(value);
            if !is_whole && is_of_integers(row.name, &picked) {
                continue;
            }
            for form in written(row, &picked) {
                for sort in gives {
                    made.extend(placed(row, *sort, &form));
                }
            }
        }
    }
    made
}

/// Returns true if another row accepts these arguments as integers and returns an integer.
fn is_of_integers(name: &str, arguments: &[String]) -> bool {
    let is_integer = arguments.iter().all(|argument| argument == "$i");
    let other = |row: &ApiRow| row.name == name && row.params.iter().all(|kind| *kind == "int");
    is_integer && api_rows().iter().any(other)
}

/// Returns the tables of a form.
fn placed(row: &ApiRow, sort: Sort, form: &str) -> Vec<(Sort, Table, String)> {
    let is_certain = matches!(sort, Sort::Unit | Sort::Obstacle | Sort::Path | Sort::Field | Sort::Grid);
    let fails = row.is_index || row.params.contains(&"Hit") || (row.may_be_nothing && is_certain);
    let table = if fails || row.name == "distance_to_goal" || RARELY_FINITE.contains(&row.name) {
        Table::Risky
    } else if form.split('$').skip(1).all(|rest| rest.starts_with(['m', 'w'])) {
        Table::Leaves
    } else {
        Table::Deep
    };
    let mut all = vec![(sort, table, form.to_owned())];
    // A value that may be `()` is also used where it must not be.
    all.extend(sort.surely().map(|sort| (sort, Table::Risky, form.to_owned())));
    if matches!(sort, Sort::Unit | Sort::PerhapsUnit) {
        all.push((Sort::Someone, Table::Risky, form.to_owned()));
    }
    all
}

/// Returns the argument variants of a type, the simplest first; none for types that programs do not use.
fn values(name: &str, kind: &str) -> Option<Vec<String>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| format!("\"{text}\"")).collect();
    let holes: &[&str] = match kind {
        "float" => &["$n", "$i"],
        "int" => &["$i"],
        "Vector" => &["$v"],
        "Unit" => &["$a"],
        "Me" => &["$m"],
        "World" => &["$w"],
        "List" => &["$l"],
        "Obstacle" => &["$o"],
        "ObstacleList" => &["$b"],
        "Path" => &["$p"],
        "Field" => &["$f"],
        "Group" => &["$w.group(\"flock\")", "$w.group(\"hunters\")", "$w.group(\"player\")"],
        "Grid" => &["$g"],
        "Hit" => &["$b.ray($v, $v, 1000)"],
        "string" => {
            return Some(match name {
                "is" | "of_kind" => texts(&["craft", "boat", "plane", "player"]),
                "has_mark" | "marked" => texts(&["seen"]),
                "see" => texts(&["near", "narrow"]),
                "path" => texts(&["road", "ring"]),
                "field" => texts(&["wind", "way"]),
                "group" => texts(&["flock", "hunters", "player"]),
                "zone" => texts(&["pen", "wild"]),
                "grid" | "deposit" | "take" => texts(&["trail", "smell"]),
                _ => texts(&["fear"]),
            });
        }
        _ => return None,
    };
    Some(holes.iter().map(|hole| (*hole).to_owned()).collect())
}

/// Returns all notations of a call.
fn written(row: &ApiRow, arguments: &[String]) -> Vec<String> {
    let (name, first, rest) = (row.name, &arguments[0], arguments[1..].join(", "));
    let receiver = match first.as_str() {
        "$n" | "$i" => format!("({first})"),
        first => first.to_owned(),
    };
    if row.is_property {
        vec![format!("{receiver}.{name}")]
    } else if row.is_index {
        vec![format!("{receiver}[{rest}]")]
    } else {
        vec![format!("{name}({})", arguments.join(", ")), format!("{receiver}.{name}({rest})")]
    }
}

/// Leaves, nested forms and risky ones.
#[rustfmt::skip]
const LANGUAGE: [(Sort, [&[&str]; 3]); 14] = [
    (Sort::Number, [
        &["0.0", "1.0", "0.5", "(-2.5)", "100.0", "0.001", "1.0000001", "1.0e-8", "PI", "TAU"],
        &["($n + $n)", "($n - $n)", "($n * $n)", "($n / $n)", "($n % $n)", "($n ** 2)", "($n ** 2.0)", "($n + $i)",
          "($i + $n)", "($n - $i)", "($i - $n)", "($n * $i)", "($i * $n)", "($n / 3)", "($i / 2.0)", "($n % $i)",
          "($i % $n)", "(- $n)", "(+ $n)", "sqrt(abs($n))", "exp(min($n, 5))", "tanh($n)", "ln(abs($n) + 1)", "pow($n, 2)",
          "pow(abs($n), 0.5)", "clamp($n, -5, 5)", "lerp($n, $i, 0.5)", "$m.random_between(-1, 1)",
          "$m.random_normal($n, 0.5)"],
        &["(1.0 / 0.0)", "(0.0 / 0.0)", "(-0.0)", "3.0e38", "($n / $i)", "($n % 0.0)", "($n ** $n)", "($n ** $i)",
          "($i ** $n)", "$a.velocity.length"],
    ]),
    (Sort::Integer, [
        &["0", "1", "2", "3", "(-1)", "7", "10", "64"],
        &["($i + $i)", "($i - $i)", "($i * $i)", "($i / 3)", "($i % 4)", "($i / (-2))", "($i ** 2)", "(- $i)",
          "(+ $i)", "($i & $i)", "($i | $i)", "($i ^ $i)", "($i << 3)", "($i >> 1)", "($i >> $i)", "clamp($i, 0, 5)"],
        &["9223372036854775807", "(-9223372036854775807)", "($i / $i)", "($i % $i)", "($i ** $i)", "($i << $i)",
          "to_int($n * 1.0e30)"],
    ]),
    (Sort::Switch, [
        &["true", "false"],
        &["($n < $n)", "($n <= $n)", "($n > $n)", "($n >= $n)", "($n == $n)", "($n != $n)", "($n < $i)", "($i >= $n)",
          "($n == $i)", "($i < $i)", "($i <= $i)", "($i > $i)", "($i >= $i)", "($i == $i)", "($i != $i)", "(!$s)",
          "($s && $s)", "($s || $s)", "($s & $s)", "($s | $s)", "($s ^ $s)", "($s == $s)", "($s != $s)",
          "($v == $v)", "($v != $v)", "($t == $t)", "($t != $t)", "($a == $a)", "($a != $a)", "($o == $o)",
          "($x == ())", "($x != ())", "(() == $x)", "(1..5).contains($i)", "($i in 0..=3)", "(0..=$i).is_empty",
          "(0..$i).is_exclusive", "(0..$i).is_inclusive()"],
        &["($n < $x)", "($x >= $i)", "($n == $x)", "($x == $v)"],
    ]),
    (Sort::Vector, [
        &["vec(0, 0)", "vec(1, 2)", "vec(0.5, -1, 3.0)"],
        &["($v + $v)", "($v - $v)", "(- $v)", "($v * $n)", "($v * $i)", "($n * $v)", "($i * $v)", "($v / $n)",
          "($v / 2)", "$v.limit(2)"],
        &["($v / $i)", "($v * 3.0e38)"],
    ]),
    (Sort::Text, [&["\"wide\"", "\"flock\"", "\"\""], &[], &[]]),
    (Sort::Units, [&[], &["$l.within(30)"], &["$m.see(\"narow\")"]]),
    (Sort::Path, [&[], &[], &["$w.path(\"rode\")"]]),
    (Sort::Field, [&[], &[], &["$w.field(\"storm\")"]]),
    (Sort::Grid, [&[], &[], &["$w.grid(\"trial\")"]]),
    (Sort::PerhapsUnit, [&["()"], &["$u"], &[]]),
    (Sort::PerhapsVector, [&["()"], &["$v"], &[]]),
    (Sort::PerhapsNumber, [&["()"], &["$n"], &[]]),
    (Sort::Perhaps, [&[], &["$U", "$V", "$N"], &["()"]]),
    (Sort::Outcome, [
        &["()", "1", "0.5", "-1"],
        &["$n", "$v", "$v", "$i", "turn(0, 1)", "$v.limit($m.steering_force)"],
        // A behavior that returns a bool is not compiled: rare.
        &["$x", "$x", "$x", "$s"],
    ]),
];
