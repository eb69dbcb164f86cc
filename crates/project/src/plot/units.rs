//! Units of columns.

use steerbox_core::sim::metrics::FIGURES;
use steerbox_core::sim::unit_of;

/// Returns the name of a column with the unit of its values, if one is known.
pub fn labeled(name: &str) -> String {
    match unit(name) {
        "" => name.to_owned(),
        unit => format!("{name} ({unit})"),
    }
}

/// Returns the unit of a column: a measure of the run or of a group, or a statistic of one; empty if it has none.
fn unit(name: &str) -> &'static str {
    let (word, inner) = name.strip_suffix(')').and_then(|name| name.split_once('(')).unwrap_or(("", name));
    if matches!(word, "argmax" | "first") {
        return "steps";
    }
    let inner = inner.split([',', ' ']).next().unwrap_or(inner);
    match inner.split_once('.') {
        // A step is its own unit.
        None if inner == "step" => "",
        Some((group, measure)) if group != "inside" => unit_of(measure),
        _ => unit_of(inner),
    }
}

/// Returns the greatest value of a figure or of a statistic of one, if there is one.
pub(super) fn most(name: &str) -> Option<f64> {
    let figure = name.trim_end_matches(')').split(',').next()?.rsplit(['.', '(']).next()?;
    FIGURES.iter().find(|known| known.name == figure && !name.starts_with("argmax"))?.max.map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_their_statistics_have_units() {
        for (name, expected) in [
            ("time", "time (s)"),
            ("starlings.speed", "starlings.speed (length/s)"),
            ("mean(starlings.speed, 5..9)", "mean(starlings.speed, 5..9) (length/s)"),
            ("argmax(starlings.speed)", "argmax(starlings.speed) (steps)"),
            ("first(starlings.speed > 2)", "first(starlings.speed > 2) (steps)"),
            ("starlings.inside.pond", "starlings.inside.pond (units)"),
            ("max(starlings.inside.pond)", "max(starlings.inside.pond) (units)"),
            ("starlings.errors", "starlings.errors (failures)"),
            ("step", "step"),
            ("speed", "speed (length/s)"),
            ("starlings.polarization", "starlings.polarization"),
            ("starlings.cohesion.gain", "starlings.cohesion.gain"),
        ] {
            assert_eq!(labeled(name), expected);
        }
        let greatest = ["a.polarization", "final(a.milling)", "argmax(a.milling)", "a.speed"].map(most);
        assert_eq!(greatest, [Some(1.0), Some(1.0), None, None]);
    }
}
