//! Parts of a scene that can be folded: brackets over several lines, and comments.

use steerbox_scene::{TokenKind, tokens};

use crate::language::document::Document;
use crate::language::model::Fold;

/// Returns the parts that can be folded, in the order of their first lines. The line of the closing bracket stays.
pub(in crate::language) fn folds(document: &Document) -> Vec<Fold> {
    let text = &*document.text;
    let (mut folds, mut open) = (Vec::new(), Vec::new());
    let (mut line, mut reached, mut comment) = (0, 0, None::<(usize, usize)>);
    let count = |part: &str| part.matches('\n').count();
    for token in tokens(text) {
        let between = &text[reached..token.range.start];
        line += count(between);
        let is_first = between.contains('\n') || reached == 0;
        let written = &text[token.range.clone()];
        reached = token.range.end;
        if token.kind == TokenKind::Comment {
            let end = line + count(written);
            comment = match comment {
                Some((start, last)) if is_first && last + 1 == line => Some((start, end)),
                _ => {
                    folds.extend(comment_of(comment));
                    is_first.then_some((line, end))
                }
            };
            line = end;
            continue;
        }
        folds.extend(comment_of(comment.take()));
        match token.kind {
            TokenKind::Open(_) => open.push(line),
            TokenKind::Close(_) => {
                let start = open.pop().filter(|start| start + 1 < line);
                folds.extend(start.map(|start| Fold { start, end: line - 1, is_comment: false }));
            }
            _ => line += count(written),
        }
    }
    folds.extend(comment_of(comment));
    folds.sort_by_key(|fold| (fold.start, std::cmp::Reverse(fold.end)));
    folds.dedup_by_key(|fold| fold.start);
    folds
}

/// Returns the fold of comments from a first to a last line.
fn comment_of(lines: Option<(usize, usize)>) -> Option<Fold> {
    let (start, end) = lines.filter(|(start, end)| start < end)?;
    Some(Fold { start, end, is_comment: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::document;

    #[test]
    fn brackets_and_comments_over_several_lines_are_folded_once() {
        let text = "// a\n// b\n(\n  groups: [(\n    name: 1, // c\n    // d\n  )],\n  x: (1,\n  2),\n  /* e\n f */\n)\n";
        let shown: Vec<_> = folds(&document("a.ron", text))
            .into_iter()
            .map(|fold| (fold.start, fold.end, fold.is_comment))
            .collect();
        assert_eq!(shown, [(0, 1, true), (2, 10, false), (3, 5, false), (9, 10, true)]);
        for broken in ["", "(", ")", "((\n\n)", "/*\n", "\"\n\n"] {
            let _ = folds(&document("a.ron", broken));
        }
    }
}
