//! Elementary effects: M. D. Morris, "Factorial sampling plans for preliminary computational experiments", Technometrics 33,
//! 1991; `mu_star` by F. Campolongo, J. Cariboni, A. Saltelli, "An effective screening design for sensitivity analysis of
//! large models", Environmental Modelling & Software 22, 2007.

use anyhow::{Context as _, ensure};

use super::resamples::intervals;
use crate::experiment::point_set::MORRIS_STEP;
use crate::experiment::sample::Sample;

/// The columns of [`rows`].
pub(super) const COLUMNS: &str = "mu,mu_star,mu_star_low,mu_star_high,sigma";

/// Returns the number of complete trajectories, and the columns of each variable. `values` are those of all points,
/// `trajectories` the numbers of complete ones with their positions.
///
/// # Errors
/// If two consecutive points of a trajectory do not differ in exactly one variable.
pub(super) fn rows(
    values: &[Vec<String>],
    trajectories: &[(usize, Vec<f64>)],
    axes: usize,
) -> anyhow::Result<(usize, Vec<Vec<Option<f64>>>)> {
    let mut effects = vec![Vec::new(); axes];
    for (at, numbers) in trajectories {
        for step in 0..axes {
            let point = at * (axes + 1) + step;
            let (axis, sign) = step_of(&values[point], &values[point + 1])
                .with_context(|| format!("points {} and {} of the table", point + 1, point + 2))?;
            effects[axis].push(sign * (numbers[step + 1] - numbers[step]) / MORRIS_STEP);
        }
    }
    let row = |effects: &Vec<f64>| {
        let sample: Sample = effects.iter().copied().collect();
        let mu_star = effects.iter().map(|effect| effect.abs()).collect::<Sample>().mean();
        let resampled =
            |chosen: &[usize]| vec![chosen.iter().map(|at| effects[*at].abs()).collect::<Sample>().mean()];
        let [low, high] = intervals(effects.len(), &[mu_star], resampled)[0];
        vec![sample.mean(), mu_star, low, high, sample.deviation()]
    };
    ensure!(
        effects.iter().all(|effects| effects.len() == trajectories.len()),
        "a trajectory changes a variable twice: the table is not a sample of morris"
    );
    Ok((trajectories.len(), effects.iter().map(row).collect()))
}

/// Returns the variable that changes between two points, and the sign of the change.
fn step_of(from: &[String], to: &[String]) -> anyhow::Result<(usize, f64)> {
    let changed: Vec<_> = (0..from.len()).filter(|axis| from[*axis] != to[*axis]).collect();
    let &[axis] = &changed[..] else {
        anyhow::bail!("{} variables change, not one: the table is not a sample of morris", changed.len());
    };
    let number = |text: &str| text.parse::<f64>().with_context(|| format!("`{text}` is not a number"));
    Ok((axis, (number(&to[axis])? - number(&from[axis])?).signum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::point_set::PointSet;

    #[test]
    fn effects_are_those_of_the_function() {
        let sample: PointSet = "morris:20".parse().expect("a sample");
        let axes = sample.coordinates(3, 5).expect("it has 3 axes");
        let values: Vec<Vec<_>> =
            (0..80).map(|point| axes.iter().map(|axis| axis[point].to_string()).collect()).collect();
        // 2 x - 3 y + x y; the third variable has no effect.
        let number = |at: usize| 2.0 * axes[0][at] - 3.0 * axes[1][at] + axes[0][at] * axes[1][at];
        let trajectories: Vec<_> =
            (0..20).map(|at| (at, (0..4).map(|point| number(at * 4 + point)).collect())).collect();
        let (count, rows) = rows(&values, &trajectories, 3).expect("a sample of morris");
        assert_eq!((count, &rows[2]), (20, &vec![Some(0.0); 5]));
        let [mu, mu_star, low, high, sigma] = rows[0][..].try_into().expect("five columns");
        assert!(mu > Some(2.0) && mu < Some(3.0) && mu == mu_star && sigma > Some(0.1), "{rows:?}");
        assert!(low < mu_star && mu_star < high && low > Some(2.0), "{rows:?}");
        let mirrored = rows[1][0].zip(rows[1][1]).map(|(mu, mu_star)| (mu + mu_star).abs() < 1e-12);
        assert_eq!(mirrored, Some(true), "{rows:?}");
        assert!(super::rows(&vec![vec!["1".to_owned(); 3]; 80], &trajectories, 3).is_err());
    }
}
