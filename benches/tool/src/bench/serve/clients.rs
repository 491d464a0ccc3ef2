//! Clients of the exporter: one that asks once a second, and many of five kinds that make trouble.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

const REQUEST: &[u8] =
    b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text\r\nConnection: close\r\n\r\n";
/// Longest wait of the honest client for a connection, and for each piece of the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Many clients at once.
pub(super) struct Clients {
    end: Arc<AtomicBool>,
    connections: Arc<AtomicU64>,
    threads: Vec<JoinHandle<()>>,
}

impl Clients {
    pub(super) fn begin(address: SocketAddr, count: usize) -> Self {
        let (end, connections) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let client = |number: usize| {
            let (end, connections) = (end.clone(), connections.clone());
            std::thread::spawn(move || {
                while !end.load(Ordering::SeqCst) {
                    // While the exporter is not there, connections are refused.
                    let connected = TcpStream::connect_timeout(&address, PATIENCE);
                    let made = connected.and_then(|stream| {
                        connections.fetch_add(1, Ordering::SeqCst);
                        trouble(number % 5, stream, &end)
                    });
                    sleep(Duration::from_millis(if made.is_ok() { 500 } else { 100 }));
                }
            })
        };
        let threads = (0..count).map(client).collect();
        Self { end, connections, threads }
    }

    /// Ends the clients; returns how often they connected.
    pub(super) fn end(self) -> u64 {
        self.end.store(true, Ordering::SeqCst);
        for thread in self.threads {
            let _ = thread.join();
        }
        self.connections.load(Ordering::SeqCst)
    }
}

/// Behaves as one of five kinds of clients on a connection.
fn trouble(kind: usize, mut stream: TcpStream, end: &AtomicBool) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut rest = Vec::new();
    match kind {
        // Reads everything.
        0 => {
            stream.write_all(REQUEST)?;
            stream.read_to_end(&mut rest)?;
        }
        // Reads a byte each 100 ms.
        1 => {
            stream.write_all(REQUEST)?;
            let mut byte = [0];
            while !end.load(Ordering::SeqCst) && stream.read(&mut byte)? > 0 {
                sleep(Duration::from_millis(100));
            }
        }
        // Sends half a request, and waits until it is disconnected.
        2 => {
            stream.write_all(&REQUEST[..30])?;
            stream.read_to_end(&mut rest)?;
        }
        // Sends half a request, and goes.
        3 => stream.write_all(&REQUEST[..30])?,
        // Sends a line without end.
        _ => {
            stream.write_all(&vec![b'x'; 64 << 10])?;
            stream.read_to_end(&mut rest)?;
        }
    }
    Ok(())
}

/// What the honest client got.
#[derive(Default)]
pub(super) struct Answers {
    /// Scrapes while the exporter was there.
    pub(super) asked: u64,
    /// Of these, scrapes answered as a whole.
    pub(super) answered: u64,
    pub(super) slowest: Duration,
    /// Why the last unanswered one had no answer.
    pub(super) why: String,
}

/// A client that asks once a second.
pub(super) struct Honest {
    end: Arc<AtomicBool>,
    thread: JoinHandle<Answers>,
}

impl Honest {
    /// Begins to ask; answers count while `up` is set.
    pub(super) fn begin(address: SocketAddr, up: Arc<AtomicBool>) -> Self {
        let end = Arc::new(AtomicBool::new(false));
        let ended = end.clone();
        let thread = std::thread::spawn(move || {
            let mut answers = Answers::default();
            while !ended.load(Ordering::SeqCst) {
                sleep(Duration::from_secs(1));
                let (was_up, begun) = (up.load(Ordering::SeqCst), Instant::now());
                let answer = scrape(address);
                // A scrape that the kill cuts short says nothing.
                if !was_up || !up.load(Ordering::SeqCst) {
                    continue;
                }
                answers.asked += 1;
                match answer {
                    Ok(()) => {
                        answers.answered += 1;
                        answers.slowest = answers.slowest.max(begun.elapsed());
                    }
                    Err(why) => answers.why = why,
                }
            }
            answers
        });
        Self { end, thread }
    }

    /// Ends it; returns what it got.
    pub(super) fn end(self) -> Answers {
        self.end.store(true, Ordering::SeqCst);
        self.thread.join().unwrap_or_default()
    }
}

/// Scrapes once.
pub(super) fn scrape(address: SocketAddr) -> Result<(), String> {
    let answer = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(REQUEST)?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    };
    let text = answer().map_err(|error| error.to_string())?;
    let whole = text.starts_with("HTTP/1.1 200 ") && text.ends_with("# EOF\n");
    if whole { Ok(()) } else { Err(format!("an answer of {} bytes that is not whole", text.len())) }
}
