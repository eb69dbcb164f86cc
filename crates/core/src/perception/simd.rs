//! Vector operations on eight lanes, bit-identical on every processor.
//!
//! The methods are the subset of [`pulp::Simd`] that kernels use. Processors with vectors of four numbers use
//! [`Halves`]. No operation is fused or reordered.

use pulp::bytemuck::Pod;

/// Calls `$make` with the signature of each vector operation.
macro_rules! each_operation {
    ($make:ident) => {
        $make! {
            add_f32s(a: F32s, b: F32s) -> F32s;
            add_u32s(a: U32s, b: U32s) -> U32s;
            and_u32s(a: U32s, b: U32s) -> U32s;
            div_f32s(a: F32s, b: F32s) -> F32s;
            equal_f32s(a: F32s, b: F32s) -> M32s;
            equal_u32s(a: U32s, b: U32s) -> M32s;
            greater_than_f32s(a: F32s, b: F32s) -> M32s;
            greater_than_or_equal_f32s(a: F32s, b: F32s) -> M32s;
            less_than_f32s(a: F32s, b: F32s) -> M32s;
            less_than_or_equal_f32s(a: F32s, b: F32s) -> M32s;
            less_than_or_equal_u32s(a: U32s, b: U32s) -> M32s;
            less_than_u32s(a: U32s, b: U32s) -> M32s;
            max_f32s(a: F32s, b: F32s) -> F32s;
            mul_f32s(a: F32s, b: F32s) -> F32s;
            neg_f32s(a: F32s) -> F32s;
            not_u32s(a: U32s) -> U32s;
            or_u32s(a: U32s, b: U32s) -> U32s;
            select_f32s(mask: M32s, a: F32s, b: F32s) -> F32s;
            select_u32s(mask: M32s, a: U32s, b: U32s) -> U32s;
            sqrt_f32s(a: F32s) -> F32s;
            sub_f32s(a: F32s, b: F32s) -> F32s;
            sub_u32s(a: U32s, b: U32s) -> U32s;
            transmute_f32s_u32s(a: U32s) -> F32s;
            transmute_u32s_f32s(a: F32s) -> U32s;
            transmute_u32s_m32s(a: M32s) -> U32s;
        }
    };
}

macro_rules! declare {
    ($($name:ident($($value:ident: $type:ident),*) -> $result:ident;)*) => {
        /// Vectors of eight lanes. [`Simd::max_f32s`] requires that neither value is NaN and that not both are
        /// zero: processors differ in these cases.
        pub(super) trait Simd: Copy {
            /// Eight `f32`.
            type F32s: Pod;
            /// Eight `u32`.
            type U32s: Pod;
            /// The eight results of a comparison.
            type M32s: Copy;
            fn splat_f32s(self, value: f32) -> Self::F32s;
            fn splat_u32s(self, value: u32) -> Self::U32s;
            $(fn $name(self, $($value: Self::$type),*) -> Self::$result;)*

            /// Absolute values. `pulp` does not inline its own in builds with debug assertions.
            #[inline(always)]
            fn abs_f32s(self, a: Self::F32s) -> Self::F32s {
                let magnitude = self.splat_u32s(u32::MAX >> 1);
                self.transmute_f32s_u32s(self.and_u32s(self.transmute_u32s_f32s(a), magnitude))
            }
        }
    };
}
each_operation!(declare);

macro_rules! whole {
    ($($name:ident($($value:ident: $type:ident),*) -> $result:ident;)*) => {
        $(
            #[inline(always)]
            fn $name(self, $($value: Self::$type),*) -> Self::$result {
                pulp::Simd::$name(self, $($value),*)
            }
        )*
    };
}

macro_rules! eight_lanes {
    ($vectors:ty) => {
        impl Simd for $vectors {
            type F32s = <$vectors as pulp::Simd>::f32s;
            type U32s = <$vectors as pulp::Simd>::u32s;
            type M32s = <$vectors as pulp::Simd>::m32s;

            #[inline(always)]
            fn splat_f32s(self, value: f32) -> Self::F32s {
                pulp::Simd::splat_f32s(self, value)
            }

            #[inline(always)]
            fn splat_u32s(self, value: u32) -> Self::U32s {
                pulp::Simd::splat_u32s(self, value)
            }

            each_operation!(whole);
        }
    };
}
eight_lanes!(pulp::Scalar256b);
#[cfg(target_arch = "x86_64")]
eight_lanes!(pulp::x86::V3);

/// Eight lanes as two vectors of four.
#[cfg(any(test, target_arch = "aarch64"))]
#[derive(Clone, Copy)]
pub(super) struct Halves<S>(pub(super) S);

#[cfg(any(test, target_arch = "aarch64"))]
macro_rules! halves {
    ($($name:ident($($value:ident: $type:ident),*) -> $result:ident;)*) => {
        $(
            #[inline(always)]
            fn $name(self, $($value: Self::$type),*) -> Self::$result {
                [self.0.$name($($value[0]),*), self.0.$name($($value[1]),*)]
            }
        )*
    };
}

#[cfg(any(test, target_arch = "aarch64"))]
impl<S: pulp::Simd> Simd for Halves<S> {
    type F32s = [S::f32s; 2];
    type U32s = [S::u32s; 2];
    type M32s = [S::m32s; 2];

    #[inline(always)]
    fn splat_f32s(self, value: f32) -> Self::F32s {
        [self.0.splat_f32s(value); 2]
    }

    #[inline(always)]
    fn splat_u32s(self, value: u32) -> Self::U32s {
        [self.0.splat_u32s(value); 2]
    }

    each_operation!(halves);
}
