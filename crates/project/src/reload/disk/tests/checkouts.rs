//! The files of a git checkout form one report. Time is simulated.

use std::fs;
use std::time::{Duration, SystemTime};

use super::faults::Case;

/// Returns a repository in which a checkout has written one of its files, long enough ago to be ready.
fn running(git: &str) -> Case {
    let mut case = Case::new();
    fs::create_dir_all(case.harness.root.join(git)).unwrap();
    fs::write(case.harness.root.join(git).join("index.lock"), "").unwrap();
    case.harness.log.clear();
    case.harness.save("b.rhai", "new");
    case
}

fn names(case: &Case) -> Vec<&str> {
    case.harness.log.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_checkout_is_reported_when_all_of_its_files_are_ready() {
    for git in [".git", "main/.git/worktrees/w"] {
        let mut case = running(git);
        if git != ".git" {
            fs::write(case.harness.root.join(".git"), format!("gitdir: {git}\n")).unwrap();
        }
        case.pass(Duration::from_millis(400));
        assert_eq!(names(&case), [""; 0], "{git}: while files are being written");
        let git = case.harness.root.join(git);
        case.harness.remove("a.rhai");
        fs::rename(git.join("index.lock"), git.join("index")).unwrap();
        let index = fs::File::options().write(true).open(git.join("index")).unwrap();
        // The simulated clock is ahead of the real one.
        index.set_modified(SystemTime::now() + Duration::from_mins(1)).unwrap();
        case.pass(Duration::from_millis(100));
        assert_eq!(names(&case), [""; 0], "before the removed file counts as missing");
        case.pass(Duration::from_millis(400));
        assert_eq!(names(&case), ["a.rhai", "b.rhai"]);
    }
}

#[test]
fn files_wait_for_a_checkout_at_most_a_second() {
    let mut case = running(".git");
    case.pass(Duration::from_millis(1500));
    assert_eq!(names(&case), ["b.rhai"]);
}

#[test]
fn an_abandoned_lock_holds_no_file() {
    let mut case = running(".git");
    let lock = fs::File::options().write(true).open(case.harness.root.join(".git/index.lock")).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
    case.pass(Duration::from_millis(400));
    assert_eq!(names(&case), ["b.rhai"]);
}
