//! State of the window on its display: visible or not, picture lost, full screen. The display reports all
//! three, the window library none.

use std::time::{Duration, Instant};

/// Interval of presenting the picture again if the display does not report when it was lost.
const REFRESH: Duration = Duration::from_millis(250);

/// The reasons why full screen was not changed.
const UNSUPPORTED: &str = "the window manager has no full screen; Shift+F11 fills the window with the world";
const DISCONNECTED: &str = "full screen cannot be changed: there is no connection to the display";

/// The state of a window.
pub(crate) struct Visibility {
    #[cfg(all(unix, not(target_os = "macos")))]
    display: Option<display::Display>,
    visible: bool,
    lost: bool,
    full: FullScreen,
    shown: Instant,
}

/// Full screen as requested, and as the display reports it.
#[derive(Default)]
struct FullScreen {
    wanted: bool,
    is: bool,
}

impl Visibility {
    /// The state of a window that is on its display already.
    pub(crate) fn new(window: &minifb::Window) -> Self {
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let _ = window;
        Self {
            #[cfg(all(unix, not(target_os = "macos")))]
            display: display::Display::new(window.get_window_handle() as usize as u32),
            visible: true,
            lost: false,
            full: FullScreen::default(),
            shown: Instant::now(),
        }
    }

    /// True if the window is visible, as far as that is known.
    pub(crate) fn is_visible(&mut self) -> bool {
        #[cfg(all(unix, not(target_os = "macos")))]
        if let Some(display) = &mut self.display {
            match display.poll() {
                Ok(polled) => {
                    self.visible = polled.visible;
                    self.lost |= polled.lost;
                    return polled.visible;
                }
                Err(_) => self.display = None,
            }
        }
        self.visible = true;
        self.lost |= self.shown.elapsed() >= REFRESH;
        true
    }

    /// Requests full screen, or its end.
    ///
    /// # Errors
    /// With a message for the user if the window manager does not support full screen or cannot be reached.
    pub(crate) fn set_full_screen(&mut self, is_full: bool) -> Result<(), &'static str> {
        if is_full == self.full.wanted {
            return Ok(());
        }
        #[cfg(all(unix, not(target_os = "macos")))]
        let requested = self.display.as_ref().and_then(|display| display.set_full_screen(is_full).ok());
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let requested = Some(false);
        self.full.wanted = is_full && requested == Some(true);
        match requested {
            Some(true) => Ok(()),
            Some(false) => Err(UNSUPPORTED),
            None => Err(DISCONNECTED),
        }
    }

    /// The state of full screen, if the window manager changed it without a request.
    pub(crate) fn full_screen_changed(&mut self) -> Option<bool> {
        #[cfg(all(unix, not(target_os = "macos")))]
        let now = self.display.as_ref().is_some_and(display::Display::is_full_screen);
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let now = false;
        let FullScreen { wanted, is } = &mut self.full;
        let has_changed = std::mem::replace(is, now) != now && now != *wanted;
        if has_changed {
            *wanted = now;
        }
        has_changed.then_some(now)
    }

    /// True if an unchanged picture must be presented again.
    pub(crate) fn is_lost(&self) -> bool {
        self.visible && self.lost
    }

    /// Records that the picture was presented.
    pub(crate) fn shown(&mut self) {
        (self.lost, self.shown) = (false, Instant::now());
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
mod display {
    use x11rb::connection::Connection as _;
    use x11rb::errors::{ConnectionError, ReplyError};
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, Visibility,
    };
    use x11rb::rust_connection::RustConnection;

    /// Maximum number of states of a window, and of features of its manager, that are read.
    const MAX_STATES: u32 = 64;
    const MAX_ABILITIES: u32 = 1024;

    /// The visible part of a window.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) struct Seen {
        pub(super) visible: bool,
        /// True if parts of its picture were lost.
        pub(super) lost: bool,
    }

    /// A connection that receives the events of one window.
    pub(super) struct Display {
        connection: RustConnection,
        window: u32,
        root: u32,
        atoms: Atoms,
        mapped: bool,
        covered: bool,
        states: States,
    }

    /// States that the window manager sets.
    #[derive(Clone, Copy, Default)]
    struct States {
        hidden: bool,
        full: bool,
    }

    /// The property of a window's states, two states, and the property of the manager's features.
    #[derive(Clone, Copy)]
    struct Atoms {
        states: u32,
        hidden: u32,
        full: u32,
        abilities: u32,
    }

    impl Display {
        /// Connects to a window; `None` if the display refuses.
        pub(super) fn new(window: u32) -> Option<Self> {
            Self::connect(window).ok()
        }

        fn connect(window: u32) -> anyhow::Result<Self> {
            let (connection, _) = x11rb::connect(None)?;
            let atom = |name: &[u8]| -> anyhow::Result<u32> {
                Ok(connection.intern_atom(false, name)?.reply()?.atom)
            };
            let atoms = Atoms {
                states: atom(b"_NET_WM_STATE")?,
                hidden: atom(b"_NET_WM_STATE_HIDDEN")?,
                full: atom(b"_NET_WM_STATE_FULLSCREEN")?,
                abilities: atom(b"_NET_SUPPORTED")?,
            };
            let root = connection.query_tree(window)?.reply()?.root;
            let events = EventMask::STRUCTURE_NOTIFY
                | EventMask::VISIBILITY_CHANGE
                | EventMask::EXPOSURE
                | EventMask::PROPERTY_CHANGE;
            let wanted = ChangeWindowAttributesAux::new().event_mask(events);
            connection.change_window_attributes(window, &wanted)?.check()?;
            Ok(Self {
                connection,
                window,
                root,
                atoms,
                mapped: true,
                covered: false,
                states: States::default(),
            })
        }

        /// The visible part now, and true if parts were lost since the last call.
        ///
        /// # Errors
        /// If the connection is lost.
        pub(super) fn poll(&mut self) -> Result<Seen, ConnectionError> {
            let (mut lost, mut states) = (false, false);
            while let Some(event) = self.connection.poll_for_event()? {
                match event {
                    Event::MapNotify(_) => (self.mapped, lost) = (true, true),
                    Event::UnmapNotify(_) => self.mapped = false,
                    Event::VisibilityNotify(event) => {
                        self.covered = event.state == Visibility::FULLY_OBSCURED;
                    }
                    Event::Expose(_) => lost = true,
                    Event::PropertyNotify(event) => states |= event.atom == self.atoms.states,
                    _ => {}
                }
            }
            if states {
                let states = self.listed(self.window, self.atoms.states, MAX_STATES).unwrap_or_default();
                let is = |state: u32| states.contains(&state);
                self.states = States { hidden: is(self.atoms.hidden), full: is(self.atoms.full) };
            }
            let visible = self.mapped && !self.covered && !self.states.hidden;
            Ok(Seen { visible, lost })
        }

        /// True if the window fills the screen.
        pub(super) fn is_full_screen(&self) -> bool {
            self.states.full
        }

        /// Requests full screen, or its end, from the window manager. Returns false if it is not supported.
        ///
        /// # Errors
        /// If the connection is lost.
        pub(super) fn set_full_screen(&self, is_full: bool) -> Result<bool, ReplyError> {
            let Atoms { states, full, abilities, .. } = self.atoms;
            if !self.listed(self.root, abilities, MAX_ABILITIES)?.contains(&full) {
                return Ok(false);
            }
            // The request comes from an application, not from a pager.
            let data = [u32::from(is_full), full, 0, 1, 0];
            let event = ClientMessageEvent::new(32, self.window, states, data);
            let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
            self.connection.send_event(false, self.root, mask, event)?;
            self.connection.flush()?;
            Ok(true)
        }

        /// The atoms in a property of a window, at most `most`.
        fn listed(&self, window: u32, property: u32, most: u32) -> Result<Vec<u32>, ReplyError> {
            let kind = AtomEnum::ATOM;
            let listed = self.connection.get_property(false, window, property, kind, 0, most)?.reply()?;
            Ok(listed.value32().into_iter().flatten().collect())
        }
    }
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn a_lost_connection_is_not_reported_as_a_window_manager_without_full_screen() {
        let full = FullScreen { wanted: true, is: true };
        let (lost, shown) = (false, Instant::now());
        let mut visibility = Visibility { display: None, visible: true, lost, full, shown };
        assert_eq!(visibility.set_full_screen(true), Ok(()), "nothing changes");
        assert_eq!(visibility.set_full_screen(false), Err(DISCONNECTED));
        assert_eq!(visibility.set_full_screen(false), Ok(()), "the error is reported once");
        assert_eq!(visibility.set_full_screen(true), Err(DISCONNECTED));
    }
}
