//! The save patterns of editors and tools, as sequences of system calls.

use std::fs::{self, File, OpenOptions};
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::shadow::Mapper;

/// A save pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pattern {
    Vim,
    VimCopy,
    InPlace,
    Slow,
    Sed,
    Rsync,
    RsyncInPlace,
    Moved,
    Git,
    VsCode,
    VsCodeAtomic,
    JetBrains,
    Helix,
    HardLink,
    Mapped,
    LinkTarget,
    LinkSwap,
}

impl Pattern {
    pub(crate) const ALL: [Self; 17] = [
        Self::Vim,
        Self::VimCopy,
        Self::InPlace,
        Self::Slow,
        Self::Sed,
        Self::Rsync,
        Self::RsyncInPlace,
        Self::Moved,
        Self::Git,
        Self::VsCode,
        Self::VsCodeAtomic,
        Self::JetBrains,
        Self::Helix,
        Self::HardLink,
        Self::Mapped,
        Self::LinkTarget,
        Self::LinkSwap,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Vim => "vim, nvim: renamed away, written anew",
            Self::VimCopy => "vim backupcopy=yes, joe",
            Self::InPlace => "nano, emacs, cp, echo: in place",
            Self::Slow => "a slow writer: in pieces with pauses",
            Self::Sed => "sed -i: temporary file renamed",
            Self::Rsync => "rsync: hidden temporary file renamed",
            Self::RsyncInPlace => "rsync --inplace: overwritten, then cut",
            Self::Moved => "mv from elsewhere",
            Self::Git => "git checkout: removed, created",
            Self::VsCode => "VS Code: truncated, a pause, written",
            Self::VsCodeAtomic => "VS Code, atomic: synced, renamed",
            Self::JetBrains => "JetBrains: two renames",
            Self::Helix => "Helix: renamed away, written, removed",
            Self::HardLink => "swap of hard links",
            Self::Mapped => "mmap",
            Self::LinkTarget => "link: its target written",
            Self::LinkSwap => "link: pointed to another target",
        }
    }
}

/// A pause of `0..most` milliseconds.
pub(crate) type Pause<'a> = &'a mut dyn FnMut(u64);

/// Sleeps.
pub(crate) fn nap(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds));
}

/// Saves `text` at `path`. `elsewhere` is an unwatched folder on the same device.
pub(crate) fn save(
    pattern: Pattern,
    path: &Path,
    elsewhere: &Path,
    text: &str,
    mapper: &mut Mapper,
    pause: Pause<'_>,
) -> Result<()> {
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", path.display()));
    let outside = |suffix: &str| elsewhere.join(name(path) + suffix);
    // A link must not point outside its folder.
    let hidden = |suffix: &str| path.with_file_name(format!(".{}{suffix}", name(path)));
    let follows = matches!(pattern, Pattern::LinkTarget | Pattern::LinkSwap);
    if !follows && path.is_symlink() {
        // The other patterns write a plain file, not the target of a link.
        fs::write(beside(".plain"), fs::read(path)?)?;
        fs::rename(beside(".plain"), path)?;
    }
    match pattern {
        Pattern::Vim | Pattern::Helix => {
            let kept = beside(if pattern == Pattern::Vim { "~" } else { ".bck" });
            fs::rename(path, &kept)?;
            pause(3);
            fs::write(path, text)?;
            fs::remove_file(kept)
        }
        Pattern::VimCopy => {
            fs::copy(path, beside("~"))?;
            fs::write(path, text)?;
            fs::remove_file(beside("~"))
        }
        Pattern::InPlace => fs::write(path, text),
        Pattern::Slow => {
            let mut file = File::create(path)?;
            for piece in text.as_bytes().chunks(text.len() / 4 + 1) {
                file.write_all(piece)?;
                pause(60);
            }
            Ok(())
        }
        Pattern::Sed => renamed(&beside(".sed"), path, text, false),
        Pattern::Rsync => renamed(&path.with_file_name(format!(".{}.x7", name(path))), path, text, false),
        Pattern::VsCodeAtomic => renamed(&beside(".tmp"), path, text, true),
        Pattern::Moved => renamed(&outside(".moved"), path, text, false),
        Pattern::RsyncInPlace => {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.write_all(text.as_bytes())?;
            pause(3);
            file.set_len(text.len() as u64)
        }
        Pattern::Git => {
            fs::remove_file(path)?;
            fs::write(path, text)
        }
        Pattern::VsCode => {
            let mut file = File::create(path)?;
            pause(80);
            file.write_all(text.as_bytes())?;
            file.sync_data()
        }
        Pattern::JetBrains => {
            fs::write(beside("___jb_tmp___"), text)?;
            fs::rename(path, beside("___jb_old___"))?;
            pause(3);
            fs::rename(beside("___jb_tmp___"), path)?;
            fs::remove_file(beside("___jb_old___"))
        }
        Pattern::HardLink => {
            fs::write(outside(".linked"), text)?;
            fs::remove_file(path)?;
            fs::hard_link(outside(".linked"), path)?;
            fs::remove_file(outside(".linked"))
        }
        Pattern::Mapped => mapper.save(path, text),
        Pattern::LinkTarget => {
            let target = hidden(".target");
            if !path.is_symlink() {
                fs::copy(path, &target)?;
                link(&target, path, &beside(".link"))?;
                pause(60);
            }
            fs::write(path, text)
        }
        Pattern::LinkSwap => {
            let [target, other] = [".target", ".other"].map(hidden);
            let is_other = fs::read_link(path).is_ok_and(|now| now == other);
            let next = if is_other { target } else { other };
            fs::write(&next, text)?;
            link(&next, path, &beside(".link"))
        }
    }
}

fn renamed(temporary: &Path, path: &Path, text: &str, sync: bool) -> Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(text.as_bytes())?;
    if sync {
        file.sync_data()?;
    }
    drop(file);
    fs::rename(temporary, path)
}

fn link(target: &Path, path: &Path, temporary: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, temporary)?;
    fs::rename(temporary, path)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
