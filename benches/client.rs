//! What the client adds to a server's own time: N requests at concurrency 8 against a server that takes 50 ms for each, as a share
//! of N · 50 ms / 8, and the CPU time of the client's thread for each request.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement fails by panicking and prints what it found"
)]

use std::time::{Duration, Instant};

use caselight::engine::{
    client::{Client, Endpoint, Limits},
    secret::Secrets,
};
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

const REQUESTS: u32 = 800;
const OPEN: u32 = 8;
const TAKES: Duration = Duration::from_millis(50);
/// The most that the whole may take, as a share of what the server takes.
const MOST_TIME: f64 = 1.05;
const MOST_CPU: Duration = Duration::from_millis(1);

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let url = serve();
    let limits = Limits { concurrency: OPEN as usize, ..Limits::default() };
    let endpoint = Endpoint { url, headers: vec![("Authorization".into(), "Bearer ${TOKEN}".into())], limits };
    let token = |_: &str| Some("tok_EXAMPLE_do_not_show".to_owned());
    let texts = [("headers", "Bearer ${TOKEN}")];
    let client = Client::new(&endpoint.limits, Secrets::collect(texts, &token).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (begun, cpu) = (Instant::now(), thread_cpu());
    runtime.block_on(async {
        let body = json!({ "question": "May a customer return a damaged pallet?", "limit": 50 });
        let calls =
            (0..REQUESTS).map(|_| {
                let (client, call) = (&client, endpoint.post(body.clone()));
                async move {
                    client.send(&call, &|_| ()).await.unwrap().json().unwrap()["results"].as_array().unwrap().len()
                }
            });
        // More are wanted at once than may be open.
        let hits: usize =
            stream::iter(calls).buffer_unordered(4 * OPEN as usize).fold(0, async |all, hits| all + hits).await;
        assert_eq!(hits, 50 * REQUESTS as usize);
    });
    let time = begun.elapsed().as_secs_f64() / (TAKES * REQUESTS / OPEN).as_secs_f64();
    println!("{REQUESTS} requests, {OPEN} open at once, {} ms each", TAKES.as_millis());
    println!("time: {time:.3} of the server's own (limit {MOST_TIME})");
    let mut good = time <= MOST_TIME;
    if let (Some(before), Some(after)) = (cpu, thread_cpu()) {
        let each = after.saturating_sub(before) / REQUESTS;
        println!("CPU: {each:.1?} for each request, reading its 50 hits included (limit {MOST_CPU:?})");
        good &= each <= MOST_CPU;
    } else {
        println!("CPU: this system does not tell the time of one thread");
    }
    assert!(good, "slower than its limits");
}

/// The CPU time of this thread, where the system tells it.
fn thread_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// A server on a thread of its own that answers with 50 hits of a few hundred characters, and ends with the program.
fn serve() -> String {
    let hits: Vec<_> =
        (0..50).map(|id| json!({ "id": format!("doc-{id}"), "score": 1.5, "text": "word ".repeat(80) })).collect();
    let body = json!({ "results": hits }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    let answer: &'static [u8] = Box::leak((head + &body).into_bytes().into_boxed_slice());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener).unwrap();
            while let Ok((connection, _)) = listener.accept().await {
                connection.set_nodelay(true).unwrap();
                tokio::spawn(talk(connection, answer));
            }
        });
    });
    format!("http://{address}/search")
}

async fn talk(mut connection: TcpStream, answer: &[u8]) {
    let mut buffer = [0; 8192];
    // The client sends a small request in one piece.
    while connection.read(&mut buffer).await.is_ok_and(|read| read > 0) {
        tokio::time::sleep(TAKES).await;
        if connection.write_all(answer).await.is_err() {
            return;
        }
    }
}
