//! A full disk during a file replacement: the old file remains intact, and the next write succeeds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use steerbox_core::world::ParamValue;
use steerbox_project::reload::{
    self, Handle, KnobName, Loader, Place, ValuesFile, create_file, read_dir_sorted, replace_file, save,
};

/// A file system of 256 KiB, unmounted at the end of the test.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Returns `None` if the user may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("mount");
        let command = command.args(["-t", "tmpfs", "-o", "size=256k", "none"]).arg(folder.path());
        let mounted = command.output().is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Fills it to the last byte.
    fn fill(&self) {
        use std::io::Write as _;
        let mut file = fs::File::create(self.path("filler")).expect("a file");
        while file.write_all(&[0; 512]).is_ok() {}
    }

    fn free(&self) {
        fs::remove_file(self.path("filler")).expect("it was there");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

fn names(folder: &Path) -> Vec<String> {
    let paths = read_dir_sorted(folder).expect("the folder");
    paths.iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect()
}

#[test]
fn every_writer_preserves_the_old_file_and_writes_once_there_is_space() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("not tested: this user may not mount a file system");
        return;
    };
    let scene = disk.path("flock.ron");
    fs::write(&scene, reload::default_scene().1).expect("a file");
    let (mut project, generation) = Loader::load(Place::of_scene(&scene), Vec::new()).expect("it reads");
    let group = generation.behaviors[0][0].handle.group.clone();
    let handle = Handle { group, script: "cohesion".to_owned(), occurrence: 0 };
    project.tune(handle, KnobName::Gain, ParamValue::Number(2.5));
    project.compose().expect("it works");
    let values = ValuesFile::of_scene(&scene);
    values.change(|_| Ok("{}".to_owned())).expect("it is written");
    let config = disk.path("window.ron");
    replace_file(&config, "()").expect("it is written");
    let large = "x".repeat(64 << 10);
    let contents =
        || ["flock.ron", "flock.values.ron", "window.ron"].map(|name| fs::read(disk.path(name)).ok());
    let before = contents();

    disk.fill();
    let all = names(disk.0.path());
    let refusals = [
        values.change(|_| Ok(large.clone())).map_err(|fault| fault.message),
        save(&mut project, &mut |_, _| {}).map(drop).map_err(|fault| fault.message),
        replace_file(&config, &large).map_err(|error| error.to_string()),
        create_file(&disk.path("plots.csv"), &large).map_err(|error| error.to_string()),
    ];
    for refused in refusals {
        let message = refused.expect_err("the disk is full");
        assert!(message.contains("No space left"), "{message}");
    }
    assert_eq!(contents(), before);
    assert_eq!(names(disk.0.path()), all, "nothing is left beside them");

    disk.free();
    values.change(|_| Ok(large.clone())).expect("there is room");
    save(&mut project, &mut |_, _| {}).expect("there is room");
    replace_file(&config, &large).expect("there is room");
    create_file(&disk.path("plots.csv"), &large).expect("there is room");
    assert!(fs::read_to_string(&scene).expect("a file").contains("gain: 2.5"));
    assert_eq!(fs::read_to_string(disk.path("plots.csv")).expect("a file"), large);
}
