//! Sets of points that cover a space of several variables with few runs: `--sample`.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use anyhow::ensure;
use steerbox_core::world::random;

/// Maximum number of points.
const MAX_POINTS: usize = 1_000_000;
/// The number of bits of a coordinate of Sobol's sequence.
const BITS: usize = 32;
/// The step of an elementary effect, as a share of the range: on a grid of four levels.
pub(super) const MORRIS_STEP: f64 = 2.0 / 3.0;

/// A method and its size: the number of points, trajectories or base points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSet {
    pub(super) method: Method,
    pub(super) count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    // M. D. McKay, R. J. Beckman, W. J. Conover, "A comparison of three methods for selecting values of input variables in
    // the analysis of output from a computer code", Technometrics 21, 1979.
    Latin,
    // I. M. Sobol, "On the distribution of points in a cube and the approximate evaluation of integrals", 1967, with the
    // direction numbers of S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections",
    // SIAM Journal on Scientific Computing 30, 2008.
    Sobol,
    // M. D. Morris, "Factorial sampling plans for preliminary computational experiments", Technometrics 33, 1991.
    Morris,
    // A. Saltelli, P. Annoni, I. Azzini, F. Campolongo, M. Ratto, S. Tarantola, "Variance based sensitivity analysis of model
    // output", Computer Physics Communications 181, 2010.
    Saltelli,
}

impl FromStr for PointSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "expected latin:N, sobol:N, morris:N or saltelli:N, a sample of N points, trajectories or base points, \
                 1 to {MAX_POINTS}"
            )
        };
        let (method, count) = text.split_once(':').ok_or_else(expected)?;
        let method = match method.trim() {
            "latin" => Method::Latin,
            "sobol" => Method::Sobol,
            "morris" => Method::Morris,
            "saltelli" => Method::Saltelli,
            _ => return Err(expected()),
        };
        let count = count.trim().parse().ok().filter(|count| (1..=MAX_POINTS).contains(count));
        Ok(Self { method, count: count.ok_or_else(expected)? })
    }
}

impl Display for PointSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let method = match self.method {
            Method::Latin => "latin",
            Method::Sobol => "sobol",
            Method::Morris => "morris",
            Method::Saltelli => "saltelli",
        };
        write!(f, "{method}:{}", self.count)
    }
}

impl PointSet {
    /// Returns the number of points of `axes` axes.
    pub(super) fn points(self, axes: usize) -> usize {
        self.count.saturating_mul(match self.method {
            Method::Latin | Method::Sobol => 1,
            Method::Morris => axes + 1,
            Method::Saltelli => axes + 2,
        })
    }

    /// Returns the coordinates of all points along each of `axes` axes, in [0, 1].
    ///
    /// # Errors
    /// If the method has too few axes, or there are too many points.
    pub(super) fn coordinates(self, axes: usize, seed: u64) -> anyhow::Result<Vec<Vec<f64>>> {
        let points = self.points(axes);
        ensure!(points <= MAX_POINTS, "--sample {self}: it has {points} points, at most are {MAX_POINTS}");
        match self.method {
            Method::Latin => Ok((0..axes as u64).map(|axis| latin(self.count, axis, seed)).collect()),
            Method::Sobol => {
                let max = PRIMITIVE.len() + 1;
                ensure!(axes <= max, "--sample sobol: it has at most {max} variables, here are {axes}");
                Ok((0..axes).map(|axis| sobol(self.count, axis)).collect())
            }
            Method::Morris => Ok(morris(self.count, axes, seed)),
            Method::Saltelli => {
                let max = PRIMITIVE.len().div_ceil(2);
                ensure!(
                    axes <= max,
                    "--sample saltelli: it has at most {max} variables, here are {axes}; --sample morris:N finds those with \
                     an effect"
                );
                Ok(saltelli(self.count, axes))
            }
        }
    }
}

/// Returns trajectories of `axes + 1` points on a grid of four levels. Each step of a trajectory changes another axis, in
/// random order and direction.
fn morris(count: usize, axes: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut coordinates = vec![Vec::with_capacity(count * (axes + 1)); axes];
    for trajectory in 0..count {
        let draw = |axis: usize, draw: u32| random::bits(seed, axis as u64, trajectory as u64, 0, draw);
        let mut order: Vec<_> = (0..axes).collect();
        for at in (1..axes).rev() {
            order.swap(at, (draw(at, 0) % (at as u64 + 1)) as usize);
        }
        let ends = |axis: usize| {
            let low = (draw(axis, 1) & 1) as f64 * (1.0 - MORRIS_STEP);
            let ends = [low, low + MORRIS_STEP];
            if draw(axis, 2) & 1 == 0 { ends } else { [ends[1], ends[0]] }
        };
        for (position, &axis) in order.iter().enumerate() {
            let [from, to] = ends(axis);
            coordinates[axis].extend((0..=axes).map(|point| if point <= position { from } else { to }));
        }
    }
    coordinates
}

/// Returns blocks of `axes + 2` points for each base point: a point of A, for each axis that of A with the coordinate of B
/// there, and the point of B. A and B are the halves of Sobol's sequence along twice as many axes.
fn saltelli(count: usize, axes: usize) -> Vec<Vec<f64>> {
    let of_axis = |axis: usize| {
        let (a, b) = (sobol(count, axis), sobol(count, axes + axis));
        let block = |(a, b): (f64, f64)| {
            (0..axes + 2).map(move |at| if at == axis + 1 || at == axes + 1 { b } else { a })
        };
        a.into_iter().zip(b).flat_map(block).collect()
    };
    (0..axes).map(of_axis).collect()
}

/// Returns a random number within each of `count` equal parts, in random order.
fn latin(count: usize, axis: u64, seed: u64) -> Vec<f64> {
    let draw = |at: usize, draw: u32| random::bits(seed, axis, at as u64, 0, draw);
    let mut parts: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        parts.swap(at, (draw(at, 0) % (at as u64 + 1)) as usize);
    }
    let within = |at: usize| (draw(at, 1) >> 11) as f64 / (1_u64 << 53) as f64;
    parts.iter().enumerate().map(|(at, part)| (*part as f64 + within(at)) / count as f64).collect()
}

/// Returns the first `count` points of Sobol's sequence along an axis, in the order of Gray codes.
fn sobol(count: usize, axis: usize) -> Vec<f64> {
    let directions = directions(axis);
    let mut bits = 0_u32;
    let next = |at: usize| {
        let value = f64::from(bits) / (1_u64 << BITS) as f64;
        bits ^= directions[(at as u32).trailing_ones() as usize];
        value
    };
    (0..count).map(next).collect()
}

/// Returns the direction numbers of an axis.
fn directions(axis: usize) -> [u32; BITS] {
    let mut directions = std::array::from_fn(|bit| 1 << (BITS - 1 - bit));
    let Some((coefficients, first)) = axis.checked_sub(1).and_then(|at| PRIMITIVE.get(at)) else {
        return directions;
    };
    let degree = first.len();
    for (bit, number) in first.iter().enumerate() {
        directions[bit] = number << (BITS - 1 - bit);
    }
    for bit in degree..BITS {
        let mut number = directions[bit - degree] ^ (directions[bit - degree] >> degree);
        for term in 1..degree {
            if coefficients >> (degree - 1 - term) & 1 == 1 {
                number ^= directions[bit - term];
            }
        }
        directions[bit] = number;
    }
    directions
}

/// The primitive polynomials of the axes after the first one: the inner coefficients as bits, and the first direction
/// numbers, as many as the degree. From the table `new-joe-kuo-6` of Joe and Kuo.
const PRIMITIVE: [(u32, &[u32]); 20] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str, axes: usize, seed: u64) -> Vec<Vec<f64>> {
        text.parse::<PointSet>().expect(text).coordinates(axes, seed).expect(text)
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_part_of_each_axis() {
        let axes = points("latin:50", 3, 7);
        for axis in &axes {
            let mut parts: Vec<_> = axis.iter().map(|at| (at * 50.0) as usize).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..50).collect::<Vec<_>>());
        }
        assert_ne!(axes[0], axes[1]);
        assert_ne!(axes, points("latin:50", 3, 8));
        assert_eq!(axes, points("latin:50", 3, 7));
    }

    #[test]
    fn the_sequence_of_sobol_is_that_of_scipy() {
        // scipy.stats.qmc.Sobol(d=21, scramble=False).random(64).
        let axes = points("sobol:64", 21, 0);
        assert_eq!(axes[0][..5], [0.0, 0.5, 0.75, 0.25, 0.375]);
        assert_eq!(axes[1][..5], [0.0, 0.5, 0.25, 0.75, 0.375]);
        assert_eq!(axes[2][..5], [0.0, 0.5, 0.25, 0.75, 0.625]);
        assert_eq!([5, 12, 20].map(|axis| axes[axis][37]), [0.296_875, 0.578_125, 0.953_125]);
        assert_eq!([5, 12, 20].map(|axis| axes[axis][63]), [0.140_625, 0.546_875, 0.234_375]);
        for axis in &axes {
            let mut parts: Vec<_> = axis.iter().map(|at| at * 64.0).collect();
            parts.sort_unstable_by(f64::total_cmp);
            assert_eq!(parts, (0..64).map(f64::from).collect::<Vec<_>>());
        }
        assert!("sobol:8".parse::<PointSet>().expect("it is valid").coordinates(22, 0).is_err());
    }

    #[test]
    fn a_step_of_a_trajectory_changes_one_axis() {
        let axes = points("morris:30", 4, 7);
        for trajectory in 0..30 {
            let mut changed: Vec<_> = (0..4)
                .map(|step| {
                    let at = trajectory * 5 + step;
                    let is_changed = |axis: &usize| (axes[*axis][at + 1] - axes[*axis][at]).abs() > 1e-9;
                    let changed: Vec<_> = (0..4).filter(is_changed).collect();
                    assert_eq!(changed.len(), 1);
                    let step = (axes[changed[0]][at + 1] - axes[changed[0]][at]).abs();
                    assert!((step - MORRIS_STEP).abs() < 1e-12, "{step}");
                    changed[0]
                })
                .collect();
            changed.sort_unstable();
            assert_eq!(changed, [0, 1, 2, 3]);
        }
        assert_ne!(axes, points("morris:30", 4, 8));
        let levels = axes.concat().into_iter().map(|at| (at * 3.0).round() as u8);
        assert_eq!(levels.collect::<std::collections::BTreeSet<_>>(), (0..4).collect());
    }

    #[test]
    fn a_block_of_saltelli_exchanges_one_axis_at_a_time() {
        let (axes, base) = (points("saltelli:8", 2, 0), points("sobol:8", 4, 0));
        for block in 0..8 {
            let found: Vec<_> =
                (0..4).map(|at| [0, 1].map(|axis: usize| axes[axis][block * 4 + at])).collect();
            let [a, b] = [[base[0][block], base[1][block]], [base[2][block], base[3][block]]];
            assert_eq!(found, [a, [b[0], a[1]], [a[0], b[1]], b]);
        }
        assert!("saltelli:8".parse::<PointSet>().expect("it is valid").coordinates(11, 0).is_err());
        assert!("morris:900000".parse::<PointSet>().expect("it is valid").coordinates(3, 0).is_err());
    }

    #[test]
    fn other_samples_are_rejected() {
        for text in ["", "latin", "latin:0", "halton:9", "sobol:x", "sobol:2000000"] {
            assert!(text.parse::<PointSet>().is_err(), "{text}");
        }
    }
}
