//! The options that the kernel was built with, as far as preemption needs them: they stand near the beginning.

use super::files::Files;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Number of bytes that are unpacked; the model of preemption is within the first five thousand.
const MOST: usize = 64 << 10;

/// Returns the configuration that the running kernel itself contains (`CONFIG_IKCONFIG_PROC`).
pub(super) fn own() -> Option<String> {
    unpacked(&std::fs::read("/proc/config.gz").ok()?)
}

/// Returns the configuration that was installed beside the kernel of this release.
pub(super) fn installed(files: Files, release: &str) -> Option<String> {
    let paths = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")];
    paths.iter().find_map(|path| files(path))
}

/// Unpacks the beginning of a gzip file without optional fields in its head (RFC 1952), which the kernel's is.
fn unpacked(file: &[u8]) -> Option<String> {
    let (head, rest) = file.split_at_checked(10)?;
    let [0x1f, 0x8b, 8, 0, ..] = head else { return None };
    let text = match decompress_to_vec_with_limit(rest, MOST) {
        Ok(text) => text,
        // What came before the limit, or before an error.
        Err(error) => error.output,
    };
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysinfo::files::sample;
    use miniz_oxide::deflate::compress_to_vec;

    fn packed(flags: u8, text: &str) -> Vec<u8> {
        let head = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 2, 3];
        [&head[..], &compress_to_vec(text.as_bytes(), 6), &[0; 8]].concat()
    }

    #[test]
    fn the_beginning_is_unpacked() {
        assert_eq!(unpacked(&packed(0, "CONFIG_PREEMPT=y\n")).as_deref(), Some("CONFIG_PREEMPT=y\n"));
        let long = "CONFIG_A=y\n".repeat(20_000);
        let read = unpacked(&packed(0, &long)).unwrap();
        assert!(read.len() < long.len() && read.len() > 10_000 && long.starts_with(&read), "{}", read.len());
        for other in [&b"CONFIG"[..], &[], &packed(8, "x")] {
            assert_eq!(unpacked(other), None);
        }
    }

    #[test]
    fn a_kernel_s_own_directory_has_its_configuration() {
        let files = sample(&[("/lib/modules/6.1/config", "CONFIG_HZ=250\n")]);
        assert_eq!(installed(&files, "6.1").as_deref(), Some("CONFIG_HZ=250"));
        assert_eq!(installed(&files, "6.2"), None);
    }
}
