//! Parsers of numeric arguments.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses integers of a range.
pub(super) fn whole<T: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    within("a whole number", range)
}

/// Parses numbers of a range; `kind` is their name in messages.
pub(super) fn within<T: FromStr + PartialOrd + Display + Clone>(
    kind: &'static str,
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected {kind} from {least} to {most}"))
    }
}

/// Parses a size in pixels: `WxH`.
pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once(['x', 'X', '×']);
    let size = sides.and_then(|(width, height)| width.parse().ok().zip(height.parse().ok()));
    size.ok_or_else(|| "expected WxH in pixels, such as 1280x800".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_width_and_a_height() {
        assert_eq!(size("1280x800"), Ok((1280, 800)));
        assert_eq!(size("16X16"), Ok((16, 16)));
        for text in ["", "x", "12", "12x", "-1x5", "1.5x3", "1x2x3", "99999999999999999999x1"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_error_names_the_expected_range() {
        assert_eq!(whole(1..=1024_u16)("8"), Ok(8));
        for text in ["0", "1025", "99999", "x", "", "1.5", "-1"] {
            let expected = "expected a whole number from 1 to 1024".to_owned();
            assert_eq!(whole(1..=1024_u16)(text), Err(expected), "{text}");
        }
        for text in ["nan", "inf", "0.4", "big"] {
            let expected = "expected a number from 0.5 to 4".to_owned();
            assert_eq!(within("a number", 0.5..=4.0_f32)(text), Err(expected), "{text}");
        }
    }
}
