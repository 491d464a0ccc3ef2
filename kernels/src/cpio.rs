//! Writes an initial file system for a kernel as a `newc` archive
//! (Documentation/driver-api/early-userspace/buffer-format.rst). Each entry has a header of hexadecimal fields with the
//! name, and the data, both padded to four bytes.

use std::fmt::Write as _;

const FOLDER: usize = 0o040_000;
const FILE: usize = 0o100_000;
/// Mode bits of a character device.
const CHARACTERS: usize = 0o020_000;

/// An archive that is being written. A folder must be added before its contents.
pub(crate) struct Archive {
    bytes: Vec<u8>,
    entries: usize,
}

impl Archive {
    /// Returns an archive with the console, on which the first program reads and writes.
    pub(crate) fn new() -> Self {
        let mut archive = Self { bytes: Vec::new(), entries: 0 };
        archive.folder("dev", 0o755);
        archive.entry("dev/console", CHARACTERS | 0o600, (5, 1), &[]);
        archive
    }

    pub(crate) fn folder(&mut self, name: &str, permissions: usize) {
        self.entry(name, FOLDER | permissions, (0, 0), &[]);
    }

    /// Adds a file that every user may run.
    pub(crate) fn program(&mut self, name: &str, data: &[u8]) {
        self.entry(name, FILE | 0o755, (0, 0), data);
    }

    pub(crate) fn file(&mut self, name: &str, data: &[u8]) {
        self.entry(name, FILE | 0o644, (0, 0), data);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, (0, 0), &[]);
        self.bytes
    }

    fn entry(&mut self, name: &str, mode: usize, device: (usize, usize), data: &[u8]) {
        self.entries += 1;
        // Inode, mode, owner, group, links, time, size, the file's device (2), the device that it is (2), length of the
        // name, checksum.
        let fields = [self.entries, mode, 0, 0, 1, 0, data.len(), 0, 0, device.0, device.1, name.len() + 1, 0];
        let mut header = String::from("070701");
        for field in fields {
            let _ = write!(header, "{field:08X}");
        }
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(data);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an archive as a kernel does; returns inode, mode, name and data of every entry before the trailer.
    fn read(archive: &[u8]) -> Vec<(usize, usize, String, Vec<u8>)> {
        let mut entries = Vec::new();
        let mut at = 0;
        loop {
            assert_eq!(at % 4, 0);
            let field = |n: usize| {
                let digits = &archive[at + 6 + 8 * n..][..8];
                usize::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap()
            };
            assert_eq!(&archive[at..at + 6], b"070701");
            let (size, length) = (field(6), field(11));
            let name = String::from_utf8(archive[at + 110..][..length - 1].to_vec()).unwrap();
            assert_eq!(archive[at + 110 + length - 1], 0);
            let data = (at + 110 + length).next_multiple_of(4);
            if name == "TRAILER!!!" {
                assert_eq!(data, archive.len());
                return entries;
            }
            entries.push((field(0), field(1), name, archive[data..][..size].to_vec()));
            at = (data + size).next_multiple_of(4);
        }
    }

    #[test]
    fn what_went_in_is_read_back_in_order_with_an_inode_each() {
        let mut archive = Archive::new();
        archive.folder("tmp", 0o1777);
        archive.program("tests/hello", b"hello");
        archive.file("jobs", b"");
        let entry = |inode, mode, name: &str, data: &[u8]| (inode, mode, name.to_owned(), data.to_vec());
        let expected = [
            entry(1, 0o040_755, "dev", b""),
            entry(2, 0o020_600, "dev/console", b""),
            entry(3, 0o041_777, "tmp", b""),
            entry(4, 0o100_755, "tests/hello", b"hello"),
            entry(5, 0o100_644, "jobs", b""),
        ];
        assert_eq!(read(&archive.finish()), expected);
    }
}
