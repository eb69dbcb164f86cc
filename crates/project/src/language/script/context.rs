//! The syntax around a place in a script, by its lexemes: valid also for a text that does not parse.

use std::ops::Range;

use steerbox_script::{Lexeme, LexemeKind, lexemes};

/// The syntax around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// In a comment, a number or behind a word that declares a name: nothing is completed.
    None,
    /// In the text argument of a function.
    Argument(String),
    /// In a text compared with this name.
    Compared(String),
    /// In the path of an `import`.
    Import,
    /// Behind a dot.
    Member,
    /// Behind `this.`
    Memory,
    /// Behind `alias::`
    Module(String),
    /// The name of a function outside of all others, whose `fn` begins at this byte of the same line.
    Head(usize),
    /// The start of an expression or a statement.
    Expression,
    /// Outside of all functions.
    Top,
}

/// A place in a script with the word or text that is being typed there.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) lexemes: Vec<Lexeme>,
    /// The word around the place, or the inside of the quoted text; empty between words.
    pub(super) word: Range<usize>,
    /// The index of the first lexeme that begins at or after the word.
    index: usize,
    in_text: bool,
    in_comment: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        let lexemes = lexemes(text);
        let around = lexemes.iter().position(|one| {
            let is_word = matches!(one.kind, LexemeKind::Word | LexemeKind::Number);
            one.range.start < at
                && (at < one.range.end || (at == one.range.end && is_open(text, one, is_word)))
        });
        let (mut word, mut in_text, mut in_comment) = (at..at, false, false);
        let mut index = lexemes.partition_point(|one| one.range.end <= at);
        if let Some(around) = around {
            let one = &lexemes[around];
            index = around;
            match one.kind {
                LexemeKind::Word => word = one.range.clone(),
                LexemeKind::Number | LexemeKind::Comment => in_comment = true,
                LexemeKind::Text => {
                    in_text = true;
                    let is_closed = is_closed(&text[one.range.clone()]);
                    word = one.range.start + 1..one.range.end - usize::from(is_closed);
                }
                _ => index = around + 1,
            }
        }
        Self { text, lexemes, word, index, in_text, in_comment }
    }

    /// Returns the `back`-th lexeme before the word, without comments; 1 is directly before it.
    pub(super) fn before(&self, back: usize) -> &'a str {
        self.lexeme_before(back).map_or("", |one| &self.text[one.range.clone()])
    }

    fn lexeme_before(&self, back: usize) -> Option<&Lexeme> {
        let lexemes = self.lexemes[..self.index].iter().rev();
        lexemes.filter(|one| one.kind != LexemeKind::Comment).nth(back - 1)
    }

    pub(super) fn context(&self) -> Context {
        if self.in_comment {
            return Context::None;
        }
        if self.in_text {
            return self.text_context();
        }
        match self.before(1) {
            "." | "?." if self.before(2) == "this" => Context::Memory,
            "." | "?." => Context::Member,
            "::" => Context::Module(self.before(2).to_owned()),
            "fn" if !self.is_inside() => {
                let start = self.lexeme_before(1).map_or(self.word.start, |one| one.range.start);
                if self.text[start..self.word.start].contains('\n') {
                    Context::None
                } else {
                    Context::Head(start)
                }
            }
            "fn" | "let" | "const" | "for" | "as" => Context::None,
            _ if self.is_inside() => Context::Expression,
            "=" | "(" | "," | "[" | "+" | "-" | "*" | "/" | ":" => Context::Expression,
            _ => Context::Top,
        }
    }

    fn text_context(&self) -> Context {
        match self.before(1) {
            "import" => Context::Import,
            "==" | "!=" => Context::Compared(self.before(2).to_owned()),
            _ => match self.call() {
                Some((name, _)) => Context::Argument(self.text[name].to_owned()),
                None => Context::None,
            },
        }
    }

    /// Returns true if the place is in a block in braces.
    fn is_inside(&self) -> bool {
        let mut depth = 0_usize;
        for one in &self.lexemes[..self.index] {
            match one.kind {
                LexemeKind::Open('{') => depth += 1,
                LexemeKind::Close('}') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        depth > 0
    }

    /// Returns the number of commas after the place in the same list of arguments.
    pub(super) fn commas_after(&self) -> usize {
        let (mut depth, mut commas) = (0_usize, 0);
        for one in self.lexemes.iter().filter(|one| one.range.start >= self.word.start) {
            match one.kind {
                LexemeKind::Open(_) => depth += 1,
                LexemeKind::Close(_) | LexemeKind::End if depth == 0 => break,
                LexemeKind::Close(_) => depth -= 1,
                LexemeKind::Symbol if depth == 0 && &self.text[one.range.clone()] == "," => commas += 1,
                _ => {}
            }
        }
        commas
    }

    /// Returns the name of the function whose arguments contain the place, and the index of the argument.
    pub(super) fn call(&self) -> Option<(Range<usize>, usize)> {
        let (mut depth, mut argument) = (0_usize, 0);
        let before = &self.lexemes[..self.index];
        for (index, one) in before.iter().enumerate().rev() {
            match one.kind {
                LexemeKind::Close(_) => depth += 1,
                LexemeKind::Open('(') if depth == 0 => {
                    let name = before[..index].last().filter(|one| one.kind == LexemeKind::Word)?;
                    let is_word = !KEYWORDS.contains(&&self.text[name.range.clone()]);
                    return is_word.then(|| (name.range.clone(), argument));
                }
                LexemeKind::Open('{') | LexemeKind::End if depth == 0 => return None,
                LexemeKind::Open(_) if depth == 0 => argument = 0,
                LexemeKind::Open(_) => depth -= 1,
                LexemeKind::Symbol if depth == 0 && &self.text[one.range.clone()] == "," => argument += 1,
                _ => {}
            }
        }
        None
    }
}

/// The keywords of scripts.
pub(super) const KEYWORDS: [&str; 24] = [
    "let", "const", "fn", "if", "else", "for", "in", "while", "loop", "do", "until", "switch", "return",
    "break", "continue", "true", "false", "this", "import", "as", "throw", "try", "catch", "private",
];

fn is_closed(quoted: &str) -> bool {
    let quote = quoted.chars().next().unwrap_or('"');
    quoted.len() > 1 && quoted.ends_with(quote)
}

/// Returns true if text typed at the end of a lexeme continues it.
fn is_open(text: &str, one: &Lexeme, is_word: bool) -> bool {
    match one.kind {
        LexemeKind::Comment => text[one.range.clone()].starts_with("//"),
        LexemeKind::Text => !is_closed(&text[one.range.clone()]),
        _ => is_word,
    }
}
