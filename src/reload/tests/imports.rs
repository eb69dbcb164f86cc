//! Scripts that import others.

use super::*;

#[test]
fn a_script_that_imports_follows_what_it_imports() {
    let mut desk = Desk::new();
    let one =
        "import \"helpers\" as h;\nconst K = param(1.0, 0.0, 9.0);\nfn steer(me, world) { h::push() * K }";
    let events = desk.save("one", one);
    assert_eq!(events, [(EventKind::Rejected, "one.rhai".to_owned())]);
    let live = |name: &str| (EventKind::Live, name.to_owned());
    let rejected = |name: &str| (EventKind::Rejected, name.to_owned());
    let events = desk.save("helpers", "fn push() { vec(1, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    assert_eq!(desk.first(), Contribution::Push(glam::Vec3::X * 2.0));
    let used = desk.file("helpers.rhai");
    assert!(used.is_some_and(|file| file.used && file.status == Status::Live), "{used:?}");

    let events = desk.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    assert_eq!(desk.first(), Contribution::Push(glam::Vec3::X * 6.0));

    let events = desk.save("helpers", "fn push() { vec(3, }");
    assert_eq!(events, [rejected("helpers.rhai"), rejected("one.rhai")]);
    let Status::Rejected(faults) = &desk.file("one.rhai").unwrap().status else {
        panic!("{:?}", desk.generation.files);
    };
    let start = "one.rhai:1:1: helpers.rhai cannot be imported: helpers.rhai:1:";
    assert!(faults[0].summary().starts_with(start), "{faults:?}");
    assert_eq!(faults[1].path, "helpers.rhai");
    assert_eq!(desk.first(), Contribution::Push(glam::Vec3::X * 6.0), "as before");

    let events = desk.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    desk.step();
}

#[test]
fn a_file_without_steer_is_faulty_unless_another_imports_it() {
    let mut desk = Desk::new();
    desk.save("helpers", "fn push() { vec(1, 0) }");
    assert!(matches!(desk.file("helpers.rhai").unwrap().status, Status::Rejected(_)));
    desk.save("three", "import \"helpers\" as h;\nfn steer(me, world) { h::push() }");
    assert_eq!(desk.file("helpers.rhai"), None, "sound, but no part of the scene");
    let scene = SCENE.replace("\"two\"", "\"helpers\"");
    desk.project.set_scene(text(&scene));
    let events = desk.swap().0;
    assert_eq!(events, [(EventKind::Rejected, "s.ron".to_owned())]);
}

#[test]
fn a_helper_is_no_behavior_while_what_imports_it_is_broken() {
    let mut desk = Desk::new();
    let one = "import \"helpers\" as h;\nfn steer(me, world) { h::push() }";
    desk.save("helpers", "fn push() { vec(1, 0) }");
    desk.save("one", one);
    let event = |kind, name: &str| (kind, name.to_owned());
    let events = desk.save("one", "\u{0}");
    assert_eq!(events, [event(EventKind::Rejected, "one.rhai")]);
    let events = desk.save("helpers", "fn push() { vec(2, 0) }");
    let rejected = events.iter().any(|(kind, _)| *kind == EventKind::Rejected);
    assert!(!rejected, "{events:?}");
    let events = desk.save("one", one);
    let live = ["helpers.rhai", "one.rhai"].map(|name| event(EventKind::Live, name));
    assert!(live.iter().any(|live| events.contains(live)), "{events:?}");
    assert_eq!(desk.first(), Contribution::Push(glam::Vec3::X * 2.0));
    let told = desk.generation.files.iter().map(|file| &file.status);
    assert!(told.into_iter().all(|status| *status == Status::Live));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_neither_read_nor_imported() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).unwrap();
    std::fs::create_dir(home.path().join("scripts")).unwrap();
    write("secret.rhai", "fn push() { vec(1, 0) }");
    write("scripts/near.rhai", "fn push() { vec(1, 0) }");
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(from, home.path().join(to)).unwrap();
    link("../secret.rhai", "scripts/out.rhai");
    link("near.rhai", "scripts/within.rhai");
    let learn = |name: &str| {
        let text = format!("import \"{name}\" as h;\nfn steer(me, world) {{ h::push() }}");
        write("scripts/a.rhai", &text);
        learn_file(&home.path().join("scripts/a.rhai"))
    };
    assert!(learn("near").is_ok() && learn("within").is_ok());
    let out = "leads out of its folder";
    let faults = learn("out").unwrap_err();
    assert!(faults[0].message.contains(out), "{faults:?}");
    let alone = |name: &str| learn_file(&home.path().join(name)).unwrap_err();
    assert!(alone("scripts/within.rhai")[0].message.contains("steer"));
    let faults = alone("scripts/out.rhai");
    assert!(faults[0].message.contains(out), "{faults:?}");
}
