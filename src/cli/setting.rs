//! Setting arguments: `GROUP.SCRIPT.PARAM=V`.

use crate::reload::{KnobName, Setting};
use crate::scene::ParamValue;
use crate::session::parse_setting;

/// Parses a setting. Gains and enabled flags have the same type in every scene, so their values are checked here.
///
/// # Errors
/// If the text is malformed, or the value of a gain or enabled flag has a wrong type.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    let (handle, knob, value) = parse_setting(text)?;
    match (&knob, &value) {
        (KnobName::Gain, ParamValue::Number(_))
        | (KnobName::Enabled, ParamValue::Switch(_))
        | (KnobName::Param(_), _) => Ok((handle, knob, value)),
        (KnobName::Gain, _) => Err("gain must be a number".to_owned()),
        (KnobName::Enabled, _) => Err("enabled must be true or false".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_fits_no_scene_is_rejected() {
        for text in ["x", "", "a.b", "a.b.gain", "REACH=5", "a.b#0.gain=1"] {
            let error = setting(text).unwrap_err();
            assert!(error.starts_with("expected GROUP.SCRIPT.PARAM=V"), "{text}: {error}");
        }
        for text in ["a.b.gain=NaN", "a.b.gain=inf", "a.b.gain=wide", "a.b.gain=", "a.b.gain=true"] {
            assert_eq!(setting(text), Err("gain must be a number".to_owned()), "{text}");
        }
        assert_eq!(setting("a.b.enabled=3"), Err("enabled must be true or false".to_owned()));
        for text in ["a.b.gain=2", "a.b.gain=-0.5", "a.b.enabled=false", "a.b.FORM=wide"] {
            assert!(setting(text).is_ok(), "{text}");
        }
    }
}
