//! Events contain the same faults as `check`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use steerbox_project::reload::{EventKind, Loader, Place};

use super::{checked, names, project};

#[test]
fn events_contain_the_faults_of_check() {
    let project = project("scripts", "rhai", |_| true);
    let scripts = names("scripts", "rhai");
    let behaviors: Vec<_> = (scripts.iter())
        .filter(|name| *name != "still_air")
        .map(|name| format!("(script: \"{name}\")"))
        .collect();
    let scene = format!(
        "(world: Plane(size: (9, 9)), bodies: {{\"a\": Mover()}}, groups: [(name: \"x\", body: \"a\", behaviors: [{}])])",
        behaviors.join(", ")
    );
    project.save("scenes/all.ron", &scene);
    let mut by_file: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for fault in checked(&project, "scripts").1 {
        let path = fault["path"].as_str().unwrap().replace("scripts/", "");
        by_file.entry(path).or_default().push(fault);
    }
    let place = Place::of_scene(&project.path("scenes/all.ron"));
    let (_, generation) = Loader::load(place, Vec::new()).unwrap_or_else(|error| panic!("{error}"));
    let mut rejected = 0;
    // Missing requirements of scripts are warnings about the scene.
    for event in generation.events.iter().filter(|event| event.path != "all.ron") {
        // Faults of an imported file name that file.
        let of_this = event.error.iter().chain(&event.others);
        let told: Vec<_> = of_this.filter(|fault| fault.path == event.path).collect();
        let expected = by_file.get(&event.path);
        for (index, fault) in told.iter().enumerate() {
            let expected = &expected.unwrap()[index];
            let told = json!([fault.line, fault.column, fault.message]);
            let fields = ["line", "column", "message"].map(|field| &expected[field]);
            assert_eq!(told, json!(fields));
        }
        if event.kind == EventKind::Rejected {
            rejected += 1;
            let json: Value = serde_json::from_str(&event.to_json(7, &[])).unwrap();
            let message = json["error"]["message"].as_str().unwrap();
            assert!(message.starts_with(&told[0].message), "{json}");
        }
    }
    assert!(rejected > 50, "{rejected}");
}
