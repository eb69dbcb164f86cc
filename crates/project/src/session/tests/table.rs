//! A run whose units start from a table.

use super::*;

const SCENE_WITH_TABLE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [(name: \"a\", body: \"m\", spawn: File(\"start.csv\"), behaviors: [(script: \"wander\")])])";

#[test]
fn stored_runs_contain_the_used_part_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let wide = "seconds,x1,y1,x2,y2\n0,10,20,30,40\n1,11,21,31,41\n2,12,22,32,42\n";
    std::fs::write(path("start.csv"), wide).unwrap();
    std::fs::write(path("s.ron"), SCENE_WITH_TABLE).unwrap();
    let place = Place::of_scene(&path("s.ron"));
    assert!(place.files().contains(&path("start.csv")), "outputs do not replace it");
    let options = Options { threads: Some(1), keep: Keep::ALL, ..Options::new(place) };
    let mut session: Session = Session::open(options).unwrap();
    for _ in 0..5 {
        assert!(session.simulation.step(&std::sync::atomic::AtomicBool::new(false)));
    }
    let replay = session.replay_file(Digests::default()).unwrap();
    assert_eq!(replay.start.texts.files["start.csv"], "seconds,x1,y1,x2,y2\n0,10,20,30,40\n1,11,21,31,41");
    let hash = session.simulation.hash();
    drop((session, folder));
    let replay = ReplayFile::from_bytes(&replay.to_bytes().unwrap()).unwrap();
    let end = replay.repeat(
        (steerbox_script::Execution::Interpreted, Some(1)),
        &std::sync::atomic::AtomicBool::new(false),
        |_| true,
    );
    assert_eq!(end.unwrap().hash(), hash);
    let mut texts = replay.start.texts;
    texts.files.insert("../x".to_owned(), String::new());
    assert!(texts.check().unwrap_err().contains("not the name of a file"));
}
