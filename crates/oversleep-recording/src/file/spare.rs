//! Memory of decoded messages, kept for the next ones: fresh memory costs the kernel as much time as reading into it.

use std::sync::{Arc, Mutex, PoisonError};

/// Most pieces of memory that are kept: of the messages between reading and decoding.
const MOST: usize = 4;

/// Room for a full batch, in bytes: what is reserved for a part of a message before any of it was read, at most, and the
/// largest memory that is kept.
pub(super) const LARGEST: usize = 8 << 20;

/// Pieces of memory that are not in use, shared by the threads that read and decode.
#[derive(Clone, Default)]
pub(super) struct SpareMemory(Arc<Mutex<Vec<Vec<u8>>>>);

impl SpareMemory {
    /// Returns an empty piece of memory, with the capacity of an earlier message if there is one.
    pub(super) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps the memory of a message that was decoded.
    pub(super) fn keep(&self, mut memory: Vec<u8>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST && memory.capacity() <= LARGEST {
            memory.clear();
            spare.push(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_empty() {
        let spare = SpareMemory::default();
        let memory = vec![1; 1_000];
        let place = memory.as_ptr();
        spare.clone().keep(memory);
        let again = spare.take();
        assert_eq!((again.as_ptr(), again.len(), again.capacity()), (place, 0, 1_000));
        assert_eq!(spare.take().capacity(), 0);
        (0..10).for_each(|_| spare.keep(vec![1]));
        assert_eq!(spare.0.lock().unwrap().len(), MOST);
        spare.take();
        spare.keep(Vec::with_capacity(LARGEST + 1));
        assert_eq!(spare.0.lock().unwrap().len(), MOST - 1, "memory stays bounded");
    }
}
