//! Samples of a number: mean, standard deviation, and the confidence interval of the mean.

use std::f64::consts::FRAC_PI_2;

use serde::Serialize;

/// The probability of confidence intervals.
const CONFIDENCE: f64 = 0.95;
/// Degrees of freedom from which the quantile of Student's distribution is expanded about that of the normal one.
const MANY: u64 = 1000;
/// The quantile of the normal distribution for [`CONFIDENCE`].
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;

/// Numbers of independent runs, by the recurrence of B. P. Welford, "Note on a method for calculating corrected sums of
/// squares and products", Technometrics 4, 1962.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    count: u64,
    mean: f64,
    /// The sum of squared differences from the mean.
    squares: f64,
}

impl Sample {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let difference = number - self.mean;
        self.mean += difference / self.count as f64;
        self.squares += difference * (number - self.mean);
    }

    /// The number of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean, if there are numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the standard deviation, if there are at least two numbers.
    pub fn deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// Returns the 95 % confidence interval of the mean by Student's distribution, if there are at least two numbers.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = student(self.count.checked_sub(1)?) * self.deviation()? / (self.count as f64).sqrt();
        Some((self.mean - half, self.mean + half))
    }
}

/// The difference between two values over several pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The number of pairs.
    pub n: u64,
    /// The mean difference.
    pub difference: Option<f64>,
    /// Its 95 % confidence interval.
    pub interval: Option<[f64; 2]>,
    /// The standardized difference: the mean in standard deviations of the differences (J. Cohen's d for pairs); `None` if
    /// all differences are equal.
    pub effect: Option<f64>,
    /// Its approximate 95 % confidence interval (L. V. Hedges, I. Olkin, "Statistical Methods for Meta-Analysis", 1985).
    pub effect_interval: Option<[f64; 2]>,
}

impl Paired {
    /// Describes a sample of differences.
    pub fn of(differences: &Sample) -> Self {
        let (n, mean) = (differences.count(), differences.mean());
        let effect = mean.zip(differences.deviation().filter(|deviation| *deviation > 0.0));
        let effect = effect.map(|(mean, deviation)| mean / deviation);
        let ends = |size: f64| {
            let count = n as f64;
            let half = NORMAL * (1.0 / count + size * size / (2.0 * count)).sqrt();
            [size - half, size + half]
        };
        let interval = differences.interval().map(|(low, high)| [low, high]);
        Self { n, difference: mean, interval, effect, effect_interval: effect.map(ends) }
    }

    /// Returns true if there is no difference in any pair.
    pub fn is_zero(&self) -> bool {
        self.difference == Some(0.0) && self.effect.is_none()
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        numbers.into_iter().fold(Self::default(), |mut sample, number| {
            sample.add(number);
            sample
        })
    }
}

/// Returns half of the 95 % confidence interval of a mean with a standard error over `n` runs; of a normal distribution, if
/// the number of runs is unknown.
pub fn interval_of_error(error: f64, n: Option<u64>) -> f64 {
    error * n.and_then(|n| n.checked_sub(1)).filter(|freedom| *freedom > 0).map_or(NORMAL, student)
}

/// Returns the two-sided quantile of Student's distribution for [`CONFIDENCE`].
fn student(freedom: u64) -> f64 {
    if freedom >= MANY {
        let (z, n) = (NORMAL, freedom as f64);
        // M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 26.7.5.
        let z2 = z * z;
        return z + z * (z2 + 1.0) / (4.0 * n) + z * ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * n * n);
    }
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let angle = 0.5 * (low + high);
        if within(angle, freedom) < CONFIDENCE { low = angle } else { high = angle }
    }
    libm::tan(low) * (freedom as f64).sqrt()
}

/// Returns the probability that the absolute value of a variable of Student's distribution is below √freedom · tan angle;
/// 26.7.3 and 26.7.4 of the same book.
fn within(angle: f64, freedom: u64) -> f64 {
    let (sin, cos) = libm::sincos(angle);
    let first = if freedom.is_multiple_of(2) { 1.0 } else { cos };
    let (mut term, mut sum) = (first, 0.0);
    let mut at = 2 + freedom % 2;
    while at <= freedom {
        sum += term;
        term *= cos * cos * (at - 1) as f64 / at as f64;
        at += 2;
    }
    if freedom.is_multiple_of(2) { sin * sum } else { (angle + sin * sum) / FRAC_PI_2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (freedom, quantile) in [
            (1, 12.706_205),
            (2, 4.302_653),
            (3, 3.182_446),
            (4, 2.776_445),
            (9, 2.262_157),
            (10, 2.228_139),
            (30, 2.042_272),
            (999, 1.962_341),
            (1000, 1.962_339),
            (1_000_000, 1.959_966),
        ] {
            let found = student(freedom);
            assert!((found - quantile).abs() < 2e-6, "{freedom}: {found}");
        }
    }

    #[test]
    fn a_sample_has_mean_deviation_and_interval() {
        let sample: Sample = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!((sample.count(), sample.mean()), (8, Some(5.0)));
        let deviation = sample.deviation().expect("two numbers");
        assert!((deviation - 2.138_089_935).abs() < 1e-9, "{deviation}");
        let (low, high) = sample.interval().expect("two numbers");
        assert!((low - 3.212_512).abs() < 1e-5 && (high - 6.787_487).abs() < 1e-5, "{low} {high}");
        let one: Sample = [3.0].into_iter().collect();
        assert_eq!((one.mean(), one.deviation(), one.interval()), (Some(3.0), None, None));
        assert_eq!((Sample::default().mean(), Sample::default().interval()), (None, None));
    }

    #[test]
    fn an_effect_is_the_mean_in_standard_deviations() {
        let paired = Paired::of(&[1.0, 2.0, 3.0, 2.0].into_iter().collect());
        assert_eq!((paired.n, paired.difference), (4, Some(2.0)));
        let (Some(effect), Some([low, high])) = (paired.effect, paired.effect_interval) else {
            panic!("there are differences")
        };
        assert!((effect - 2.449_490).abs() < 1e-5 && (effect - low - (high - effect)).abs() < 1e-12);
        assert!((low - 0.489_526).abs() < 1e-5, "{low}");
        let none = Paired::of(&[0.0, 0.0].into_iter().collect());
        assert!(none.is_zero() && none.effect.is_none());
        assert!(!Paired::of(&[1.0, 1.0].into_iter().collect()).is_zero());
        assert!(!Paired::of(&[1.0, -1.0].into_iter().collect()).is_zero());
    }
}
