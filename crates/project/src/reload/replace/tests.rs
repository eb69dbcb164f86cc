//! Replacements that fail or meet other programs at each stage.

use super::*;

use Stage::{Compare, Create, Permit, Rename, Sync, Write};
const STAGES: [Stage; 6] = [Create, Write, Permit, Sync, Compare, Rename];

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let paths = read_dir_sorted(folder).unwrap();
    let names = paths.iter().filter_map(|path| path.file_name()?.to_str());
    names.map(str::to_owned).collect()
}

#[test]
fn a_failure_at_any_stage_leaves_the_old_file() {
    let (folder, path) = file("old");
    for stage in STAGES {
        let base = Base::read(&path, 9).unwrap();
        let mut seen = Vec::new();
        let failed = base.replace_unless("new", &mut |at| {
            seen.push(at);
            if at == stage {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(())
        });
        assert!(matches!(failed, Err(ReplaceError::Io(_))), "{stage:?}");
        assert_eq!(seen.last(), Some(&stage));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.ron"]);
    }
    Base::read(&path, 9).unwrap().replace("new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(folder.path()), ["a.ron"]);
}

#[test]
fn a_file_that_another_program_changes_at_any_stage_is_left_alone() {
    for stage in &STAGES[..5] {
        let (folder, path) = file("old");
        let base = Base::read(&path, 9).unwrap();
        let changed = base.replace_unless("new", &mut |at| {
            if at == *stage {
                fs::write(&path, "theirs")?;
            }
            Ok(())
        });
        assert!(matches!(changed, Err(ReplaceError::Changed)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(folder.path()), ["a.ron"]);
    }
}

#[test]
fn leftover_files_are_removed_and_locked_ones_stay() {
    let (folder, path) = file("old");
    fs::write(folder.path().join(".a.ron.steerbox-1-0"), "half").unwrap();
    fs::write(folder.path().join(".a.ron.swp"), "vim's").unwrap();
    let (at, stem) = beside(&path);
    let writing = Beside::create(&at, &stem, 0o600).unwrap();
    tidy(&path);
    let left = names(folder.path());
    let own = format!(".a.ron.steerbox-{}-0", std::process::id());
    let mut expected = vec![own, ".a.ron.swp".to_owned(), "a.ron".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
    drop(writing);
    assert_eq!(names(folder.path()).len(), 2);
}

#[test]
fn read_only_and_unreadable_files_are_not_replaced() {
    let (folder, path) = file("too long");
    let unreadable = |path: &Path| match Base::read(path, 3).and_then(|base| base.text().map(drop)) {
        Err(ReplaceError::Unreadable(fault)) => fault,
        _ => panic!("it was read"),
    };
    assert_eq!(unreadable(&path), ReadFault::TooLarge(3));
    fs::write(&path, [0xff]).unwrap();
    assert_eq!(unreadable(&path), ReadFault::NotUtf8("".into()));
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(matches!(Base::read(&path, 3), Err(ReplaceError::ReadOnly)));
    assert!(matches!(unreadable(&folder.path().join("b.ron")), ReadFault::Io(_)));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path) = file("old");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(folder.path().join("scenes")).unwrap();
    let link = folder.path().join("scenes/link.ron");
    symlink("../a.ron", &link).unwrap();
    Base::read(&link, 9).unwrap().replace("new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("../a.ron"));
    assert_eq!(mode(&path), 0o640);
    assert_eq!(names(&folder.path().join("scenes")), ["link.ron"]);
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_replaced() {
    use crate::targets::{Policy, check_writer};
    let failed = |error: ReplaceError| error.to_string();
    check_writer("a.ron", "old", Policy::FollowsLinks, &|path| replace_file(path, "new").map_err(failed));
    check_writer("a.ron", "old", Policy::Creates, &|path| create_file(path, "new").map_err(failed));
}

#[cfg(unix)]
#[test]
fn a_link_that_is_swapped_at_any_stage_harms_neither_of_its_files() {
    use std::os::unix::fs::symlink;
    for stage in STAGES {
        let (folder, path) = file("old");
        let (other, link) = (folder.path().join("b.ron"), folder.path().join("link.ron"));
        fs::write(&other, "old").unwrap();
        symlink(&path, &link).unwrap();
        let base = Base::read(&link, 9).unwrap();
        let replaced = base.replace_unless("new", &mut |at| {
            if at == stage {
                fs::remove_file(&link)?;
                symlink(&other, &link)?;
            }
            Ok(())
        });
        // A swap after the comparison comes after the replacement.
        let is_late = stage == Rename;
        assert_eq!(replaced.is_ok(), is_late, "{stage:?}");
        let texts = [&path, &other].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(texts, [if is_late { "new" } else { "old" }, "old"], "{stage:?}");
        assert_eq!(fs::read_link(&link).unwrap(), other);
        assert_eq!(names(folder.path()), ["a.ron", "b.ron", "link.ron"]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_becomes_a_pipe_or_a_link_at_any_stage_is_left_alone() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    for (stage, to_pipe) in STAGES[..5].iter().flat_map(|stage| [(stage, true), (stage, false)]) {
        let (folder, path) = file("old");
        let elsewhere = folder.path().join("b.ron");
        fs::write(&elsewhere, "old").unwrap();
        let changed = Base::read(&path, 9).unwrap().replace_unless("new", &mut |at| {
            if at == *stage {
                fs::remove_file(&path)?;
                if to_pipe {
                    assert!(std::process::Command::new("mkfifo").arg(&path).status()?.success());
                } else {
                    symlink(&elsewhere, &path)?;
                }
            }
            Ok(())
        });
        assert!(matches!(changed, Err(ReplaceError::Changed)), "{stage:?}");
        let found = fs::symlink_metadata(&path).unwrap().file_type();
        assert_eq!((found.is_fifo(), found.is_symlink()), (to_pipe, !to_pipe));
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "old");
    }
}

#[test]
fn a_new_file_takes_no_name_that_was_taken_meanwhile() {
    for stage in STAGES {
        let (folder, _) = file("old");
        let path = folder.path().join("new.ron");
        let base = Base::find(&path, 9).unwrap();
        let changed = base.replace_unless("new", &mut |at| {
            if at == stage {
                fs::write(&path, "theirs")?;
            }
            Ok(())
        });
        assert!(matches!(changed, Err(ReplaceError::Changed)), "{stage:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(folder.path()), ["a.ron", "new.ron"]);
    }
}
