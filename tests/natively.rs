//! Every shipped behavior becomes machine code.
use std::sync::Arc;
use steerbox::reload::embedded_scripts;
use steerbox::script::{Execution, Program, Role, Script, ScriptBehavior};

#[test]
fn every_shipped_behavior_is_native() {
    let mut refused = Vec::new();
    for (name, text) in embedded_scripts() {
        let script = Script::learn(&name, text).unwrap();
        if script.role != Role::Behavior {
            continue;
        }
        let program: Arc<Program> = Program::fold(&script, &[]).unwrap();
        let behavior = ScriptBehavior::new(program, Execution::Native);
        if let Some(refusal) = behavior.refusal() {
            refused.push(format!("{name}: {refusal:?}"));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}
