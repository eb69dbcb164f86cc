//! Colors with straight alpha, and their textual forms.

use steerbox_core::world::Extrema;

use super::color_names as names;

/// A color in sRGB with straight (not premultiplied) alpha, 0 to 255 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity: 0 is transparent, 255 opaque.
    pub a: u8,
}

impl Color {
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);
    /// Opaque black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);

    /// An opaque color.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// A color of opacity `a`.
    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }

    /// Parses `#rgb`, `#rrggbb`, `#rrggbbaa` or a CSS color name, ignoring case; `None` for anything else.
    ///
    /// ```
    /// use steerbox_scene::Color;
    ///
    /// assert_eq!(Color::parse("#f80"), Some(Color::rgb(255, 136, 0)));
    /// assert_eq!(Color::parse("SteelBlue"), Some(Color::rgb(70, 130, 180)));
    /// assert_eq!(Color::parse("sky-blue"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.strip_prefix('#') {
            Some(digits) => Self::from_digits(digits),
            None => names::find(text).map(|[r, g, b]| Self::rgb(r, g, b)),
        }
    }

    /// All names that [`Color::parse`] accepts, sorted alphabetically.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names::ALL.iter().map(|(name, _)| *name)
    }

    /// Returns the color with its opacity multiplied by `share`, clamped to 0..1.
    #[must_use]
    pub fn with_alpha(self, share: f32) -> Self {
        let a = (self.a as f32 * share.limited(0.0, 1.0)).round() as u8;
        Self { a, ..self }
    }

    /// Interpolates linearly to `other`, including alpha; `share` is clamped to 0..1.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.limited(0.0, 1.0);
        let lerp = |from: u8, to: u8| {
            let (from, to) = (from as f32, to as f32);
            (from + (to - from) * share).round() as u8
        };
        Self {
            r: lerp(self.r, other.r),
            g: lerp(self.g, other.g),
            b: lerp(self.b, other.b),
            a: lerp(self.a, other.a),
        }
    }

    /// `0x00RRGGBB`, without alpha.
    pub const fn packed(self) -> u32 {
        (self.r as u32) << 16 | (self.g as u32) << 8 | self.b as u32
    }

    fn from_digits(digits: &str) -> Option<Self> {
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let (value, a) = match digits.len() {
            3 => {
                let (r, g, b) = (value >> 8, value >> 4 & 15, value & 15);
                ((r << 16 | g << 8 | b) * 17, 255)
            }
            6 => (value, 255),
            8 => (value >> 8, value as u8),
            _ => return None,
        };
        let [_, r, g, b] = value.to_be_bytes();
        Some(Self { r, g, b, a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_textual_form_is_parsed() {
        assert_eq!(Color::parse("#1a2B3c"), Some(Color::rgb(0x1a, 0x2b, 0x3c)));
        assert_eq!(Color::parse("#01020304"), Some(Color::rgba(1, 2, 3, 4)));
        assert_eq!(Color::parse("#fff"), Some(Color::WHITE));
        assert_eq!(Color::parse(" Tomato "), Some(Color::rgb(255, 99, 71)));
        for wrong in ["", "#", "#12", "#1234", "#12345g", "#+12", "#é12", "blau", "#123456789"] {
            assert_eq!(Color::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_sorted_and_each_is_found() {
        let names: Vec<_> = Color::names().collect();
        assert!(names.is_sorted());
        assert!(names.iter().all(|name| Color::parse(name).is_some()));
    }

    #[test]
    fn mixing_reaches_both_ends() {
        let (a, b) = (Color::rgba(0, 100, 200, 0), Color::rgb(255, 0, 100));
        assert_eq!(a.mix(b, 0.0), a);
        assert_eq!(a.mix(b, 1.0), b);
        assert_eq!(a.mix(b, 0.5), Color::rgba(128, 50, 150, 128));
        assert_eq!(b.with_alpha(0.5).a, 128);
        assert_eq!(b.with_alpha(f32::NAN).a, 0);
    }
}
