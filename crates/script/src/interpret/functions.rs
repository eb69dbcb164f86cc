//! Registers the rows with the script engine: one function per combination of argument kinds.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, LazyLock};

use glam::Vec3;
use rhai::{
    Dynamic, Engine, EvalAltResult, FuncRegistration, INT, ImmutableString, Module, Position, RhaiFunc,
};

use super::call::{Call, Fallible, with};
use super::{loop_order, memory, params};
use crate::api::values::{
    self, Any, Hit, Me, Members, Obstacle, Obstacles, Reader, Slots, Text, Turn, Unit, Units,
};
use crate::api::values::{Value, World, Writer};
use crate::api::{self, CallForm, Function, Host, ListRole, collections, functions, obstacles};
use crate::budget::Exhausted;
use crate::types::{Kind, Type};

/// Name and Rust parameter types of every registered function.
pub(crate) static REGISTERED: LazyLock<Vec<(String, Vec<TypeId>)>> = LazyLock::new(|| {
    let rows = functions().iter().filter(|row| !row.is_of_the_engine);
    rows.flat_map(|row| overloads(row).into_iter().map(|kinds| (engine_name(row), ids(&kinds)))).collect()
});

/// Registers the whole API.
pub(crate) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Me>(Kind::Me.name());
    engine.register_type_with_name::<Unit>(Kind::Unit.name());
    engine.register_type_with_name::<Units>(Kind::List.name());
    engine.register_type_with_name::<Members>(Kind::Members.name());
    engine.register_type_with_name::<World>(Kind::World.name());
    engine.register_type_with_name::<Obstacle>(Kind::Obstacle.name());
    engine.register_type_with_name::<Obstacles>(Kind::Obstacles.name());
    engine.register_type_with_name::<Hit>(Kind::Hit.name());
    engine.register_type_with_name::<values::Path>(Kind::Path.name());
    engine.register_type_with_name::<values::Field>(Kind::Field.name());
    engine.register_type_with_name::<values::Grid>(Kind::Grid.name());
    engine.register_type_with_name::<Turn>(Kind::Turn.name());
    engine.register_type_with_name::<values::Memory>(Kind::Memory.name());
    engine.register_type_with_name::<Vec3>(Kind::Vector.name());
    engine.register_iterator::<Obstacles>();
    let mut module = Module::new();
    module.set_iter(TypeId::of::<Units>(), |list| {
        let has_slot_order = loop_order::has_slot_order(&list);
        let list = list.cast::<Units>();
        if has_slot_order {
            Box::new(SlotOrder { list, next: 0 })
        } else {
            Box::new(NearestFirst { list, next: 0 })
        }
    });
    module.set_iter(TypeId::of::<Members>(), |group| Box::new(EachUnit { group: group.cast(), next: 0 }));
    for row in functions().iter().filter(|row| !row.is_of_the_engine) {
        for kinds in overloads(row) {
            add(&mut module, row, &kinds);
        }
    }
    module.build_index();
    engine.register_global_module(module.into());
    memory::register(engine);
    collections::register(engine);
    params::register(engine);
    #[cfg(test)]
    engine.register_fn("bug", || -> INT { panic!("a bug on purpose") });
}

/// Returns the argument kinds for which a row is registered. A number parameter also accepts integers, unless
/// another row matches them exactly; a unit parameter also accepts `me`.
fn overloads(row: &Function) -> Vec<Vec<Kind>> {
    let mut overloads = vec![Vec::new()];
    for (_, kind) in &row.params {
        let taken: &[Kind] = match kind {
            Kind::Number => &[Kind::Number, Kind::Integer],
            Kind::Unit => &[Kind::Unit, Kind::Me],
            kind => &[*kind],
        };
        let longer = |mix: Vec<Kind>| taken.iter().map(move |kind| [&mix[..], &[*kind]].concat());
        overloads = overloads.into_iter().flat_map(longer).collect();
    }
    let is_best = |kinds: &Vec<Kind>| {
        api::find(row.form, row.name, kinds).is_none_or(|(_, best)| std::ptr::eq(best, row))
    };
    overloads.retain(is_best);
    overloads
}

fn ids(kinds: &[Kind]) -> Vec<TypeId> {
    kinds.iter().map(|kind| kind.type_id()).collect()
}

fn engine_name(row: &Function) -> String {
    match row.form {
        CallForm::Property => format!("get${}", row.name),
        CallForm::Setter => format!("set${}", row.name),
        CallForm::Index => "index$get$".to_owned(),
        CallForm::Function | CallForm::Operator => row.name.to_owned(),
    }
}

fn add(module: &mut Module, row: &'static Function, kinds: &[Kind]) {
    let writes = row.form == CallForm::Setter;
    set(module, &engine_name(row), row, kinds, writes);
    if row.list.is_from_grid() || row.list == ListRole::Part {
        register_slot_order(module, row, kinds);
    }
    // Also registers `a += b` if the result of `a + b` can replace `a`.
    let assigns = ["+", "-", "*", "/"].contains(&row.name) && kinds.len() == 2;
    if row.form == CallForm::Operator && assigns && row.returns == kinds[0].into() {
        set(module, &format!("{}=", row.name), row, kinds, true);
    }
}

/// Registers one function; `writes` is true if the result replaces the first argument.
fn set(module: &mut Module, name: &str, row: &'static Function, kinds: &[Kind], writes: bool) {
    let taken: Vec<Kind> = kinds.to_vec();
    let run = move |_: Option<rhai::NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
        let value = call(row, &taken, arguments)?;
        if !writes {
            return Ok(value);
        }
        if !arguments[0].is_read_only() {
            *arguments[0] = value;
        } else if !same_vector(arguments[0], &value) {
            let name = engine_name(row);
            return Err(EvalAltResult::ErrorNonPureMethodCallOnConstant(name, Position::NONE).into());
        }
        Ok(Dynamic::UNIT)
    };
    // The first argument is read in place. Setters are registered as pure because the engine calls one to write back
    // after a method of a constant's property, such as `UP.y.abs()`.
    let is_pure = !writes || row.form == CallForm::Setter;
    let function = RhaiFunc::Method { func: Arc::new(run), has_context: false, is_pure, is_volatile: true };
    FuncRegistration::new(name).in_global_namespace().set_into_module_raw(module, ids(kinds), function);
}

/// Registers the variant that returns the list in slot order, for reductions.
fn register_slot_order(module: &mut Module, row: &'static Function, kinds: &[Kind]) {
    let taken: Vec<Kind> = kinds.to_vec();
    let run = move |_: Option<rhai::NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
        call(row, &taken, arguments).map(loop_order::with_slot_order)
    };
    let function =
        RhaiFunc::Method { func: Arc::new(run), has_context: false, is_pure: true, is_volatile: true };
    let name = loop_order::name(&engine_name(row));
    FuncRegistration::new(name).in_global_namespace().set_into_module_raw(module, ids(kinds), function);
}

fn same_vector(a: &Dynamic, b: &Dynamic) -> bool {
    let bits = |value: &Dynamic| value.read_lock::<Vec3>().map(|vector| vector.to_array().map(f32::to_bits));
    bits(a).is_some_and(|a| bits(b) == Some(a))
}

fn call(row: &Function, kinds: &[Kind], arguments: &[&mut Dynamic]) -> Fallible<Dynamic> {
    let mut slots = Slots::default();
    let mut text = None;
    with(|call| {
        let mut host = Host { context: &mut call.context, texts: &[] };
        let mut to = Writer::new(&mut slots);
        let parameters = kinds.iter().zip(&row.params);
        for ((kind, (_, parameter)), argument) in parameters.zip(arguments) {
            write_argument(*kind, *parameter, argument, &host, &mut to, &mut text);
        }
        host.texts = text.as_slice();
        let result = row.run(&mut host, &mut slots).map(|()| read_result(row.returns, &slots, &host));
        // Checked after each call that may charge, as in machine code.
        if row.charges() && call.is_exhausted() {
            return Exhausted::error(Position::NONE);
        }
        result.map_err(Into::into)
    })
}

/// Charges for the units or obstacles of a loop, as machine code does before the first iteration. Returns true for
/// lists that may be charged.
pub(crate) fn charge_loop(list: &Dynamic) -> bool {
    if let Some(units) = list.read_lock::<Units>() {
        with(|Call { context, .. }| {
            if loop_order::has_slot_order(list) {
                context.in_slots(units.0)
            } else {
                context.ordered(units.0)
            };
        });
        return true;
    }
    let obstacles = list.read_lock::<Obstacles>().map(|obstacles| *obstacles);
    obstacles.map(|obstacles| on_host(|host| obstacles::count(host, obstacles))).is_some()
}

/// Converts an argument of kind `from` to a parameter of kind `to`.
fn write_argument(
    kind: Kind,
    parameter: Kind,
    argument: &Dynamic,
    host: &Host<'_>,
    to: &mut Writer<'_>,
    text: &mut Option<ImmutableString>,
) {
    fn put<T: Value + rhai::Variant + Clone>(argument: &Dynamic, to: &mut Writer<'_>) {
        if let Some(value) = argument.read_lock::<T>() {
            value.clone().write(to);
        }
    }
    match (kind, parameter) {
        (Kind::Me, Kind::Unit) => host.me().write(to),
        (Kind::Integer, Kind::Number) => (argument.as_int().unwrap_or_default() as f32).write(to),
        (_, Kind::Any) => shown(argument, host, to, text),
        (Kind::Number, _) => argument.as_float().unwrap_or_default().write(to),
        (Kind::Integer, _) => argument.as_int().unwrap_or_default().write(to),
        (Kind::Bool, _) => argument.as_bool().unwrap_or_default().write(to),
        (Kind::Vector, _) => put::<Vec3>(argument, to),
        (Kind::Turn, _) => put::<Turn>(argument, to),
        (Kind::Unit, _) => put::<Unit>(argument, to),
        (Kind::Members, _) => put::<Members>(argument, to),
        (Kind::List, _) => put::<Units>(argument, to),
        (Kind::Obstacle, _) => put::<Obstacle>(argument, to),
        (Kind::Obstacles, _) => put::<Obstacles>(argument, to),
        (Kind::Hit, _) => put::<Hit>(argument, to),
        (Kind::Path, _) => put::<values::Path>(argument, to),
        (Kind::Field, _) => put::<values::Field>(argument, to),
        (Kind::Grid, _) => put::<values::Grid>(argument, to),
        (Kind::Range, _) => put::<Range<INT>>(argument, to),
        (Kind::RangeThrough, _) => put::<RangeInclusive<INT>>(argument, to),
        (Kind::Text, _) => {
            *text = argument.read_lock::<ImmutableString>().map(|text| text.clone());
            Text::Written(0).write(to);
        }
        // Values without data need no slot, and no argument of a row has the other kinds.
        (
            Kind::Never
            | Kind::Nothing
            | Kind::Me
            | Kind::World
            | Kind::Memory
            | Kind::Group
            | Kind::Zone
            | Kind::Array
            | Kind::Map
            | Kind::Any,
            _,
        ) => {}
    }
}

/// Writes a value of any kind as it is shown.
fn shown(argument: &Dynamic, host: &Host<'_>, to: &mut Writer<'_>, text: &mut Option<ImmutableString>) {
    let value = if let Ok(value) = argument.as_float() {
        Any::Number(value)
    } else {
        // Values are formatted only while something is recorded.
        if host.context.is_recording() {
            *text = Some(argument.to_string().into());
        }
        Any::Text(Text::Written(0))
    };
    value.write(to);
}

/// Converts the result to a value of the engine.
fn read_result(returns: Type, slots: &Slots, host: &Host<'_>) -> Dynamic {
    fn get<T: Value + rhai::Variant + Clone>(from: &mut Reader<'_>) -> Dynamic {
        Dynamic::from(T::read(from))
    }
    let from = &mut Reader::new(slots);
    if returns.maybe && !bool::read(from) {
        return Dynamic::UNIT;
    }
    match returns.kind {
        Kind::Number => Dynamic::from_float(f32::read(from)),
        Kind::Integer => Dynamic::from_int(INT::read(from)),
        Kind::Bool => Dynamic::from_bool(bool::read(from)),
        Kind::Vector => get::<Vec3>(from),
        Kind::Turn => get::<Turn>(from),
        Kind::Unit => get::<Unit>(from),
        Kind::Members => get::<Members>(from),
        Kind::List => get::<Units>(from),
        Kind::Obstacle => get::<Obstacle>(from),
        Kind::Obstacles => get::<Obstacles>(from),
        Kind::Hit => get::<Hit>(from),
        Kind::Path => get::<values::Path>(from),
        Kind::Field => get::<values::Field>(from),
        Kind::Grid => get::<values::Grid>(from),
        Kind::Range => get::<Range<INT>>(from),
        Kind::RangeThrough => get::<RangeInclusive<INT>>(from),
        Kind::Group => host.text(Text::Group(slots[0] as usize)).into(),
        // No row returns the others.
        Kind::Never
        | Kind::Nothing
        | Kind::Me
        | Kind::World
        | Kind::Memory
        | Kind::Zone
        | Kind::Text
        | Kind::Array
        | Kind::Map
        | Kind::Any => Dynamic::UNIT,
    }
}

/// Iterates over the units of a list, nearest first.
struct NearestFirst {
    list: Units,
    next: usize,
}

impl Iterator for NearestFirst {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let neighbor = with(|call| call.context.nth_of_loop(self.list.0, self.next))?;
        self.next += 1;
        Some(Dynamic::from(Unit::from(neighbor)))
    }
}

/// Iterates over the units of a list in slot order of the grid.
struct SlotOrder {
    list: Units,
    next: usize,
}

impl Iterator for SlotOrder {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let neighbor = with(|call| call.context.nth_in_slots(self.list.0, self.next))?;
        self.next += 1;
        Some(Dynamic::from(Unit::from(neighbor)))
    }
}

/// Iterates over the units of a group.
struct EachUnit {
    group: Members,
    next: usize,
}

impl Iterator for EachUnit {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let unit = on_host(|host| self.group.unit(host, self.next))?;
        self.next += 1;
        Some(Dynamic::from(unit))
    }
}

/// Iterates over the obstacles of a list.
#[derive(Clone, Debug)]
pub(crate) struct ObstacleIter {
    list: Obstacles,
    indices: Range<usize>,
}

impl Iterator for ObstacleIter {
    type Item = Obstacle;

    fn next(&mut self) -> Option<Obstacle> {
        let index = self.indices.next()?;
        on_host(|host| obstacles::nth(host, self.list, index))
    }
}

impl IntoIterator for Obstacles {
    type Item = Obstacle;
    type IntoIter = ObstacleIter;

    fn into_iter(self) -> ObstacleIter {
        let count = on_host(|host| obstacles::count(host, self));
        ObstacleIter { list: self, indices: 0..count as usize }
    }
}

fn on_host<R>(work: impl FnOnce(&mut Host<'_>) -> R) -> R {
    with(|call| work(&mut Host { context: &mut call.context, texts: &[] }))
}
