//! An initial file system of one program: the kernel's `newc` archive (Documentation/driver-api/early-userspace/
//! buffer-format.rst): per entry a header of hexadecimal fields, the name, the data, each padded to four bytes.

use std::fmt::Write as _;

/// An archive that holds `name` as an executable, and the console.
pub(super) fn initramfs(name: &str, program: &[u8]) -> Vec<u8> {
    let mut archive = Vec::with_capacity(program.len() + 1_024);
    entry(&mut archive, 1, "dev", 0o040_755, (0, 0), &[]);
    entry(&mut archive, 2, "dev/console", 0o020_600, (5, 1), &[]);
    entry(&mut archive, 3, "tmp", 0o041_777, (0, 0), &[]);
    entry(&mut archive, 4, name, 0o100_755, (0, 0), program);
    entry(&mut archive, 0, "TRAILER!!!", 0, (0, 0), &[]);
    archive
}

fn entry(archive: &mut Vec<u8>, inode: usize, name: &str, mode: usize, device: (usize, usize), data: &[u8]) {
    // Inode, mode, owner, group, links, time, size, device of the file, device it stands for, length of the name, sum.
    let fields = [inode, mode, 0, 0, 1, 0, data.len(), 0, 0, device.0, device.1, name.len() + 1, 0];
    let mut header = String::from("070701");
    for field in fields {
        let _ = write!(header, "{field:08X}");
    }
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(name.as_bytes());
    archive.push(0);
    pad(archive);
    archive.extend_from_slice(data);
    pad(archive);
}

fn pad(archive: &mut Vec<u8>) {
    archive.resize(archive.len().next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    #[test]
    fn entries_are_padded_to_four_bytes() {
        let archive = super::initramfs("init", b"hello");
        assert!(archive.starts_with(b"070701"));
        // Header 110, name 4 and its end, to a multiple of four, then the data.
        let at = archive.windows(5).position(|window| window == b"hello").unwrap();
        assert_eq!(at % 4, 0);
        assert_eq!(archive.len() % 4, 0);
        assert!(archive.windows(10).any(|window| window == b"TRAILER!!!"));
    }
}
