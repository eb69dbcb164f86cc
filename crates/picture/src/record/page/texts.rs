//! Texts of a page as HTML: the scene and its scripts, colored by the same scan as in the editor.
//!
//! Any text may contain markup, so everything passes through [`escaped`].

use std::fmt::Write as _;
use std::path::Path;

use steerbox_core::diagnostics::{printable, printable_source};
use steerbox_project::reload::Generation;
use steerbox_script::{PieceKind as Kind, pieces};

/// Appends a text that is on one line, such as a name.
pub(super) fn escaped(html: &mut String, text: &str) {
    for letter in printable(text).chars() {
        escape(html, letter);
    }
}

fn escape(html: &mut String, letter: char) {
    match letter {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        '>' => html.push_str("&gt;"),
        '"' => html.push_str("&quot;"),
        '\'' => html.push_str("&#39;"),
        _ => html.push(letter),
    }
}

/// Returns the name of a file without its folders, which are those of another machine.
pub(super) fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns the scene and all scripts that run, with their imports, each in a part that can be closed.
pub(super) fn texts(generation: &Generation) -> String {
    let mut files: Vec<(&str, &str)> = vec![(&generation.file.path, &generation.file.source)];
    for script in generation.planned().filter_map(|planned| planned.script.as_ref()) {
        let imports = script.imports.iter().map(|imported| (&*imported.path, &*imported.text));
        for file in std::iter::once((&*script.path, &*script.text)).chain(imports) {
            if !files.iter().any(|known| known.0 == file.0) {
                files.push(file);
            }
        }
    }
    let mut html = String::new();
    for (at, (path, text)) in files.into_iter().enumerate() {
        html.push_str(if at == 0 { "<details open>" } else { "<details>" });
        html.push_str("<summary>");
        escaped(&mut html, &file_name(path));
        // The first line ending of a `pre` is dropped.
        let name = file_name(path);
        html.push_str("</summary><pre tabindex=\"0\" aria-label=\"");
        escaped(&mut html, &name);
        html.push_str("\">\n");
        code(&mut html, text);
        html.push_str("</pre></details>\n");
    }
    html
}

/// Appends a colored text.
fn code(html: &mut String, text: &str) {
    for (range, kind) in pieces(text) {
        let class = match kind {
            Kind::Comment => Some('c'),
            Kind::Text => Some('s'),
            Kind::Number => Some('n'),
            Kind::Keyword => Some('k'),
            Kind::Word | Kind::Bracket | Kind::Other => None,
        };
        if let Some(class) = class {
            let _ = write!(html, "<i class={class}>");
        }
        for (at, line) in text[range].split('\n').enumerate() {
            if at > 0 {
                html.push('\n');
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            printable_source(line).chars().for_each(|letter| escape(html, letter));
        }
        if class.is_some() {
            html.push_str("</i>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that would end an element, a comment or an attribute, or change the direction of writing.
    const HOSTILE: &str = "// </pre></script><script>alert(1)</script><!-- ]]> \u{202e}\0\r\n\
        let a = \"' onload=x \\\"><img src=x onerror=alert(1)>\"; &lt; {{data}}";

    #[test]
    fn no_text_contains_markup() {
        let mut html = String::new();
        escaped(&mut html, HOSTILE);
        assert!(!html.contains(['<', '>', '"', '\'', '\0', '\u{202e}', '\n', '\r']), "{html}");
        html.clear();
        code(&mut html, HOSTILE);
        let plain = ["<i class=c>", "<i class=s>", "<i class=n>", "<i class=k>", "</i>"];
        let rest = plain.iter().fold(html.clone(), |html, tag| html.replace(tag, ""));
        assert!(!rest.contains(['<', '>', '"', '\'', '\0', '\u{202e}', '\r']), "{html}");
        assert_eq!(html.matches("<i").count(), html.matches("</i>").count());
        assert!(html.starts_with("<i class=c>// &lt;/pre&gt;&lt;/script&gt;"), "{html}");
        assert!(html.contains("</i>\n<i class=k>let</i> a = <i class=s>&quot;&#39; onload"), "{html}");
    }

    #[test]
    fn a_path_of_this_machine_is_not_written() {
        assert_eq!(file_name("/home/me/secret/flock.ron"), "flock.ron");
        assert_eq!(file_name("flock.ron"), "flock.ron");
    }
}
