//! A blocking HTTP client of a few lines, so that setting a server up does not rest on the client under test.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// A status and a body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    /// The body of an answer that must be a success, as JSON; null if it is empty.
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "HTTP {}: {}", self.status, self.body);
        if self.body.trim().is_empty() { Value::Null } else { self.json() }
    }

    /// The body as JSON, whatever the status.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// `GET path`.
pub(crate) fn get(port: u16, path: &str) -> io::Result<Answer> {
    send(port, "GET", path, "application/json", "")
}

/// `POST path` with JSON.
pub(crate) fn post(port: u16, path: &str, body: &Value) -> io::Result<Answer> {
    send(port, "POST", path, "application/json", &body.to_string())
}

/// Any request, on a connection of its own.
pub(crate) fn send(port: u16, method: &str, path: &str, content_type: &str, body: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_mins(1)))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nAccept: application/json\r\n\
         Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    read(BufReader::new(stream))
}

fn read(mut stream: impl BufRead) -> io::Result<Answer> {
    let line = line(&mut stream)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or_else(|| broken(&line))?;
    let (mut length, mut chunked) = (None, false);
    loop {
        let line = self::line(&mut stream)?.to_ascii_lowercase();
        match line.split_once(':') {
            None => break,
            Some(("content-length", value)) => length = Some(value.trim().parse().map_err(|_| broken(&line))?),
            Some(("transfer-encoding", value)) => chunked = value.trim() == "chunked",
            Some(_) => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let line = self::line(&mut stream)?;
            let size = u64::from_str_radix(line.trim(), 16).map_err(|_| broken(&line))?;
            if size == 0 {
                break;
            }
            stream.by_ref().take(size).read_to_end(&mut body)?;
            self::line(&mut stream)?;
        }
    } else {
        stream.take(length.unwrap_or(u64::MAX)).read_to_end(&mut body)?;
    }
    let body = String::from_utf8(body).map_err(|error| broken(&error.to_string()))?;
    Ok(Answer { status, body })
}

fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}
