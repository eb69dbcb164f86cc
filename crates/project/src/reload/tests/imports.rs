//! Scripts that import others.

use super::*;

#[test]
fn a_script_that_imports_follows_what_it_imports() {
    let mut case = Case::new();
    let one =
        "import \"helpers\" as h;\nconst K = param(1.0, 0.0, 9.0);\nfn steer(me, world) { h::push() * K }";
    let events = case.save("one", one);
    assert_eq!(events, [(EventKind::Rejected, "one.rhai".to_owned())]);
    let live = |name: &str| (EventKind::Live, name.to_owned());
    let rejected = |name: &str| (EventKind::Rejected, name.to_owned());
    let events = case.save("helpers", "fn push() { vec(1, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    assert_eq!(case.first(), Contribution::Push(glam::Vec3::X * 2.0));
    let used = case.file("helpers.rhai");
    assert!(used.is_some_and(|file| file.used && file.status == Status::Live), "{used:?}");

    let events = case.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    assert_eq!(case.first(), Contribution::Push(glam::Vec3::X * 6.0));

    let events = case.save("helpers", "fn push() { vec(3, }");
    assert_eq!(events, [rejected("helpers.rhai"), rejected("one.rhai")]);
    let Status::Rejected(faults) = &case.file("one.rhai").unwrap().status else {
        panic!("{:?}", case.generation.files);
    };
    let start = "one.rhai:1:1: helpers.rhai cannot be imported: helpers.rhai:1:";
    assert!(faults[0].summary().starts_with(start), "{faults:?}");
    assert_eq!(faults[1].path, "helpers.rhai");
    assert_eq!(case.first(), Contribution::Push(glam::Vec3::X * 6.0), "as before");

    let events = case.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    case.step();

    case.project.set_script("helpers", 0, None);
    case.save("one", &one.replace("* K", "* 2"));
    let event = case.generation.events.iter().find(|event| event.path == "one.rhai").unwrap();
    let message = &event.error.as_ref().unwrap().message;
    assert_eq!(message, "there is no script helpers.rhai to import");
}

#[test]
fn a_file_without_steer_is_faulty_unless_another_imports_it() {
    let mut case = Case::new();
    case.save("helpers", "fn push() { vec(1, 0) }");
    assert!(matches!(case.file("helpers.rhai").unwrap().status, Status::Rejected(_)));
    case.save("three", "import \"helpers\" as h;\nfn steer(me, world) { h::push() }");
    assert_eq!(case.file("helpers.rhai"), None, "sound, but no part of the scene");
    let scene = SCENE.replace("\"two\"", "\"helpers\"");
    case.project.set_scene(text(&scene));
    let events = case.swap().0;
    assert_eq!(events, [(EventKind::Rejected, "s.ron".to_owned())]);
}

#[test]
fn a_helper_is_no_behavior_while_what_imports_it_is_broken() {
    let mut case = Case::new();
    let one = "import \"helpers\" as h;\nfn steer(me, world) { h::push() }";
    case.save("helpers", "fn push() { vec(1, 0) }");
    case.save("one", one);
    let event = |kind, name: &str| (kind, name.to_owned());
    let events = case.save("one", "\u{0}");
    assert_eq!(events, [event(EventKind::Rejected, "one.rhai")]);
    let events = case.save("helpers", "fn push() { vec(2, 0) }");
    let rejected = events.iter().any(|(kind, _)| *kind == EventKind::Rejected);
    assert!(!rejected, "{events:?}");
    let events = case.save("one", one);
    let live = ["helpers.rhai", "one.rhai"].map(|name| event(EventKind::Live, name));
    assert!(live.iter().any(|live| events.contains(live)), "{events:?}");
    assert_eq!(case.first(), Contribution::Push(glam::Vec3::X * 2.0));
    let reported = case.generation.files.iter().map(|file| &file.status);
    assert!(reported.into_iter().all(|status| *status == Status::Live));
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
    let compile = |name: &str| {
        let text = format!("import \"{name}\" as h;\nfn steer(me, world) {{ h::push() }}");
        write("scripts/a.rhai", &text);
        compile_file(&home.path().join("scripts/a.rhai"))
    };
    assert!(compile("near").is_ok() && compile("within").is_ok());
    let out = "leads out of its folder";
    let faults = compile("out").unwrap_err();
    assert!(faults[0].message.contains(out), "{faults:?}");
    let alone = |name: &str| compile_file(&home.path().join(name)).unwrap_err();
    assert!(alone("scripts/within.rhai")[0].message.contains("steer"));
    let faults = alone("scripts/out.rhai");
    assert!(faults[0].message.contains(out), "{faults:?}");
}
