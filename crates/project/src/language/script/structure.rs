//! Outline, folding and tokens of scripts.

use steerbox_core::text::Name;
use steerbox_script::{Item, ItemKind, LexemeKind, Typed, lexemes};

use super::context::KEYWORDS;
use crate::language::document::Document;
use crate::language::model::{Fold, Symbol, SymbolKind, Token, TokenKind};

/// Returns the functions, constants and imports; the memory fields are in `MEMORY`.
pub(in crate::language) fn symbols(document: &Document) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    for item in &document.outline().items {
        let symbol = symbol(item);
        let is_around =
            |above: &&mut Symbol| above.range.start <= item.range.start && item.range.end <= above.range.end;
        // The constant is the last symbol before its fields.
        match symbols.last_mut().filter(|above| item.kind == ItemKind::Memory && is_around(above)) {
            Some(above) => above.children.push(symbol),
            None => symbols.push(symbol),
        }
    }
    symbols
}

fn symbol(item: &Item) -> Symbol {
    let kind = match item.kind {
        ItemKind::Function => SymbolKind::Function,
        ItemKind::Constant => SymbolKind::Constant,
        ItemKind::Param => SymbolKind::Parameter,
        ItemKind::Memory => SymbolKind::Memory,
        ItemKind::Import => SymbolKind::Import,
    };
    let (name, detail) = (item.name.clone(), item.detail.clone());
    let (range, selection) = (item.range.clone(), item.selection.clone());
    Symbol { name, detail, kind, range, selection, children: Vec::new() }
}

/// Returns the blocks and comments of several lines.
pub(in crate::language) fn folds(document: &Document) -> Vec<Fold> {
    let text = &*document.text;
    let (mut line, mut at) = (0, 0);
    let mut line_of = |offset: usize| {
        line += text[at..offset].matches('\n').count();
        at = offset;
        line
    };
    let (mut folds, mut open): (Vec<Fold>, Vec<usize>) = (Vec::new(), Vec::new());
    // First and last line of the comment so far.
    let mut comment: Option<(usize, usize)> = None;
    for one in lexemes(text) {
        let (start, end) = (line_of(one.range.start), line_of(one.range.end));
        if one.kind == LexemeKind::Comment {
            comment = match comment {
                Some((first, last)) if start <= last + 1 => Some((first, end)),
                other => {
                    folds.extend(of_comment(other));
                    Some((start, end))
                }
            };
            continue;
        }
        match one.kind {
            LexemeKind::Open(_) => open.push(start),
            LexemeKind::Close(_) => {
                let from = open.pop().filter(|from| *from + 1 < end);
                folds.extend(from.map(|start| Fold { start, end: end - 1, is_comment: false }));
            }
            _ => {}
        }
    }
    folds.extend(of_comment(comment));
    folds.sort_by_key(|fold| (fold.start, fold.end));
    folds
}

fn of_comment(lines: Option<(usize, usize)>) -> Option<Fold> {
    let (start, end) = lines.filter(|(start, end)| start < end)?;
    Some(Fold { start, end, is_comment: true })
}

/// Returns the tokens; those of several lines are split at line ends.
pub(in crate::language) fn tokens(document: &Document) -> Vec<Token> {
    let text = &*document.text;
    let mut names = document.outline().names.iter().peekable();
    let mut tokens = Vec::new();
    for one in lexemes(text) {
        while names.next_if(|name| name.range.end <= one.range.start).is_some() {}
        let word = &text[one.range.clone()];
        let (kind, name) = match one.kind {
            LexemeKind::Comment => (TokenKind::Comment, None),
            LexemeKind::Text => (TokenKind::Text, None),
            LexemeKind::Number => (TokenKind::Number, None),
            LexemeKind::Word if KEYWORDS.contains(&word) => (TokenKind::Keyword, None),
            LexemeKind::Word => match names.peek().filter(|name| name.range == one.range) {
                Some(name) => (kind(name, text), Some(*name)),
                None => (TokenKind::Variable, None),
            },
            LexemeKind::Symbol => (TokenKind::Operator, None),
            LexemeKind::Open(_) | LexemeKind::Close(_) | LexemeKind::End => continue,
        };
        let is_declaration = name.is_some_and(|name| name.is_declaration);
        let is_built_in = name.is_some_and(|name| name.name.is_built_in());
        let mut start = one.range.start;
        for line in word.split('\n') {
            let range = start..start + line.trim_end_matches('\r').len();
            start += line.len() + 1;
            if !range.is_empty() {
                tokens.push(Token { range, kind, is_declaration, is_built_in });
            }
        }
    }
    tokens
}

fn kind(name: &Typed, text: &str) -> TokenKind {
    match &name.name {
        Name::Param { .. } => TokenKind::Parameter,
        Name::Constant { .. } => TokenKind::Constant,
        Name::Function { .. } => TokenKind::Function,
        Name::Memory { .. } => TokenKind::Field,
        Name::Local { .. } if name.kind == Some("module") => TokenKind::Module,
        Name::Api { .. } => {
            let is_called = text[name.range.end..].starts_with('(');
            let is_member = text[..name.range.start].ends_with('.');
            match (is_called, is_member) {
                (true, true) => TokenKind::Method,
                (true, false) => TokenKind::Function,
                (false, true) => TokenKind::Property,
                (false, false) => TokenKind::Constant,
            }
        }
        _ => TokenKind::Variable,
    }
}
