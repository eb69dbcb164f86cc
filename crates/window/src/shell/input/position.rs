//! Keys by position: in a layout without Latin letters, shortcuts are the keys of a US keyboard, as in other editors;
//! digits are those of the upper row in every layout.

use minifb::Key;

/// The first code of each row of the main block on X11 (Linux codes plus 8), with the keys of a US keyboard.
const ROWS: [(u8, &[Key]); 4] = [
    (
        10,
        &[
            Key::Key1,
            Key::Key2,
            Key::Key3,
            Key::Key4,
            Key::Key5,
            Key::Key6,
            Key::Key7,
            Key::Key8,
            Key::Key9,
            Key::Key0,
            Key::Minus,
            Key::Equal,
        ],
    ),
    (
        24,
        &[
            Key::Q,
            Key::W,
            Key::E,
            Key::R,
            Key::T,
            Key::Y,
            Key::U,
            Key::I,
            Key::O,
            Key::P,
            Key::LeftBracket,
            Key::RightBracket,
        ],
    ),
    (
        38,
        &[
            Key::A,
            Key::S,
            Key::D,
            Key::F,
            Key::G,
            Key::H,
            Key::J,
            Key::K,
            Key::L,
            Key::Semicolon,
            Key::Apostrophe,
            Key::Backquote,
        ],
    ),
    (
        51,
        &[
            Key::Backslash,
            Key::Z,
            Key::X,
            Key::C,
            Key::V,
            Key::B,
            Key::N,
            Key::M,
            Key::Comma,
            Key::Period,
            Key::Slash,
        ],
    ),
];

/// The symbols of a keyboard without modifiers.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    first_code: u8,
    symbols: Vec<u32>,
    /// True if a key has a Latin letter.
    is_latin: bool,
}

impl Layout {
    /// A layout from the symbols of each code, `count` per code.
    pub(crate) fn new(first_code: u8, count: usize, symbols: &[u32]) -> Self {
        let symbols: Vec<u32> = symbols.chunks(count.max(1)).map(|symbols| symbols[0]).collect();
        let letters = u32::from(b'a')..=u32::from(b'z');
        let is_latin = symbols.iter().any(|symbol| letters.contains(symbol));
        Self { first_code, symbols, is_latin }
    }

    /// True if all keys of the main block are matched by position instead of symbol.
    pub(crate) fn is_by_position(&self) -> bool {
        !self.is_latin && !self.symbols.is_empty()
    }

    /// The key of a position that its symbol does not name.
    pub(crate) fn key(&self, code: u8) -> Option<Key> {
        let key = at(code)?;
        if self.is_by_position() {
            return Some(key);
        }
        let symbol = self.symbols.get(usize::from(code.checked_sub(self.first_code)?));
        let is_named = symbol.is_none_or(|symbol| (u32::from(b'0')..=u32::from(b'9')).contains(symbol));
        (is_digit(key) && !is_named).then_some(key)
    }
}

/// True for a key of the main block.
pub(crate) fn has_position(key: Key) -> bool {
    ROWS.iter().any(|(_, keys)| keys.contains(&key))
}

fn at(code: u8) -> Option<Key> {
    let of_row = |(first, keys): &(u8, &[Key])| keys.get(usize::from(code.checked_sub(*first)?)).copied();
    ROWS.iter().find_map(of_row)
}

fn is_digit(key: Key) -> bool {
    ROWS[0].1[..10].contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layout with these symbols from code 10 on.
    fn layout(rows: [&[u32]; 2]) -> Layout {
        let mut symbols = vec![0; 2 * 60];
        for (first, row) in [0, 14].into_iter().zip(rows) {
            for (at, symbol) in row.iter().enumerate() {
                symbols[2 * (first + at)] = *symbol;
            }
        }
        Layout::new(10, 2, &symbols)
    }

    #[test]
    fn letters_without_latin_symbols_and_digits_are_keys_by_position() {
        // The Cyrillic letters on Q and W, and digits.
        let russian = layout([&[0x31, 0x32], &[0x6ca, 0x6c3]]);
        assert!(russian.is_by_position());
        assert_eq!(
            [10, 24, 25, 57, 59].map(|code| russian.key(code)),
            [Some(Key::Key1), Some(Key::Q), Some(Key::W), Some(Key::N), Some(Key::Comma)]
        );
        // Hebrew has the slash on Q.
        assert_eq!(layout([&[0x31], &[0x2f, 0x27]]).key(24), Some(Key::Q));
        // French: & and é in the upper row, A on the position of Q.
        let french = layout([&[0x26, 0xe9], &[0x61, 0x7a]]);
        assert!(!french.is_by_position());
        assert_eq!(
            [10, 11, 20, 24].map(|code| french.key(code)),
            [Some(Key::Key1), Some(Key::Key2), None, None]
        );
        // English: every key has a symbol.
        let english = layout([&[0x31, 0x32], &[0x71, 0x77]]);
        assert_eq!([10, 24, 9, 200].map(|code| english.key(code)), [None; 4]);
        assert_eq!(Layout::default().key(24), None);
    }
}
