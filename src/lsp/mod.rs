//! `steerbox lsp`: the language service for editors, by the language server protocol.
//!
//! A main loop changes the state in the order of the messages: documents, capabilities of the editor, news of the window.
//! Requests and checks run on two threads with snapshots, so that a check never delays a completion. A request about a text
//! that has changed since is refused as soon as it is due; a check is dropped. No async runtime: edits must be applied in
//! order, and the work is computation.

mod capabilities;
mod checks;
mod client;
mod commands;
mod documents;
mod edits;
mod lines;
mod live;
mod markup;
mod names;
mod requests;
mod server;
mod snapshot;
mod structure;
mod transport;
mod uri;
mod window;
mod worker;

pub use server::{Ended, serve};
pub use transport::stdio;
