//! Messages over standard input and output.
//!
//! The crate's own reader ends with the first message that is no JSON. This one answers it with an error, and limits the
//! length of messages and of their heads.

use std::io::{self, BufRead, Read as _, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message, RequestId};
use serde::Deserialize as _;
use serde_json::{Value, json};

/// Maximum length of a message: texts of 4 MiB, escaped.
const MAX_BYTES: usize = 64 << 20;
/// Maximum length of a line of a head.
const MAX_HEAD: u64 = 1 << 12;

/// A message, or a line for the editor about one that cannot be read.
enum Sent {
    Message(Message),
    Refusal(String),
}

/// Connects standard input and output. The second value waits until all messages are written, and returns the error that
/// ended the input; drop the connection first.
///
/// # Errors
/// If the system provides no threads.
pub fn stdio() -> io::Result<(Connection, impl FnOnce() -> io::Result<()>)> {
    let (to_reader, receiver) = bounded(0);
    let (sender, to_write) = bounded(0);
    let ((refuse, refusals), (fail, failure)) = (bounded(1), bounded(1));
    thread::Builder::new()
        .name("lsp reader".to_owned())
        .spawn(move || _ = fail.send(read_all(&mut io::stdin().lock(), &to_reader, &refuse)))?;
    let writer = thread::Builder::new()
        .name("lsp writer".to_owned())
        .spawn(move || write_all(&mut io::stdout().lock(), &to_write, &refusals))?;
    let ended = move || {
        let _ = writer.join();
        // Without an error the input may still be open.
        failure.try_recv().unwrap_or(Ok(()))
    };
    Ok((Connection { sender, receiver }, ended))
}

fn read_all(
    input: &mut dyn BufRead,
    messages: &Sender<Message>,
    refusals: &Sender<String>,
) -> io::Result<()> {
    while let Some(bytes) = read(input)? {
        match message(&bytes) {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                if messages.send(message).is_err() || is_exit {
                    break;
                }
            }
            Err(refusal) => {
                if refusals.send(refusal.to_string()).is_err() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Parses a message.
///
/// # Errors
/// The answer to one that is not valid.
fn message(bytes: &[u8]) -> Result<Message, Value> {
    let refusal = |id: Value, code: ErrorCode, message: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": message}});
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| refusal(Value::Null, ErrorCode::ParseError, error.to_string()))?;
    // The crate reads a request with another id as a notification.
    if let (Some(id), Some(_)) = (value.get("id"), value.get("method"))
        && RequestId::deserialize(id).is_err()
    {
        let id = if id.is_number() { id.clone() } else { Value::Null };
        return Err(refusal(id, ErrorCode::InvalidRequest, "an id is a 32-bit integer or a text".to_owned()));
    }
    serde_json::from_value(value)
        .map_err(|error| refusal(Value::Null, ErrorCode::InvalidRequest, error.to_string()))
}

/// Reads the bytes of a message; `None` at the end of the input.
fn read(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let (mut length, mut is_begun) = (None::<usize>, false);
    loop {
        let mut line = Vec::new();
        if input.take(MAX_HEAD).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        match (line.is_empty(), length) {
            (true, Some(length)) => {
                let mut bytes = Vec::new();
                input.take(length as u64).read_to_end(&mut bytes)?;
                return Ok((bytes.len() == length).then_some(bytes));
            }
            (true, None) if is_begun => return Err(io::Error::other("a message has no Content-Length")),
            _ => is_begun |= !line.is_empty(),
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim().parse().ok().filter(|length: &usize| *length <= MAX_BYTES);
            let invalid = || format!("cannot read `{line}`: expected a length of at most {MAX_BYTES} bytes");
            length = Some(value.ok_or_else(|| io::Error::other(invalid()))?);
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
        for wrong in ["-1", "99999999999", "9223372036854775808", "", "x"] {
            let error = read(&mut format!("Content-Length: {wrong}\r\n\r\n").as_bytes()).expect_err(wrong);
            assert!(error.to_string().contains("Content-Length"), "{error}");
        }
        assert!(read(&mut &b"Length: 2\r\n\r\n{}"[..]).is_err());
        assert_eq!(read(&mut &b"Content-Length: 9\r\n\r\n{}"[..]).expect("the end"), None);
    }

    #[test]
    fn a_request_with_an_id_of_another_type_is_answered() {
        for (id, answered) in
            [("2147483648", "2147483648"), ("1.5", "1.5"), ("null", "null"), ("[1]", "null")]
        {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{}}}}"#);
            let refusal = message(text.as_bytes()).expect_err(id);
            assert_eq!(refusal["id"].to_string(), answered);
            assert_eq!(refusal["error"]["code"], -32600);
        }
        for id in ["7", "-1", "\"a\""] {
            assert!(message(format!(r#"{{"id":{id},"method":"shutdown"}}"#).as_bytes()).is_ok(), "{id}");
        }
    }

    #[test]
    fn a_message_without_json_is_answered_and_the_next_is_read() {
        let ((to_server, server), (refuse, refused)) = (bounded(9), bounded(9));
        let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let input = ["{", "[]", exit].map(|text| format!("Content-Length: {}\r\n\r\n{text}", text.len()));
        read_all(&mut input.concat().as_bytes(), &to_server, &refuse).expect("valid heads");
        let refused: Vec<String> = refused.try_iter().collect();
        assert!(refused[0].contains("-32700") && refused[1].contains("-32600"), "{refused:?}");
        assert!(matches!(server.try_recv(), Ok(Message::Notification(note)) if note.method == "exit"));
    }
}
