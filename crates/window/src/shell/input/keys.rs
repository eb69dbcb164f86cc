//! Conversion of the window's keys to egui's.

use egui::Key;
use minifb::Key as Raw;

/// The key in egui's type; `None` for modifiers and unsupported keys.
///
/// Keys of the number pad are those of the main block.
pub(super) fn translate(key: Raw) -> Option<Key> {
    letter_or_digit(key).or_else(|| function(key)).or_else(|| other(key))
}

fn letter_or_digit(key: Raw) -> Option<Key> {
    const DIGITS: [Key; 10] = [
        Key::Num0,
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    const LETTERS: [Key; 26] = [
        Key::A,
        Key::B,
        Key::C,
        Key::D,
        Key::E,
        Key::F,
        Key::G,
        Key::H,
        Key::I,
        Key::J,
        Key::K,
        Key::L,
        Key::M,
        Key::N,
        Key::O,
        Key::P,
        Key::Q,
        Key::R,
        Key::S,
        Key::T,
        Key::U,
        Key::V,
        Key::W,
        Key::X,
        Key::Y,
        Key::Z,
    ];
    pick(&DIGITS, key, Raw::Key0)
        .or_else(|| pick(&DIGITS, key, Raw::NumPad0))
        .or_else(|| pick(&LETTERS, key, Raw::A))
}

fn function(key: Raw) -> Option<Key> {
    const FUNCTIONS: [Key; 15] = [
        Key::F1,
        Key::F2,
        Key::F3,
        Key::F4,
        Key::F5,
        Key::F6,
        Key::F7,
        Key::F8,
        Key::F9,
        Key::F10,
        Key::F11,
        Key::F12,
        Key::F13,
        Key::F14,
        Key::F15,
    ];
    pick(&FUNCTIONS, key, Raw::F1)
}

/// The entry of `row` for `key`, if it is in a sequence of keys that starts with `first`.
fn pick(row: &[Key], key: Raw, first: Raw) -> Option<Key> {
    let at = (key as usize).checked_sub(first as usize)?;
    row.get(at).copied()
}

fn other(key: Raw) -> Option<Key> {
    Some(match key {
        Raw::Down => Key::ArrowDown,
        Raw::Left => Key::ArrowLeft,
        Raw::Right => Key::ArrowRight,
        Raw::Up => Key::ArrowUp,
        Raw::Apostrophe => Key::Quote,
        Raw::Backquote => Key::Backtick,
        Raw::Backslash => Key::Backslash,
        Raw::Comma => Key::Comma,
        Raw::Equal => Key::Equals,
        Raw::LeftBracket => Key::OpenBracket,
        Raw::RightBracket => Key::CloseBracket,
        Raw::Minus | Raw::NumPadMinus => Key::Minus,
        Raw::NumPadPlus => Key::Plus,
        Raw::Period | Raw::NumPadDot => Key::Period,
        Raw::Semicolon => Key::Semicolon,
        Raw::Slash | Raw::NumPadSlash => Key::Slash,
        Raw::Backspace => Key::Backspace,
        Raw::Delete => Key::Delete,
        Raw::End => Key::End,
        Raw::Enter | Raw::NumPadEnter => Key::Enter,
        Raw::Escape => Key::Escape,
        Raw::Home => Key::Home,
        Raw::Insert => Key::Insert,
        Raw::PageDown => Key::PageDown,
        Raw::PageUp => Key::PageUp,
        Raw::Pause => Key::Pause,
        Raw::Space => Key::Space,
        Raw::Tab => Key::Tab,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_keys_have_the_right_bounds() {
        let pairs = [
            (Raw::Key0, Key::Num0),
            (Raw::Key9, Key::Num9),
            (Raw::A, Key::A),
            (Raw::Z, Key::Z),
            (Raw::F1, Key::F1),
            (Raw::F15, Key::F15),
            (Raw::NumPad7, Key::Num7),
            (Raw::Down, Key::ArrowDown),
        ];
        for (raw, key) in pairs {
            assert_eq!(translate(raw), Some(key), "{raw:?}");
        }
        assert_eq!(translate(Raw::LeftShift), None);
        assert_eq!(translate(Raw::NumPadAsterisk), None);
    }
}
