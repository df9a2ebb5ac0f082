//! A server on loopback that answers each request with the next of its answers, also with what no server should send.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Barrier, Mutex, MutexGuard},
    thread::JoinHandle,
    time::{Duration, SystemTime},
};

use super::client::{Call, CallError, Client, Endpoint, Limits, Reply};

/// What one request is answered with.
#[derive(Clone)]
pub(super) enum Answer {
    /// These bytes; `@PORT@` becomes the port, `@DATE+3@` the date in three seconds. `Connection: close` in them closes.
    Raw(Vec<u8>),
    /// Nothing, with the connection open.
    Hang,
    /// Nothing, with the connection closed.
    Close,
    /// As `Raw`, once so many requests wait for it.
    Together(Arc<Barrier>, Vec<u8>),
}

/// An answer with this status line, these header lines and this body.
pub(super) fn http(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let mut raw = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len()).into_bytes();
    for header in headers {
        raw.extend(header.as_bytes());
        raw.extend(b"\r\n");
    }
    raw.extend(b"\r\n");
    raw.extend(body);
    Answer::Raw(raw)
}

/// A good answer of JSON.
pub(super) fn ok(body: &str) -> Answer {
    http("200 OK", &["Content-Type: application/json"], body)
}

#[derive(Default)]
struct Seen {
    requests: Vec<String>,
    connections: Vec<TcpStream>,
    open: usize,
    most_open: usize,
    over: bool,
}

/// The server; it ends when it is dropped.
pub(super) struct Stub {
    pub(super) port: u16,
    seen: Arc<Mutex<Seen>>,
    thread: Option<JoinHandle<()>>,
}

impl Stub {
    /// A server whose last answer repeats.
    pub(super) fn new(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = Arc::clone(&seen);
        let thread = std::thread::spawn(move || serve(&listener, port, &answers, &shared));
        Self { port, seen, thread: Some(thread) }
    }

    /// An address of it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Every request so far, head and body as they came.
    pub(super) fn requests(&self) -> Vec<String> {
        lock(&self.seen).requests.clone()
    }

    /// The bodies of the requests so far.
    pub(super) fn bodies(&self) -> Vec<serde_json::Value> {
        let body = |request: &String| request.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        let json = |body: String| serde_json::from_str(&body).expect("a body of JSON");
        self.requests().iter().filter_map(body).map(json).collect()
    }

    /// How many connections were made.
    pub(super) fn connections(&self) -> usize {
        lock(&self.seen).connections.len()
    }

    /// How many requests were open at once.
    pub(super) fn most_open(&self) -> usize {
        lock(&self.seen).most_open
    }

    /// An endpoint that is asked once.
    pub(super) fn endpoint(&self, path: &str) -> Endpoint {
        Endpoint { url: self.url(path), headers: Vec::new(), limits: once() }
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        lock(&self.seen).over = true;
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        for connection in &lock(&self.seen).connections {
            let _ = connection.shutdown(Shutdown::Both);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn serve(listener: &TcpListener, port: u16, answers: &[Answer], seen: &Mutex<Seen>) {
    std::thread::scope(|scope| {
        for connection in listener.incoming().map_while(Result::ok) {
            let mut locked = lock(seen);
            if locked.over {
                // Whoever came in between is let go too.
                locked.connections.iter().for_each(|open| drop(open.shutdown(Shutdown::Both)));
                break;
            }
            locked.connections.push(connection.try_clone().expect("a second handle"));
            drop(locked);
            scope.spawn(move || talk(connection, port, answers, seen));
        }
    });
}

fn talk(mut connection: TcpStream, port: u16, answers: &[Answer], seen: &Mutex<Seen>) {
    while let Some(request) = request(&mut connection) {
        let answer = {
            let mut locked = lock(seen);
            let answer = answers.get(locked.requests.len()).or(answers.last()).cloned();
            locked.requests.push(request);
            locked.open += 1;
            locked.most_open = locked.most_open.max(locked.open);
            answer
        };
        let raw = match answer {
            Some(Answer::Raw(raw)) => raw,
            Some(Answer::Together(barrier, raw)) => {
                barrier.wait();
                raw
            }
            // The connection stays in `seen`.
            Some(Answer::Hang) => return,
            Some(Answer::Close) | None => Vec::new(),
        };
        let raw = filled(raw, port);
        let close = raw.is_empty() || String::from_utf8_lossy(&raw).contains("Connection: close");
        lock(seen).open -= 1;
        if connection.write_all(&raw).is_err() || close {
            let _ = connection.shutdown(Shutdown::Both);
            return;
        }
    }
}

fn filled(raw: Vec<u8>, port: u16) -> Vec<u8> {
    let Ok(text) = String::from_utf8(raw.clone()) else { return raw };
    let mut text = text.replace("@PORT@", &port.to_string());
    while let Some((before, rest)) = text.split_once("@DATE+") {
        let (seconds, after) = rest.split_once('@').expect("@DATE+N@");
        let date = SystemTime::now() + Duration::from_secs(seconds.parse().expect("seconds"));
        text = format!("{before}{}{after}", httpdate::fmt_http_date(date));
    }
    text.into_bytes()
}

fn request(connection: &mut TcpStream) -> Option<String> {
    let mut data = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&data).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match connection.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => data.extend(&buffer[..read]),
        }
    }
}

/// Limits of a test: one request, ten seconds.
pub(super) fn once() -> Limits {
    Limits { retries: 0, timeout: Duration::from_secs(10), ..Limits::default() }
}

/// Sends one call with a client of its own.
pub(super) async fn send(endpoint: &Endpoint, body: serde_json::Value) -> Result<Reply, CallError> {
    client(endpoint).send(&endpoint.post(body), &|_| ()).await
}

/// A client whose environment holds `TOKEN` and `KEY`.
pub(super) fn client(endpoint: &Endpoint) -> Client {
    let known = |name: &str| {
        [("TOKEN", TOKEN), ("KEY", KEY)].iter().find(|known| known.0 == name).map(|known| known.1.to_owned())
    };
    Client::of("retrievers.test", endpoint, &known).expect("a client")
}

/// A `POST` with no secrets.
pub(super) fn post(url: &str) -> Call {
    Endpoint { url: url.to_owned(), headers: Vec::new(), limits: once() }
        .post(serde_json::json!({ "question": "why?" }))
}

/// The value of `${TOKEN}`.
pub(super) const TOKEN: &str = "tok_EXAMPLE_do_not_show";

/// The value of `${KEY}`, which a URL cannot hold as it is.
pub(super) const KEY: &str = "k+/\"& <é>";
