//! Parameters: tunable values that a script declares.

use rhai::{Dynamic, INT, ImmutableString};
use steerbox_core::diagnostics::closest;
use steerbox_core::sim::{DrawnKind, MemoryLayout};
use steerbox_core::world::{Distribution, Extrema, ParamValue};

/// The values that a parameter accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamRange {
    /// Numbers in an inclusive range.
    Number(f32, f32),
    /// Integers in an inclusive range.
    Integer(i64, i64),
    /// A bool.
    Switch,
    /// One of these words.
    Choice(Vec<String>),
}

/// A parameter as a script declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name of its constant.
    pub name: String,
    /// Its value unless another one is set.
    pub default: ParamValue,
    /// The values that it accepts.
    pub range: ParamRange,
    /// Line of its declaration, from 1.
    pub line: usize,
}

impl Param {
    /// Converts a value to this parameter's kind: integers are accepted as numbers.
    ///
    /// # Errors
    /// With a message, if the value is of another kind or out of range.
    pub fn accept(&self, value: &ParamValue) -> Result<ParamValue, String> {
        use ParamValue::{Choice, Integer, Number, Switch};
        let name = &self.name;
        let number = |v, least, most| within(name, v, least, most).map(Number);
        let integer = |v, least, most| within(name, v, least, most).map(Integer);
        match (&self.range, value) {
            (ParamRange::Number(least, most), Number(v)) => number(*v, *least, *most),
            (ParamRange::Number(least, most), Integer(v)) => number(*v as f32, *least, *most),
            (ParamRange::Integer(least, most), Integer(v)) => integer(*v, *least, *most),
            (ParamRange::Integer(least, most), Number(v)) if v.fract() == 0.0 => {
                integer(*v as i64, *least, *most)
            }
            (ParamRange::Switch, Switch(_)) => Ok(value.clone()),
            (ParamRange::Choice(words), Choice(word)) if words.contains(word) => Ok(value.clone()),
            (range, ParamValue::Distribution(distribution)) => {
                accept_distribution(name, range, distribution).map(|()| value.clone())
            }
            // A text of the command line that was meant as a distribution, or one in quotes.
            (ParamRange::Number(..) | ParamRange::Integer(..) | ParamRange::Switch, Choice(text))
                if text.contains('(') =>
            {
                Err(match text.parse::<Distribution>() {
                    Ok(_) => format!("{name} has a distribution in quotes: write {text} without them"),
                    Err(fault) => faulty_distribution(name, &fault),
                })
            }
            (range, value) => {
                let wanted = match range {
                    ParamRange::Choice(words) => &format!("one of {}", quoted(words)),
                    ParamRange::Number(..) => "a number",
                    ParamRange::Integer(..) => "an integer",
                    ParamRange::Switch => "true or false",
                };
                let value = to_dynamic(value);
                Err(format!("{name} must be {wanted}, not {value}"))
            }
        }
    }
}

impl Param {
    /// Checks a value of one unit, with 0 and 1 for false and true.
    ///
    /// # Errors
    /// With the reason if the parameter does not accept it.
    pub fn accept_of_unit(&self, value: f32) -> Result<(), String> {
        let name = &self.name;
        match &self.range {
            ParamRange::Number(least, most) => within(name, value, *least, *most).map(drop),
            ParamRange::Integer(..) if value.fract() != 0.0 => {
                Err(format!("{name} must be an integer, not {value}"))
            }
            ParamRange::Integer(least, most) => within(name, value as i64, *least, *most).map(drop),
            ParamRange::Switch if value == 0.0 || value == 1.0 => Ok(()),
            ParamRange::Switch => Err(format!("{name} must be true or false, not {value}")),
            ParamRange::Choice(_) => Err(format!("{name} is a word, which is the same for all units")),
        }
    }

    /// Returns the accepted value nearest to a rejected one, as a scene writes it.
    pub fn nearest(&self, value: &ParamValue) -> Option<String> {
        use ParamValue::{Choice, Integer, Number};
        let number = match value {
            Number(v) => Some(*v),
            Integer(v) => Some(*v as f32),
            _ => None,
        };
        match (&self.range, value) {
            (ParamRange::Number(least, most), _) => Some(number?.limited(*least, *most).to_string()),
            (ParamRange::Integer(least, most), _) => {
                Some((number?.round() as i64).clamp(*least, *most).to_string())
            }
            (ParamRange::Choice(words), Choice(word)) => {
                closest(word, words.iter().map(String::as_str)).map(|near| format!("\"{near}\""))
            }
            (ParamRange::Switch, Integer(v @ 0..=1)) => Some((*v == 1).to_string()),
            _ => None,
        }
    }
}

fn faulty_distribution(name: &str, fault: &str) -> String {
    format!("{name} has a faulty distribution: {fault}")
}

/// Returns an error if units cannot draw the values of a parameter from a distribution.
fn accept_distribution(name: &str, range: &ParamRange, distribution: &Distribution) -> Result<(), String> {
    if let Some(fault) = distribution.fault() {
        return Err(faulty_distribution(name, &fault));
    }
    let is_switch = matches!(distribution, Distribution::Switches(_));
    let (low, high) = distribution.named_range();
    match range {
        ParamRange::Choice(_) => Err(format!("{name} is a word, which is the same for all units")),
        ParamRange::Switch if is_switch => Ok(()),
        ParamRange::Switch if matches!(distribution, Distribution::Listed(_)) => Ok(()),
        ParamRange::Switch => Err(format!("{name} is true or false: write Choice([true, false])")),
        _ if is_switch => Err(format!("{name} is a number: write, for example, Choice([0, 1])")),
        ParamRange::Number(least, most) => {
            within(name, low, *least, *most).and_then(|_| within(name, high, *least, *most)).map(drop)
        }
        ParamRange::Integer(least, most) => {
            let (least, most) = (*least as f32, *most as f32);
            within(name, low, least, most).and_then(|_| within(name, high, least, most))?;
            let is_whole = |numbers: &[f32]| numbers.iter().all(|number| number.fract() == 0.0);
            match distribution {
                Distribution::Choice(numbers) if !is_whole(numbers) => {
                    Err(format!("{name} must be an integer for each unit"))
                }
                _ => Ok(()),
            }
        }
    }
}

/// Returns the drawn parameters among `values`: their kinds, distributions and limits.
pub(crate) fn push_drawn(layout: &mut MemoryLayout, params: &[Param], values: &[(String, ParamValue)]) {
    for param in params {
        let value = values.iter().find(|(name, _)| *name == param.name).map(|(_, value)| value);
        let Some(ParamValue::Distribution(distribution)) = value else { continue };
        let (kind, range) = match param.range {
            ParamRange::Number(least, most) => (DrawnKind::Number, (least, most)),
            // Greater integers are not exact as numbers.
            ParamRange::Integer(least, most) => {
                (DrawnKind::Integer, ((least.max(-EXACT) as f32), (most.min(EXACT) as f32)))
            }
            ParamRange::Switch => (DrawnKind::Switch, (0.0, 1.0)),
            ParamRange::Choice(_) => continue,
        };
        layout.push_drawn(&param.name, kind, (distribution.clone(), range));
    }
}

/// Integers up to here are exact as numbers.
const EXACT: i64 = 1 << 24;

fn within<T: Copy + PartialOrd + std::fmt::Display>(
    name: &str,
    v: T,
    least: T,
    most: T,
) -> Result<T, String> {
    let outside = || format!("{name} is {v}, but the script allows {least} to {most}");
    (v >= least && v <= most).then_some(v).ok_or_else(outside)
}

/// Returns the words in quotes, separated by commas.
pub(crate) fn quoted(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(", ")
}

/// Parses a value of the command line: `true`, `3`, `0.5`, `Normal(1, 0.2)`, or a word.
pub fn parse_value(text: &str) -> ParamValue {
    let number = || {
        let number = text.parse().ok().filter(|number: &f32| number.is_finite());
        number.map(ParamValue::Number)
    };
    (text.parse().map(ParamValue::Switch).ok())
        .or_else(|| text.parse().map(ParamValue::Integer).ok())
        .or_else(number)
        .or_else(|| text.parse().map(ParamValue::Distribution).ok())
        .unwrap_or_else(|| ParamValue::Choice(text.trim_matches('"').to_owned()))
}

/// Converts the value for the engine.
pub(crate) fn to_dynamic(value: &ParamValue) -> Dynamic {
    match value {
        ParamValue::Number(v) => Dynamic::from_float(*v),
        ParamValue::Integer(v) => Dynamic::from_int(*v),
        ParamValue::Switch(v) => Dynamic::from_bool(*v),
        ParamValue::Choice(v) => Dynamic::from(ImmutableString::from(v.as_str())),
        ParamValue::Distribution(v) => Dynamic::from(ImmutableString::from(v.to_string())),
    }
}

/// Returns default and range from the arguments of `param(…)`.
///
/// # Errors
/// With a message, if the arguments declare no parameter.
pub(crate) fn declare(arguments: &[Dynamic]) -> Result<(ParamValue, ParamRange), String> {
    const FORMS: &str = "param does not take this\nwrite param(default, least, most), param(true) or param(\"a\", [\"a\", \"b\"])";
    match arguments {
        [only] => {
            if let Ok(switch) = only.as_bool() {
                return Ok((ParamValue::Switch(switch), ParamRange::Switch));
            }
            let default = number(only).ok_or(FORMS)?;
            let far = (4.0 * default).limited(f32::MIN, f32::MAX);
            let range = ParamRange::Number(far.lesser(0.0), far.greater(1.0));
            Ok((ParamValue::Number(default), range))
        }
        [word, words] => {
            let word = word.clone().into_string().map_err(|_| FORMS)?;
            let words = words.clone().into_typed_array::<String>();
            let words = words.map_err(|_| FORMS)?;
            if !words.contains(&word) {
                let choices = quoted(&words);
                return Err(format!(
                    "the default \"{word}\" is not among the choices\nthe choices are {choices}"
                ));
            }
            Ok((ParamValue::Choice(word), ParamRange::Choice(words)))
        }
        [default, least, most] => bounded([default, least, most]),
        _ => Err(FORMS.to_owned()),
    }
}

fn bounded(all: [&Dynamic; 3]) -> Result<(ParamValue, ParamRange), String> {
    let [default, least, most] = all;
    let wrong = |cause: String| Err(format!("{cause}\nwrite param(default, least, most)"));
    let [Some(v), Some(low), Some(high)] = all.map(number) else {
        return wrong("these are not three numbers".to_owned());
    };
    if low > high {
        return wrong(format!("the least {least} is above the most {most}"));
    }
    let integers = all.map(Dynamic::as_int);
    let is_inside = match integers {
        [Ok(v), Ok(low), Ok(high)] => (low..=high).contains(&v),
        _ => (low..=high).contains(&v),
    };
    match integers {
        _ if !is_inside => wrong(format!("the default {default} is not within {least} to {most}")),
        [Ok(v), Ok(low), Ok(high)] => Ok((ParamValue::Integer(v), ParamRange::Integer(low, high))),
        _ => Ok((ParamValue::Number(v), ParamRange::Number(low, high))),
    }
}

/// Returns a finite number, converting integers.
pub(crate) fn number(value: &Dynamic) -> Option<f32> {
    let integer = || value.as_int().ok().map(|v: INT| v as f32);
    let number = value.as_float().ok().or_else(integer);
    number.filter(|number| number.is_finite())
}
