//! The HTML of a page: a template with parts, the style, the player and the data.
//!
//! The policy in the page permits its own script by a hash, and no connection, image, font or frame. So a page opens
//! nothing but itself, even if a text in it were taken for markup.

use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

const TEMPLATE: &str = include_str!("player/page.html");
const STYLE: &str = include_str!("player/page.css");

/// The player: one script, in parts that share their names.
const PLAYER: [&str; 7] = [
    include_str!("player/data.js"),
    include_str!("player/cameras.js"),
    include_str!("player/shapes.js"),
    include_str!("player/plane.js"),
    include_str!("player/space.js"),
    include_str!("player/plots.js"),
    include_str!("player/player.js"),
];

/// The SHA-256 of the player in base64; a test computes it.
const PLAYER_HASH: &str = "x7qChfw5bVFWQ2b4jze/8p47AbOMzTxEtAfIm0vnDZQ=";

/// The parts of a page that depend on the run, all of them HTML.
pub(super) struct Parts {
    pub(super) title: String,
    /// CSS rules of the colors.
    pub(super) colors: String,
    /// The table of facts about the run.
    pub(super) facts: String,
    pub(super) texts: String,
    /// The content that the player reads.
    pub(super) data: Vec<u8>,
}

/// Returns the page.
///
/// # Errors
/// If the data cannot be compressed.
pub(super) fn html(parts: &Parts) -> io::Result<String> {
    let data = STANDARD.encode(deflated(&parts.data)?);
    let player = player();
    let fill = |name: &str| match name {
        "title" => parts.title.as_str(),
        "hash" => PLAYER_HASH,
        "colors" => &parts.colors,
        "style" => STYLE,
        "facts" => &parts.facts,
        "texts" => &parts.texts,
        "data" => &data,
        "player" => &player,
        _ => "",
    };
    Ok(filled(TEMPLATE, fill))
}

/// Returns the script of the page, without lines that are comments.
fn player() -> String {
    let is_comment = |line: &str| line.starts_with("//") || (line.starts_with("/**") && line.ends_with("*/"));
    let lines = PLAYER.iter().flat_map(|part| part.lines());
    lines.filter(|line| !is_comment(line.trim())).flat_map(|line| [line, "\n"]).collect()
}

fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Returns a template with its parts in place of `{{name}}`. Parts are not searched.
fn filled<'a>(template: &'a str, part: impl Fn(&'a str) -> &'a str) -> String {
    let mut pieces = template.split("{{");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        filled.push_str(part(name));
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::super::decoded::data;
    use super::*;

    #[test]
    fn the_policy_permits_the_player_by_its_hash() {
        let hash = STANDARD.encode(Sha256::digest(player().as_bytes()));
        assert_eq!(PLAYER_HASH, hash, "the hash of the changed player");
        assert!(!player().contains("</script"));
    }

    #[test]
    fn parts_are_inserted_once_and_not_searched() {
        let fill = |name: &'static str| if name == "a" { "{{b}}" } else { "B" };
        assert_eq!(filled("<{{a}}|{{b}}>", fill), "<{{b}}|B>");
        assert_eq!(filled("{{a}} {{", fill), "{{b}} B");
    }

    #[test]
    fn a_page_needs_no_other_file() {
        let empty = || String::new();
        let parts =
            Parts { title: empty(), colors: empty(), facts: empty(), texts: empty(), data: vec![1, 2, 3] };
        let page = html(&parts).expect("it is compressed");
        assert_eq!(data(&page), [1, 2, 3]);
        for reference in ["http:", "https:", "src=", "@import", "url(", "fetch(", "import("] {
            let namespace = "http://www.w3.org/2000/svg";
            assert!(!page.replace(namespace, "").contains(reference), "{reference}");
        }
        assert!(page.len() < 64 << 10, "{}", page.len());
    }
}
