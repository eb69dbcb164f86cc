//! A function of the API: one row of the table.

use std::iter::repeat_n;
use std::marker::PhantomData;

use steerbox_core::sim::BATCH as LANES;

use super::super::types::{Kind, Type};
use super::attributes::{Charge, Effect, ListRole, Need, Tag};
use super::host::Host;
use super::intrinsic::Intrinsic;
use super::lane_call::LaneCall;
use super::native_fn::{Entry, NativeFn};
use super::values::Slots;

/// The syntax of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallForm {
    /// `value.name`
    Property,
    /// `value.name = x`: the result replaces the value.
    Setter,
    /// `name(a, b)` or `a.name(b)`
    Function,
    /// `a + b` or `-a`
    Operator,
    /// `list[i]`
    Index,
}

/// A row of the table: syntax, types, documentation, and the Rust function that implements it.
pub(crate) struct Function {
    pub(crate) form: CallForm,
    pub(crate) name: &'static str,
    /// Names and kinds of the parameters.
    pub(crate) params: Vec<(&'static str, Kind)>,
    pub(crate) returns: Type,
    pub(crate) can_fail: bool,
    pub(crate) effect: Effect,
    /// Constant work of a call in units of [`steerbox_core::sim::work`].
    pub(crate) work: i64,
    pub(crate) charge: Charge,
    pub(crate) list: ListRole,
    /// The part of the scene that it needs.
    pub(crate) need: Option<Need>,
    tags: Vec<Tag>,
    /// The operation for which machine code has instructions.
    pub(crate) intrinsic: Option<Intrinsic>,
    /// The syntax in the documentation, such as `unit.is(kind)`.
    pub(crate) signature: &'static str,
    /// A description of one line.
    pub(crate) about: &'static str,
    /// True for functions of the script engine, which the interpreter already has.
    pub(crate) is_of_the_engine: bool,
    /// The addresses by which machine code calls it.
    pub(crate) entry: Entry,
    run: Box<dyn Run>,
    batched: Option<Batched>,
}

/// Computes a row for all active lanes of a batch: results and charges. Returns false if the lanes must be computed
/// one by one.
type Batched = fn(&mut Host<'_>, &mut LaneCall) -> bool;

/// Calls a row's function with untyped slots.
trait Run: Send + Sync {
    fn run(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String>;
    fn run_each(&self, host: &mut Host<'_>, units: &[u32; LANES], lanes: &mut LaneCall);
}

struct Wrapped<M, F>(F, PhantomData<fn() -> M>);

impl<M: 'static, F: NativeFn<M>> Run for Wrapped<M, F> {
    fn run(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
        self.0.call(host, slots)
    }

    fn run_each(&self, host: &mut Host<'_>, units: &[u32; LANES], lanes: &mut LaneCall) {
        let words = |kind: &Kind| repeat_n(*kind, LaneCall::words_of((*kind).into()).unwrap_or(0));
        let given = LaneCall::words_of(F::RETURNS).unwrap_or(0);
        let before = host.context.unit();
        for lane in lanes.lanes() {
            if F::NEEDS_HOST {
                host.context.set_reading_unit(units[lane] as usize);
            }
            let (work, mut slots) = (host.context.work(), Slots::default());
            let kinds = F::PARAMS.iter().flat_map(words);
            for ((slot, word), kind) in slots.iter_mut().zip(&lanes.words).zip(kinds) {
                let word = word[lane];
                *slot = if kind == Kind::Integer { i64::from(word as i32) as u64 } else { u64::from(word) };
            }
            let is_called = self.0.call(host, &mut slots).is_ok();
            let is_long = F::RETURNS.kind == Kind::Integer && i32::try_from(slots[0] as i64).is_err();
            if !is_called || is_long {
                lanes.active[lane] = 0;
                // Code that continues reads `()` or index 0, which always exists.
                slots = Slots::default();
            }
            for (slot, word) in slots.iter().zip(&mut lanes.words).take(given) {
                word[lane] = *slot as u32;
            }
            if F::CAN_CHARGE {
                lanes.work[lane] = (host.context.work() - work) as u32;
            }
        }
        if F::NEEDS_HOST {
            host.context.set_reading_unit(before);
        }
    }
}

impl Function {
    /// Calls the function. `slots` holds the arguments before, the result after the call.
    ///
    /// # Errors
    /// With a message for the user, if the function can fail.
    pub(crate) fn run(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
        self.run.run(host, slots)
    }

    /// Calls the function for each active lane. Arguments and results must fit [`LaneCall`].
    pub(crate) fn run_each(&self, host: &mut Host<'_>, units: &[u32; LANES], lanes: &mut LaneCall) {
        if !self.batched.is_some_and(|batched| batched(host, lanes)) {
            self.run.run_each(host, units, lanes);
        } else if self.charges() {
            // Charged as for one unit, so that a call whose units exceed the limit together is aborted.
            host.context.charge(lanes.work.iter().map(|work| u64::from(*work)).sum());
        }
    }

    /// Returns true if the only effect of a call is its charge: the result depends only on the arguments and the
    /// frozen state.
    pub(crate) fn is_pure(&self) -> bool {
        self.effect == Effect::Pure
    }

    /// Returns true if a call may charge more than the work of its row.
    pub(crate) fn charges(&self) -> bool {
        self.charge != Charge::None
    }

    pub(crate) fn has(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// Returns the kind of its first parameter.
    pub(crate) fn receiver(&self) -> Kind {
        self.params.first().map_or(Kind::Nothing, |(_, kind)| *kind)
    }

    /// Returns true if it accepts arguments of these kinds.
    pub(crate) fn fits(&self, kinds: &[Kind]) -> bool {
        let mut pairs = kinds.iter().zip(&self.params);
        kinds.len() == self.params.len() && pairs.all(|(kind, (_, parameter))| kind.fits(*parameter))
    }

    /// Returns true if [`Function::run_each`] may fail in a lane.
    #[cfg_attr(not(feature = "native"), allow(dead_code, reason = "only machine code uses it"))]
    pub(crate) fn can_fail_in_lanes(&self) -> bool {
        self.can_fail || self.returns.kind == Kind::Integer
    }

    /// Returns true if its parameters and its result are integers.
    pub(crate) fn is_of_integers(&self) -> bool {
        self.returns == Kind::Integer.into() && self.params.iter().all(|(_, kind)| *kind == Kind::Integer)
    }

    /// Returns the number of arguments that must be converted.
    pub(super) fn conversions(&self, kinds: &[Kind]) -> usize {
        let pairs = kinds.iter().zip(&self.params);
        pairs.filter(|(kind, (_, parameter))| *kind != parameter).count()
    }

    /// Sets the constant work of a call.
    pub(super) fn work(&mut self, work: i64) -> &mut Self {
        self.work = work;
        self
    }

    /// Sets the effect of a call. Calls that only show something are free.
    pub(super) fn effect(&mut self, effect: Effect) -> &mut Self {
        self.effect = effect;
        if effect == Effect::Show {
            self.charge = Charge::None;
        }
        self
    }

    /// Declares that part of its work is charged only once per unit and step.
    pub(super) fn charges_once(&mut self) -> &mut Self {
        self.charge = Charge::Once;
        self
    }

    /// Sets its relation to lists of units.
    pub(super) fn list(&mut self, list: ListRole) -> &mut Self {
        self.list = list;
        self
    }

    /// Sets the part of the scene that it needs.
    pub(super) fn needs(&mut self, need: Need) -> &mut Self {
        self.need = Some(need);
        self
    }

    pub(super) fn tag(&mut self, tag: Tag) -> &mut Self {
        self.tags.push(tag);
        self
    }

    /// Sets the operation for which machine code has instructions, with bit-identical results.
    pub(super) fn intrinsic(&mut self, intrinsic: impl Into<Intrinsic>) -> &mut Self {
        self.intrinsic = Some(intrinsic.into());
        self
    }

    /// Sets the function that computes all lanes of a batch, with bit-identical results and equal charges.
    pub(super) fn batched(&mut self, batched: Batched) -> &mut Self {
        self.batched = Some(batched);
        self
    }

    /// Marks a function of the script engine, which the interpreter already has.
    pub(super) fn of_the_engine(&mut self) -> &mut Self {
        self.is_of_the_engine = true;
        self
    }
}

/// The table during its construction.
#[derive(Default)]
pub(super) struct Table(pub(super) Vec<Function>);

impl Table {
    /// Adds a row. The signature is the syntax in scripts: `unit.speed`, `unit.is(kind)`, `sin(x)`, `a + b`,
    /// `list[i]`, `v.x = x`.
    pub(super) fn add<M: 'static, F: NativeFn<M>>(
        &mut self,
        signature: &'static str,
        about: &'static str,
        closure: F,
    ) -> &mut Function {
        let (form, name, names) = parse(signature);
        assert_eq!(names.len(), F::PARAMS.len(), "the parameters of `{signature}`");
        let run = Box::new(Wrapped(closure, PhantomData));
        let entry = Entry::new(&run.0);
        let at = self.0.len();
        self.0.push(Function {
            form,
            name,
            params: names.into_iter().zip(F::PARAMS.iter().copied()).collect(),
            returns: F::RETURNS,
            can_fail: F::CAN_FAIL,
            effect: Effect::Pure,
            work: 0,
            charge: if F::CAN_CHARGE { Charge::Each } else { Charge::None },
            list: ListRole::None,
            need: None,
            tags: Vec::new(),
            intrinsic: None,
            signature,
            about,
            is_of_the_engine: false,
            entry,
            run,
            batched: None,
        });
        &mut self.0[at]
    }
}

/// Returns form, name, and names of the parameters.
fn parse(signature: &'static str) -> (CallForm, &'static str, Vec<&'static str>) {
    if let Some((list, index)) = signature.split_once('[') {
        return (CallForm::Index, "[]", vec![list, index.trim_end_matches(']')]);
    }
    if let Some((call, parameters)) = signature.split_once('(') {
        let parameters = parameters.trim_end_matches(')').split(", ");
        let mut names: Vec<_> = parameters.filter(|name| !name.is_empty()).collect();
        let name = match call.split_once('.') {
            Some((receiver, name)) => {
                names.insert(0, receiver);
                name
            }
            None => call,
        };
        return (CallForm::Function, name, names);
    }
    if let Some(operand) = signature.strip_prefix('-') {
        return (CallForm::Operator, "-", vec![operand]);
    }
    let words: Vec<_> = signature.split(' ').collect();
    match words[..] {
        [place, "=", value] => {
            let (receiver, name) = place.split_once('.').unwrap_or((place, ""));
            (CallForm::Setter, name, vec![receiver, value])
        }
        [a, operator, b] => (CallForm::Operator, operator, vec![a, b]),
        _ => {
            let (receiver, name) = signature.split_once('.').unwrap_or(("it", signature));
            (CallForm::Property, name, vec![receiver])
        }
    }
}
