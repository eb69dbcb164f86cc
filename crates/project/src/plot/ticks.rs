//! Round numbers for axes.

/// Returns the multiples of a round step within an interval, at most `most` of them, and the step.
pub fn ticks([first, last]: [f64; 2], most: usize) -> (Vec<f64>, f64) {
    let (width, most) = (last - first, most.max(2) as f64);
    if !(width > 1e-300 && width.is_finite()) {
        return (vec![first], 1.0);
    }
    // The decimal text of the power is exact on each platform.
    let power = |exponent: i32| format!("1e{exponent}").parse().unwrap_or(1.0);
    let mut exponent = libm::floor(libm::log10(width / most)) as i32 - 1;
    let step: f64 = loop {
        let steps = [1.0, 2.0, 5.0].map(|factor| factor * power(exponent));
        match steps.into_iter().find(|step| width / step <= most) {
            Some(step) => break step,
            None if exponent > 308 => return (vec![first], 1.0),
            None => exponent += 1,
        }
    };
    let (from, to) = ((first / step - 1e-9).ceil() as i64, (last / step + 1e-9).floor() as i64);
    ((from..=to).map(|at| at as f64 * step).collect(), step)
}

/// Returns the text of a tick; `step` is the distance of ticks.
pub(super) fn tick_text(value: f64, step: f64) -> String {
    let size = value.abs().max(step);
    if size >= 1e6 || (size < 1e-3 && size > 0.0) {
        // Digits beyond the step are errors of rounding.
        let digits = libm::floor(libm::log10(size)) - libm::floor(libm::log10(step));
        let digits = digits.clamp(0.0, 15.0) as usize;
        let text = format!("{value:.digits$e}");
        return if value == 0.0 { "0".to_owned() } else { text };
    }
    let decimals = (-libm::floor(libm::log10(step) + 1e-9)).clamp(0.0, 15.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) {
        return text.trim_start_matches('-').to_owned();
    }
    text
}

/// Returns a number with four significant digits.
pub fn rounded(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let decimals = (3.0 - libm::floor(libm::log10(size))).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let texts = |ends, most| {
            let (values, step) = ticks(ends, most);
            values.into_iter().map(|value| tick_text(value, step)).collect::<Vec<_>>()
        };
        assert_eq!(texts([0.0, 1.0], 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"][..]);
        assert_eq!(texts([-0.5, 0.5], 4), ["-0.5", "0.0", "0.5"]);
        assert_eq!(texts([3.2, 63.2], 4), ["20", "40", "60"]);
        assert_eq!(texts([0.0, 2.5e7], 3), ["0", "1e7", "2e7"]);
        assert_eq!(texts([1.2345, 1.2347], 3), ["1.2345", "1.2346", "1.2347"]);
        assert_eq!(texts([5.0, 5.0], 5).len(), 1);
        assert_eq!(ticks([f64::MIN, f64::MAX], 5).0.len(), 1);
        assert_eq!(
            [0.1 + 0.2, 1234.56, -0.5, 0.0, 1e-7].map(rounded),
            ["0.3", "1235", "-0.5", "0", "1.000e-7"]
        );
    }
}
