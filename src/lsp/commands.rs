//! Commands to the window.

use gen_lsp_types::ExecuteCommandParams;
use serde_json::Value;
use steerbox_project::link::Command;

use super::snapshot::Snapshot;
use super::uri::path_of;

/// Returns the command of `workspace/executeCommand`.
///
/// # Errors
/// If there is no such command, or an argument does not fit.
pub(super) fn command(snapshot: &Snapshot, params: &ExecuteCommandParams) -> Result<Command, String> {
    let argument = params.arguments.iter().flatten().next().unwrap_or(&Value::Null);
    let name = params.command.strip_prefix("steerbox.").unwrap_or_default();
    match name {
        "pause" => Ok(Command::Pause),
        "resume" => Ok(Command::Resume),
        "step" => Ok(Command::Step),
        "restart" => Ok(Command::Restart),
        "selectUnit" => {
            let unit = argument.as_u64().ok_or("the argument is the index of a unit")?;
            Ok(Command::SelectUnit(usize::try_from(unit).map_err(|error| error.to_string())?))
        }
        "openScene" => {
            let scene = argument.as_str().ok_or("the argument is the name of a scene")?;
            Ok(Command::OpenScene(scene.to_owned()))
        }
        "runBuffer" | "discardBuffer" => {
            let path = argument.as_str().and_then(path_of).ok_or("the argument is the URI of a document")?;
            let document =
                snapshot.workspace.document(&path).ok_or("this is neither a scene nor a script")?;
            let path = path.to_string_lossy().into_owned();
            Ok(match name {
                "runBuffer" => Command::RunBuffer { path, text: document.text.to_string() },
                _ => Command::DiscardBuffer { path },
            })
        }
        _ => Err(format!("{} is not a command", params.command)),
    }
}
