//! Whether anybody can see the window, and whether its picture was lost: the display tells both, the
//! window library neither.

use std::time::{Duration, Instant};

/// How often the picture is presented again where the display does not report that it was lost.
const REFRESH: Duration = Duration::from_millis(250);

/// What is known of a window.
pub(super) struct Visibility {
    #[cfg(all(unix, not(target_os = "macos")))]
    display: Option<display::Display>,
    visible: bool,
    lost: bool,
    shown: Instant,
}

impl Visibility {
    /// Of a window that is on its display already.
    pub(super) fn of(window: &minifb::Window) -> Self {
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let _ = window;
        Self {
            #[cfg(all(unix, not(target_os = "macos")))]
            display: display::Display::of(window.get_window_handle() as usize as u32),
            visible: true,
            lost: false,
            shown: Instant::now(),
        }
    }

    /// Whether anybody can see the window now, as far as that is known.
    pub(super) fn is_visible(&mut self) -> bool {
        #[cfg(all(unix, not(target_os = "macos")))]
        if let Some(display) = &mut self.display {
            match display.look() {
                Ok(seen) => {
                    self.visible = seen.visible;
                    self.lost |= seen.lost;
                    return seen.visible;
                }
                Err(_) => self.display = None,
            }
        }
        self.visible = true;
        self.lost |= self.shown.elapsed() >= REFRESH;
        true
    }

    /// Whether the picture has to be shown again although it did not change.
    pub(super) fn is_lost(&self) -> bool {
        self.visible && self.lost
    }

    /// The picture was shown.
    pub(super) fn shown(&mut self) {
        (self.lost, self.shown) = (false, Instant::now());
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
mod display {
    use x11rb::connection::Connection as _;
    use x11rb::errors::{ConnectionError, ReplyError};
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Visibility,
    };
    use x11rb::rust_connection::RustConnection;

    /// States of a window that are read at most.
    const MOST_STATES: u32 = 64;

    /// What is to be seen of a window.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) struct Seen {
        pub(super) visible: bool,
        /// Parts of its picture are gone.
        pub(super) lost: bool,
    }

    /// A connection that hears what happens to one window.
    pub(super) struct Display {
        connection: RustConnection,
        window: u32,
        /// The property of a window's states, and the one of being hidden.
        atoms: [u32; 2],
        mapped: bool,
        covered: bool,
        hidden: bool,
    }

    impl Display {
        /// Listens to a window; `None` if the display does not let it.
        pub(super) fn of(window: u32) -> Option<Self> {
            Self::connect(window).ok()
        }

        fn connect(window: u32) -> anyhow::Result<Self> {
            let (connection, _) = x11rb::connect(None)?;
            let atom = |name: &[u8]| -> anyhow::Result<u32> {
                Ok(connection.intern_atom(false, name)?.reply()?.atom)
            };
            let atoms = [atom(b"_NET_WM_STATE")?, atom(b"_NET_WM_STATE_HIDDEN")?];
            let events = EventMask::STRUCTURE_NOTIFY
                | EventMask::VISIBILITY_CHANGE
                | EventMask::EXPOSURE
                | EventMask::PROPERTY_CHANGE;
            let wanted = ChangeWindowAttributesAux::new().event_mask(events);
            connection.change_window_attributes(window, &wanted)?.check()?;
            Ok(Self { connection, window, atoms, mapped: true, covered: false, hidden: false })
        }

        /// What is to be seen now, and whether parts were lost since this was asked before.
        ///
        /// # Errors
        /// When the connection is lost.
        pub(super) fn look(&mut self) -> Result<Seen, ConnectionError> {
            let (mut lost, mut states) = (false, false);
            while let Some(event) = self.connection.poll_for_event()? {
                match event {
                    Event::MapNotify(_) => (self.mapped, lost) = (true, true),
                    Event::UnmapNotify(_) => self.mapped = false,
                    Event::VisibilityNotify(event) => {
                        self.covered = event.state == Visibility::FULLY_OBSCURED;
                    }
                    Event::Expose(_) => lost = true,
                    Event::PropertyNotify(event) => states |= event.atom == self.atoms[0],
                    _ => {}
                }
            }
            if states {
                self.hidden = self.is_hidden().unwrap_or(false);
            }
            let visible = self.mapped && !self.covered && !self.hidden;
            Ok(Seen { visible, lost })
        }

        /// Whether the window's manager has minimized it.
        fn is_hidden(&self) -> Result<bool, ReplyError> {
            let [states, hidden] = self.atoms;
            let kind = AtomEnum::ATOM;
            let states =
                self.connection.get_property(false, self.window, states, kind, 0, MOST_STATES)?.reply()?;
            let mut states = states.value32().into_iter().flatten();
            Ok(states.any(|state| state == hidden))
        }
    }
}
