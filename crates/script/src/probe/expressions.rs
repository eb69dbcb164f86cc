//! Parses the ends of expressions, and the blocks in them.

use rhai::Token;

use super::splice::{Spliced, Splicer};

impl Splicer<'_> {
    /// Parses an expression with the statements in its blocks; does nothing if none begins here.
    pub(super) fn expression(&mut self) -> Spliced {
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

    /// Parses an operand; returns false if there is none.
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

    /// Parses expressions in brackets, with any separators.
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

    /// Parses a text in backticks. Expressions in `${…}` are not probed.
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
