//! Columns of numbers in few bytes: quantized, predicted from their predecessors, and split into planes.
//!
//! Residuals of a smooth motion are small. Zigzag coding makes them small and unsigned, so the plane of high bytes is
//! almost empty, and deflate codes the plane of low bytes close to its entropy.

use serde::Serialize;

/// The values of a column: `origin + quantum * n`, with n from 0 to 65535.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Scale {
    /// The value of 0.
    pub(super) origin: f64,
    /// The distance of two values, above zero.
    pub(super) quantum: f64,
}

impl Scale {
    /// Returns the scale from the least to the greatest of some values; those that are not finite are ignored.
    pub(super) fn of(values: impl IntoIterator<Item = f32>) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite()).map(f64::from);
        let empty = (f64::INFINITY, f64::NEG_INFINITY);
        let (least, most) = finite.fold(empty, |(least, most), value| (least.min(value), most.max(value)));
        if least < most {
            return Self { origin: least, quantum: (most - least) / f64::from(u16::MAX) };
        }
        Self { origin: if least.is_finite() { least } else { 0.0 }, quantum: 1.0 }
    }

    /// Returns the scale of a coordinate that repeats after `period`, above zero: 65536 quanta.
    pub(super) fn periodic(period: f32) -> Self {
        Self { origin: 0.0, quantum: f64::from(period) / 65536.0 }
    }

    /// Quantizes a value; one beyond the scale continues at its other end.
    pub(super) fn quantize(&self, value: f32) -> u16 {
        ((f64::from(value) - self.origin) / self.quantum).round() as i64 as u16
    }
}

/// Extrapolation of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prediction {
    /// The last value.
    Constant,
    /// The last value and the last difference.
    Linear,
}

/// A column of 16-bit series, one after the other.
#[derive(Default)]
pub(super) struct Column {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Column {
    /// Appends the residuals of a series.
    pub(super) fn push(&mut self, values: impl IntoIterator<Item = u16>, prediction: Prediction) {
        let (mut last, mut difference) = (0_u16, 0_u16);
        for (at, value) in values.into_iter().enumerate() {
            let predicted = last.wrapping_add(difference);
            let [low, high] = zigzag(value.wrapping_sub(predicted) as i16).to_le_bytes();
            self.low.push(low);
            self.high.push(high);
            if at > 0 && prediction == Prediction::Linear {
                difference = value.wrapping_sub(last);
            }
            last = value;
        }
    }

    /// Writes both planes.
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.low);
        bytes.extend(self.high);
    }
}

/// Appends the residuals of a series of bytes, each predicted by the last.
pub(super) fn push_bytes(bytes: &mut Vec<u8>, values: impl IntoIterator<Item = u8>) {
    let mut last = 0_u8;
    for value in values {
        let residual = value.wrapping_sub(last) as i8;
        bytes.push(((residual << 1) ^ (residual >> 7)) as u8);
        last = value;
    }
}

/// Maps 0, −1, 1, −2, … to 0, 1, 2, 3, …
fn zigzag(value: i16) -> u16 {
    ((value << 1) ^ (value >> 15)) as u16
}

#[cfg(test)]
mod tests {
    use super::super::decoded::Reader;
    use super::*;

    #[test]
    fn any_series_decodes_to_itself() {
        let series: [&[u16]; 5] = [&[], &[7], &[0, 65535, 0, 1, 32768], &[500, 510, 521, 533], &[9, 9, 9]];
        let lengths = series.map(<[u16]>::len);
        for prediction in [Prediction::Constant, Prediction::Linear] {
            let (mut column, mut bytes) = (Column::default(), Vec::new());
            for values in series {
                column.push(values.iter().copied(), prediction);
            }
            column.write(&mut bytes);
            assert_eq!(bytes.len(), 2 * lengths.iter().sum::<usize>());
            assert_eq!(Reader(&bytes).words(&lengths, prediction), series);
        }
        let (mut bytes, octets) = (Vec::new(), [0, 255, 128, 1, 1]);
        push_bytes(&mut bytes, octets);
        assert_eq!(Reader(&bytes).bytes(&[5]), [octets]);
    }

    #[test]
    fn a_steady_motion_has_no_residuals_also_across_the_edge() {
        let mut column = Column::default();
        column.push((0..400_u32).map(|at| (60_000 + at * 31) as u16), Prediction::Linear);
        assert!(column.low[2..].iter().chain(&column.high[2..]).all(|byte| *byte == 0));
    }

    #[test]
    fn the_error_is_at_most_half_a_quantum() {
        let values = [-3.0_f32, 0.1, 812.7, f32::NAN, 4000.0, 1e-7];
        let scale = Scale::of(values);
        for value in values.into_iter().filter(|value| !value.is_nan()) {
            let back = scale.origin + scale.quantum * f64::from(scale.quantize(value));
            assert!((back - f64::from(value)).abs() <= scale.quantum * 0.500_001, "{value} {back}");
        }
        for equal in [Scale::of([5.0, 5.0]), Scale::of([f32::INFINITY]), Scale::of([])] {
            assert_eq!(equal.quantum, 1.0);
        }
        let periodic = Scale::periodic(128.0);
        assert_eq!([0.0, 127.999_9, 128.0, -1.0].map(|value| periodic.quantize(value)), [0, 0, 0, 65024]);
    }
}
