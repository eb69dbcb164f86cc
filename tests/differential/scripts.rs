//! Every shipped behavior separately, with every combination of its choices and bools.

use steerbox_core::world::ParamValue;
use steerbox_project::reload::{BuiltIn, embedded_scripts};
use steerbox_script::{ParamRange, Role, Script};

use crate::common::dice::Dice;
use crate::setting::Setting;
use crate::stage::Both;

pub(crate) type Values = Vec<(String, ParamValue)>;

#[test]
fn every_shipped_behavior_is_compiled_and_agrees_with_every_choice() {
    let mut dice = Dice::new(3);
    let mut settings = vec![Setting::plain()];
    settings.extend((0..6).map(|_| Setting::random(&mut dice)));
    for (file, text) in embedded_scripts() {
        let script = Script::compile_with(file, text, &BuiltIn, false);
        let script = script.unwrap_or_else(|faults| panic!("{faults:#?}"));
        if script.role != Role::Behavior {
            continue;
        }
        for values in combinations(&script) {
            let both = Both::of(text, &values).unwrap_or_else(|faults| panic!("{faults:#?}"));
            if cfg!(feature = "native") {
                assert_eq!(both.unsupported, None, "{file} with {values:?} is compiled");
            }
            for setting in &settings {
                if let Err(difference) = both.in_world(setting.world()).run(8) {
                    panic!("{file} with {values:?}: {difference}\n{setting:#?}");
                }
            }
        }
    }
}

/// Returns every combination of choices and bools; numbers have their defaults.
pub(crate) fn combinations(script: &Script) -> Vec<Values> {
    let mut all: Vec<Values> = vec![Vec::new()];
    for param in &script.params {
        let options: Vec<ParamValue> = match &param.range {
            ParamRange::Choice(words) => words.iter().cloned().map(ParamValue::Choice).collect(),
            ParamRange::Switch => [false, true].map(ParamValue::Switch).into(),
            ParamRange::Number(..) | ParamRange::Integer(..) => continue,
        };
        let longer = |values: &Values| {
            let values = values.clone();
            let name = param.name.clone();
            let add = move |option: &ParamValue| {
                let mut values = values.clone();
                values.push((name.clone(), option.clone()));
                values
            };
            options.iter().map(add).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
