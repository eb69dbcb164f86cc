//! Names of files that the window writes: the scene, the day, a number and the extension.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use steerbox_project::reload::{Pending, ReplaceError};

/// Maximum number of numbers that are tried.
const NUMBERS: u32 = 9999;

/// Starts a new file in a folder, such as `flock-2026-11-25-1.gif`. Names in `taken` are those of other files in
/// progress.
///
/// # Errors
/// If it cannot be created, or every name exists already.
pub fn begin(
    folder: &Path,
    (stem, extension): (&str, &str),
    now: SystemTime,
    taken: &[PathBuf],
) -> Result<(PathBuf, Pending), String> {
    let day = day(now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default());
    for number in 1..=NUMBERS {
        let path = folder.join(format!("{stem}-{day}-{number}.{extension}"));
        if taken.contains(&path) {
            continue;
        }
        match Pending::create(&path) {
            Err(ReplaceError::Exists) => {}
            Err(error) => return Err(format!("cannot write {}: {error}", path.display())),
            Ok(file) => return Ok((path, file)),
        }
    }
    Err(format!("cannot write a .{extension} file: {NUMBERS} of them exist already; delete some"))
}

/// Returns the day of a time since 1970 in UTC, as year, month and day.
fn day(since: Duration) -> String {
    // Days since March 1 of year 0, in eras of 400 years: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn no_file_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = SystemTime::UNIX_EPOCH + Duration::from_hours(24);
        let mut taken = Vec::new();
        let begin = |taken: &[PathBuf]| begin(folder.path(), ("flock", "gif"), now, taken).expect("a file");
        let (first, file) = begin(&taken);
        assert!(first.ends_with("flock-1970-01-02-1.gif"));
        file.complete().expect("a file");
        let (second, _file) = begin(&taken);
        assert!(second.ends_with("flock-1970-01-02-2.gif"));
        taken.push(second);
        assert!(begin(&taken).0.ends_with("flock-1970-01-02-3.gif"));
    }
}
