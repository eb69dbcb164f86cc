//! Videos: frames are piped to ffmpeg, which writes the file.
//!
//! The program is not part of this one: it is started where it is installed. Its process group is its own, so that
//! Ctrl+C in a terminal ends the run and not the encoder, which then completes the file.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::JoinHandle;

use steerbox_project::reload::Pending;

use super::encoder::Encoder;
use super::error::RecordError;
use super::format::Format;
use super::options::RecordOptions;
use super::raster::Raster;
use super::shot::Shot;

/// Name of the program.
const PROGRAM: &str = "ffmpeg";
/// Maximum number of bytes of its messages that are stored.
const MESSAGES: u64 = 1 << 14;

/// H.264 in a form that every player shows, with the index at the start.
const MP4: &str = "-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4";
/// VP9 in real time.
const WEBM: &str = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -crf 24 -b:v 0 -f webm";
/// The color space of high definition, which players assume.
const COLORS: &str = "-vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709 -color_primaries bt709 \
                      -color_trc bt709";

/// True if ffmpeg is installed: in a folder of `PATH`.
pub fn has_ffmpeg() -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}

/// A video file and the process that writes it.
pub(super) struct Ffmpeg {
    file: Pending,
    process: Process,
    raster: Raster,
    bytes: Vec<u8>,
}

/// A running program; it is ended when this is dropped.
struct Process {
    child: Child,
    /// Collects its messages.
    messages: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    /// The program as it is installed.
    pub(super) fn installed() -> Command {
        Command::new(PROGRAM)
    }

    /// Starts `command` with the arguments of ffmpeg.
    ///
    /// # Errors
    /// If it is not installed, or does not start.
    pub(super) fn start(
        mut command: Command,
        options: &RecordOptions,
        file: Pending,
    ) -> Result<Self, RecordError> {
        command.args(arguments(options)).arg(target(&file));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| missing(&error, options.format))?;
        let messages = child.stderr.take().map(|stderr| std::thread::spawn(|| collected(stderr)));
        let (process, raster, bytes) = (Process { child, messages }, Raster::default(), Vec::new());
        Ok(Self { file, process, raster, bytes })
    }
}

impl Encoder for Ffmpeg {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        let pixels = self.raster.draw(shot);
        self.bytes.clear();
        self.bytes.extend(pixels.iter().flat_map(|pixel| pixel.to_le_bytes()));
        let written = match &mut self.process.child.stdin {
            Some(pipe) => pipe.write_all(&self.bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        // It ends before its input does only if it fails.
        written.map_err(|_| self.process.failure())
    }

    fn finish(mut self: Box<Self>) -> Result<Pending, RecordError> {
        drop(self.process.child.stdin.take());
        match self.process.child.wait() {
            Ok(status) if status.success() => Ok(self.file),
            _ => Err(self.process.failure()),
        }
    }
}

impl Process {
    /// Waits for its end and returns its last message.
    fn failure(&mut self) -> RecordError {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let messages = self.messages.take().and_then(|messages| messages.join().ok()).unwrap_or_default();
        let last = messages.lines().rfind(|line| !line.trim().is_empty());
        RecordError::Encoder(format!(
            "ffmpeg failed: {}",
            last.unwrap_or("it ended without a message").trim()
        ))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The arguments before the name of the file.
fn arguments(options: &RecordOptions) -> Vec<String> {
    let (width, height) = options.size();
    let fps = options.fps();
    let is_transparent = options.picture.transparent;
    // Little-endian words of blue, green, red, and opacity or nothing.
    let pixels = if is_transparent { "bgra" } else { "bgr0" };
    let (codec, depth) = match (options.format, is_transparent) {
        (Format::WebM, true) => (WEBM, " -pix_fmt yuva420p"),
        (Format::WebM, false) => (WEBM, " -pix_fmt yuv420p"),
        _ => (MP4, ""),
    };
    let all = format!(
        "-hide_banner -loglevel error -y -f rawvideo -pix_fmt {pixels} -s {width}x{height} -r {fps} -i - {COLORS} \
         {codec}{depth}"
    );
    all.split_whitespace().map(str::to_owned).collect()
}

/// The name of the file as an argument that is neither an option nor an address.
fn target(file: &Pending) -> OsString {
    let mut name = OsString::from("file:");
    name.push(file.path());
    name
}

fn missing(error: &io::Error, format: Format) -> RecordError {
    match error.kind() {
        io::ErrorKind::NotFound => RecordError::no_ffmpeg(format.extension()),
        _ => RecordError::Encoder(format!("ffmpeg does not start: {error}")),
    }
}

/// Reads all messages and returns the first of them.
fn collected(mut from: ChildStderr) -> String {
    let mut bytes = Vec::new();
    let _ = from.by_ref().take(MESSAGES).read_to_end(&mut bytes);
    // The rest is read, so that the program never waits.
    let _ = io::copy(&mut from, &mut io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
