//! The syntax tree of a program, and its printer.

use std::borrow::Cow;

use super::sort::Sort;
use crate::common::dice::Dice;

/// A form whose holes are filled by parts. A block has no form: its parts are printed one per line.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) sort: Sort,
    pub(crate) form: Cow<'static, str>,
    pub(crate) parts: Vec<Node>,
}

impl Node {
    pub(crate) fn new(sort: Sort, form: impl Into<Cow<'static, str>>, parts: Vec<Self>) -> Self {
        let form = form.into();
        Self { sort, form, parts }
    }

    /// A node without parts.
    pub(crate) fn leaf(sort: Sort, form: impl Into<Cow<'static, str>>) -> Self {
        Self::new(sort, form, Vec::new())
    }

    pub(crate) fn statement(form: impl Into<Cow<'static, str>>, parts: Vec<Self>) -> Self {
        Self::new(Sort::Statement, form, parts)
    }

    pub(crate) fn block(parts: Vec<Self>) -> Self {
        Self::new(Sort::Block, "", parts)
    }

    /// Prints this block as a whole file.
    pub(crate) fn file(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            part.print(&mut text, 0);
            text.push('\n');
        }
        text
    }

    fn print(&self, text: &mut String, indent: usize) {
        if self.sort == Sort::Block {
            return self.print_block(text, indent);
        }
        let mut pieces = self.form.split('$');
        text.push_str(pieces.next().unwrap_or_default());
        for (piece, part) in pieces.zip(&self.parts) {
            part.print(text, indent);
            // Skips the letter of the hole.
            text.push_str(&piece[1..]);
        }
    }

    fn print_block(&self, text: &mut String, indent: usize) {
        text.push_str("{\n");
        for part in &self.parts {
            text.push_str(&"    ".repeat(indent + 1));
            part.print(text, indent + 1);
            text.push('\n');
        }
        text.push_str(&"    ".repeat(indent));
        text.push('}');
    }

    /// Returns an equivalent text: values are parenthesized or wrapped in branches that are always taken.
    pub(crate) fn rewritten(&self, dice: &mut Dice) -> Self {
        let parts = self.parts.iter().map(|part| part.rewritten(dice)).collect();
        let same = Self::new(self.sort, self.form.clone(), parts);
        let other = match self.sort {
            Sort::Number | Sort::Switch | Sort::Vector => self.sort.plainest(),
            _ => None,
        };
        let Some(other) = other.filter(|_| dice.once_in(4)) else {
            return same;
        };
        let letter = self.sort.letter();
        let form = match dice.below(3) {
            0 => format!("(${letter})"),
            1 => format!("(if true {{ ${letter} }} else {{ {other} }})"),
            _ => format!("(if 2.0 < 1.0 {{ {other} }} else {{ ${letter} }})"),
        };
        Self::new(self.sort, form, vec![same])
    }

    /// Calls `look` for every node in pre-order.
    pub(crate) fn walk<'a>(&'a self, look: &mut impl FnMut(&'a Self)) {
        look(self);
        for part in &self.parts {
            part.walk(look);
        }
    }
}
