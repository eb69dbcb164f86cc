//! Lists of values: `a..b:n` or `v1,v2,…`.

use std::collections::BTreeSet;

/// Maximum number of values of a variable.
const MAX_VALUES: usize = 1_000_000;

/// Parses values: `a..b:n` are `n` equal steps from `a` to `b`, both included; `v1,v2,…` are listed. Returns the texts
/// of the values, as results show them.
///
/// # Errors
/// With the reason.
pub(super) fn parse(text: &str) -> Result<Vec<String>, String> {
    if let Some(range) = Range::find(text) {
        return range.values();
    }
    let values: Vec<_> = text.split(',').map(|value| value.trim().to_owned()).collect();
    if values.iter().any(String::is_empty) {
        return Err("a value is missing: expected a..b:n or v1,v2,…".to_owned());
    }
    if let Some(value) = values.iter().find(|value| value.contains(char::is_control)) {
        return Err(format!("{value:?} contains a control character"));
    }
    // Scripts compute in single precision: `0.5` and `.50` are one value.
    let value = |text: &String| text.parse().map_or_else(|_| text.clone(), |number: f32| number.to_string());
    let mut known = BTreeSet::new();
    match values.iter().find(|text| !known.insert(value(text))) {
        Some(twice) => Err(format!("the value `{twice}` is listed twice")),
        None => Ok(values),
    }
}

/// Parses the bounds `a..b` of a variable of a sample.
///
/// # Errors
/// With the reason.
pub(super) fn bounds(text: &str) -> Result<[f64; 2], String> {
    let range = Range::find(text).filter(|range| range.count.is_empty());
    let [first, last] =
        range.ok_or_else(|| format!("a sample needs bounds: expected a..b, not `{text}`"))?.numbers()?;
    if first < last { Ok([first, last]) } else { Err(format!("{first} is not below {last}")) }
}

/// Returns the text of a computed value: scripts compute in single precision.
pub(super) fn text_of(value: f64) -> String {
    (value as f32).to_string()
}

/// A range of numbers in text: first, last, and the number of values.
struct Range<'a> {
    ends: [&'a str; 2],
    count: &'a str,
}

impl<'a> Range<'a> {
    fn find(text: &'a str) -> Option<Self> {
        let (first, rest) = text.split_once("..")?;
        let (last, count) = rest.split_once(':').unwrap_or((rest, ""));
        Some(Self { ends: [first.trim(), last.trim()], count: count.trim() })
    }

    fn numbers(&self) -> Result<[f64; 2], String> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let [first, last] = self.ends;
        let numbers = number(first).zip(number(last));
        let numbers =
            numbers.ok_or_else(|| format!("{first}..{last} has no numbers as ends: expected a..b:n"))?;
        Ok(numbers.into())
    }

    fn values(&self) -> Result<Vec<String>, String> {
        let [first, last] = self.numbers()?;
        let count = self.count.parse().ok().filter(|count| (1..=MAX_VALUES).contains(count));
        let Some(count) = count else {
            let written = self.count;
            return Err(format!(
                "`{written}` is not a number of values from 1 to {MAX_VALUES}: expected a..b:n"
            ));
        };
        let steps = count.max(2) - 1;
        let at = |index: usize| first + (last - first) * (index as f64 / steps as f64);
        let values: Vec<_> = (0..count).map(at).collect();
        let texts: Vec<String> = values.into_iter().map(text_of).collect();
        if texts.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("neighboring values are equal".to_owned());
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_have_the_values_that_they_name() {
        let parsed = |text: &str| parse(text).expect("it is valid").join(" ");
        assert_eq!(parsed("0..1:11"), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
        assert_eq!(parsed("10..40:4"), "10 20 30 40");
        assert_eq!(parsed("1..-1:3"), "1 0 -1");
        assert_eq!(parsed("3..9:1"), "3");
        assert_eq!(parsed("0.5, wide,true"), "0.5 wide true");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "missing"),
            ("1,,2", "missing"),
            ("1..2", "not a number of values"),
            ("1..2:0", "not a number of values"),
            ("a..2:3", "no numbers as ends"),
            ("1..inf:3", "no numbers as ends"),
            ("1..1:2", "equal"),
            ("2,3,2", "`2` is listed twice"),
            ("0.5,1,.50", "`.50` is listed twice"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
