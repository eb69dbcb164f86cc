//! Shorthands for registering: documented functions, and functions over any mix of numbers.

use rhai::{Engine, FuncRegistration, INT, RhaiNativeFunc, Variant};

/// Something that serves as a number: a float or an integer.
pub(super) trait Number: Copy {
    /// What editors call the type.
    const NAME: &'static str;

    fn number(self) -> f32;
}

impl Number for f32 {
    const NAME: &'static str = "float";

    fn number(self) -> f32 {
        self
    }
}

impl Number for INT {
    const NAME: &'static str = "int";

    fn number(self) -> f32 {
        self as f32
    }
}

/// A parameter as definition files write it.
pub(super) fn typed<N: Number>(name: &str) -> String {
    format!("{name}: {}", N::NAME)
}

/// Registers a function under a name, with the names and types of its parameters and,
/// unless the type tells, of its result.
pub(super) fn def<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool>(
    engine: &mut Engine,
    name: &str,
    signature: &[&str],
    about: &str,
    function: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
) {
    let result = (signature.len() == N).then(result_name::<R>);
    FuncRegistration::new(name)
        .with_params_info(signature.iter().copied().chain(result))
        .with_comments([format!("/// {about}")])
        .register_into_engine(engine, function);
}

/// What editors call the type of a result.
fn result_name<R>() -> &'static str {
    match std::any::type_name::<R>().rsplit("::").next() {
        Some("f32") => "float",
        Some("Vec3") => "Vector",
        Some("Turn") => "Turn",
        Some("()") => "()",
        _ => "_",
    }
}

/// Registers a property that cannot be written.
pub(super) fn property<T: Variant + Clone, R: Variant + Clone>(
    engine: &mut Engine,
    name: &str,
    get: impl Fn(&mut T) -> R + Send + Sync + 'static,
) {
    engine.register_get(name, get);
}

/// Registers a function of numbers for every mix of floats and integers.
macro_rules! numbers {
    ($engine:expr, $name:literal, $about:literal, |$a:ident| $body:expr) => {
        numbers!(@one $engine, $name, $about, $a, $body, f32);
        numbers!(@one $engine, $name, $about, $a, $body, rhai::INT);
    };
    ($engine:expr, $name:literal, $about:literal, |$a:ident, $b:ident| $body:expr) => {
        numbers!(@two $engine, $name, $about, $a, $b, $body, f32, f32);
        numbers!(@two $engine, $name, $about, $a, $b, $body, f32, rhai::INT);
        numbers!(@two $engine, $name, $about, $a, $b, $body, rhai::INT, f32);
        numbers!(@two $engine, $name, $about, $a, $b, $body, rhai::INT, rhai::INT);
    };
    ($engine:expr, $name:literal, $about:literal, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        numbers!(@three $engine, $name, $about, $a, $b, $c, $body, f32);
        numbers!(@three $engine, $name, $about, $a, $b, $c, $body, rhai::INT);
    };
    (@one $engine:expr, $name:literal, $about:literal, $a:ident, $body:expr, $A:ty) => {
        $crate::script::api::register::def($engine, $name, &[&$crate::script::api::register::typed::<$A>(stringify!($a))], $about, |$a: $A| {
            let $a = $crate::script::api::register::Number::number($a);
            $body
        });
    };
    (@two $engine:expr, $name:literal, $about:literal, $a:ident, $b:ident, $body:expr, $A:ty, $B:ty) => {
        $crate::script::api::register::def(
            $engine, $name, &[
                &$crate::script::api::register::typed::<$A>(stringify!($a)),
                &$crate::script::api::register::typed::<$B>(stringify!($b)),
            ], $about,
            |$a: $A, $b: $B| {
                let $a = $crate::script::api::register::Number::number($a);
                let $b = $crate::script::api::register::Number::number($b);
                $body
            },
        );
    };
    (@three $engine:expr, $name:literal, $about:literal, $a:ident, $b:ident, $c:ident, $body:expr, $A:ty) => {
        numbers!(@all $engine, $name, $about, $a, $b, $c, $body, $A, f32, f32);
        numbers!(@all $engine, $name, $about, $a, $b, $c, $body, $A, f32, rhai::INT);
        numbers!(@all $engine, $name, $about, $a, $b, $c, $body, $A, rhai::INT, f32);
        numbers!(@all $engine, $name, $about, $a, $b, $c, $body, $A, rhai::INT, rhai::INT);
    };
    (@all $engine:expr, $name:literal, $about:literal, $a:ident, $b:ident, $c:ident, $body:expr, $A:ty, $B:ty, $C:ty) => {
        $crate::script::api::register::def(
            $engine, $name, &[
                &$crate::script::api::register::typed::<$A>(stringify!($a)),
                &$crate::script::api::register::typed::<$B>(stringify!($b)),
                &$crate::script::api::register::typed::<$C>(stringify!($c)),
            ], $about,
            |$a: $A, $b: $B, $c: $C| {
                let $a = $crate::script::api::register::Number::number($a);
                let $b = $crate::script::api::register::Number::number($b);
                let $c = $crate::script::api::register::Number::number($c);
                $body
            },
        );
    };
}
pub(super) use numbers;
