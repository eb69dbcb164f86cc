//! Eight units at a time, whatever vectors the processor has.
//!
//! A kernel is written once over eight lanes and compiled for AVX2 and for what every processor has;
//! which of them runs is found out at run time. No operation is fused or reordered, so the bits of
//! the results are the same.

use pulp::{Scalar256b, Simd};

/// How many units a kernel takes at a time. Fixed, so that sums have one order on every processor.
pub(super) const LANES: usize = 8;

/// One number of eight units that stand side by side in the order of the grid.
pub(super) type Lanes = [f32; LANES];

/// Work on eight lanes. `run` and whatever it calls must be inlined to be compiled for the vectors.
pub(super) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel on the best vectors there are.
#[inline(always)]
pub(super) fn run<P: Kernel>(kernel: P) -> P::Output {
    Best::run(kernel)
}

/// The vectors that a kernel runs on.
pub(super) trait Vectors {
    fn run<P: Kernel>(kernel: P) -> P::Output;
}

/// The best vectors there are.
pub(super) struct Best;

impl Vectors for Best {
    #[inline(always)]
    fn run<P: Kernel>(kernel: P) -> P::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(OnAvx2(simd, kernel));
        }
        Portable::run(kernel)
    }
}

/// Those of every processor.
pub(super) struct Portable;

impl Vectors for Portable {
    fn run<P: Kernel>(kernel: P) -> P::Output {
        kernel.run(Scalar256b)
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
pub(super) fn floats<S: Simd>(_: S, lanes: &Lanes) -> S::f32s {
    pulp::cast(*lanes)
}

#[inline(always)]
pub(super) fn words<S: Simd>(_: S, lanes: &[u32; LANES]) -> S::u32s {
    pulp::cast(*lanes)
}

/// All bits of the lanes whose bit is set in `mask`, none of the others.
#[inline(always)]
pub(super) fn lanes_of<S: Simd>(simd: S, mask: u32) -> S::u32s {
    let each: S::u32s = pulp::cast([1_u32, 2, 4, 8, 16, 32, 64, 128]);
    let set = simd.and_u32s(simd.splat_u32s(mask), each);
    bits(simd, simd.equal_u32s(set, each))
}

/// A mask as numbers. Masks are kept so, as compilers pack and unpack others.
#[inline(always)]
pub(super) fn bits<S: Simd>(simd: S, mask: S::m32s) -> S::u32s {
    simd.transmute_u32s_m32s(mask)
}

/// The numbers of lanes whose bits are set, and 0 for the others.
#[inline(always)]
pub(super) fn kept<S: Simd>(simd: S, lanes: S::u32s, numbers: S::f32s) -> S::f32s {
    let numbers = simd.transmute_u32s_f32s(numbers);
    simd.transmute_f32s_u32s(simd.and_u32s(lanes, numbers))
}

/// Whether any lane is set.
#[inline(always)]
pub(super) fn any<S: Simd>(_: S, lanes: S::u32s) -> bool {
    let words: [u64; LANES / 2] = pulp::cast(lanes);
    words[0] | words[1] | words[2] | words[3] != 0
}

/// The lanes whose square is no greater than `limit`.
#[inline(always)]
pub(super) fn near<S: Simd>(simd: S, square: S::f32s, limit: S::f32s) -> S::u32s {
    bits(simd, simd.less_than_or_equal_f32s(square, limit))
}
