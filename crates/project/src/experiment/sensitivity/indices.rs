//! Sobol's indices: the first-order index `S1` by A. Saltelli, P. Annoni, I. Azzini, F. Campolongo, M. Ratto, S. Tarantola,
//! "Variance based sensitivity analysis of model output", Computer Physics Communications 181, 2010; the total index `ST` by
//! M. J. W. Jansen, "Analysis of variance designs for model output", Computer Physics Communications 117, 1999.

use super::resamples::intervals;
use crate::experiment::sample::Sample;

/// The columns of [`rows`].
pub(super) const COLUMNS: &str = "S1,S1_low,S1_high,ST,ST_low,ST_high";

/// Returns the number of complete blocks, and the columns of each variable. The numbers of a block are those of A, of A with
/// each variable of B, and of B.
pub(super) fn rows(blocks: &[(usize, Vec<f64>)], axes: usize) -> (usize, Vec<Vec<Option<f64>>>) {
    let all: Sample = blocks.iter().flat_map(|(_, block)| block.iter().copied()).collect();
    let mean = all.mean().unwrap_or(0.0);
    // Products of numbers far from zero would have large errors.
    let blocks: Vec<Vec<f64>> =
        blocks.iter().map(|(_, block)| block.iter().map(|number| number - mean).collect()).collect();
    let estimate = |chosen: &[usize]| indices(&blocks, chosen, axes);
    let whole: Vec<_> = (0..blocks.len()).collect();
    let estimates = estimate(&whole);
    let intervals = intervals(blocks.len(), &estimates, estimate);
    let columns = |at: usize| [estimates[at], intervals[at][0], intervals[at][1]];
    let row = |axis: usize| [columns(axis), columns(axes + axis)].concat();
    (blocks.len(), (0..axes).map(row).collect())
}

/// Returns the first-order indices of all axes, then the total ones; none if nothing varies.
fn indices(blocks: &[Vec<f64>], chosen: &[usize], axes: usize) -> Vec<Option<f64>> {
    let (mut first, mut total) = (vec![0.0; axes], vec![0.0; axes]);
    let (mut sum, mut squares) = (0.0, 0.0);
    for block in chosen.iter().map(|at| &blocks[*at]) {
        let (a, b) = (block[0], block[axes + 1]);
        sum += a + b;
        squares += a * a + b * b;
        for axis in 0..axes {
            let difference = block[axis + 1] - a;
            first[axis] += b * difference;
            total[axis] += difference * difference / 2.0;
        }
    }
    let count = chosen.len() as f64;
    let variance = squares / (2.0 * count) - (sum / (2.0 * count)).powi(2);
    let index = |sum: f64| (variance > 0.0).then(|| sum / count / variance);
    first.into_iter().chain(total).map(index).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::experiment::point_set::PointSet;

    fn rows_of(function: impl Fn([f64; 3]) -> f64) -> Vec<Vec<Option<f64>>> {
        let sample: PointSet = "saltelli:4096".parse().expect("a sample");
        let axes = sample.coordinates(3, 0).expect("it has 3 axes");
        let number = |at: usize| function([0, 1, 2].map(|axis: usize| axes[axis][at]));
        let blocks: Vec<_> =
            (0..4096).map(|at| (at, (0..5).map(|point| number(at * 5 + point)).collect())).collect();
        rows(&blocks, 3).1
    }

    fn check(rows: &[Vec<Option<f64>>], first: [f64; 3], total: [f64; 3]) {
        for (axis, row) in rows.iter().enumerate() {
            for (at, expected) in [(0, first[axis]), (3, total[axis])] {
                let [found, low, high] = [0, 1, 2].map(|end| row[at + end].expect("the function varies"));
                assert!((found - expected).abs() < 0.01, "{axis}: {found}, not {expected}");
                assert!(low <= expected + 0.005 && expected - 0.005 <= high, "{axis}: {low} to {high}");
            }
        }
    }

    #[test]
    fn indices_of_ishigami_are_the_analytic_ones() {
        let (a, b) = (7.0, 0.1);
        let rows = rows_of(|shares| {
            let [x, y, z] = shares.map(|share| (2.0 * share - 1.0) * PI);
            x.sin() + a * y.sin().powi(2) + b * z.powi(4) * x.sin()
        });
        let first = [0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2), a * a / 8.0, 0.0];
        let both = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let variance = first[0] + first[1] + both;
        let total = [first[0] + both, first[1], both];
        check(&rows, first.map(|part| part / variance), total.map(|part| part / variance));
    }

    #[test]
    fn indices_of_a_linear_function_are_shares_of_squares() {
        let shares = [1.0 / 14.0, 4.0 / 14.0, 9.0 / 14.0];
        check(&rows_of(|[x, y, z]| 1000.0 + x + 2.0 * y - 3.0 * z), shares, shares);
    }

    #[test]
    fn a_constant_has_no_indices() {
        assert_eq!(rows_of(|_| 0.1)[0], [None; 6]);
    }
}
