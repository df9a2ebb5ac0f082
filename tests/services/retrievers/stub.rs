//! Stand-ins on loopback: a server that a test answers itself, and a relay in front of a real one that comes and goes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU16, AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

/// A server that answers every `POST` of JSON by what a closure makes of its path and body; it ends with the test.
pub(super) struct Stub {
    port: u16,
    asked: Arc<AtomicUsize>,
    over: Arc<AtomicUsize>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Stub {
    pub(super) fn start(answer: impl Fn(&str, &Value) -> Value + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, over) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let (counted, ended) = (Arc::clone(&asked), Arc::clone(&over));
        let thread = thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                if ended.load(Ordering::SeqCst) > 0 {
                    break;
                }
                let Some((path, body)) = request(&stream) else { continue };
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = answer(&path, &body).to_string();
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length:";
                let _ = write!(stream, "{head} {}\r\n\r\n{answer}", answer.len());
            }
        });
        Self { port, asked, over, thread: Some(thread) }
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How many requests came.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.over.store(1, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

fn request(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(("content-length", value)) = header.to_ascii_lowercase().split_once(':') {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// An address that stays the same while the server behind it is another one.
pub(super) struct Relay {
    port: u16,
    behind: Arc<AtomicU16>,
}

impl Relay {
    /// In front of the server at that port.
    pub(super) fn to(port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let here = listener.local_addr().unwrap().port();
        let behind = Arc::new(AtomicU16::new(port));
        let port = Arc::clone(&behind);
        // It waits for connections until the test process ends.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, port.load(Ordering::SeqCst))) else {
                    continue;
                };
                let (back, forth) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || pass(client, server));
                thread::spawn(move || pass(forth, back));
            }
        });
        Self { port: here, behind }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// From now on in front of the server at that port.
    pub(super) fn turn_to(&self, port: u16) {
        self.behind.store(port, Ordering::SeqCst);
    }
}

/// Passes bytes on until either side ends.
fn pass(mut from: TcpStream, mut to: TcpStream) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
