//! The state that functions of the API operate on, and the interface by which machine code calls them.
#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "only machine code uses them"))]

use rhai::ImmutableString;
use steerbox_core::diagnostics::caught;
use steerbox_core::sim::UnitContext;
use steerbox_core::world::{Group, Units, World};

use super::values::{Text, Unit};

/// The state that a function operates on.
pub(crate) struct Host<'a> {
    pub(crate) context: &'a mut UnitContext,
    /// The texts to which [`Text::Written`] refers.
    pub(crate) texts: &'a [ImmutableString],
}

impl Host<'_> {
    pub(super) fn world(&self) -> &World {
        self.context.world()
    }

    pub(super) fn units(&self) -> &Units {
        &self.world().units
    }

    pub(super) fn group(&self, unit: usize) -> &Group {
        self.world().group_of(unit)
    }

    /// The deciding unit.
    pub(crate) fn me(&self) -> Unit {
        let index = self.context.unit();
        let position = self.units().position.get(index).copied();
        Unit { index, position: position.unwrap_or_default() }
    }

    pub(crate) fn text(&self, text: Text) -> &str {
        match text {
            Text::Written(index) => self.texts.get(index).map_or("", |text| text.as_str()),
            Text::Group(index) => {
                let group = self.world().groups.get(index);
                group.map_or("", |group| group.name.as_str())
            }
            Text::Zone(index) => {
                let zone = self.world().zones.get(index);
                zone.map_or("", |zone| zone.name.as_str())
            }
        }
    }
}

/// The state of a call of machine code, which reads its fields by their offsets.
#[repr(C)]
pub(crate) struct HostCall<'a> {
    /// The remaining work of the call.
    pub(crate) fuel: i64,
    // Only the host uses the fields below.
    pub(crate) host: Host<'a>,
    /// The message of a failure.
    pub(crate) words: Option<String>,
    pub(crate) has_panicked: bool,
}

impl HostCall<'_> {
    /// Runs `work` and catches its panics; machine code then continues with `otherwise`, whose value has no effect.
    #[allow(clippy::inline_always, reason = "saves a few nanoseconds per call")]
    #[inline(always)]
    pub(crate) fn catch_panic<R>(&mut self, otherwise: R, work: impl FnOnce(&mut Self) -> R) -> R {
        caught(|| work(self)).unwrap_or_else(|| {
            self.has_panicked = true;
            otherwise
        })
    }

    /// As [`HostCall::catch_panic`], for work that the context charges: its cost is subtracted from the fuel.
    #[allow(clippy::inline_always, reason = "functions without charges then have no overhead")]
    #[inline(always)]
    pub(crate) fn charged<R>(&mut self, otherwise: R, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.host.context.work();
        let result = self.catch_panic(otherwise, work);
        self.fuel -= (self.host.context.work() - before) as i64;
        result
    }
}
