//! Kernels over eight lanes, compiled for each vector instruction set.
//!
//! A kernel is written once and compiled for AVX2, NEON and a portable fallback; the processor's support is detected at
//! run time. All variants return the same bits, since no operation is fused or reordered.

use pulp::Scalar256b;

use super::simd::Simd;

/// Number of lanes of a kernel; constant, so that sums have the same order on every processor.
pub(super) const LANES: usize = 8;

/// A number for each of eight units in consecutive slots.
pub(super) type Lanes = [f32; LANES];

/// Work on eight lanes. `run` and its callees must be inlined to be compiled for the instruction set.
pub(super) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel on [`Best`].
#[inline(always)]
pub(super) fn run<P: Kernel>(kernel: P) -> P::Output {
    Best::run(kernel)
}

/// An instruction set for kernels.
pub(super) trait Vectors {
    fn run<P: Kernel>(kernel: P) -> P::Output;
}

/// The fastest instruction set of this processor: AVX2, NEON or [`Portable`].
pub(super) struct Best;

impl Vectors for Best {
    #[inline(always)]
    fn run<P: Kernel>(kernel: P) -> P::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(OnAvx2(simd, kernel));
        }
        // NEON is part of every aarch64 target, so no function with target features is needed.
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = pulp::aarch64::Neon::try_new() {
            return kernel.run(super::simd::Halves(simd));
        }
        Portable::run(kernel)
    }
}

/// Arrays of eight numbers, for every processor.
pub(super) struct Portable;

impl Vectors for Portable {
    fn run<P: Kernel>(kernel: P) -> P::Output {
        kernel.run(Scalar256b)
    }
}

/// Two arrays of four numbers: the NEON code path on any processor.
#[cfg(test)]
pub(super) struct PortableHalves;

#[cfg(test)]
impl Vectors for PortableHalves {
    fn run<P: Kernel>(kernel: P) -> P::Output {
        kernel.run(super::simd::Halves(pulp::Scalar128b))
    }
}

#[cfg(target_arch = "x86_64")]
struct OnAvx2<P>(pulp::x86::V3, P);

#[cfg(target_arch = "x86_64")]
impl<P: Kernel> pulp::NullaryFnOnce for OnAvx2<P> {
    type Output = P::Output;

    #[inline(always)]
    fn call(self) -> P::Output {
        self.1.run(self.0)
    }
}

#[inline(always)]
pub(super) fn floats<S: Simd>(_: S, lanes: &Lanes) -> S::F32s {
    pulp::cast(*lanes)
}

#[inline(always)]
pub(super) fn words<S: Simd>(_: S, lanes: &[u32; LANES]) -> S::U32s {
    pulp::cast(*lanes)
}

/// Expands the bits of `mask` to a lane mask.
#[inline(always)]
pub(super) fn lanes_of<S: Simd>(simd: S, mask: u32) -> S::U32s {
    let each: S::U32s = pulp::cast([1_u32, 2, 4, 8, 16, 32, 64, 128]);
    let set = simd.and_u32s(simd.splat_u32s(mask), each);
    bits(simd, simd.equal_u32s(set, each))
}

/// Converts a mask to integers. Masks are stored this way, since compilers pack and unpack native masks.
#[inline(always)]
pub(super) fn bits<S: Simd>(simd: S, mask: S::M32s) -> S::U32s {
    simd.transmute_u32s_m32s(mask)
}

/// Returns the numbers of the lanes set in a mask, and 0 for the others.
#[inline(always)]
pub(super) fn masked<S: Simd>(simd: S, lanes: S::U32s, numbers: S::F32s) -> S::F32s {
    let numbers = simd.transmute_u32s_f32s(numbers);
    simd.transmute_f32s_u32s(simd.and_u32s(lanes, numbers))
}

/// Returns true if any lane is set.
#[inline(always)]
pub(super) fn any<S: Simd>(_: S, lanes: S::U32s) -> bool {
    let words: [u64; LANES / 2] = pulp::cast(lanes);
    words[0] | words[1] | words[2] | words[3] != 0
}

// Functions, since closures would not be compiled for the instruction set.

#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [S::F32s; 3] {
    [simd.splat_f32s(x), simd.splat_f32s(y), simd.splat_f32s(z)]
}

#[inline(always)]
pub(super) fn vectors<S: Simd>(simd: S, [x, y, z]: &[Lanes; 3]) -> [S::F32s; 3] {
    [floats(simd, x), floats(simd, y), floats(simd, z)]
}

/// [`glam::Vec3::dot`], except for the sign of a zero if the z components are omitted.
#[inline(always)]
pub(super) fn dot<S: Simd, const FLAT: bool>(simd: S, a: [S::F32s; 3], b: [S::F32s; 3]) -> S::F32s {
    let sum = simd.add_f32s(simd.mul_f32s(a[0], b[0]), simd.mul_f32s(a[1], b[1]));
    if FLAT {
        return sum;
    }
    simd.add_f32s(sum, simd.mul_f32s(a[2], b[2]))
}

/// Returns a mask of the lanes whose squared distance is at most `limit`.
#[inline(always)]
pub(super) fn within<S: Simd>(simd: S, square: S::F32s, limit: S::F32s) -> S::U32s {
    bits(simd, simd.less_than_or_equal_f32s(square, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::MIN_POSITIVE / 3.0,
        -f32::MIN_POSITIVE,
        1e-30,
        3.3e7,
        f32::MAX,
        -1e30,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];

    /// Every operation on eight pairs of numbers, as bits. NaN in `odd` is used for comparisons only.
    struct All {
        a: Lanes,
        b: Lanes,
        odd: Lanes,
    }

    impl Kernel for All {
        type Output = Vec<[u32; LANES]>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let [a, b, odd] = [&self.a, &self.b, &self.odd].map(|lanes| floats(simd, lanes));
            let [m, n] = [a, b].map(|numbers| simd.transmute_u32s_f32s(numbers));
            let masks = [
                simd.equal_f32s(a, odd),
                simd.equal_u32s(m, n),
                simd.greater_than_f32s(a, odd),
                simd.greater_than_or_equal_f32s(a, odd),
                simd.less_than_f32s(a, odd),
                simd.less_than_or_equal_f32s(a, odd),
                simd.less_than_u32s(m, n),
                simd.less_than_or_equal_u32s(m, n),
            ];
            let square = simd.abs_f32s(b);
            let positive = simd.add_f32s(square, simd.splat_f32s(1.0));
            let numbers = [
                simd.abs_f32s(odd),
                simd.neg_f32s(odd),
                simd.select_f32s(masks[4], odd, b),
                simd.max_f32s(a, positive),
                simd.sqrt_f32s(square),
                // Infinities of opposite signs and products of zero and infinity would be NaN.
                simd.add_f32s(square, simd.abs_f32s(a)),
                simd.sub_f32s(simd.neg_f32s(square), simd.abs_f32s(a)),
                simd.mul_f32s(a, simd.splat_f32s(1.1)),
                simd.div_f32s(a, simd.splat_f32s(-3.0)),
            ];
            let words = [
                simd.add_u32s(m, n),
                simd.sub_u32s(m, n),
                simd.and_u32s(m, n),
                simd.or_u32s(m, n),
                simd.not_u32s(m),
                simd.select_u32s(masks[1], m, simd.splat_u32s(7)),
                masked_bits(simd, lanes_of(simd, 0b1010_0110), a),
            ];
            let numbers = numbers.into_iter().map(|numbers| simd.transmute_u32s_f32s(numbers));
            let all = masks.into_iter().map(|mask| bits(simd, mask)).chain(numbers).chain(words);
            all.map(pulp::cast).collect()
        }
    }

    #[inline(always)]
    fn masked_bits<S: Simd>(simd: S, lanes: S::U32s, numbers: S::F32s) -> S::U32s {
        simd.transmute_u32s_f32s(masked(simd, lanes, numbers))
    }

    #[test]
    fn every_operation_is_bit_identical_on_all_vectors() {
        for first in FLOATS {
            for shift in 0..FLOATS.len() {
                let b: Lanes = std::array::from_fn(|lane| FLOATS[(lane + shift) % FLOATS.len()]);
                let odd = std::array::from_fn(|lane| if lane % 3 == 2 { f32::NAN } else { b[lane] });
                let all = || All { a: [first; LANES], b, odd };
                let portable = Portable::run(all());
                assert_eq!(Best::run(all()), portable, "{first} {shift}");
                assert_eq!(PortableHalves::run(all()), portable, "{first} {shift}");
            }
        }
    }
}
