//! One processor's column of `/proc/interrupts` or `/proc/softirqs`.

/// The two kinds of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// `24:  1  0  IO-APIC  5-edge  ACPI:Ged` and `LOC:  9  7  Local timer interrupts`.
    Interrupts,
    /// `TIMER:  312100  362562`.
    Softirqs,
}

/// Returns every row of the table that has a number for the processor: its name and that number.
///
/// The header names the processors that are online, in the order of the columns.
pub(super) fn column(text: &str, cpu: u32, layout: Layout) -> Vec<(String, u64)> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let is_mine = |name: &str| name.strip_prefix("CPU").and_then(|number| number.parse().ok()) == Some(cpu);
    let Some(at) = header.iter().position(|name| is_mine(name)) else { return Vec::new() };
    lines.filter_map(|line| row(line, at, header.len(), layout)).collect()
}

fn row(line: &str, at: usize, columns: usize, layout: Layout) -> Option<(String, u64)> {
    let (label, rest) = line.split_once(':')?;
    let mut words = rest.split_whitespace();
    let count = words.clone().nth(at)?.parse().ok()?;
    let label = label.trim();
    let name = match layout {
        Layout::Softirqs => label.to_owned(),
        Layout::Interrupts => named(label, words.by_ref().skip(columns)),
    };
    Some((name, count))
}

/// Returns a row's name: for devices the number and the last word, which is the owner of the interrupt; for the
/// processor's own interrupts the kernel's description.
fn named<'a>(label: &str, rest: impl Iterator<Item = &'a str>) -> String {
    let rest: Vec<&str> = rest.collect();
    if label.parse::<u32>().is_ok() {
        return match rest.last() {
            Some(who) => format!("{label} {who}"),
            None => label.to_owned(),
        };
    }
    match rest.as_slice() {
        [] => label.to_owned(),
        words => {
            let said = words.join(" ");
            // "Local timer interrupts": one of them is one interrupt.
            let one = said.strip_suffix(" interrupts").unwrap_or(&said);
            let mut letters = one.chars();
            let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
            if one.chars().nth(1).is_some_and(char::is_uppercase) { one.to_owned() } else { first + letters.as_str() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERRUPTS: &str = "           CPU0       CPU2
 24:          1          5  IO-APIC   5-edge      ACPI:Ged
 28:          0          0 PCI-MSIX-0000:00:01.0   0-edge      virtio0-config
NMI:          2          3   Non-maskable interrupts
LOC:    3950131    3576205   Local timer interrupts
IWI:          7          8   IRQ work interrupts
ERR:          0
";

    #[test]
    fn the_header_says_which_column_is_whose() {
        let of = |cpu| column(INTERRUPTS, cpu, Layout::Interrupts);
        let named = |name: &str, count| (name.to_owned(), count);
        assert_eq!(
            of(2),
            [
                named("24 ACPI:Ged", 5),
                named("28 virtio0-config", 0),
                named("non-maskable", 3),
                named("local timer", 3_576_205),
                named("IRQ work", 8)
            ]
        );
        assert_eq!(of(0).len(), 6, "the error count stands in the first column");
        assert!(of(1).is_empty(), "processor 1 is offline");
    }

    #[test]
    fn softirqs_are_named_by_their_label() {
        let text = "                    CPU0       CPU1\n          HI:          0          4\n       TIMER:  9 8\n";
        assert_eq!(column(text, 1, Layout::Softirqs), [("HI".to_owned(), 4), ("TIMER".to_owned(), 8)]);
        assert!(column("", 0, Layout::Softirqs).is_empty());
        assert!(column("CPU0\nnothing\n:\nx: y\n", 0, Layout::Interrupts).is_empty());
    }
}
