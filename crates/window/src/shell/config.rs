//! The configuration file of the window.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steerbox_project::reload::{read_plain, replace_file};

use crate::model::config::Config;

/// Time for which a configuration is unchanged before it is stored.
const SETTLED: Duration = Duration::from_secs(1);
/// Maximum size of a configuration file, bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The path of the file, if there is a folder for it.
#[derive(Debug, Default)]
pub(crate) struct ConfigFile {
    path: Option<PathBuf>,
    /// The content of the file, or the last content that could not be written.
    stored: Config,
    /// The configuration to be stored, and the time since which it is unchanged.
    wanted: Option<(Config, Instant)>,
}

impl ConfigFile {
    /// The user's file: in `$XDG_CONFIG_HOME/steerbox`, or else in `~/.config/steerbox`.
    pub(crate) fn of_user() -> Self {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let configs = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
        Self { path: configs.map(|configs| configs.join("steerbox/window.ron")), ..Self::default() }
    }

    /// A file at a path.
    #[cfg(test)]
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    /// The folder of unsaved texts, beside the file.
    pub(crate) fn unsaved(&self) -> Option<PathBuf> {
        self.path.as_ref()?.parent().map(|folder| folder.join("unsaved"))
    }

    /// The folder of replays of the last minute, beside the file.
    pub(crate) fn replays(&self) -> Option<PathBuf> {
        self.path.as_ref()?.parent().map(|folder| folder.join("replays"))
    }

    /// The stored configuration; without a file, the defaults with the card of the first start.
    ///
    /// # Errors
    /// If a file exists that is not a valid configuration, with a message for the user. The defaults apply then.
    pub(crate) fn read(&mut self) -> Result<Config, String> {
        let Some(path) = &self.path else {
            return Ok(self.stored.clone());
        };
        if matches!(path.try_exists(), Ok(false)) {
            return Ok(Config { welcome: true, ..self.stored.clone() });
        }
        let (bytes, _) = read_plain(path, MAX_BYTES)
            .map_err(|error| format!("{}: {error}; the default settings are used", path.display()))?;
        let config = ron::de::from_bytes::<Config>(&bytes).map_err(|error| {
            format!(
                "{} is not a valid configuration ({error}); the default settings are used",
                path.display()
            )
        })?;
        self.stored = config.clamped();
        Ok(self.stored.clone())
    }

    /// Stores a configuration that differs from the stored one, once it has been unchanged for a while.
    ///
    /// # Errors
    /// If the file cannot be written, with a message for the user. The next attempt follows the next change.
    pub(crate) fn remember(&mut self, config: &Config, now: Instant) -> Result<(), String> {
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

    /// Stores a configuration immediately.
    ///
    /// # Errors
    /// As [`ConfigFile::remember`].
    pub(crate) fn store(&mut self, config: &Config) -> Result<(), String> {
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
    use steerbox_picture::render::theme::ThemeName;

    use super::*;
    use crate::model::panes::{Dock, Pane, Panes};

    /// Panes with a panel of that width.
    fn panes(width: f32) -> Panes {
        let mut panes = Panes::default();
        panes.resize(Pane::Controls, width);
        panes.move_to(Pane::Editor, Dock::Left);
        panes
    }

    fn other() -> Config {
        Config {
            theme: ThemeName::Paper,
            window: Some((900, 700)),
            scale: Some(1.5),
            panes: panes(400.0),
            plots_open: true,
            ..Config::default()
        }
    }

    #[test]
    fn a_configuration_that_stays_unchanged_is_written_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/window.ron");
        let mut file = ConfigFile::at(path.clone());
        assert_eq!(file.read(), Ok(Config { welcome: true, ..Config::default() }), "the first start");
        let start = Instant::now();
        let remember = |file: &mut ConfigFile, config: &Config, seconds: f32| {
            file.remember(config, start + Duration::from_secs_f32(seconds)).unwrap();
        };
        remember(&mut file, &Config::default(), 0.0);
        remember(&mut file, &Config::default(), 9.0);
        assert!(!path.exists(), "the configuration equals the stored one");
        remember(&mut file, &other(), 10.0);
        remember(&mut file, &Config { panes: panes(410.0), ..other() }, 10.9);
        remember(&mut file, &other(), 11.8);
        remember(&mut file, &other(), 12.7);
        assert!(!path.exists(), "the configuration changed in between");
        remember(&mut file, &other(), 12.8);
        assert_eq!(ConfigFile::at(path.clone()).read(), Ok(other()));
        fs::remove_file(&path).unwrap();
        remember(&mut file, &other(), 20.0);
        assert!(!path.exists(), "an unchanged configuration is not written again");
        let left = steerbox_project::reload::read_dir_sorted(path.parent().unwrap()).unwrap();
        assert!(left.is_empty(), "temporary files are removed");
    }

    #[test]
    fn a_failed_read_or_write_is_reported_once_and_defaults_apply() {
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
        assert_eq!(file.store(&other()), Ok(()), "a failed write is not repeated");
        // A file at the path of the folder.
        let mut file = ConfigFile::at(path.join("window.ron"));
        assert!(file.read().is_err() || file.store(&other()).is_err());
        assert_eq!(ConfigFile::default().store(&other()), Ok(()));
    }

    #[test]
    fn sizes_are_clamped_and_unknown_fields_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("window.ron");
        let text = "(window: Some((0, 99999999)), scale: Some(inf), panes: (log: (height: -7, width: NaN)), \
            later: \"x\")";
        fs::write(&path, text).unwrap();
        let config = ConfigFile::at(path).read().unwrap();
        assert_eq!((config.window, config.scale), (Some((200, 16_384)), None));
        assert_eq!(config.panes.size(Pane::Log), 20.0);
    }

    #[cfg(unix)]
    #[test]
    fn only_plain_files_store_the_configuration() {
        use crate::targets::{Policy, check_writer};
        check_writer("window.ron", "()", Policy::FollowsLinks, &|path| {
            ConfigFile::at(path.to_owned()).store(&other())
        });
    }
}
