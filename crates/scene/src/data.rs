//! Files that a scene names, such as tables of starts. Their texts come from the reader's caller.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::sync::Arc;

use super::tokens::{TokenKind, tokens};

/// Size limit of a file that a scene names, bytes.
pub const MAX_DATA: u64 = 64 << 20;

/// Texts of files by their names in a scene, or the reason why one cannot be read.
pub type DataTexts = BTreeMap<String, Result<Arc<str>, String>>;

/// Returns the names of the files that a scene names, as written; also those of a scene with faults.
pub fn data_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut before = [None, None];
    for token in tokens(text).filter(|token| token.kind != TokenKind::Comment) {
        let part = text.get(token.range.clone()).unwrap_or_default();
        if token.kind == TokenKind::Quoted && before == [Some("File"), Some("(")] {
            names.extend(ron::from_str::<String>(part).ok());
        }
        before = [before[1], Some(part)];
    }
    names.sort();
    names.dedup();
    names
}

/// Returns the reason why a name is not that of a file beside the scene or in a folder there.
pub fn data_name_fault(name: &str) -> Option<&'static str> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if name.is_empty() || !Path::new(name).components().all(is_plain) || name.contains(['\\', ':']) {
        return Some(
            "a file is named relative to the folder of the scene, and is in it or in a folder there",
        );
    }
    name.contains(char::is_control).then_some("a file name has no control characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_text_except_in_comments() {
        let text = "(groups: [(spawn: File(\"b.csv\")), (spawn: File( /* here */ \"a/ä.csv\" ), title: \"File(\\\"c.csv\\\")\"
            // File(\"d.csv\")";
        assert_eq!(data_names(text), ["a/ä.csv", "b.csv"]);
        assert!(data_names("File(").is_empty() && data_names("File(\"").is_empty());
    }

    #[test]
    fn names_stay_in_the_folder_of_the_scene() {
        for name in ["a.csv", "data/first frame.csv", "ä"] {
            assert_eq!(data_name_fault(name), None, "{name}");
        }
        for name in ["", "/etc/passwd", "../a.csv", "a/../../b", "c:a.csv", "a\\b", "a\nb", ".", ".."] {
            assert!(data_name_fault(name).is_some(), "{name}");
        }
    }
}
