//! An embeddings and a rerank endpoint on loopback: a vector counts the letters of a text below its title.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use serde_json::{Value, json};

/// The server; it ends when it is dropped.
pub(super) struct Stub {
    port: u16,
    asked: Arc<Asked>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Asked {
    over: AtomicBool,
    texts: Mutex<Vec<String>>,
    reranked: Mutex<usize>,
}

impl Stub {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::<Asked>::default();
        let shared = Arc::clone(&asked);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.over.load(Ordering::SeqCst) {
                    break;
                }
                let asked = Arc::clone(&shared);
                // It ends with its connection, which the program closes at its end.
                std::thread::spawn(move || serve(stream.unwrap(), &asked));
            }
        });
        Self { port, asked, thread: Some(thread) }
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every text that was embedded since this was asked last, sorted.
    pub(super) fn embedded(&self) -> Vec<String> {
        let mut texts = std::mem::take(&mut *self.asked.texts.lock().unwrap());
        texts.sort();
        texts
    }

    /// How many rerank requests came.
    pub(super) fn reranked(&self) -> usize {
        *self.asked.reranked.lock().unwrap()
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.asked.over.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(stream: TcpStream, asked: &Asked) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some((path, body)) = request(&mut reader) {
        let answer = if path.ends_with("/embeddings") { embed(&body, asked) } else { rerank(&body, asked) };
        let answer = answer.to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", answer.len());
        if writer.write_all(format!("{head}{answer}").as_bytes()).is_err() {
            return;
        }
    }
}

/// The path and the body of the next request; `None` once the connection is closed.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let header = line.trim_end().to_lowercase();
        if let Some(number) = header.strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
        if header.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

fn embed(body: &Value, asked: &Asked) -> Value {
    let texts = body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    let mut data = Vec::new();
    for (index, text) in texts.enumerate() {
        asked.texts.lock().unwrap().push(text.to_owned());
        let below = text.split_once('\n').map_or(text, |(_, below)| below);
        let vector: Vec<usize> = ('a'..='z').map(|letter| below.matches(letter).count()).collect();
        data.push(json!({ "index": index, "embedding": vector }));
    }
    json!({ "data": data })
}

/// The last passage is best.
fn rerank(body: &Value, asked: &Asked) -> Value {
    *asked.reranked.lock().unwrap() += 1;
    let count = body["texts"].as_array().unwrap().len();
    (0..count).map(|index| json!({ "index": index, "score": index })).collect()
}
