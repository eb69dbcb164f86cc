//! The rules as scripts.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use steerbox_core::sim::Behavior;
use steerbox_project::reload::BuiltIn;
use steerbox_script::{Execution, Program, Script, ScriptBehavior};

use crate::form::Form;

const MEANS: [(&str, &str); 3] = [
    ("cohesion", include_str!("means/cohesion.rhai")),
    ("alignment", include_str!("means/alignment.rhai")),
    ("separation", include_str!("means/separation.rhai")),
];
const LOOPS: [(&str, &str); 3] = [
    ("cohesion", include_str!("loops/cohesion.rhai")),
    ("alignment", include_str!("loops/alignment.rhai")),
    ("separation", include_str!("loops/separation.rhai")),
];

/// Returns the three scripts of a form, and whether all of them run as machine code.
pub(crate) fn behaviors(form: Form, execution: Execution) -> Result<(Vec<Arc<dyn Behavior>>, bool)> {
    let texts = match form {
        Form::Means => MEANS,
        Form::Loops => LOOPS,
    };
    let mut behaviors: Vec<Arc<dyn Behavior>> = Vec::new();
    let mut native = true;
    for (name, text) in texts {
        let behavior = compile(name, text, execution)?;
        native &= behavior.is_native();
        behaviors.push(Arc::new(behavior));
    }
    Ok((behaviors, native))
}

/// Compiles one script.
pub(crate) fn compile(name: &str, text: &str, execution: Execution) -> Result<ScriptBehavior> {
    let fault = |faults| anyhow!("{name}.rhai: {faults:?}");
    let script = Script::compile_with(name, text, &BuiltIn, false).map_err(fault)?;
    let program = Program::fold(&script, &[]).map_err(fault)?;
    Ok(ScriptBehavior::in_plane(program, execution))
}
