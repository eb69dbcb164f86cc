//! `param(…)` in its three forms, which is only valid at the top level of a script.

use rhai::{Dynamic, Engine, FuncRegistration, NativeCallContext};

use super::call::{self, Fallible};

#[rustfmt::skip]
pub(super) fn register(engine: &mut Engine) {
    let row = |names: &[&'static str]| {
        let about = "/// a parameter: a slider, a switch or a choice. Valid only at the top level, after `const NAME =`";
        FuncRegistration::new("param").with_params_info(names.iter().copied().chain(["?"])).with_comments([about])
    };
    let [default, least, most] = ["default: ?", "least: ?", "most: ?"];
    row(&[default]).register_into_engine(engine, |context: NativeCallContext<'_>, a: Dynamic| declare(&context, &[a]));
    row(&[default, least]).register_into_engine(engine, |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic| declare(&context, &[a, b]));
    row(&[default, least, most]).register_into_engine(engine, |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic, c: Dynamic| declare(&context, &[a, b, c]));
}

fn declare(context: &NativeCallContext<'_>, arguments: &[Dynamic]) -> Fallible<Dynamic> {
    let position = context.call_position();
    call::declare(position.line().unwrap_or(0), position.position().unwrap_or(0), arguments)
}
