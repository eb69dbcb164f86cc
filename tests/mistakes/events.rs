//! Events say what `check` says.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use steerbox::reload::{EventKind, Loader, Place};

use crate::desk::{Desk, names};

#[test]
fn events_tell_what_check_tells() {
    let desk = Desk::new();
    desk.copy_scripts(|_| true);
    let scripts = names("scripts", "rhai");
    let behaviors: Vec<_> = (scripts.iter())
        .filter(|name| *name != "still_air")
        .map(|name| format!("(script: \"{name}\")"))
        .collect();
    let scene = format!(
        "(world: Plane(size: (9, 9)), bodies: {{\"a\": Mover()}}, groups: [(name: \"x\", body: \"a\", behaviors: [{}])])",
        behaviors.join(", ")
    );
    fs::write(desk.path("scenes/all.ron"), scene).unwrap();
    let mut checked: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in desk.check(&["--format", "json", "scripts"]).lines() {
        let fault: Value = serde_json::from_str(line).unwrap();
        let path = fault["path"].as_str().unwrap().replace("scripts/", "");
        checked.entry(path).or_default().push(fault);
    }
    let place = Place::of_scene(&desk.path("scenes/all.ron"));
    let (_, generation) = Loader::load(place, Vec::new()).unwrap_or_else(|error| panic!("{error}"));
    let mut rejected = 0;
    for event in &generation.events {
        // What is wrong with an imported file is told with that file, too.
        let of_this = event.error.iter().chain(&event.others);
        let told: Vec<_> = of_this.filter(|fault| fault.path == event.path).collect();
        let expected = checked.get(&event.path);
        for (index, fault) in told.iter().enumerate() {
            let expected = &expected.unwrap()[index];
            let place = (fault.line, fault.column, fault.message.as_str());
            let (line, column) = (&expected["line"], &expected["column"]);
            let message = expected["message"].as_str().unwrap();
            assert_eq!(
                (&place.0.into(), &place.1.into(), place.2),
                (line, column, message)
            );
        }
        if event.kind == EventKind::Rejected {
            rejected += 1;
            let json: Value = serde_json::from_str(&event.to_json(7)).unwrap();
            let message = json["error"]["message"].as_str().unwrap();
            assert!(message.starts_with(&told[0].message), "{json}");
        }
    }
    assert!(rejected > 50, "{rejected}");
}
