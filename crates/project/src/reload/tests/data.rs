//! Tables of starts: read with the scene, reloaded when they change, and stored with runs.

use super::drawn::turns;
use super::*;

const TABLE: &str = "x,y,heading,K\n10,20,90,2\n30,40,0,5\n50,60,180,3.5\n";

fn scene(extra: &str) -> String {
    format!(
        "(world: Plane(size: (100, 100)), bodies: {{ \"m\": Mover() }}, groups: [(name: \"a\", body: \"m\",
        spawn: File(\"start.csv\"), behaviors: [(script: \"one\"{extra}), (script: \"two\")])])"
    )
}

/// Opens a scene beside a table.
fn open(extra: &str, table: &str) -> (tempfile::TempDir, Result<Case, LoadError>) {
    open_with(ONE, extra, table)
}

fn open_with(one: &str, extra: &str, table: &str) -> (tempfile::TempDir, Result<Case, LoadError>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("start.csv"), table).unwrap();
    let mut project = Project::new(Place::of_scene(&folder.path().join("s.ron")));
    project.set_scene(text(&scene(extra)));
    project.set_script("one", 0, text(one));
    project.set_script("two", 0, text(TWO));
    let case = project.compose().map(|generation| {
        let simulation = generation.start(None);
        Case { project, generation, simulation }
    });
    (folder, case)
}

/// Opens a scene whose first script is `one` beside a table.
pub(super) fn opened_with(one: &str, table: &str) -> (tempfile::TempDir, Case) {
    let (folder, case) = open_with(one, "", table);
    (folder, case.unwrap())
}

fn opened(table: &str) -> (tempfile::TempDir, Case) {
    let (folder, case) = open("", table);
    (folder, case.unwrap())
}

fn fault(extra: &str, table: &str) -> Fault {
    open(extra, table).1.err().unwrap().0.remove(0)
}

#[test]
fn units_start_as_listed_with_their_own_parameters() {
    let (_folder, mut case) = opened(TABLE);
    let units = &case.simulation.world().units;
    let xs: Vec<_> = units.position.iter().map(|position| position.x).collect();
    assert_eq!((xs, units.heading[2]), (vec![10.0, 30.0, 50.0], glam::Vec3::NEG_X));
    assert_eq!(turns(&mut case), [2.0, 5.0, 3.5]);
    let knob = case.generation.behaviors[0][0].knobs[2].clone();
    assert_eq!(knob.value.mean(), Some(3.5));
    // A tuned number replaces the column.
    case.tune(KnobName::Param("K".to_owned()), ParamValue::Number(4.0));
    case.swap();
    assert_eq!(turns(&mut case), [4.0; 3]);
    // So does a parameter of the scene.
    let (_folder, case) = open(", params: {\"K\": 1}", TABLE);
    assert_eq!(turns(&mut case.unwrap()), [1.0; 3]);
    // `count` limits the units.
    let (_folder, mut case) = opened(TABLE);
    case.save_scene(&scene("").replace("spawn:", "count: 2, spawn:"));
    assert_eq!(turns(&mut case), [2.0, 5.0]);
    let scene = "a.one.K,b.K,one.K,J";
    let (_folder, mut case) = opened(
        &TABLE
            .replace(",K", &format!(",{scene}"))
            .replace(",2\n", ",0,0,2,0\n")
            .replace(",5\n", ",0,0,5,0\n")
            .replace(",3.5\n", ",0,0,7,0\n"),
    );
    assert_eq!(turns(&mut case), [2.0, 5.0, 7.0]);
    let warnings: Vec<_> = case.generation.warnings.iter().map(|fault| fault.message.clone()).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[2].starts_with("start.csv:1:31: no script of a has a parameter \"J\""), "{warnings:?}");
}

#[test]
fn a_table_with_many_unknown_columns_has_few_warnings() {
    let names = (0..40).fold(String::new(), |names, at| names + &*format!(",Q{at}"));
    let (_folder, case) = opened(&format!("x,y{names}\n1,2{}\n", ",0".repeat(40)));
    let warnings: Vec<_> = case.generation.warnings.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(warnings.len(), 6, "{warnings:?}");
    assert_eq!(warnings[5], "35 further columns of the table of a are ignored");
}

#[test]
fn a_changed_table_is_reconciled_and_a_faulty_one_rejected() {
    let (_folder, mut case) = opened(TABLE);
    case.step();
    let before = case.simulation.world().units.position[0];
    let (events, notes) = {
        case.project.set_data("start.csv", text(&format!("{}70,80,0,9\n", TABLE.replace("10,20", "11,20"))));
        case.swap()
    };
    assert_eq!(events, [(EventKind::Reconciled, "s.ron".to_owned())]);
    assert_eq!(notes, ["1 unit added to a", "spawn (for new units only) of a changed"], "{notes:?}");
    let positions = &case.simulation.world().units.position;
    assert_eq!((positions[0], positions[3].x, positions.len()), (before, 70.0, 4));
    assert_eq!(turns(&mut case), [2.0, 5.0, 3.5, 9.0]);
    // A unit is its row, wherever that is.
    let rest = "x,y,heading,K\n50,60,180,3.5\n30,40,0,5\n";
    case.project.set_data("start.csv", text(rest));
    let places: Vec<_> = case.simulation.world().units.position[1..3].to_vec();
    assert!(case.swap().1.contains(&"2 units removed from a".to_owned()));
    assert_eq!(case.simulation.world().units.position, [places[1], places[0]]);
    assert_eq!(turns(&mut case), [3.5, 5.0]);
    for (table, part) in [
        (Some("x,y\n1,two\n"), "start.csv:2:3: `y` must be a number, not \"two\""),
        (Some("x,y,K\n1,2,10\n"), "start.csv:2: K is 10, but the script allows 0 to 9"),
        (Some("x,y,K\n1,2,\n"), "start.csv:2: `K` has no value"),
        (None, "start.csv: there is no such file"),
    ] {
        case.project.set_data("start.csv", table.and_then(text));
        assert_eq!(case.swap().0, rejected("s.ron"));
        assert!(case.error().message.contains(part), "{:?}", case.error());
        assert_eq!((case.error().line, case.simulation.world().units.len()), (2, 2));
    }
    case.project.set_data("start.csv", text(TABLE));
    assert_eq!(case.swap().0, [(EventKind::Reconciled, "s.ron".to_owned())]);
    assert!(!case.project.has_news());
    case.project.set_data("start.csv", text(TABLE));
    assert!(!case.project.has_news(), "the same content is not news");
}

#[test]
fn faults_name_table_line_and_remedy() {
    let found = fault("", "x;y\n1;two\n");
    assert_eq!(found.message, "start.csv:2:3: `y` must be a number, not \"two\"");
    assert!(found.help.is_some_and(|help| help.contains("a number such as 12.5")));
    for (from, to, part) in [
        ("start.csv", "../start.csv", "relative to the folder of the scene"),
        ("start.csv", "other.csv", "other.csv: there is no such file"),
        ("spawn:", "count: 4, spawn:", "`count` is 4, but start.csv lists 3"),
    ] {
        let (folder, case) = open("", TABLE);
        let mut case = case.unwrap();
        assert_eq!(case.save_scene(&scene("").replace(from, to)).0, rejected("s.ron"));
        assert!(case.error().message.contains(part), "{:?}", case.error());
        drop(folder);
    }
    let built_in = Project::new(Place::built_in("flock.ron"));
    let mut project = built_in;
    project.set_buffer("flock.ron", Some(scene("").into()));
    let faults = project.check("flock.ron").1;
    assert!(faults[0].message.contains("a scene without a file has no files beside it"), "{faults:?}");
}

#[test]
fn a_picture_of_a_grid_is_stored_as_text_and_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let save = |levels: &[u8]| {
        let file = std::fs::File::create(folder.path().join("food.png")).unwrap();
        let mut encoder = png::Encoder::new(file, 2, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(levels).unwrap();
    };
    save(&[0, 255]);
    let grid = "grids: {\"food\": (cell: 50, initial: File(\"food.png\", scale: 4))}, groups:";
    let scene = scene("").replace("File(\"start.csv\")", "At([(position: (1, 1))])").replace("groups:", grid);
    let mut project = Project::new(Place::of_scene(&folder.path().join("s.ron")));
    project.set_scene(text(&scene));
    project.set_script("one", 0, text(ONE));
    project.set_script("two", 0, text(TWO));
    let generation = project.compose().unwrap();
    let values = |generation: &Generation| generation.start(None).world().grids[0].values().to_vec();
    assert_eq!(values(&generation), [0.0, 4.0, 0.0, 4.0]);
    let simulation = generation.start(None);
    let mut case = Case { project, generation, simulation };
    // The stored text is read in place of the picture; the cells of a running grid keep their values.
    let stored = case.generation.scene.data["food.png"].clone();
    assert_eq!(&*stored, "P2\n2 1\n255\n0 255 \n");
    case.project.set_data("food.png", text("P2 2 1 1 1 0"));
    assert_eq!(
        case.swap(),
        (vec![(EventKind::Reconciled, "s.ron".to_owned())], vec!["grids changed".to_owned()])
    );
    assert_eq!(values(&case.generation), [4.0, 0.0, 4.0, 0.0]);
    assert_eq!(case.simulation.world().grids[0].values(), [0.0, 4.0, 0.0, 4.0]);
    case.project.set_data("food.png", text("P2 2 1 1 1"));
    assert_eq!(case.swap().0, rejected("s.ron"));
    assert!(case.error().message.starts_with("food.png:1:1: it is not a plain PGM"), "{:?}", case.error());
}

#[test]
fn the_table_on_disk_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let scene = scene("").replace("\"one\"", "\"wander\"").replace("\"two\"", "\"cohesion\"");
    std::fs::write(path("s.ron"), scene.replace("File(\"start.csv\")", "At([(position: (1, 1))])")).unwrap();
    let (project, generation) = Loader::load(Place::of_scene(&path("s.ron")), Vec::new()).unwrap();
    let loader = Loader::start(project).unwrap();
    assert_eq!(generation.scene.unit_count(), 1);
    let wait_for = |units: usize| {
        let patience = std::time::Duration::from_mins(1);
        while loader.wait(patience).expect("a generation").scene.unit_count() != units {}
    };
    std::fs::write(path("start.csv"), TABLE).unwrap();
    std::fs::write(path("s.ron"), &scene).unwrap();
    wait_for(3);
    std::fs::write(path("start.csv"), "x,y\n1,2\n").unwrap();
    wait_for(1);
}
