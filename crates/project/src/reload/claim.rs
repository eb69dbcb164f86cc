//! A claim on a name: a lock file that one running program holds. The system releases the lock when the program ends, in
//! whichever way.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::disk::open_at_once;
use super::replace::{ReplaceError, open_lock, remove_written};

/// Attempts while other programs release the same claim, or test it: a test holds the lock for a moment.
const ATTEMPTS: usize = 16;

/// A lock file, removed at the end unless the program is killed.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: File,
}

impl Claim {
    /// Claims the lock file at `path`, which is created if it does not exist; `None` while another claim exists.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn new(path: &Path) -> Result<Option<Self>, ReplaceError> {
        for _ in 0..ATTEMPTS {
            let file = open_lock(path).map_err(ReplaceError::Io)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // A claim that ended meanwhile has removed this file.
                Ok(()) if !is_locked(path) => {}
                // On a system without locks, every claim succeeds.
                Ok(()) | Err(TryLockError::Error(_)) => {
                    return Ok(Some(Self { path: path.to_owned(), _lock: file }));
                }
            }
        }
        Ok(None)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // The lock ends after the file: no other program locks a file that is about to be removed and retains it.
        let _ = remove_written(&self.path);
    }
}

/// Returns true if a lock on the file that has this path now is held.
fn is_locked(path: &Path) -> bool {
    open_at_once(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_excludes_others_until_it_ends() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let path = folder.path().join("a.lock");
        let claim = || Claim::new(&path).expect("the folder is writable");
        let first = claim().expect("it is free");
        assert!(claim().is_none());
        drop(first);
        assert!(!path.exists());
        // A killed program leaves the file without a lock.
        std::fs::write(&path, "").expect("the folder is writable");
        assert!(claim().is_some());
        assert!(Claim::new(&folder.path().join("no/a.lock")).is_err());
    }

    #[test]
    fn of_many_claims_at_once_one_succeeds() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let path = folder.path().join("a.lock");
        for is_left in [false, true].repeat(20) {
            if is_left {
                std::fs::write(&path, "").expect("the folder is writable");
            }
            let claims: Vec<_> = std::thread::scope(|scope| {
                let claim = || Claim::new(&path).expect("the folder is writable");
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(claim)).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert_eq!(claims.iter().flatten().count(), 1);
        }
    }
}
