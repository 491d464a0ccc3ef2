//! Lists of processors as text.

/// Limit of processor numbers in a list. Linux's own limit is 8192 (`CONFIG_NR_CPUS`).
const MOST: u32 = 65_536;

/// Parses a list as the kernel writes it, `0-3,8-11`; the empty list is the empty text.
///
/// Returns `None` for anything else, and for numbers that no kernel has (65 536 and above). Ascending, without
/// duplicates.
pub fn parse_list(text: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    let mut cpus = Vec::new();
    if text.is_empty() {
        return Some(cpus);
    }
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    cpus.sort_unstable();
    cpus.dedup();
    Some(cpus)
}

/// Returns a list as the kernel writes it: `0-3,8-11`.
pub fn list_text(cpus: &[u32]) -> String {
    let mut sorted = cpus.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let ranges = sorted.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written_as_the_kernel_does() {
        assert_eq!(parse_list("0-3,8-11\n").unwrap(), [0, 1, 2, 3, 8, 9, 10, 11]);
        assert_eq!(parse_list("0-255").unwrap().len(), 256);
        assert_eq!(parse_list("5").unwrap(), [5]);
        assert_eq!(parse_list("\n").unwrap(), [0_u32; 0]);
        assert_eq!(parse_list("3,1,1-2").unwrap(), [1, 2, 3]);
        assert_eq!(list_text(&[11, 0, 1, 2, 3, 8, 9, 10, 3]), "0-3,8-11");
        assert_eq!(list_text(&[0, 2]), "0,2");
        assert_eq!(list_text(&[]), "");
    }

    #[test]
    fn lists_no_kernel_writes_are_refused() {
        for bad in ["3-1", "a", "0-", "-1", "0,,1", "0-4294967295", "1 2"] {
            assert_eq!(parse_list(bad), None, "{bad}");
        }
    }
}
