//! Notes of a scene: Markdown as blocks of styled text.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The state of the pane of notes.
pub(crate) struct Notes {
    /// True if the pane is visible, where the scene has notes.
    pub(crate) open: bool,
    /// The texts of items whose boxes the user changed.
    pub(crate) changed: BTreeSet<String>,
}

impl Default for Notes {
    fn default() -> Self {
        Self { open: true, changed: BTreeSet::new() }
    }
}

/// Text in one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) style: Style,
}

/// The style of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Style {
    pub(crate) strong: bool,
    pub(crate) emphasized: bool,
    pub(crate) code: bool,
    /// The target, if it is a link.
    pub(crate) link: Option<String>,
}

/// The sign in front of an item of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sign {
    Bullet,
    Number(u64),
    /// A box, and true if it is ticked.
    Box(bool),
}

/// A part of notes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// A paragraph, an item of a list, or a heading of a level from 1.
    Text {
        level: Option<usize>,
        sign: Option<Sign>,
        pieces: Vec<Piece>,
    },
    Code(String),
    Rule,
}

/// Returns the blocks of a text in Markdown, each with its depth in lists.
pub(crate) fn blocks(markdown: &str) -> Vec<(usize, Block)> {
    let mut reader = Reader::default();
    Parser::new_ext(markdown, Options::ENABLE_TASKLISTS).for_each(|event| reader.event(event));
    reader.flush(None);
    reader.blocks
}

/// The text of a block without styles.
pub(crate) fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

#[derive(Default)]
struct Reader {
    blocks: Vec<(usize, Block)>,
    pieces: Vec<Piece>,
    style: Style,
    /// The sign of an item whose text has not begun.
    sign: Option<Sign>,
    /// The next number of each open list; `None` for one of bullets.
    lists: Vec<Option<u64>>,
    code: Option<String>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push(&text, false),
            },
            Event::Code(text) => self.push(&text, true),
            Event::SoftBreak => self.push(" ", false),
            Event::HardBreak => self.push("\n", false),
            Event::TaskListMarker(ticked) => self.sign = Some(Sign::Box(ticked)),
            Event::Rule => {
                self.flush(None);
                self.blocks.push((self.lists.len(), Block::Rule));
            }
            // They are not enabled.
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.style.strong = true,
            Tag::Emphasis => self.style.emphasized = true,
            Tag::Link { dest_url, .. } => self.style.link = Some(dest_url.into_string()),
            Tag::CodeBlock(_) => {
                self.flush(None);
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.flush(None);
                self.lists.push(first);
            }
            Tag::Item => {
                let next = self.lists.last_mut().and_then(Option::as_mut);
                self.sign = Some(next.map_or(Sign::Bullet, |next| {
                    *next += 1;
                    Sign::Number(*next - 1)
                }));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.style.strong = false,
            TagEnd::Emphasis => self.style.emphasized = false,
            TagEnd::Link => self.style.link = None,
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                self.blocks.push((self.lists.len(), Block::Code(code.trim_end().to_owned())));
            }
            TagEnd::List(_) => {
                self.flush(None);
                self.lists.pop();
            }
            TagEnd::Heading(level) => self.flush(Some(level as usize)),
            TagEnd::Item | TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(None),
            _ => {}
        }
    }

    fn push(&mut self, text: &str, code: bool) {
        let style = Style { code, ..self.style.clone() };
        match self.pieces.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.pieces.push(Piece { text: text.to_owned(), style }),
        }
    }

    /// Completes the block whose text has been read.
    fn flush(&mut self, level: Option<usize>) {
        if !self.pieces.is_empty() {
            let (sign, pieces) = (self.sign.take(), std::mem::take(&mut self.pieces));
            self.blocks.push((self.lists.len(), Block::Text { level, sign, pieces }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks in a short form: depth, sign, text with styles in brackets.
    fn short(markdown: &str) -> Vec<String> {
        let piece = |Piece { text, style }: &Piece| {
            let marks = [(style.strong, "b"), (style.emphasized, "i"), (style.code, "c")];
            let marks: String = marks.iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| *mark).collect();
            let link = style.link.as_ref().map_or(String::new(), |link| format!("->{link}"));
            let marks = format!("{marks}{link}");
            if marks.is_empty() { text.clone() } else { format!("[{marks}:{text}]") }
        };
        let block = |(depth, block): (usize, Block)| match block {
            Block::Text { level, sign, pieces } => {
                let text: String = pieces.iter().map(piece).collect();
                let sign = match sign {
                    None => String::new(),
                    Some(Sign::Bullet) => "* ".to_owned(),
                    Some(Sign::Number(number)) => format!("{number}. "),
                    Some(Sign::Box(ticked)) => format!("[{}] ", if ticked { "x" } else { " " }),
                };
                format!("{depth}{} {sign}{text}", "#".repeat(level.unwrap_or_default()))
            }
            Block::Code(text) => format!("{depth} code {text}"),
            Block::Rule => format!("{depth} rule"),
        };
        blocks(markdown).into_iter().map(block).collect()
    }

    #[test]
    fn headings_paragraphs_and_styles_are_read() {
        let text = "# Schools\n\nFish *turn* **together**\nin `steer`, see [cohesion](cohesion.rhai).\n\n---\n## Next";
        assert_eq!(
            short(text),
            [
                "0# Schools",
                "0 Fish [i:turn] [b:together] in [c:steer], see [->cohesion.rhai:cohesion].",
                "0 rule",
                "0## Next"
            ]
        );
        assert_eq!(short("a  \nb <b>c</b>"), ["0 a\nb <b>c</b>"]);
        assert!(short("").is_empty());
    }

    #[test]
    fn lists_have_signs_and_depths() {
        let text = "- one\n  - [ ] two\n  - [x] three\n- four\n\n  more\n\n3. five\n4. six\n\n```rust\nlet a = 1;\n```";
        assert_eq!(
            short(text),
            [
                "1 * one",
                "2 [ ] two",
                "2 [x] three",
                "1 * four",
                "1 more",
                "1 3. five",
                "1 4. six",
                "0 code let a = 1;"
            ]
        );
    }
}
