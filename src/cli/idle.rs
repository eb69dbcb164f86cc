//! Parameters that have no effect in a scene, and what would make them count.

use serde_json::json;

use super::lines::OutputError;
use super::print::{json, out};
use crate::reload::{Generation, Planned};

/// A parameter of a behavior.
struct Idle {
    /// The script as it is shown, and the line of the parameter.
    script: (String, usize),
    /// `scene.ron: group.script.NAME`
    of: String,
    reason: String,
}

/// The parameters without an effect, in the order in which they were noted.
#[derive(Default)]
pub(super) struct IdleParams(Vec<Idle>);

impl IdleParams {
    /// Notes those of a generation, whose scene is shown by this path; `script` shows a script.
    pub(super) fn add(&mut self, scene: &str, generation: &Generation, script: impl Fn(&str) -> String) {
        for planned in generation.planned() {
            let Planned { handle, knobs, script: Some(of), .. } = planned else {
                continue;
            };
            for knob in knobs {
                let name = knob.name.as_str();
                if let (Some(reason), Some(param)) = (&knob.idle, of.param(name)) {
                    let (group, reason) = (&handle.group, reason.clone());
                    let script = (script(&of.path), param.line);
                    self.0.push(Idle {
                        script,
                        of: format!("{scene}: {group}.{}.{name}", handle.script),
                        reason,
                    });
                }
            }
        }
    }

    /// Prints a line for each.
    pub(super) fn print(&self) -> Result<(), OutputError> {
        self.0.iter().try_for_each(|idle| out(format!("{} {}", idle.of, idle.reason)))
    }

    /// Prints an object for each.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        self.0.iter().try_for_each(|Idle { script: (path, line), of, reason }| {
            json(&json!({
                "path": path, "line": line, "column": 1, "message": format!("{of} {reason}"), "help": null,
                "severity": "note",
            }))
        })
    }
}
