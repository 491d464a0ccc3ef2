//! Runs the planted runtime: it follows the protocol, the order of sleeps and its rules. `cargo xtask bench runtimes`
//! measures how late it is.

use std::io::Write;
use std::process::{Command, Stdio};

const MS: i64 = 1_000_000;

/// Runs the runtime with one rule; returns its first line, and the rows of each order's block.
fn rows(rule: &str, orders: &[(i64, usize)]) -> (String, Vec<Vec<[i64; 4]>>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-tool"));
    let mut child =
        command.args(["planted", rule, "7"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it is built");
    let mut orders_to = child.stdin.take().expect("a pipe");
    for (requested, count) in orders {
        writeln!(orders_to, "{requested} {count}").expect("it listens");
    }
    drop(orders_to);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{rule}");
    let text = String::from_utf8(output.stdout).expect("text");
    let (header, body) = text.split_once('\n').expect("a first line");
    let row = |line: &str| -> [i64; 4] {
        let fields: Vec<i64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        fields.try_into().expect("four fields")
    };
    let block = |block: &str| block.lines().filter(|line| !line.starts_with("requested")).map(row).collect();
    (header.to_owned(), body.trim_end().split("\n\n").map(block).collect())
}

#[test]
fn every_rule_keeps_order_and_account_and_none_wakes_before_its_rule_says() {
    /// Whether a sleep is as the rule promises, from its request, index within the block, start and end.
    type Promise = fn(i64, i64, i64, i64) -> bool;
    let rules: [(&str, Promise); 12] = [
        ("rounds-up", |r, _, start, end| end - start >= (r + MS - 1) / MS * MS),
        ("truncates", |r, _, start, end| end - start >= r / MS * MS),
        ("clamps", |r, _, start, end| end - start >= r.max(MS)),
        ("clamps-nested", |r, at, start, end| end - start >= if at < 5 { r } else { r.max(4 * MS) }),
        ("coalesces", |r, _, start, end| end / (16 * MS) * (16 * MS) >= start + r),
        ("cached-clock", |r, _, start, end| end >= start / MS * MS + r),
        ("adds", |r, _, start, end| end - start >= r + MS),
        ("timer-thread-slack", |r, _, start, end| end - start >= r),
        ("yields-first", |r, _, start, end| end - start >= r),
        ("collects", |r, _, start, end| end - start >= r),
        ("drifts", |r, _, start, end| end - start >= r),
        ("nothing", |r, _, start, end| end - start >= r),
    ];
    for (rule, promise) in rules {
        let orders = [(100_000, 8), (3 * MS / 2, 4)];
        let (header, blocks) = rows(rule, &orders);
        let mode = if rule == "drifts" { "schedule" } else { "sleep" };
        assert_eq!(header, format!("# oversleep-probe 1 clock=monotonic mode={mode} runtime=Planted 1.0"));
        assert_eq!(blocks.len(), 2, "{rule}");
        for ((requested, count), block) in orders.iter().zip(&blocks) {
            assert_eq!(block.len(), *count, "{rule}");
            for (index, [asked, start, end, _]) in block.iter().enumerate() {
                assert_eq!(asked, requested, "{rule}");
                let index = i64::try_from(index).expect("a few");
                assert!(promise(*requested, index, *start, *end), "{rule}: {block:?}");
            }
            assert!(block.windows(2).all(|pair| pair[0][2] <= pair[1][1]), "{rule}: {block:?}");
        }
    }
}

#[test]
fn collections_come_once_a_second_and_are_told() {
    let (_, blocks) = rows("collects", &[(20 * MS, 110)]);
    let collected: Vec<_> = blocks[0].iter().filter(|row| row[3] == 1).collect();
    assert!(!collected.is_empty() && collected.iter().all(|row| row[2] - row[1] >= 20 * MS), "{collected:?}");
}

#[test]
fn orders_that_are_none_end_it_with_a_reason() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-tool"));
    let child = command.args(["planted", "nothing"]).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = child.spawn().expect("it is built");
    writeln!(child.stdin.take().expect("a pipe"), "sleep well").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(!output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), "'sleep well' is not an order 'REQUEST_NS COUNT'");
}
