//! Messages over standard input and output.
//!
//! The crate's own reader ends with the first message that is no JSON. This one answers it with an error, and limits the
//! length of messages and of their heads.

use std::io::{self, BufRead, Read as _, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::json;

/// Maximum length of a message: texts of 4 MiB, escaped.
const MAX_BYTES: usize = 64 << 20;
/// Maximum length of a line of a head.
const MAX_HEAD: u64 = 1 << 12;

/// A message, or a line for the editor about one that cannot be read.
enum Sent {
    Message(Message),
    Refusal(String),
}

/// Connects standard input and output. The second value waits until all messages are written; drop the connection first.
///
/// # Errors
/// If the system provides no threads.
pub fn stdio() -> io::Result<(Connection, impl FnOnce())> {
    let (to_reader, receiver) = bounded(0);
    let (sender, to_write) = bounded(0);
    let (refuse, refusals) = bounded(1);
    thread::Builder::new()
        .name("lsp reader".to_owned())
        .spawn(move || read_all(&mut io::stdin().lock(), &to_reader, &refuse))?;
    let writer = thread::Builder::new()
        .name("lsp writer".to_owned())
        .spawn(move || write_all(&mut io::stdout().lock(), &to_write, &refusals))?;
    Ok((Connection { sender, receiver }, move || _ = writer.join()))
}

fn read_all(input: &mut dyn BufRead, messages: &Sender<Message>, refusals: &Sender<String>) {
    while let Ok(Some(bytes)) = read(input) {
        match serde_json::from_slice::<Message>(&bytes) {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                if messages.send(message).is_err() || is_exit {
                    return;
                }
            }
            Err(error) => {
                let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
                let code = if is_json { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
                let error = json!({"code": code as i32, "message": error.to_string()});
                let refusal = json!({"jsonrpc": "2.0", "id": null, "error": error});
                if refusals.send(refusal.to_string()).is_err() {
                    return;
                }
            }
        }
    }
}

/// Reads the bytes of a message; `None` at the end of the input.
fn read(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if input.take(MAX_HEAD).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if let (true, Some(length)) = (line.is_empty(), length) {
            let mut bytes = Vec::new();
            input.take(length as u64).read_to_end(&mut bytes)?;
            return Ok((bytes.len() == length).then_some(bytes));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim().parse().ok().filter(|length: &usize| *length <= MAX_BYTES);
            length = Some(value.ok_or(io::ErrorKind::InvalidData)?);
        }
    }
}

fn write_all(output: &mut dyn Write, messages: &Receiver<Message>, refusals: &Receiver<String>) {
    loop {
        let sent = crossbeam_channel::select! {
            recv(messages) -> message => match message {
                Ok(message) => Sent::Message(message),
                Err(_) => return,
            },
            recv(refusals) -> refusal => if let Ok(refusal) = refusal {
                Sent::Refusal(refusal)
            } else {
                // The input has ended; its last requests are still answered.
                let _ = messages.iter().try_for_each(|message| message.write(&mut &mut *output));
                return;
            },
        };
        let written = match sent {
            Sent::Message(message) => message.write(&mut &mut *output),
            Sent::Refusal(text) => {
                write!(output, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| output.flush())
            }
        };
        if written.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_lengths_are_read() {
        let mut input = &b"content-length: 2\r\nOther: x\r\n\r\n{}Content-Length: 3\n\n[1]rest"[..];
        assert_eq!(read(&mut input).expect("a message").as_deref(), Some(&b"{}"[..]));
        assert_eq!(read(&mut input).expect("a message").as_deref(), Some(&b"[1]"[..]));
        assert_eq!(read(&mut input).expect("the end"), None);
        for wrong in ["Content-Length: -1\r\n\r\n", "Content-Length: 99999999999\r\n\r\n"] {
            assert!(read(&mut wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert_eq!(read(&mut &b"Content-Length: 9\r\n\r\n{}"[..]).expect("the end"), None);
    }

    #[test]
    fn a_message_without_json_is_answered_and_the_next_is_read() {
        let ((to_server, server), (refuse, refused)) = (bounded(9), bounded(9));
        let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let input = ["{", "[]", exit].map(|text| format!("Content-Length: {}\r\n\r\n{text}", text.len()));
        read_all(&mut input.concat().as_bytes(), &to_server, &refuse);
        let refused: Vec<String> = refused.try_iter().collect();
        assert!(refused[0].contains("-32700") && refused[1].contains("-32600"), "{refused:?}");
        assert!(matches!(server.try_recv(), Ok(Message::Notification(note)) if note.method == "exit"));
    }
}
