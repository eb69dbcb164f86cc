//! Parses statements and inserts their probes.

use std::fmt::Write as _;
use std::ops::Range;

use rhai::Token;

use super::code::SiteKind;
use super::splice::{AFTER, ENTER, ITERATION, REACH, Spliced, Splicer, VALUE};

impl Splicer<'_> {
    /// Parses all functions of the file.
    pub(super) fn file(&mut self) -> Spliced {
        while !self.is(&Token::EOF) {
            match self.token() {
                Token::Fn => self.function()?,
                Token::LexError(_) => return Err(self.unknown()),
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

    /// Parses `{ … }`.
    pub(super) fn block(&mut self) -> Spliced {
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

    /// Parses a statement up to its `;`. Returns true if it became several, which need braces in a case of a
    /// `switch`.
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
            Token::Return => self.return_statement()?,
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

    /// Records that the statement at `start` is reached.
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
                // A second evaluation would repeat the call.
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

    /// Parses an expression whose value is recorded; returns its site.
    fn value(&mut self, kind: SiteKind, name: Option<&str>) -> Result<usize, String> {
        let start = self.offset();
        let site = self.site(kind, name, start..start);
        self.insert(start, format!("{VALUE}({site}, "));
        self.expression()?;
        self.insert(self.offset(), ")");
        self.code.sites[site].span = self.span(start..self.end());
        Ok(site)
    }

    /// Parses `let name = value`.
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

    /// Parses `return value`.
    fn return_statement(&mut self) -> Spliced {
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

    /// Parses `if condition { … } else …`.
    pub(super) fn if_else(&mut self) -> Spliced {
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

    /// Parses `switch value { case | case if condition => statement, … }`.
    pub(super) fn switch(&mut self) -> Spliced {
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

    /// Parses `while`, `loop`, `for` and `do`.
    pub(super) fn repeat(&mut self) -> Spliced {
        let number = self.code.loops.len();
        let word = self.token().clone();
        self.skip();
        let variables = if word == Token::For { self.variables()? } else { Vec::new() };
        self.code.loops.push(number + 1..number + 1);
        self.loops.push(number);
        if word == Token::While {
            let condition = self.value(SiteKind::Condition, None)?;
            self.code.sites[condition].is_ahead = true;
        }
        let mut head = format!(" {ITERATION}({number});");
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

    /// Parses `x in list`, or `(x, i) in list`; returns the ranges of the variables.
    fn variables(&mut self) -> Result<Vec<Range<usize>>, String> {
        let mut variables = Vec::new();
        while !self.take(&Token::In) {
            let (start, is_name) = (self.offset(), matches!(self.token(), Token::Identifier(_)));
            if self.is(&Token::EOF) {
                return Err(self.unknown());
            }
            self.skip();
            if is_name {
                variables.push(start..self.end());
            }
        }
        self.value(SiteKind::Value, None)?;
        Ok(variables)
    }
}
