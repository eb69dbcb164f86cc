//! Rust functions that implement rows: their types, and their interface to machine code.

use super::super::types::{Kind, Type};
use super::host::{Host, HostCall};
use super::values::{Outcome, Reader, Slots, Value, Writer};

/// A Rust function that implements a row. It takes values only, or reads the host, or mutates it.
pub(super) trait NativeFn<Marker>: Send + Sync + 'static {
    const PARAMS: &'static [Kind];
    const RETURNS: Type;
    const CAN_FAIL: bool;
    /// True if it takes the host.
    const NEEDS_HOST: bool;
    /// True if it may charge more than the work of its row.
    const CAN_CHARGE: bool;
    fn call(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String>;
}

pub(super) struct Pure;
pub(super) struct Reads;
pub(super) struct Mutates;

/// Implements [`NativeFn`] for closures of one host access with the given parameters.
macro_rules! native_fn {
    ($marker:ident, $needs_host:literal, $can_charge:literal, [$($host:ident: $of:ty)?], $($value:ident),*) => {
        impl<F, R, $($value),*> NativeFn<($marker, R, $($value,)*)> for F
        where
            F: Fn($($of,)? $($value),*) -> R + Send + Sync + 'static,
            R: Outcome,
            $($value: Value,)*
        {
            const PARAMS: &'static [Kind] = &[$($value::KIND),*];
            const RETURNS: Type = R::TYPE;
            const CAN_FAIL: bool = R::CAN_FAIL;
            const NEEDS_HOST: bool = $needs_host;
            const CAN_CHARGE: bool = $can_charge;

            #[allow(non_snake_case, unused_variables, reason = "values have the names of their types")]
            #[allow(clippy::inline_always, reason = "saves a few nanoseconds per call")]
            #[inline(always)]
            fn call(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
                $(let $host = host;)?
                let mut arguments = Reader::new(slots);
                $(let $value = $value::read(&mut arguments);)*
                self($($host,)? $($value),*).store(&mut Writer::new(slots))
            }
        }
    };
    ($($value:ident),*) => {
        native_fn!(Pure, false, false, [], $($value),*);
        native_fn!(Reads, true, false, [host: &Host<'_>], $($value),*);
        native_fn!(Mutates, true, true, [host: &mut Host<'_>], $($value),*);
    };
}
native_fn!(A);
native_fn!(A, B);
native_fn!(A, B, C);
native_fn!(A, B, C, D);

/// Addresses for calls from machine code: a function of the platform's calling convention, which takes a
/// [`HostCall`], the second address and [`Slots`]; and the closure with its captures. Both are valid as long as the
/// row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) function: usize,
    pub(crate) closure: usize,
}

impl Entry {
    /// The closure must not move while machine code may call it.
    pub(super) fn new<M, F: NativeFn<M>>(closure: &F) -> Self {
        let function: extern "C" fn(&mut HostCall<'_>, &F, &mut Slots) -> u8 = call::<M, F>;
        Self { function: (function as *const ()).addr(), closure: std::ptr::from_ref(closure).addr() }
    }
}

/// Calls a row's closure. The slots hold the arguments before, the result after the call; returns 1 on failure.
extern "C" fn call<M, F: NativeFn<M>>(call: &mut HostCall<'_>, closure: &F, slots: &mut Slots) -> u8 {
    let work = |call: &mut HostCall<'_>| Some(closure.call(&mut call.host, slots));
    match if F::CAN_CHARGE { call.charged(None, work) } else { call.catch_panic(None, work) } {
        Some(Ok(())) => 0,
        Some(Err(words)) => {
            call.words = Some(words);
            1
        }
        None => {
            // Code that continues reads `()` or index 0, which always exists.
            *slots = Slots::default();
            1
        }
    }
}
