//! The configuration file of the window.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::app::model::config::Config;
use crate::reload::{read_plain, replace_file};

/// How long something has been as it is before it is remembered.
const SETTLED: Duration = Duration::from_secs(1);
/// Most bytes that a file of this kind has.
const LONGEST: u64 = 64 * 1024;

/// The file that holds it, if there is a place for one.
#[derive(Debug, Default)]
pub(in crate::app) struct ConfigFile {
    path: Option<PathBuf>,
    /// What the file holds, or failed to take.
    stored: Config,
    /// What is to be stored, and since when it has been that.
    wanted: Option<(Config, Instant)>,
}

impl ConfigFile {
    /// The user's: in `$XDG_CONFIG_HOME/steerbox`, or else in `~/.config/steerbox`.
    #[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the loop of the window calls it"))]
    pub(in crate::app) fn of_user() -> Self {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let configs = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
        Self { path: configs.map(|configs| configs.join("steerbox/window.ron")), ..Self::default() }
    }

    /// One at a path.
    #[cfg(test)]
    pub(in crate::app) fn at(path: PathBuf) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    /// The stored configuration; without a file, the usual one with the card of the first start.
    ///
    /// # Errors
    /// When there is a file that does not hold it, in the user's words. The usual holds then, too.
    pub(in crate::app) fn read(&mut self) -> Result<Config, String> {
        let Some(path) = &self.path else {
            return Ok(self.stored.clone());
        };
        if matches!(path.try_exists(), Ok(false)) {
            return Ok(Config { welcome: true, ..self.stored.clone() });
        }
        let (bytes, _) = read_plain(path, LONGEST)
            .map_err(|error| format!("{}: {error}; the default settings are used", path.display()))?;
        let config = ron::de::from_bytes::<Config>(&bytes).map_err(|error| {
            format!(
                "{} is not a valid configuration ({error}); the default settings are used",
                path.display()
            )
        })?;
        self.stored = config.sound();
        Ok(self.stored.clone())
    }

    /// Stores a configuration that differs from what is stored, once it has stayed as it is for a while.
    ///
    /// # Errors
    /// When the file does not take it, in the user's words. It is not tried again until it changes.
    pub(in crate::app) fn remember(&mut self, config: &Config, now: Instant) -> Result<(), String> {
        let since = match &self.wanted {
            Some((wanted, since)) if wanted == config => *since,
            _ => now,
        };
        self.wanted = Some((config.clone(), since));
        if now.saturating_duration_since(since) < SETTLED {
            return Ok(());
        }
        self.store(config)
    }

    /// The same at once.
    ///
    /// # Errors
    /// As [`ConfigFile::remember`].
    pub(in crate::app) fn store(&mut self, config: &Config) -> Result<(), String> {
        if *config == self.stored {
            return Ok(());
        }
        self.stored = config.clone();
        let Some(path) = &self.path else {
            return Ok(());
        };
        let pretty = ron::ser::PrettyConfig::default();
        let text = ron::ser::to_string_pretty(config, pretty).map_err(|error| error.to_string())?;
        let refused =
            |error: &dyn Display| format!("cannot store the window settings in {}: {error}", path.display());
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| refused(&error))?;
        replace_file(path, &text).map_err(|error| refused(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::render::theme::ThemeName;

    fn other() -> Config {
        Config {
            theme: ThemeName::Paper,
            window: Some((900, 700)),
            scale: Some(1.5),
            panel: 400.0,
            plots_open: true,
            ..Config::default()
        }
    }

    #[test]
    fn what_stays_as_it_is_for_a_while_is_written_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/window.ron");
        let mut file = ConfigFile::at(path.clone());
        assert_eq!(file.read(), Ok(Config { welcome: true, ..Config::default() }), "it is the first start");
        let start = Instant::now();
        let remember = |file: &mut ConfigFile, config: &Config, seconds: f32| {
            file.remember(config, start + Duration::from_secs_f32(seconds)).unwrap();
        };
        remember(&mut file, &Config::default(), 0.0);
        remember(&mut file, &Config::default(), 9.0);
        assert!(!path.exists(), "nothing differs");
        remember(&mut file, &other(), 10.0);
        remember(&mut file, &Config { panel: 410.0, ..other() }, 10.9);
        remember(&mut file, &other(), 11.8);
        remember(&mut file, &other(), 12.7);
        assert!(!path.exists(), "it changed in between");
        remember(&mut file, &other(), 12.8);
        assert_eq!(ConfigFile::at(path.clone()).read(), Ok(other()));
        fs::remove_file(&path).unwrap();
        remember(&mut file, &other(), 20.0);
        assert!(!path.exists(), "it is not written again");
        let left = crate::reload::read_dir_sorted(path.parent().unwrap()).unwrap();
        assert!(left.is_empty(), "nothing is left beside it");
    }

    #[test]
    fn what_cannot_be_read_or_written_is_told_once_and_the_usual_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("window.ron");
        for text in ["", "(theme: Pink)", "(theme: Paper", "\u{0}\u{1}", "[1, 2]"] {
            fs::write(&path, text).unwrap();
            let mut file = ConfigFile::at(path.clone());
            assert!(file.read().is_err(), "{text:?}");
            assert_eq!(file.stored, Config::default());
            file.store(&other()).unwrap();
            assert_eq!(ConfigFile::at(path.clone()).read(), Ok(other()));
        }
        let mut file = ConfigFile::at(folder.path().to_owned());
        assert!(file.read().unwrap_err().contains("a folder, not a file"));
        assert!(file.store(&other()).is_err());
        assert_eq!(file.store(&other()), Ok(()), "it is not tried again");
        // A file where a folder should be.
        let mut file = ConfigFile::at(path.join("window.ron"));
        assert!(file.read().is_err() || file.store(&other()).is_err());
        assert_eq!(ConfigFile::default().store(&other()), Ok(()));
    }

    #[test]
    fn sizes_without_sense_are_brought_within_bounds_and_unknown_fields_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("window.ron");
        let text = "(window: Some((0, 99999999)), scale: Some(inf), panel: NaN, log: -7, later: \"x\")";
        fs::write(&path, text).unwrap();
        let config = ConfigFile::at(path).read().unwrap();
        assert_eq!((config.window, config.scale), (Some((200, 16_384)), None));
        assert_eq!((config.panel, config.log), (Config::default().panel, 20.0));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_but_plain_files_takes_the_configuration() {
        use crate::reload::targets::{Policy, check_writer};
        check_writer("window.ron", "()", Policy::FollowsLinks, &|path| {
            ConfigFile::at(path.to_owned()).store(&other())
        });
    }
}
