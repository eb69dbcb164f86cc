//! A function of the API: one row of the table.

use rhai::ImmutableString;

use super::super::types::{Kind, Type};
use super::values::{Outcome, Reader, Slots, Text, Unit, Value, Writer};
use crate::sim::UnitContext;
use crate::world::{Group, Units};

/// How a script writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) enum Form {
    /// `value.name`
    Property,
    /// `value.name = x`: the result takes the place of the value.
    Setter,
    /// `name(a, b)` or `a.name(b)`
    Function,
    /// `a + b` or `-a`
    Operator,
    /// `list[i]`
    Index,
}

/// A row: what scripts write, its types, its documentation, and its meaning as a Rust function.
pub(in crate::script) struct Function {
    pub(in crate::script) form: Form,
    pub(in crate::script) name: &'static str,
    /// What the parameters are called, and their kinds.
    pub(in crate::script) takes: Vec<(&'static str, Kind)>,
    pub(in crate::script) gives: Type,
    pub(in crate::script) can_fail: bool,
    /// How the documentation writes it: `unit.is(kind)`.
    pub(in crate::script) signature: &'static str,
    /// One line.
    pub(in crate::script) about: &'static str,
    /// Work of a call in units of [`crate::sim::work`], beside what it charges for itself.
    pub(in crate::script) work: i64,
    /// Whether it takes a look at a list, whose work is known when it runs.
    pub(in crate::script) looks: bool,
    /// Which of [`crate::sim::GroupFacts::looks`] tells what a look at the list takes that it gives.
    pub(in crate::script) source: Option<usize>,
    /// Whether it comes with the script engine, so that the interpreter has it already.
    pub(in crate::script) is_of_the_engine: bool,
    run: Box<Run>,
}

type Run = dyn Fn(&mut Host<'_>, &mut Slots) -> Result<(), String> + Send + Sync;

/// What a function works on.
pub(in crate::script) struct Host<'a> {
    pub(in crate::script) context: &'a mut UnitContext,
    /// What [`Text::Written`] stands for.
    pub(in crate::script) texts: &'a [ImmutableString],
}

impl Host<'_> {
    pub(super) fn world(&self) -> &crate::world::World {
        self.context.world()
    }

    pub(super) fn units(&self) -> &Units {
        &self.world().units
    }

    pub(super) fn group(&self, unit: usize) -> &Group {
        self.world().group_of(unit)
    }

    /// The unit that decides.
    pub(in crate::script) fn me(&self) -> Unit {
        let index = self.context.unit();
        let position = self.units().position.get(index).copied();
        Unit { index, position: position.unwrap_or_default() }
    }

    pub(in crate::script) fn text(&self, text: Text) -> &str {
        match text {
            Text::Written(index) => self.texts.get(index).map_or("", |text| text.as_str()),
            Text::Group(index) => {
                let group = self.world().groups.get(index);
                group.map_or("", |group| group.name.as_str())
            }
        }
    }
}

impl Function {
    /// Calls it: arguments are in `slots`, and so is then the result.
    ///
    /// # Errors
    /// In words for the user, if it can fail.
    pub(in crate::script) fn run(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
        (self.run)(host, slots)
    }

    /// The kind of its first parameter.
    pub(in crate::script) fn receiver(&self) -> Kind {
        self.takes.first().map_or(Kind::Nothing, |(_, kind)| *kind)
    }

    /// Whether arguments of these kinds are taken.
    pub(in crate::script) fn fits(&self, kinds: &[Kind]) -> bool {
        let mut pairs = kinds.iter().zip(&self.takes);
        kinds.len() == self.takes.len() && pairs.all(|(kind, (_, parameter))| kind.fits(*parameter))
    }

    /// How many of these arguments have to be converted.
    pub(super) fn conversions(&self, kinds: &[Kind]) -> usize {
        let pairs = kinds.iter().zip(&self.takes);
        pairs.filter(|(kind, (_, parameter))| *kind != parameter).count()
    }

    /// Sets the work of a call.
    pub(super) fn work(&mut self, work: i64) -> &mut Self {
        self.work = work;
        self
    }

    /// Says that it looks at its list.
    pub(super) fn looks(&mut self) -> &mut Self {
        self.looks = true;
        self
    }

    /// Says what a look at the list takes that it gives.
    pub(super) fn source(&mut self, source: usize) -> &mut Self {
        self.source = Some(source);
        self
    }

    /// Says that the interpreter has it already.
    pub(super) fn of_the_engine(&mut self) -> &mut Self {
        self.is_of_the_engine = true;
        self
    }
}

/// A Rust function that gives a row its meaning: of values alone, or of the host and values.
pub(super) trait Meaning<Marker>: Send + Sync + 'static {
    const TAKES: &'static [Kind];
    const GIVES: Type;
    const CAN_FAIL: bool;
    fn call(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String>;
}

pub(super) struct OfValues;
pub(super) struct OfHost;

macro_rules! meaning {
    ($($value:ident),*) => {
        impl<F, R, $($value),*> Meaning<(OfValues, R, $($value,)*)> for F
        where
            F: Fn($($value),*) -> R + Send + Sync + 'static,
            R: Outcome,
            $($value: Value,)*
        {
            const TAKES: &'static [Kind] = &[$($value::KIND),*];
            const GIVES: Type = R::TYPE;
            const CAN_FAIL: bool = R::CAN_FAIL;

            #[allow(non_snake_case, reason = "values are named as their types")]
            fn call(&self, _: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
                let mut arguments = Reader::new(slots);
                $(let $value = $value::read(&mut arguments);)*
                self($($value),*).leave(&mut Writer::new(slots))
            }
        }

        impl<F, R, $($value),*> Meaning<(OfHost, R, $($value,)*)> for F
        where
            F: Fn(&mut Host<'_>, $($value),*) -> R + Send + Sync + 'static,
            R: Outcome,
            $($value: Value,)*
        {
            const TAKES: &'static [Kind] = &[$($value::KIND),*];
            const GIVES: Type = R::TYPE;
            const CAN_FAIL: bool = R::CAN_FAIL;

            #[allow(non_snake_case, reason = "values are named as their types")]
            fn call(&self, host: &mut Host<'_>, slots: &mut Slots) -> Result<(), String> {
                let mut arguments = Reader::new(slots);
                $(let $value = $value::read(&mut arguments);)*
                self(host, $($value),*).leave(&mut Writer::new(slots))
            }
        }
    };
}
meaning!(A);
meaning!(A, B);
meaning!(A, B, C);
meaning!(A, B, C, D);

/// The table while it is filled.
#[derive(Default)]
pub(super) struct Table(pub(super) Vec<Function>);

impl Table {
    /// A row. The signature is how scripts write it: `unit.speed`, `unit.is(kind)`, `sin(x)`, `a + b`,
    /// `list[i]`, `v.x = x`.
    pub(super) fn add<M>(
        &mut self,
        signature: &'static str,
        about: &'static str,
        meaning: impl Meaning<M>,
    ) -> &mut Function {
        let (form, name, names) = parse(signature);
        let (takes, gives, can_fail) = kinds(&meaning);
        assert_eq!(names.len(), takes.len(), "the parameters of `{signature}`");
        let at = self.0.len();
        self.0.push(Function {
            form,
            name,
            takes: names.into_iter().zip(takes.iter().copied()).collect(),
            gives,
            can_fail,
            signature,
            about,
            work: 0,
            looks: false,
            source: None,
            is_of_the_engine: false,
            run: Box::new(move |host, slots| meaning.call(host, slots)),
        });
        &mut self.0[at]
    }
}

/// What a meaning takes and gives, and whether it can fail.
fn kinds<M, F: Meaning<M>>(_: &F) -> (&'static [Kind], Type, bool) {
    (F::TAKES, F::GIVES, F::CAN_FAIL)
}

/// Form, name, and what the parameters are called.
fn parse(signature: &'static str) -> (Form, &'static str, Vec<&'static str>) {
    if let Some((list, index)) = signature.split_once('[') {
        return (Form::Index, "[]", vec![list, index.trim_end_matches(']')]);
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
        return (Form::Function, name, names);
    }
    if let Some(operand) = signature.strip_prefix('-') {
        return (Form::Operator, "-", vec![operand]);
    }
    let words: Vec<_> = signature.split(' ').collect();
    match words[..] {
        [place, "=", value] => {
            let (receiver, name) = place.split_once('.').unwrap_or((place, ""));
            (Form::Setter, name, vec![receiver, value])
        }
        [a, operator, b] => (Form::Operator, operator, vec![a, b]),
        _ => {
            let (receiver, name) = signature.split_once('.').unwrap_or(("it", signature));
            (Form::Property, name, vec![receiver])
        }
    }
}
