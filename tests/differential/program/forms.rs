//! Everything that gives a value, as forms: `$n` is a hole for a number, and so on by the letters of
//! [`Sort`]. What a form needs must be in scope: `$m` and `$w` only where `me` and `world` are.

use super::sort::Sort;

/// The forms of a sort.
pub(crate) struct Forms {
    /// Those without values inside.
    pub(crate) leaves: &'static [&'static str],
    pub(crate) deep: &'static [&'static str],
    /// Those that fail, or are not finite, more often than not.
    pub(crate) risky: &'static [&'static str],
}

const NONE: Forms = Forms {
    leaves: &[],
    deep: &[],
    risky: &[],
};

/// The forms that give a sort.
pub(crate) fn of(sort: Sort) -> Forms {
    match sort {
        Sort::Number => NUMBERS,
        Sort::Integer => INTEGERS,
        Sort::Switch => SWITCHES,
        Sort::Vector => VECTORS,
        Sort::Text => TEXTS,
        Sort::Someone => Forms {
            risky: UNITS.risky,
            ..NONE
        },
        Sort::Unit => UNITS,
        Sort::Units => LISTS,
        Sort::Obstacle => OBSTACLES,
        Sort::Obstacles => Forms {
            leaves: &["$w.obstacles"],
            ..NONE
        },
        Sort::Path => PATHS,
        Sort::Field => FIELDS,
        Sort::PerhapsUnit => PERHAPS_UNITS,
        Sort::PerhapsVector => Forms {
            leaves: &["()", "$w.target"],
            deep: &["$v"],
            ..NONE
        },
        Sort::PerhapsNumber => Forms {
            leaves: &["()"],
            deep: &["$n", "$o.ray($v, $v, $n)", "$o.ray($v, $v, $i)"],
            ..NONE
        },
        Sort::Perhaps => PERHAPS,
        Sort::Outcome => OUTCOMES,
        Sort::Me | Sort::World | Sort::Block | Sort::Statement => NONE,
    }
}

/// Every form of the tables.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    let sorts = "nisvtaulobpfUVNxr".chars().map(Sort::of);
    sorts.flat_map(|sort| {
        let Forms {
            leaves,
            deep,
            risky,
        } = of(sort);
        leaves.iter().chain(deep).chain(risky).copied()
    })
}

#[rustfmt::skip]
const NUMBERS: Forms = Forms {
    leaves: &[
        "0.0", "1.0", "0.5", "(-2.5)", "100.0", "0.001", "1.0000001", "1.0e-8", "PI", "TAU", "$w.step", "$w.time", "$w.radius",
    ],
    deep: &[
        "($n + $n)", "($n - $n)", "($n * $n)", "($n / $n)", "($n % $n)", "($n ** 2)", "($n ** 2.0)",
        "($n + $i)", "($i + $n)", "($n - $i)", "($i - $n)", "($n * $i)", "($i * $n)", "($n / 3)",
        "($i / 2.0)", "($n % $i)", "($i % $n)", "(- $n)", "(+ $n)", "$i.to_float()", "to_float($n)",
        "sin($n)", "cos($n)", "($n).cos()", "tan($i)", "asin($n)", "acos($n)", "atan($n)", "atan2($n, $n)",
        "atan2($i, $n)", "($n).atan2($i)", "sqrt(abs($n))", "exp(min($n, 5))", "ln(abs($n) + 1)",
        "pow(abs($n), 0.5)", "pow($n, 2)", "($n).floor()", "floor($n)", "ceil($n)", "round($n)",
        "lerp($n, $n, $n)", "lerp($n, $i, 0.5)", "clamp($n, -5, 5)", "clamp($n, $n, $n)", "($n).clamp(0, $n)",
        "min($n, $n)", "min($n, $i)", "max($n, $n)", "max($i, $n)", "($n).max(1)", "abs($n)", "($n).abs()",
        "sign($n)", "$v.x", "$v.y", "$v.z", "$v.length", "$v.dot($v)", "dot($v, $v)", "$v.angle_to($v)",
        "angle_to($v, $v)", "$v.distance_to($v)", "distance_to($v, $v)", "$a.speed", "$a.length", "$a.width",
        "$a.radius", "$a.mass", "$a.max_speed", "$a.desired_speed", "$a.steering_force", "$a.thrust",
        "$a.distance_to($a)", "$a.distance_to($v)", "distance_to($a, $v)", "$a.side($v)", "side($a, $v)",
        "$m.random()", "random($m)", "$m.random_between($n, $n)", "$m.random_between($n, $i)",
        "$m.random_between(-1, 1)", "$o.radius", "$o.distance_to($v)", "distance_to($o, $v)", "$p.length",
        "$p.radius", "$p.distance_along($v)",
    ],
    risky: &[
        "(1.0 / 0.0)", "(0.0 / 0.0)", "(-0.0)", "3.0e38", "($n / $i)", "($n % 0.0)", "($n ** $n)",
        "($n ** $i)", "($i ** $n)", "sqrt($n)", "ln($n)", "exp($n)", "pow($n, $n)",
        "$o.ray($v, $v, $n)", "$a.velocity.length",
    ],
};

#[rustfmt::skip]
const INTEGERS: Forms = Forms {
    leaves: &["0", "1", "2", "3", "(-1)", "7", "10", "64"],
    deep: &[
        "($i + $i)", "($i - $i)", "($i * $i)", "($i / 3)", "($i % 4)", "($i / (-2))", "($i ** 2)", "(- $i)",
        "(+ $i)", "($i & $i)", "($i | $i)", "($i ^ $i)", "($i << 3)", "($i >> 1)", "($i >> $i)", "abs($i)",
        "($i).abs()", "sign($i)", "min($i, $i)", "max($i, $i)", "($i).min(3)", "clamp($i, 0, 5)",
        "clamp($i, $i, $i)", "to_int($n)", "($n).to_int()", "to_int($i)", "$l.len", "$l.len()", "len($l)",
        "$b.len", "$b.len()", "$a.id", "$a.index",
    ],
    risky: &[
        "9223372036854775807", "(-9223372036854775807)", "($i / $i)", "($i % $i)", "($i ** $i)", "($i << $i)",
        "to_int($n * 1.0e30)",
    ],
};

#[rustfmt::skip]
const SWITCHES: Forms = Forms {
    leaves: &["true", "false"],
    deep: &[
        "($n < $n)", "($n <= $n)", "($n > $n)", "($n >= $n)", "($n == $n)", "($n != $n)", "($n < $i)",
        "($i >= $n)", "($n == $i)", "($i < $i)", "($i <= $i)", "($i > $i)", "($i >= $i)", "($i == $i)",
        "($i != $i)", "(!$s)", "($s && $s)", "($s || $s)", "($s & $s)", "($s | $s)", "($s ^ $s)",
        "($s == $s)", "($s != $s)", "($v == $v)", "($v != $v)", "($t == $t)", "($t != $t)", "($a == $a)",
        "($a != $a)", "$a.is(\"craft\")", "$a.is(\"boat\")", "$a.is(\"plane\")", "$a.has_mark(\"seen\")",
        "is($a, \"player\")", "$l.is_empty", "$l.is_empty()", "$b.is_empty", "$b.is_empty()", "$m.has_view",
        "($o == $o)", "$o.inside_out", "$p.is_closed", "($x == ())", "($x != ())", "(() == $x)", "is_even($i)",
        "($i).is_odd()", "($i).is_zero()", "is_zero($n)", "(1..5).contains($i)", "($i in 0..=3)",
    ],
    risky: &["($n < $x)", "($x >= $i)", "($n == $x)", "($x == $v)"],
};

#[rustfmt::skip]
const VECTORS: Forms = Forms {
    leaves: &["vec(0, 0)", "vec(1, 2)", "vec(0.5, -1, 3.0)", "$w.center", "$w.size"],
    deep: &[
        "vec($n, $n)", "vec($n, $i)", "vec($i, $n, $n)", "($v + $v)", "($v - $v)", "(- $v)", "($v * $n)",
        "($v * $i)", "($n * $v)", "($i * $v)", "($v / $n)", "($v / 2)", "$v.normalized", "$v.cross($v)",
        "cross($v, $v)", "$v.limit($n)", "$v.limit(2)", "limit($v, $n)", "$v.rotated($n)", "$v.rotated($i)",
        "$v.lerp($v, $n)", "lerp($v, $v, $i)", "$a.position", "$a.velocity", "$a.heading", "$a.starboard",
        "$a.up", "$a.angular_velocity", "$a.to_local($v)", "$a.to_world($v)", "to_world($a, $v)",
        "$l.mean_position", "$l.mean_velocity", "$m.random_direction()", "$o.position", "$o.nearest_point($v)",
        "$o.normal($v)", "$p.nearest_point($v)", "$p.point_at($n)", "$p.point_at($i)", "$p.direction_at($n)",
        "$f.at($v)", "at($f, $v)",
    ],
    risky: &["($v / $i)", "($v * 3.0e38)", "$w.target", "$w.player.position"],
};

const TEXTS: Forms = Forms {
    leaves: &["\"wide\"", "\"flock\"", "\"\""],
    deep: &["$a.group"],
    risky: &[],
};

const UNITS: Forms = Forms {
    leaves: &[],
    deep: &[],
    risky: &["$l.nearest", "$l[0]", "$l[$i]", "$l[$n]", "$w.player"],
};

const LISTS: Forms = Forms {
    leaves: &[
        "$m.neighbors",
        "$m.others",
        "$m.enemies",
        "$m.see(\"near\")",
        "$m.see(\"narrow\")",
    ],
    deep: &[
        "$l.within($n)",
        "$l.within(30)",
        "$l.within($i)",
        "within($l, 20.0)",
        "see($m, \"near\")",
    ],
    risky: &["$m.see(\"narow\")"],
};

const OBSTACLES: Forms = Forms {
    leaves: &[],
    deep: &[],
    risky: &["$b.nearest", "$b[0]", "$b[$i]"],
};

const PATHS: Forms = Forms {
    leaves: &["$w.path(\"road\")", "$w.path(\"ring\")"],
    deep: &["path($w, \"ring\")"],
    risky: &["$m.path", "$w.path(\"rode\")"],
};

const FIELDS: Forms = Forms {
    leaves: &["$w.field(\"wind\")"],
    deep: &["field($w, \"wind\")"],
    risky: &["$m.field", "$w.field(\"storm\")"],
};

const PERHAPS_UNITS: Forms = Forms {
    leaves: &["()", "$w.player"],
    deep: &["$l.nearest", "$u"],
    risky: &[],
};

const PERHAPS: Forms = Forms {
    leaves: &["$w.player", "$w.target", "$m.path", "$m.field"],
    deep: &["$l.nearest", "$b.nearest", "$U", "$V", "$N"],
    risky: &["()"],
};

#[rustfmt::skip]
const OUTCOMES: Forms = Forms {
    leaves: &["()", "1", "0.5", "-1"],
    deep: &[
        "$n", "$v", "$v", "$i", "turn($n, $n)", "turn($i, $n)", "turn(0, 1)", "$v.limit($m.steering_force)",
    ],
    risky: &["$x", "$s"],
};
