//! Brackets and comments, common to scenes and scripts.

/// Returns the closing bracket of `(`, `[` or `{`.
pub fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Returns the length of the block comment at the start of `text`, if it is closed; block comments nest.
pub fn block_comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        let next = at + text[at..].find(['/', '*'])?;
        let pair = text.get(next..next + 2).unwrap_or_default();
        match pair {
            "/*" => depth += 1,
            "*/" => depth -= 1,
            _ => {}
        }
        at = next + if pair == "/*" || pair == "*/" { 2 } else { 1 };
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_nest_and_may_be_unclosed() {
        assert_eq!(block_comment("/* /* */ */ a"), Some(11));
        assert_eq!(block_comment("/*/ é */*"), Some("/*/ é */".len()));
        assert_eq!(block_comment("/* /* */"), None);
    }
}
