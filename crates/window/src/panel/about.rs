//! The comment at the head of a script, parsed into paragraphs and parameter descriptions.

/// The parts of a comment.
#[derive(Debug, Default, PartialEq)]
pub(super) struct About {
    /// Paragraphs with the file's line breaks removed, so that they wrap in the panel.
    pub(super) paragraphs: Vec<String>,
    /// Names and descriptions of parameters.
    pub(super) params: Vec<(String, String)>,
}

impl About {
    pub(super) fn parse(text: &str) -> Self {
        let mut about = Self::default();
        // True if the previous line can continue: as a parameter's description, or as a paragraph.
        let (mut in_param, mut in_paragraph) = (false, false);
        for line in text.lines() {
            let words = line.trim();
            if let Some((name, meaning)) = param(line) {
                about.params.push((name.to_owned(), meaning.to_owned()));
                (in_param, in_paragraph) = (true, false);
            } else if words.is_empty() {
                (in_param, in_paragraph) = (false, false);
            } else if let Some((_, meaning)) = about.params.last_mut().filter(|_| in_param) {
                join(meaning, words);
            } else if let Some(paragraph) = about.paragraphs.last_mut().filter(|_| in_paragraph) {
                join(paragraph, words);
            } else {
                about.paragraphs.push(words.to_owned());
                in_paragraph = true;
            }
        }
        about
    }

    /// The description of a parameter.
    pub(super) fn param(&self, name: &str) -> Option<&str> {
        let known = self.params.iter().find(|(known, _)| known == name);
        known.map(|(_, meaning)| meaning.as_str())
    }
}

fn join(text: &mut String, words: &str) {
    text.push(' ');
    text.push_str(words);
}

/// Parses a parameter's line: the name, at least two spaces, the description.
fn param(line: &str) -> Option<(&str, &str)> {
    let (name, meaning) = line.split_once("  ")?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_name.then_some((name, meaning.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_are_removed_and_parameters_recognized() {
        let about = About::parse(
            "Stay together: go toward\nthe middle.\n\nFORM    turn: with the rudder;\n        push: straight\nREACH   how far\n\nAfter somebody,\n2004.",
        );
        assert_eq!(about.paragraphs, ["Stay together: go toward the middle.", "After somebody, 2004."]);
        assert_eq!(about.param("FORM"), Some("turn: with the rudder; push: straight"));
        assert_eq!(about.param("REACH"), Some("how far"));
        assert_eq!(about.param("RATE"), None);
        assert_eq!(About::parse(""), About::default());
    }
}
