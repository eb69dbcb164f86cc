//! Distributions of numbers that differ by unit.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use glam::FloatExt as _;
use serde::{Deserialize, Serialize};

use super::extrema::Extrema;
use super::listed::Listed;
use super::random;

/// A number, or the distribution from which each unit draws its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Distribution {
    /// The same number for all units.
    Constant(f32),
    /// The normal distribution.
    Normal {
        /// Its mean.
        mean: f32,
        /// Its standard deviation, not negative.
        deviation: f32,
    },
    /// The log-normal distribution: logarithms of its numbers have a normal distribution.
    LogNormal {
        /// Mean of the numbers themselves, above zero.
        mean: f32,
        /// Standard deviation of the numbers themselves, not negative.
        deviation: f32,
    },
    /// The uniform distribution.
    Uniform {
        /// The least number.
        least: f32,
        /// The end of the range, not below `least`.
        most: f32,
    },
    /// One of these numbers, each equally likely; not empty.
    Choice(Vec<f32>),
    /// One of these switches, each equally likely; not empty. Numbers are 0 and 1.
    Switches(Vec<bool>),
    /// The value of each unit in a table. It is not part of stored settings: the table is stored instead.
    #[serde(skip)]
    Listed(Arc<Listed>),
}

/// The draw of a distribution; draws during steps have lesser indices.
const DRAW: u32 = u32::MAX;

impl Distribution {
    /// The names of distributions in scenes.
    pub const CASES: [&str; 4] = ["Normal", "LogNormal", "Uniform", "Choice"];
    /// The fault of a choice without values.
    pub const EMPTY: &str = "`Choice` needs at least one value";
    /// The fault of a choice without a list.
    pub const NO_LIST: &str = "`Choice` needs a list of values: Choice([-1, 1])";
    /// The fault of a choice of other values.
    const MIXED: &str = "the values of `Choice` must be numbers, or true and false";

    /// Returns the names of the two numbers of a distribution; `None` for a choice.
    pub fn numbers(case: &str) -> Option<[&'static str; 2]> {
        match case {
            "Normal" | "LogNormal" => Some(["mean", "deviation"]),
            "Uniform" => Some(["least", "most"]),
            _ => None,
        }
    }

    /// Returns the fault of a distribution without the numbers that it needs.
    pub fn needs([first, second]: [&str; 2], case: &str) -> String {
        format!("`{case}` needs two numbers: {case}({first}, {second})")
    }

    /// Returns the number of a draw of [`random::draw`]; greater draws do not give lesser numbers of the first four cases.
    pub fn at(&self, draw: f32) -> f32 {
        match self {
            Self::Constant(number) => *number,
            Self::Normal { mean, deviation } => mean + deviation * random::normal(draw),
            Self::LogNormal { mean, deviation } => log_normal(*mean, *deviation, draw),
            Self::Uniform { least, most } => least.lerp(*most, draw),
            Self::Choice(numbers) => picked(numbers, draw).unwrap_or(0.0),
            Self::Switches(switches) => f32::from(u8::from(picked(switches, draw).unwrap_or(false))),
            Self::Listed(listed) => listed.median(),
        }
    }

    /// Returns the number of a unit for the value `name` (see [`name_key`]) of a behavior: a function of these four only.
    pub fn of_unit(&self, seed: u64, unit_key: u64, behavior: u64, name: u64) -> f32 {
        match self {
            Self::Listed(listed) => listed.of(unit_key),
            other => other.at(random::draw(seed, unit_key, name, behavior, DRAW)),
        }
    }

    /// Returns its mean; the share of true for switches.
    pub fn mean(&self) -> f32 {
        match self {
            Self::Constant(mean) | Self::Normal { mean, .. } | Self::LogNormal { mean, .. } => *mean,
            Self::Uniform { least, most } => 0.5 * least + 0.5 * most,
            Self::Choice(numbers) => {
                let sum: f64 = numbers.iter().copied().map(f64::from).sum();
                (sum / numbers.len().max(1) as f64) as f32
            }
            Self::Switches(switches) => {
                switches.iter().filter(|on| **on).count() as f32 / switches.len().max(1) as f32
            }
            Self::Listed(listed) => listed.mean(),
        }
    }

    /// Returns the distribution of the same width with another mean; the mean itself if it is a choice, or if a log-normal
    /// distribution has no such mean.
    #[must_use]
    pub fn with_mean(&self, mean: f32) -> Self {
        match self {
            Self::Normal { deviation, .. } => Self::Normal { mean, deviation: *deviation },
            Self::LogNormal { deviation, .. } if mean > 0.0 => {
                Self::LogNormal { mean, deviation: *deviation }
            }
            Self::Uniform { least, most } => {
                let half = 0.5 * most - 0.5 * least;
                Self::Uniform { least: decimal(mean - half), most: decimal(mean + half) }
            }
            _ => Self::Constant(mean),
        }
    }

    /// Returns the least and the greatest number that it names: both ends, all choices, or the mean.
    pub fn named_range(&self) -> (f32, f32) {
        match self {
            Self::Uniform { least, most } => (*least, *most),
            Self::Choice(numbers) => {
                let fold = |pick: fn(f32, f32) -> f32, start| numbers.iter().copied().fold(start, pick);
                (fold(f32::lesser, f32::INFINITY), fold(f32::greater, f32::NEG_INFINITY))
            }
            Self::Listed(listed) => {
                let fold = |pick: fn(f32, f32) -> f32, start| listed.values().fold(start, pick);
                (fold(f32::lesser, f32::INFINITY), fold(f32::greater, f32::NEG_INFINITY))
            }
            other => (other.mean(), other.mean()),
        }
    }

    /// Returns the reason why its parameters are not valid, if so.
    pub fn fault(&self) -> Option<String> {
        let is_finite = match self {
            Self::Normal { mean, deviation } | Self::LogNormal { mean, deviation } => {
                mean.is_finite() && deviation.is_finite()
            }
            Self::Uniform { least, most } => least.is_finite() && most.is_finite(),
            Self::Choice(numbers) => numbers.iter().all(|number| number.is_finite()),
            Self::Constant(number) => number.is_finite(),
            Self::Switches(_) => true,
            Self::Listed(listed) => listed.values().all(f32::is_finite),
        };
        match self {
            _ if !is_finite => Some("its numbers must be finite".to_owned()),
            Self::Normal { deviation, .. } | Self::LogNormal { deviation, .. } if *deviation < 0.0 => {
                Some("`deviation` must not be negative".to_owned())
            }
            Self::LogNormal { mean, .. } if *mean <= 0.0 => Some("`mean` must be above zero".to_owned()),
            Self::Uniform { least, most } if least > most => {
                Some(format!("`least` must not be above `most`, as {least} is above {most}"))
            }
            Self::Choice(numbers) if numbers.is_empty() => Some(Self::EMPTY.to_owned()),
            Self::Switches(switches) if switches.is_empty() => Some(Self::EMPTY.to_owned()),
            _ => None,
        }
    }
}

/// Returns the key of a named value for [`Distribution::of_unit`].
pub fn name_key(name: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

/// The number of the log-normal distribution with this mean and deviation: the logarithms have the variance
/// ln(1 + (deviation / mean)²) and the mean ln(mean) − variance / 2.
fn log_normal(mean: f32, deviation: f32, draw: f32) -> f32 {
    let ratio = f64::from(deviation) / f64::from(mean);
    let variance = libm::log1p(ratio * ratio);
    let center = libm::log(f64::from(mean)) - 0.5 * variance;
    libm::exp(center + variance.sqrt() * f64::from(random::normal(draw))) as f32
}

fn picked<T: Copy>(values: &[T], draw: f32) -> Option<T> {
    let at = (f64::from(draw) * values.len() as f64) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied()
}

/// Rounds to six decimal digits, so that a shifted number is as short as it was.
fn decimal(number: f32) -> f32 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

impl fmt::Display for Distribution {
    /// Writes it as in a scene.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn listed<T: ToString>(values: &[T]) -> String {
            values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
        }
        match self {
            Self::Constant(number) => number.fmt(formatter),
            Self::Normal { mean, deviation } => write!(formatter, "Normal({mean}, {deviation})"),
            Self::LogNormal { mean, deviation } => write!(formatter, "LogNormal({mean}, {deviation})"),
            Self::Uniform { least, most } => write!(formatter, "Uniform({least}, {most})"),
            Self::Choice(numbers) => write!(formatter, "Choice([{}])", listed(numbers)),
            Self::Switches(switches) => write!(formatter, "Choice([{}])", listed(switches)),
            Self::Listed(listed) => {
                write!(formatter, "a column of its table, with the mean {}", listed.mean())
            }
        }
    }
}

impl FromStr for Distribution {
    /// The reason, as a message.
    type Err = String;

    /// Parses a valid distribution as [`fmt::Display`] writes it; not a plain number.
    fn from_str(text: &str) -> Result<Self, String> {
        fn all<T: FromStr>(parts: &[&str]) -> Option<Vec<T>> {
            parts.iter().map(|part| part.parse().ok()).collect()
        }
        let other = || format!("{text} is not a distribution: expected {}", Self::CASES.join(", "));
        let (case, rest) = text.trim().split_once('(').ok_or_else(other)?;
        let inside = rest.strip_suffix(')').ok_or_else(other)?.trim();
        let list = inside.strip_prefix('[').and_then(|inside| inside.strip_suffix(']'));
        let parts = list.unwrap_or(inside).split(',').map(str::trim).filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.collect();
        let numbers = all::<f32>(&parts);
        let parsed = match (case.trim(), list.is_some(), numbers.as_deref()) {
            ("Normal", false, Some(&[mean, deviation])) => Self::Normal { mean, deviation },
            ("LogNormal", false, Some(&[mean, deviation])) => Self::LogNormal { mean, deviation },
            ("Uniform", false, Some(&[least, most])) => Self::Uniform { least, most },
            ("Choice", true, Some(numbers)) => Self::Choice(numbers.to_vec()),
            ("Choice", true, None) => Self::Switches(all(&parts).ok_or(Self::MIXED)?),
            ("Choice", false, _) => return Err(Self::NO_LIST.to_owned()),
            (case, ..) => {
                return Err(Self::numbers(case).map_or_else(other, |numbers| Self::needs(numbers, case)));
            }
        };
        parsed.fault().map_or(Ok(parsed), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<f32> {
        let distribution: Distribution = text.parse().unwrap();
        (0..20_000).map(|unit| distribution.of_unit(3, unit, 5, name_key("GAIN"))).collect()
    }

    fn moments(numbers: &[f32]) -> (f64, f64) {
        let mean = numbers.iter().map(|x| f64::from(*x)).sum::<f64>() / numbers.len() as f64;
        let square = numbers.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>();
        (mean, (square / numbers.len() as f64).sqrt())
    }

    #[test]
    fn each_distribution_has_its_mean_and_deviation() {
        for (text, expected) in [
            ("Normal(1, 0.2)", (1.0, 0.2)),
            ("LogNormal(2, 0.5)", (2.0, 0.5)),
            ("LogNormal(2, 3)", (2.0, 3.0)),
            ("Uniform(-1, 3)", (1.0, 4.0 / 12.0_f64.sqrt())),
            ("Choice([-1, 1])", (0.0, 1.0)),
            ("Choice([true, false, false, false])", (0.25, 0.1875_f64.sqrt())),
        ] {
            let (mean, deviation) = moments(&numbers(text));
            assert!((mean - expected.0).abs() < 0.04 * expected.1, "{text}: mean {mean}");
            assert!((deviation / expected.1 - 1.0).abs() < 0.1, "{text}: deviation {deviation}");
            let named = f64::from(text.parse::<Distribution>().unwrap().mean());
            assert!((named - expected.0).abs() < 1e-6, "{text}: {named}");
        }
        assert_eq!(Distribution::Choice(vec![f32::MAX; 3]).mean(), f32::MAX);
        assert!(numbers("LogNormal(2, 3)").iter().all(|x| *x > 0.0));
        assert!(numbers("LogNormal(2, 0)").iter().all(|x| (x - 2.0).abs() < 1e-6));
    }

    #[test]
    fn a_number_depends_on_seed_unit_behavior_and_name() {
        let normal = Distribution::Normal { mean: 0.0, deviation: 1.0 };
        let base = normal.of_unit(1, 2, 3, 4);
        assert_eq!(base, normal.of_unit(1, 2, 3, 4));
        for other in [[9, 2, 3, 4], [1, 9, 3, 4], [1, 2, 9, 4], [1, 2, 3, 9]] {
            let [seed, unit, behavior, name] = other;
            assert_ne!(base, normal.of_unit(seed, unit, behavior, name));
        }
    }

    #[test]
    fn texts_are_parsed_as_written_and_faulty_ones_rejected() {
        for text in
            ["Normal(1, 0.2)", "LogNormal(2, 0)", "Uniform(-3, -3)", "Choice([0.1, 1, 1])", "Choice([true])"]
        {
            assert_eq!(text.parse::<Distribution>().unwrap().to_string(), text);
        }
        for text in [
            "Normal(1)",
            "Normal(1, -2)",
            "Normal(NaN, 1)",
            "LogNormal(0, 1)",
            "Uniform(2, 1)",
            "Choice([])",
            "Choice(1, 2)",
            "Choice([true, 1])",
            "Choice([a])",
            "Normal([1, 2])",
            "Other(1, 2)",
            "3",
            "",
        ] {
            assert!(text.parse::<Distribution>().is_err(), "{text}");
        }
        let reason = |text: &str| text.parse::<Distribution>().unwrap_err();
        assert_eq!(reason("Normal(1)"), "`Normal` needs two numbers: Normal(mean, deviation)");
        assert_eq!(reason("Uniform(2, 1)"), "`least` must not be above `most`, as 2 is above 1");
        assert_eq!(reason("Choice(1, 2)"), Distribution::NO_LIST);
        assert_eq!(reason("Choice([true, 1])"), Distribution::MIXED);
        assert_eq!(
            reason("Gauss(1, 2)"),
            "Gauss(1, 2) is not a distribution: expected Normal, LogNormal, Uniform, Choice"
        );
    }

    #[test]
    fn another_mean_keeps_the_width() {
        let moved = |text: &str, mean| text.parse::<Distribution>().unwrap().with_mean(mean).to_string();
        assert_eq!(moved("Normal(1, 0.2)", 1.5), "Normal(1.5, 0.2)");
        assert_eq!(moved("LogNormal(1, 0.2)", 1.5), "LogNormal(1.5, 0.2)");
        assert_eq!(moved("LogNormal(1, 0.2)", -1.0), "-1");
        assert_eq!(moved("Uniform(0.1, 0.4)", 0.35), "Uniform(0.2, 0.5)");
        assert_eq!(moved("Choice([-1, 1])", 0.5), "0.5");
    }
}
