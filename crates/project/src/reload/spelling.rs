//! Spellings of parameters: the panel shows `LOOK_AHEAD` as `look ahead`.

use steerbox_script::{Param, Script};

use super::generation::Generation;
use super::tuned::{Handle, KnobName, Setting};

/// Returns the parameter of a script called `name`, or the only one that differs from it only in case, spaces and
/// hyphens.
pub fn param_like<'a>(script: &'a Script, name: &str) -> Option<&'a Param> {
    script.param(name).or_else(|| {
        let mut like = script.params.iter().filter(|it| same(&it.name, name));
        like.next().filter(|_| like.next().is_none())
    })
}

fn same(a: &str, b: &str) -> bool {
    let letters = |name: &str| name.replace([' ', '-'], "_").to_lowercase();
    letters(a) == letters(b)
}

/// Returns the tuned values with the declared names, if any of them is spelled otherwise.
pub(super) fn respelled(generation: &Generation, tuned: Vec<Setting>) -> Option<Vec<Setting>> {
    let declared = |handle: &Handle, name: &KnobName| {
        let KnobName::Param(name) = name else {
            return None;
        };
        let planned = generation.planned().find(|planned| planned.handle == *handle)?;
        let param = param_like(planned.script.as_ref()?, name)?;
        (param.name != *name).then(|| KnobName::Param(param.name.clone()))
    };
    let mut differs = false;
    let exact = tuned.into_iter().map(|(handle, name, value)| {
        let exact = declared(&handle, &name);
        differs |= exact.is_some();
        (handle, exact.unwrap_or(name), value)
    });
    let exact = exact.collect();
    differs.then_some(exact)
}

#[cfg(test)]
mod tests {
    use steerbox_script::NoLibrary;

    use super::*;

    #[test]
    fn parameters_are_found_as_the_panel_spells_them() {
        let text = "const LOOK_AHEAD = param(1.0); const reach = param(1.0);
            const REACH = param(1.0); fn steer(me, world) { LOOK_AHEAD + reach + REACH }";
        let script = Script::compile_with("a.rhai", text, &NoLibrary, false).unwrap();
        let found = |name| param_like(&script, name).map(|param| param.name.as_str());
        for name in ["LOOK_AHEAD", "look_ahead", "look ahead", "Look-Ahead"] {
            assert_eq!(found(name), Some("LOOK_AHEAD"));
        }
        assert_eq!((found("reach"), found("REACH")), (Some("reach"), Some("REACH")));
        assert_eq!((found("Reach"), found("lookahead")), (None, None));
    }
}
