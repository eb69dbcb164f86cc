//! Setting arguments: `GROUP.SCRIPT.PARAM=V`.

use steerbox_project::reload::Setting;
use steerbox_project::session::{check_kind, parse_setting};

/// Parses a setting. Gains and enabled flags have the same type in every scene, so their values are checked here.
///
/// # Errors
/// If the text is malformed, or the value of a gain or enabled flag has a wrong type.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    let (handle, knob, value) = parse_setting(text)?;
    check_kind(&knob, &value)?;
    Ok((handle, knob, value))
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
        let error = setting("a.b.gain=Normal(1, 0.2)").unwrap_err();
        assert!(error.starts_with("`gain` is the same number for all units of a group: declare"), "{error}");
        assert_eq!(setting("a.b.enabled=3"), Err("enabled must be true or false".to_owned()));
        for text in ["a.b.gain=2", "a.b.gain=-0.5", "a.b.enabled=false", "a.b.FORM=wide"] {
            assert!(setting(text).is_ok(), "{text}");
        }
    }
}
