//! Opens a file at a line in the user's editor.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, io, thread};

/// Editors that need a terminal.
const IN_TERMINAL: &[&str] = &["vi", "vim", "nvim", "nano", "micro", "hx", "helix", "kak", "ne", "joe", "ed"];

/// The program that opens files and folders with the user's default programs.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens a file in the editor that `$VISUAL` or `$EDITOR` names, else with the system's default program for
/// texts. Does not wait for it.
///
/// # Errors
/// If it cannot be started, with a message for the user.
pub(crate) fn open(path: &Path, line: usize, column: usize) -> Result<(), String> {
    let named = ["VISUAL", "EDITOR"].iter().filter_map(|name| env::var(name).ok());
    let editor = named.map(|editor| editor.trim().to_owned()).find(|editor| !editor.is_empty());
    let terminal = env::var("TERMINAL").unwrap_or_else(|_| "x-terminal-emulator".to_owned());
    let words = command(editor.as_deref(), &terminal, &path.to_string_lossy(), (line.max(1), column.max(1)));
    start(&words).map_err(|(program, error)| cannot_edit(path, editor.is_some(), &program, &error))
}

/// The reason why an editor did not start, and the remedy, in one line; `is_named` if a variable names the editor.
fn cannot_edit(path: &Path, is_named: bool, program: &str, error: &io::Error) -> String {
    let remedy =
        if is_named { "correct $VISUAL, $EDITOR or $TERMINAL" } else { "set $EDITOR to your editor" };
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    format!("cannot edit {file}: {}; {remedy} and restart", why_not(program, error))
}

/// Opens a folder with the system's default program for folders. Does not wait for it.
///
/// # Errors
/// If it cannot be started, with a message for the user.
pub(crate) fn open_folder(path: &Path) -> Result<(), String> {
    let words = [OPENER.to_owned(), path.to_string_lossy().into_owned()];
    start(&words).map_err(|(program, error)| format!("cannot open the folder: {}", why_not(&program, &error)))
}

/// Starts a program with its arguments, and does not wait for it.
///
/// # Errors
/// If it does not start: the program and the reason.
fn start(words: &[String]) -> Result<(), (String, io::Error)> {
    let (program, arguments) =
        words.split_first().map_or(("", words), |(program, rest)| (program.as_str(), rest));
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| (program.to_owned(), error))?;
    // Without a call of `wait`, a finished process remains in the process table.
    let _ = thread::Builder::new().spawn(move || child.wait());
    Ok(())
}

/// The reason why a program did not start, in one line.
fn why_not(program: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no program `{program}`"),
        io::ErrorKind::PermissionDenied => format!("`{program}` may not be run"),
        _ => format!("`{program}` does not start"),
    }
}

/// The program and its arguments.
fn command(editor: Option<&str>, terminal: &str, path: &str, (line, column): (usize, usize)) -> Vec<String> {
    let Some(editor) = editor else {
        return vec![OPENER.to_owned(), path.to_owned()];
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
    fn the_error_of_a_program_that_does_not_start_is_one_line_with_a_remedy() {
        let reported = |program, is_named| {
            let missing = io::Error::from(io::ErrorKind::NotFound);
            cannot_edit(Path::new("/a/b.rhai"), is_named, program, &missing)
        };
        let expected =
            "cannot edit b.rhai: there is no program `xdg-open`; set $EDITOR to your editor and restart";
        assert_eq!(reported("xdg-open", false), expected);
        assert!(reported("myedit", true).ends_with("correct $VISUAL, $EDITOR or $TERMINAL and restart"));
    }

    #[test]
    fn each_editor_receives_the_line_in_its_own_syntax() {
        let reported = |editor| command(editor, "xterm", "/a b.rhai", (12, 5)).join("|");
        assert_eq!(reported(Some("code --wait")), "code|--wait|--goto|/a b.rhai:12:5");
        assert_eq!(reported(Some("/usr/bin/vim")), "xterm|-e|/usr/bin/vim|+12|/a b.rhai");
        assert_eq!(reported(Some("nano")), "xterm|-e|nano|+12,5|/a b.rhai");
        assert_eq!(reported(Some("emacsclient -n")), "emacsclient|-n|+12:5|/a b.rhai");
        assert_eq!(reported(Some("myedit")), "myedit|+12|/a b.rhai");
        assert!(reported(None).ends_with("open|/a b.rhai"));
    }
}
