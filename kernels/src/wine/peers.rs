//! Runs a small benchmark of the sleep library beside similar ones on Windows, in which all contenders must appear.

use std::process::Stdio;

use xtask::child;
use xtask::outcome::passed;

use super::{TARGET, Wine};

const MANIFEST: &str = "benches/library/Cargo.toml";
/// Arguments of the benchmark: two short cells, enough to see that every contender works.
const ASKED: [&str; 9] =
    ["--only", "loops", "--seconds=0.1", "--rounds=2", "--rate=60,250", "--work=0", "--busy=0", "--class", "other"];
/// Contenders that must be measured: ours, and those that Windows programs use.
const THERE: [&str; 4] = ["oversleep", "oversleep Ticker", "spin_sleep 125 µs, hint", "perfect sleep"];

impl Wine {
    /// Builds and runs the library's benchmark.
    pub(super) fn peers(&self) -> Result<(), String> {
        let build = ["cargo", "build", "--quiet", "--locked", "--target", TARGET, "--manifest-path", MANIFEST];
        passed(child::run(self.within(&build)), "cargo build of the library's benchmark")?;
        let program = self.built().join("bench-library.exe").display().to_string();
        let mut command = self.within(&[&["wine", &program], &ASKED[..]].concat());
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{program}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{text}");
        if !output.status.success() {
            return Err(format!("bench-library.exe: {}", output.status));
        }
        absent(&text).map_or(Ok(()), |name| Err(format!("bench-library.exe measured no {name}")))
    }
}

/// Returns a contender that does not have a row in each of the two tables.
fn absent(page: &str) -> Option<&'static str> {
    THERE.into_iter().find(|name| page.matches(&format!("\n| {name} | ")).count() != 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_row_is_named() {
        let table: String = THERE.iter().map(|name| format!("\n| {name} | 1.00 | 2.00 |")).collect();
        assert_eq!(absent(&table.repeat(2)), None);
        assert_eq!(absent(&table), Some("oversleep"));
        assert_eq!(absent(&table.repeat(2).replace("| perfect sleep", "| other")), Some("perfect sleep"));
    }
}
