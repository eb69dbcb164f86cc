//! The connection between a window and the language servers of editors: a socket in the user's runtime directory, and one
//! line of JSON per message.
//!
//! Only processes of the same user can connect: the folder has mode 0700, the socket 0600, and both sides check the user of
//! the other. There is no network. A socket's name contains a hash of the folder of the window's scene, so that a server
//! finds the windows of its project without opening others. A window sends nothing while nobody is connected.

#[cfg(unix)]
mod client;
mod message;
mod news;
#[cfg(all(test, target_os = "linux"))]
mod other_users;
#[cfg(unix)]
mod publisher;
#[cfg(unix)]
mod sockets;
#[cfg(not(unix))]
mod unsupported;

#[cfg(unix)]
pub use client::Link;
pub use message::{
    Command, Failing, FileValues, FromEditor, FromWindow, Param, ScriptUse, State, Unit, Value,
};
pub use news::News;
#[cfg(unix)]
pub use publisher::{Publisher, Requested};
#[cfg(unix)]
pub use sockets::Sockets;
#[cfg(not(unix))]
pub use unsupported::{Link, Publisher, Requested, Sockets};
