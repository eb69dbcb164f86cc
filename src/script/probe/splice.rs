//! Probes put into a script's text.
//!
//! The engine keeps the syntax tree of function bodies to itself, so calls are put into the text, which is
//! then parsed as any other. No line is added. A value is recorded by `__value(3, …)`, which gives back
//! what it is given; what is assigned by `x += …` is read again behind it, by `__after(4, x)`.
//!
//! Only the outline of a function is parsed here: statements, blocks, and where expressions begin and end.

use std::fmt::Write as _;
use std::ops::Range;

use rhai::Token;

use super::code::{Code, Piece, Site, SiteKind, Span};
use super::tokens::{Lexeme, line_starts, tokens};

/// The functions that are put into a text.
pub(super) const VALUE: &str = "__value";
pub(super) const AFTER: &str = "__after";
pub(super) const ROUND: &str = "__round";
pub(super) const ENTER: &str = "__enter";
pub(super) const REACH: &str = "__reach";

/// The text of file `file` of `code` with probes in its functions, which are added to `code`.
///
/// # Errors
/// With the reason why it cannot be probed.
pub(super) fn splice(text: &str, file: usize, code: &mut Code) -> Result<String, String> {
    let lexemes = tokens(text);
    let mut splicer = Splicer {
        text,
        starts: line_starts(text),
        lexemes: &lexemes,
        at: 0,
        file,
        code,
        loops: Vec::new(),
        insertions: Vec::new(),
    };
    splicer.file()?;
    let mut insertions = splicer.insertions;
    // What stands at one place stays in the order in which it was put there.
    insertions.sort_by_key(|(at, _)| *at);
    let mut spliced = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (at, inserted) in insertions {
        spliced.push_str(&text[done..at]);
        spliced.push_str(&inserted);
        done = at;
    }
    spliced.push_str(&text[done..]);
    Ok(spliced)
}

type Spliced = Result<(), String>;

struct Splicer<'a> {
    text: &'a str,
    /// The byte at which each line begins.
    starts: Vec<usize>,
    lexemes: &'a [Lexeme],
    /// The next token.
    at: usize,
    file: usize,
    code: &'a mut Code,
    /// The loops around the next token.
    loops: Vec<usize>,
    /// What is put where, in bytes of the text.
    insertions: Vec<(usize, String)>,
}

impl Splicer<'_> {
    fn token(&self) -> &Token {
        self.lexemes.get(self.at).map_or(&Token::EOF, |lexeme| &lexeme.token)
    }

    fn is(&self, token: &Token) -> bool {
        self.token() == token
    }

    /// The byte at which the next token begins.
    fn offset(&self) -> usize {
        self.lexemes.get(self.at).map_or(self.text.len(), |lexeme| lexeme.at)
    }

    /// The byte behind the last token.
    fn end(&self) -> usize {
        let Some(last) = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)) else {
            return 0;
        };
        let token = &self.text[last.at..self.offset().max(last.at)];
        let is_text = matches!(last.token, Token::StringConstant(_) | Token::CharConstant(_));
        let comment = if is_text { None } else { token.find("//").or_else(|| token.find("/*")) };
        last.at + token[..comment.unwrap_or(token.len())].trim_end().len()
    }

    fn skip(&mut self) {
        self.at += 1;
    }

    /// Goes past the next token if it is this one.
    fn take(&mut self, token: &Token) -> bool {
        let found = self.is(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &Token) -> Spliced {
        if self.take(token) { Ok(()) } else { Err(self.unknown()) }
    }

    /// That the outline of the text is not understood.
    fn unknown(&self) -> String {
        let (line, column) = self.place(self.offset());
        format!("line {line}, column {column} is written in a way that cannot be probed")
    }

    fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[line - 1];
        (line, self.text[start..byte].chars().count() + 1)
    }

    fn span(&self, bytes: Range<usize>) -> Span {
        Span { start: self.place(bytes.start), end: self.place(bytes.end) }
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    /// A new site; its number.
    fn site(&mut self, kind: SiteKind, name: Option<&str>, bytes: Range<usize>) -> usize {
        let site = Site {
            file: self.file,
            kind,
            name: name.map(str::to_owned),
            span: self.span(bytes),
            function: self.code.functions,
            loops: self.loops.clone(),
            is_ahead: false,
        };
        self.code.sites.push(site);
        self.code.sites.len() - 1
    }

    /// Notes that what begins at a byte ends here, with the sites since `first`.
    fn piece(&mut self, start: usize, first: usize) {
        let (span, sites) = (self.span(start..self.end()), first..self.code.sites.len());
        if !sites.is_empty() {
            self.code.pieces.push(Piece { file: self.file, span, sites });
        }
    }

    /// All functions of the file.
    fn file(&mut self) -> Spliced {
        while !self.is(&Token::EOF) {
            match self.token() {
                Token::Fn => self.function()?,
                Token::LexError(_) => return Err(self.unknown()),
                Token::Identifier(name) if is_ours(name) => return Err(taken(name)),
                _ => self.skip(),
            }
        }
        Ok(())
    }

    fn function(&mut self) -> Spliced {
        let (start, first) = (self.offset(), self.code.sites.len());
        while !self.is(&Token::LeftBrace) {
            if self.is(&Token::EOF) {
                return Err(self.unknown());
            }
            self.skip();
        }
        let enter = format!(" {ENTER}({});", self.code.functions);
        self.insert(self.offset() + 1, enter);
        self.block()?;
        self.piece(start, first);
        self.code.functions += 1;
        Ok(())
    }

    /// `{ … }`
    fn block(&mut self) -> Spliced {
        let (start, first) = (self.offset(), self.code.sites.len());
        self.expect(&Token::LeftBrace)?;
        while !self.is(&Token::RightBrace) {
            if !self.take(&Token::SemiColon) {
                let before = self.at;
                self.statement(false)?;
                if self.at == before {
                    return Err(self.unknown());
                }
            }
        }
        self.skip();
        self.piece(start, first);
        Ok(())
    }

    /// One statement up to its `;`. Returns whether it became several, which a case of a `switch` has to
    /// have in braces.
    fn statement(&mut self, is_case: bool) -> Result<bool, String> {
        let (start, first) = (self.offset(), self.code.sites.len());
        let is_several = self.any_statement(is_case)?;
        self.piece(start, first);
        Ok(is_several)
    }

    fn any_statement(&mut self, is_case: bool) -> Result<bool, String> {
        match self.token() {
            Token::LeftBrace => self.block()?,
            Token::If => self.if_else()?,
            Token::Switch => self.switch()?,
            Token::While | Token::Loop | Token::For | Token::Do => self.repeat()?,
            Token::Let | Token::Const => self.declare()?,
            Token::Try => self.try_catch()?,
            Token::Return => self.give_back()?,
            Token::Break | Token::Continue | Token::Throw | Token::Import => {
                self.reach(self.offset());
                self.skip();
                self.expression()?;
                while self.take(&Token::As) {
                    self.skip();
                }
                return Ok(true);
            }
            _ => return self.expression_or_assignment(is_case),
        }
        Ok(false)
    }

    /// Records that a statement which begins at a byte is reached.
    fn reach(&mut self, start: usize) {
        let site = self.site(SiteKind::Statement, None, start..start);
        self.insert(start, format!("{REACH}({site}); "));
    }

    fn expression_or_assignment(&mut self, is_case: bool) -> Result<bool, String> {
        let (start, first) = (self.offset(), self.at);
        self.expression()?;
        let bytes = start..self.end();
        let name = &self.text[bytes.clone()];
        if self.take(&Token::Equals) {
            self.value(SiteKind::Assignment, Some(name))?;
            return Ok(false);
        }
        if self.token().is_op_assignment() {
            let mut target = self.lexemes[first..self.at].iter();
            let calls = target.any(|it| matches!(it.token, Token::LeftParen | Token::Unit));
            self.skip();
            self.expression()?;
            if calls {
                // To read it again would call it again.
                self.reach(start);
                return Ok(true);
            }
            let site = self.site(SiteKind::Assignment, Some(name), start..self.end());
            self.insert(self.offset(), format!("; {AFTER}({site}, {name})"));
            return Ok(true);
        }
        if is_case || self.is(&Token::RightBrace) {
            let site = self.site(SiteKind::Value, None, bytes);
            self.insert(start, format!("{VALUE}({site}, "));
            self.insert(self.offset(), ")");
            return Ok(false);
        }
        self.reach(start);
        Ok(true)
    }

    /// An expression whose value is recorded; its site.
    fn value(&mut self, kind: SiteKind, name: Option<&str>) -> Result<usize, String> {
        let start = self.offset();
        let site = self.site(kind, name, start..start);
        self.insert(start, format!("{VALUE}({site}, "));
        self.expression()?;
        self.insert(self.offset(), ")");
        self.code.sites[site].span = self.span(start..self.end());
        Ok(site)
    }

    /// `let name = value`
    fn declare(&mut self) -> Spliced {
        self.skip();
        let start = self.offset();
        self.skip();
        let name = &self.text[start..self.end()];
        if self.take(&Token::Equals) {
            self.value(SiteKind::Let, Some(name))?;
        }
        Ok(())
    }

    /// `return value`
    fn give_back(&mut self) -> Spliced {
        let start = self.offset();
        self.skip();
        if matches!(self.token(), Token::SemiColon | Token::RightBrace | Token::Comma) {
            let site = self.site(SiteKind::Return, None, start..self.end());
            self.insert(self.end(), format!(" {VALUE}({site}, ())"));
            return Ok(());
        }
        self.value(SiteKind::Return, None)?;
        Ok(())
    }

    /// `if condition { … } else …`
    fn if_else(&mut self) -> Spliced {
        self.expect(&Token::If)?;
        self.value(SiteKind::Condition, None)?;
        self.block()?;
        if self.take(&Token::Else) {
            if self.is(&Token::If) { self.if_else()? } else { self.block()? }
        }
        Ok(())
    }

    fn try_catch(&mut self) -> Spliced {
        self.skip();
        self.block()?;
        self.expect(&Token::Catch)?;
        if self.take(&Token::LeftParen) {
            self.skip();
            self.expect(&Token::RightParen)?;
        }
        self.block()
    }

    /// `switch value { case | case if condition => statement, … }`
    fn switch(&mut self) -> Spliced {
        self.skip();
        self.value(SiteKind::Condition, None)?;
        self.expect(&Token::LeftBrace)?;
        while !self.take(&Token::RightBrace) {
            while !matches!(self.token(), Token::If | Token::DoubleArrow) {
                if self.is(&Token::EOF) {
                    return Err(self.unknown());
                }
                self.skip();
            }
            if self.take(&Token::If) {
                self.value(SiteKind::Condition, None)?;
            }
            self.expect(&Token::DoubleArrow)?;
            let (start, place) = (self.offset(), self.insertions.len());
            self.insert(start, "");
            if self.statement(true)? {
                self.insertions[place].1.push_str("{ ");
                self.insert(self.offset(), " }");
            }
            self.take(&Token::Comma);
        }
        Ok(())
    }

    /// `while`, `loop`, `for` and `do`.
    fn repeat(&mut self) -> Spliced {
        let number = self.code.loops.len();
        let word = self.token().clone();
        self.skip();
        let mut variables = Vec::new();
        if word == Token::For {
            while !self.take(&Token::In) {
                if matches!(self.token(), Token::Identifier(_)) {
                    let start = self.offset();
                    self.skip();
                    variables.push(start..self.end());
                } else if self.is(&Token::EOF) {
                    return Err(self.unknown());
                } else {
                    self.skip();
                }
            }
            self.value(SiteKind::Value, None)?;
        }
        self.code.loops.push(number + 1..number + 1);
        self.loops.push(number);
        if word == Token::While {
            let condition = self.value(SiteKind::Condition, None)?;
            self.code.sites[condition].is_ahead = true;
        }
        let mut head = format!(" {ROUND}({number});");
        for variable in variables {
            let name = &self.text[variable.clone()];
            let site = self.site(SiteKind::Let, Some(name), variable);
            let _ = write!(head, " {AFTER}({site}, {name});");
        }
        self.insert(self.offset() + 1, head);
        self.block()?;
        if word == Token::Do {
            self.skip();
            self.value(SiteKind::Condition, None)?;
        }
        self.loops.pop();
        self.code.loops[number].end = self.code.loops.len();
        Ok(())
    }

    /// One expression, with the statements in its blocks; nothing, if none begins here.
    fn expression(&mut self) -> Spliced {
        let mut awaits_operand = true;
        loop {
            awaits_operand = if awaits_operand {
                match self.token() {
                    Token::UnaryMinus | Token::UnaryPlus | Token::Minus | Token::Plus | Token::Bang => {
                        self.skip();
                        continue;
                    }
                    Token::Pipe | Token::Or => return Err("it has a function without a name".to_owned()),
                    _ => {
                        if !self.operand()? {
                            return Ok(());
                        }
                        false
                    }
                }
            } else {
                match self.token() {
                    Token::LeftParen => self.list(&Token::RightParen)?,
                    Token::LeftBracket | Token::QuestionBracket => self.list(&Token::RightBracket)?,
                    Token::Unit => self.skip(),
                    Token::Period | Token::Elvis | Token::DoubleColon => {
                        self.skip();
                        self.skip();
                    }
                    token if is_infix(token) => {
                        self.skip();
                        awaits_operand = true;
                        continue;
                    }
                    _ => return Ok(()),
                }
                false
            };
        }
    }

    /// What stands between operators; whether there is anything.
    fn operand(&mut self) -> Result<bool, String> {
        match self.token() {
            Token::LeftParen => self.list(&Token::RightParen)?,
            Token::LeftBracket => self.list(&Token::RightBracket)?,
            Token::MapStart => self.list(&Token::RightBrace)?,
            Token::LeftBrace => self.block()?,
            Token::If => self.if_else()?,
            Token::Switch => self.switch()?,
            Token::While | Token::Loop | Token::For | Token::Do => self.repeat()?,
            Token::InterpolatedString(_) => self.interpolated()?,
            Token::Identifier(name) if is_ours(name) => return Err(taken(name)),
            Token::IntegerConstant(_)
            | Token::FloatConstant(_)
            | Token::CharConstant(_)
            | Token::StringConstant(_)
            | Token::Identifier(_)
            | Token::Reserved(_)
            | Token::Unit
            | Token::True
            | Token::False => self.skip(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Expressions in brackets, with whatever separates them.
    fn list(&mut self, close: &Token) -> Spliced {
        self.skip();
        while !self.take(close) {
            let before = self.at;
            self.expression()?;
            if self.at == before {
                if self.is(&Token::EOF) {
                    return Err(self.unknown());
                }
                self.skip();
            }
        }
        Ok(())
    }

    /// A text in backticks. What stands in its `${…}` is not probed.
    fn interpolated(&mut self) -> Spliced {
        let mut depth = 0_usize;
        while !(depth == 0 && matches!(self.token(), Token::StringConstant(_))) {
            match self.token() {
                Token::LeftBrace | Token::MapStart => depth += 1,
                Token::RightBrace => depth = depth.saturating_sub(1),
                Token::EOF => return Err(self.unknown()),
                _ => {}
            }
            self.skip();
        }
        self.skip();
        Ok(())
    }
}

fn is_infix(token: &Token) -> bool {
    matches!(
        token,
        Token::Plus
            | Token::Minus
            | Token::Multiply
            | Token::Divide
            | Token::Modulo
            | Token::PowerOf
            | Token::LeftShift
            | Token::RightShift
            | Token::LessThan
            | Token::GreaterThan
            | Token::LessThanEqualsTo
            | Token::GreaterThanEqualsTo
            | Token::EqualsTo
            | Token::NotEqualsTo
            | Token::Pipe
            | Token::Or
            | Token::XOr
            | Token::Ampersand
            | Token::And
            | Token::In
            | Token::NotIn
            | Token::DoubleQuestion
            | Token::ExclusiveRange
            | Token::InclusiveRange
    )
}

/// Whether a name could be taken for one of the functions that are put in.
fn is_ours(name: &str) -> bool {
    [VALUE, AFTER, ROUND, ENTER, REACH].contains(&name)
}

fn taken(name: &str) -> String {
    format!("it uses the name `{name}`, which values are recorded by")
}
