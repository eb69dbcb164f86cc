//! Tests of imports.

use super::*;

/// Returns the contribution of a script with imports to the first unit.
fn imported(text: &str, shelf: &[(&str, &str)]) -> Result<Contribution, Failure> {
    let script = Script::compile_with("test.rhai", text, &Shelf(shelf), false);
    let script = script.unwrap_or_else(|faults| panic!("{faults:#?}"));
    let program = Program::fold(&script, &[]).unwrap();
    let behavior = ScriptBehavior::new(program, Execution::Native);
    assert_eq!(behavior.unsupported(), None);
    let mut context = steerbox_core::sim::UnitContext::new(Arc::new(Frozen::new(world())));
    let mut memory = vec![0; behavior.memory().words()];
    behavior.memory().reset(&mut memory);
    behavior.decide(&mut context, &mut memory)
}

#[test]
fn an_imported_file_provides_functions_and_constants() {
    let helpers = "const BASE = 2.0;\nconst WAY = vec(0.0, 3.0);\nimport \"more\" as m;
        fn twice(x) { x * BASE }\nfn way() { inner() + WAY * m::THREE }\nfn inner() { WAY }";
    let shelf = [("helpers", helpers), ("more", "const THREE = 3;\nfn four() { 4 }")];
    let script = "import \"helpers\" as h;\nimport \"more\" as m;\nconst WAY = vec(100.0, 0.0);
        const FAR = h::twice(4);\nfn steer(me, world) { h::way() + WAY + vec(FAR, h::BASE + m::four() + own()) }
        fn own() { m::THREE }";
    // (0, 3) + 3 (0, 3) + (100, 0) + (8, 2 + 4 + 3)
    let expected = Contribution::Push(Vec3::new(108.0, 21.0, 0.0));
    assert_eq!(imported(script, &shelf), Ok(expected));
}

#[test]
fn parameters_and_memory_belong_to_the_importing_script() {
    let shelf = [(
        "turns",
        "const RATE = param(0.5, 0.0, 1.0);\nfn steer(me, world) { RATE * me.id }\nfn rate() { RATE }",
    )];
    let script = "import \"turns\" as t;\nconst MEMORY = #{ n: 3.0 };\nconst OWN = param(2.0);
        fn steer(me, world) { this.n += OWN; t::rate() + this.n }";
    assert_eq!(imported(script, &shelf), Ok(Contribution::Turn(Vec2::new(5.5, 0.0))));
    let compiled = Script::compile_with("test.rhai", script, &Shelf(&shelf), false).unwrap();
    let names: Vec<_> = compiled.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["OWN"]);
}

#[test]
fn a_failure_in_an_imported_file_is_reported_at_its_position() {
    let shelf = [("helpers", "fn fine() { 1 }\nfn bad(n) {\n    inner(n)\n}\nfn inner(n) {\n    1 / n\n}")];
    let script = "import \"helpers\" as h;\nfn steer(me, world) { h::bad(0) }";
    let failure = imported(script, &shelf).unwrap_err();
    assert_eq!((failure.file.as_deref(), failure.line), (Some("helpers.rhai"), 6), "{failure:?}");
    let compiled = Script::compile_with("test.rhai", script, &Shelf(&shelf), false).unwrap();
    let fault = compiled.fault(&failure);
    assert_eq!((&*fault.path, &*fault.source), ("helpers.rhai", "    1 / n"));
}

#[test]
fn invalid_imports_are_rejected_with_their_position() {
    let shelf = [
        ("a", "import \"b\" as b;"),
        ("b", "fn f() { 1 }\nimport \"a\" as a;"),
        ("broken", "fn f() {\n    1 +\n}"),
        ("own", "import \"test\" as t;"),
        ("taken", "fn vec(x, y) { 1 }"),
        ("endless", "loop { }"),
    ];
    let cases = r#"
        import "../secret" as s; ¦ 0 ¦ test.rhai:1:1 ¦ not "../secret"
        import "/etc/passwd" as s; ¦ 0 ¦ test.rhai:1:1 ¦ without folders
        import "c:\\x" as s; ¦ 0 ¦ test.rhai:1:1 ¦ without folders
        import "a.rhai" as s; ¦ 0 ¦ test.rhai:1:1 ¦ extension
        import "none" as s; ¦ 0 ¦ test.rhai:1:1 ¦ no none
        fn g() { h::f(1) } ¦ 0 ¦ test.rhai:1:13 ¦ nothing is imported as `h`
        import "a"; ¦ 0 ¦ test.rhai:1:1 ¦ needs a name
        import "a" + 1 as s; ¦ 0 ¦ test.rhai:1:1 ¦ in quotes
        fn g() { import "a" as s; } ¦ 0 ¦ test.rhai:1:10 ¦ at the top
        import "a" as a; ¦ 2 ¦ b.rhai:2:1 ¦ import each other: a.rhai → b.rhai → a.rhai
        import "own" as a; ¦ 1 ¦ own.rhai:1:1 ¦ test.rhai → own.rhai → test.rhai
        import "broken" as a; ¦ 1 ¦ broken.rhai:3:1 ¦
        import "taken" as a; ¦ 1 ¦ taken.rhai:1:4 ¦ built-in
        import "endless" as a; ¦ 1 ¦ endless.rhai:1:6 ¦ operations
    "#;
    for [import, nth, place, words] in rows(cases) {
        let text = format!("{import} fn steer(me, world) {{ 1 }}");
        let compiled = Script::compile_with("test.rhai", &text, &Shelf(&shelf), false);
        let faults = compiled.map(|_| ()).expect_err(&import);
        let reported: Vec<_> = faults.iter().map(steerbox_core::diagnostics::Fault::summary).collect();
        let fault = &reported[nth.parse::<usize>().unwrap()];
        let is_reported = fault.contains(&words) && fault.starts_with(&place);
        assert!(is_reported, "{import}: {reported:#?}");
    }
}

#[test]
fn a_mark_shared_by_files_counts_once() {
    let marks: Vec<String> = (0..40).map(|n| format!("me.mark(\"m{n}\");")).collect();
    let marks = marks.join(" ");
    let shared = format!("fn mark_all(me) {{ {marks} }}");
    let script = format!("import \"all\" as a; fn steer(me, world) {{ {marks} a::mark_all(me); 0 }}");
    let compiled = Script::compile_with("test.rhai", &script, &Shelf(&[("all", &shared)]), false);
    assert_eq!(compiled.unwrap().marks.len(), 40);
}

#[test]
fn names_of_a_script_include_those_of_called_imported_functions() {
    let helpers = "fn near(me) { inner(me) }\nfn inner(me) { for it in me.others {} me.speed }
        fn away(world) { world.target }";
    let names = |body: &str| {
        let text = format!("import \"helpers\" as h;\nfn steer(me, world) {{ {body} }}");
        let shelf = [("helpers", helpers)];
        let script = Script::compile_with("test.rhai", &text, &Shelf(&shelf), false).unwrap();
        ["for", "others", "target"].map(|name| script.names.contains(name))
    };
    assert_eq!(names("/* h::away(world) */ h::near(me)"), [true, true, false]);
    assert_eq!(names("h::away(world)"), [false, false, true]);
    assert_eq!(names("me.mark(\".others\");"), [false; 3]);
}
