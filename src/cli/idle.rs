//! Parameters that have no effect in a scene, and the reasons.

use steerbox_project::reload::{Generation, Planned};

use super::lines::OutputError;
use super::print::{note, out};

/// A parameter of a behavior.
struct Idle {
    /// The displayed path of the script.
    path: String,
    /// The line of the parameter in the script, from 1.
    line: usize,
    /// `scene.ron: group.script.NAME reason`
    message: String,
}

/// The parameters without an effect, in the order in which they were added.
#[derive(Default)]
pub(super) struct IdleParams(Vec<Idle>);

impl IdleParams {
    /// Adds the idle parameters of a generation. `scene` is the displayed path of its scene; `shown_script` returns a script's path.
    pub(super) fn add(
        &mut self,
        scene: &str,
        generation: &Generation,
        shown_script: impl Fn(&str) -> String,
    ) {
        for planned in generation.planned() {
            let Planned { handle, knobs, script: Some(script), .. } = planned else {
                continue;
            };
            for knob in knobs {
                let name = knob.name.as_str();
                if let (Some(reason), Some(param)) = (&knob.idle, script.param(name)) {
                    let message = format!("{scene}: {}.{}.{name} {reason}", handle.group, handle.script);
                    self.0.push(Idle { path: shown_script(&script.path), line: param.line, message });
                }
            }
        }
    }

    /// Prints a line for each.
    pub(super) fn print(&self) -> Result<(), OutputError> {
        self.0.iter().try_for_each(|idle| out(&idle.message))
    }

    /// Prints an object for each.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        self.0.iter().try_for_each(|Idle { path, line, message }| note(path, (*line, 1), message, None))
    }
}
