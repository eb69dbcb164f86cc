//! Units of columns.

use crate::sim::metrics::FIGURES;

/// Returns the name of a column with the unit of its values, if one is known.
pub fn labeled(name: &str) -> String {
    match unit(name) {
        "" => name.to_owned(),
        unit => format!("{name} ({unit})"),
    }
}

/// Returns the unit of a column: time, a figure of a group, or a statistic of one; empty if it has none.
fn unit(name: &str) -> &'static str {
    let (word, inner) = name.strip_suffix(')').and_then(|name| name.split_once('(')).unwrap_or(("", name));
    if matches!(word, "argmax" | "first") {
        return "steps";
    }
    if name == "time" {
        return "s";
    }
    let inner = inner.split(',').next().unwrap_or(inner).trim();
    let figure = inner.rsplit('.').next().unwrap_or(inner);
    FIGURES.iter().find(|known| known.name == figure).map_or("", |known| known.unit)
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
            ("starlings.polarization", "starlings.polarization"),
            ("starlings.cohesion.gain", "starlings.cohesion.gain"),
        ] {
            assert_eq!(labeled(name), expected);
        }
        let greatest = ["a.polarization", "final(a.milling)", "argmax(a.milling)", "a.speed"].map(most);
        assert_eq!(greatest, [Some(1.0), Some(1.0), None, None]);
    }
}
