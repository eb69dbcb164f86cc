//! Opens a file at a line in the user's editor.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, io, thread};

/// Editors that draw into a terminal, which they have to be given.
const IN_TERMINAL: &[&str] = &["vi", "vim", "nvim", "nano", "micro", "hx", "helix", "kak", "ne", "joe", "ed"];

/// A place in a file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilePlace {
    /// The file's name.
    pub(super) file: String,
    /// From 1; 0 means the file as a whole.
    pub(super) line: usize,
    /// From 1; 0 means the line as a whole.
    pub(super) column: usize,
}

/// Opens a file in the editor that `$VISUAL` or `$EDITOR` names, else with the program that the system opens
/// texts with. Does not wait for it.
///
/// # Errors
/// When it cannot be started, in words for the user.
pub(super) fn open(path: &Path, line: usize, column: usize) -> Result<(), String> {
    let named = ["VISUAL", "EDITOR"].iter().filter_map(|name| env::var(name).ok());
    let editor = named.map(|editor| editor.trim().to_owned()).find(|editor| !editor.is_empty());
    let terminal = env::var("TERMINAL").unwrap_or_else(|_| "x-terminal-emulator".to_owned());
    let words = command(editor.as_deref(), &terminal, &path.to_string_lossy(), (line.max(1), column.max(1)));
    let (program, arguments) = words.split_first().ok_or("there is no editor")?;
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| cannot_start(program, editor.is_some(), path, &error))?;
    // A process whose end nobody asks for stays in the table of processes; without a thread, it does.
    let _ = thread::Builder::new().spawn(move || child.wait());
    Ok(())
}

/// A program that did not start, with a remedy, in one line.
fn cannot_start(program: &str, is_named: bool, path: &Path, error: &io::Error) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let why = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no program `{program}`"),
        io::ErrorKind::PermissionDenied => format!("`{program}` may not be run"),
        _ => format!("`{program}` does not start"),
    };
    let remedy =
        if is_named { "correct $VISUAL, $EDITOR or $TERMINAL" } else { "set $EDITOR to your editor" };
    format!("cannot edit {file}: {why}; {remedy} and restart")
}

/// The program and its arguments.
fn command(editor: Option<&str>, terminal: &str, path: &str, (line, column): (usize, usize)) -> Vec<String> {
    let Some(editor) = editor else {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        return vec![opener.to_owned(), path.to_owned()];
    };
    let mut words: Vec<String> = editor.split_whitespace().map(str::to_owned).collect();
    let program = words.first().map_or("", String::as_str);
    let name = Path::new(program).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let place = format!("{path}:{line}:{column}");
    let arguments = match name.as_str() {
        "code" | "code-insiders" | "codium" | "cursor" => vec!["--goto".to_owned(), place],
        "subl" | "zed" | "zeditor" | "hx" | "helix" => vec![place],
        "kate" => {
            ["--line", &line.to_string(), "--column", &column.to_string(), path].map(str::to_owned).into()
        }
        "nano" => vec![format!("+{line},{column}"), path.to_owned()],
        "emacs" | "emacsclient" | "gedit" | "micro" => vec![format!("+{line}:{column}"), path.to_owned()],
        _ => vec![format!("+{line}"), path.to_owned()],
    };
    if IN_TERMINAL.contains(&name.as_str()) {
        words.splice(0..0, [terminal.to_owned(), "-e".to_owned()]);
    }
    words.extend(arguments);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_start_is_one_line_with_a_remedy() {
        let said = |program, is_named| {
            let missing = io::Error::from(io::ErrorKind::NotFound);
            cannot_start(program, is_named, Path::new("/a/b.rhai"), &missing)
        };
        let expected =
            "cannot edit b.rhai: there is no program `xdg-open`; set $EDITOR to your editor and restart";
        assert_eq!(said("xdg-open", false), expected);
        assert!(said("myedit", true).ends_with("correct $VISUAL, $EDITOR or $TERMINAL and restart"));
    }

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        let said = |editor| command(editor, "xterm", "/a b.rhai", (12, 5)).join("|");
        assert_eq!(said(Some("code --wait")), "code|--wait|--goto|/a b.rhai:12:5");
        assert_eq!(said(Some("/usr/bin/vim")), "xterm|-e|/usr/bin/vim|+12|/a b.rhai");
        assert_eq!(said(Some("nano")), "xterm|-e|nano|+12,5|/a b.rhai");
        assert_eq!(said(Some("emacsclient -n")), "emacsclient|-n|+12:5|/a b.rhai");
        assert_eq!(said(Some("myedit")), "myedit|+12|/a b.rhai");
        assert!(said(None).ends_with("open|/a b.rhai"));
    }
}
