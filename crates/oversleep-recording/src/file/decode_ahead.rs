//! Decodes messages on another thread while this one reads the next ones and uses what the previous ones held.

use super::decoder::Decoder;
use super::reader::{Piece, RawMessage, Stop};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Bytes that are read ahead, at most, or one message.
const MOST: usize = 8 << 20;
/// Size in bytes from which a message is worth handing over. Smaller ones come one by one from a run that may be going on, so
/// none of them waits for the next.
const LARGE: usize = if cfg!(test) { 1 << 11 } else { 1 << 18 };

#[cfg(test)]
thread_local! {
    /// Number of threads that calls on this thread have started.
    pub(super) static STARTED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Decodes all messages that `read` returns, from the first large one on on another thread, and passes each with its offset to
/// `take`, in their order. Returns why there are no more of them, or the first error of `take`.
pub(super) fn decode_ahead<E>(
    decoder: &mut Decoder,
    mut read: impl FnMut() -> Result<RawMessage, Stop>,
    mut take: impl FnMut(u64, Result<Piece, String>) -> Result<(), E>,
) -> Result<Stop, E> {
    let decoder = Mutex::new(decoder);
    let decode = |message: RawMessage| {
        let offset = message.offset;
        (offset, decoder.lock().unwrap_or_else(PoisonError::into_inner).piece(message))
    };
    thread::scope(|scope| {
        let (messages, to_decode) = mpsc::channel::<RawMessage>();
        let (done, pieces) = mpsc::channel();
        // Of a short recording, starting a thread would take longer than decoding.
        let mut other = Some((to_decode, done));
        let start = |(to_decode, done): (mpsc::Receiver<RawMessage>, mpsc::Sender<_>)| {
            #[cfg(test)]
            STARTED.set(STARTED.get() + 1);
            scope.spawn(move || {
                for message in to_decode {
                    // Fails where the first thread no longer takes pieces.
                    if done.send(decode(message)).is_err() {
                        break;
                    }
                }
            });
        };
        let mut ahead: VecDeque<usize> = VecDeque::new();
        let mut stop = None;
        loop {
            while stop.is_none() && ahead.iter().sum::<usize>() < MOST && ahead.back().is_none_or(|last| *last >= LARGE)
            {
                match read() {
                    Ok(message) if ahead.is_empty() && message.body.len() < LARGE => {
                        let (offset, piece) = decode(message);
                        take(offset, piece)?;
                    }
                    Ok(message) => {
                        if let Some(ends) = other.take() {
                            start(ends);
                        }
                        ahead.push_back(message.body.len());
                        // Fails where the other thread panicked, which the end of the scope reports.
                        let _ = messages.send(message);
                    }
                    Err(reason) => stop = Some(reason),
                }
            }
            match (ahead.pop_front(), stop.take()) {
                (None, Some(stop)) => return Ok(stop),
                (_, reason) => stop = reason,
            }
            let (offset, piece) = pieces.recv().expect("the decoder ends only after the last message");
            take(offset, piece)?;
        }
    })
}
