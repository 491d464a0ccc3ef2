//! Runs the programs that READMEs show. (rustdoc runs those of the crate's own README and documentation; `cargo xtask
//! check` compares the other READMEs with the examples that are run here.)

use std::path::Path;
use std::process::Command;

#[test]
fn the_loop_of_frames_runs_to_its_end() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.args(["run", "--quiet", "--offline", "--example", "frames", "--manifest-path", manifest]);
    let output = command.output().unwrap();
    let (printed, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{errors}");
    // A busy machine leaves frames out; nothing else is printed.
    for line in printed.lines() {
        let (left_out, rest) = line.split_once(" frames left out, frame ").unwrap_or_else(|| panic!("{line}"));
        let (frame, late) = rest.split_once(" was ").unwrap_or_else(|| panic!("{line}"));
        assert!(left_out.parse::<u64>().unwrap() <= frame.parse().unwrap() && late.ends_with(" late"), "{line}");
    }
}

/// The repository's README is not part of the crate's package.
#[test]
fn the_repository_s_readme_shows_the_loop_of_frames() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(readme) = std::fs::read_to_string(crate_folder.join("../../README.md")) else {
        println!("not tested: this is not the repository");
        return;
    };
    let example = std::fs::read_to_string(crate_folder.join("examples/frames.rs")).unwrap();
    let program = example.split_once("\n\n").unwrap().1;
    let shown: Vec<_> = readme.split("```rust\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert_eq!(shown, [program], "every Rust program of README.md is an example, which is run");
}

/// crates.io shows the crate's README and does not know rustdoc's links by name: each needs its address, and each block
/// of Rust its language.
#[test]
fn the_readme_is_complete_where_rustdoc_does_not_read_it() {
    let readme = include_str!("../README.md");
    let (linked, defined): (Vec<_>, Vec<_>) =
        readme.match_indices("[`").map(|(index, _)| &readme[index..]).partition(|rest| {
            let end = rest.find("`]").unwrap();
            !rest[end + 2..].starts_with(": https://")
        });
    let name = |rest: &&'static str| rest.split("`]").next().unwrap();
    let (linked, defined) = (linked.iter().map(name), defined.iter().map(name).collect::<Vec<_>>());
    let linked: std::collections::BTreeSet<_> = linked.collect();
    assert_eq!(linked.into_iter().collect::<Vec<_>>(), defined);
    let fences: Vec<_> = readme.lines().filter(|line| line.starts_with("```")).collect();
    assert!(fences.chunks(2).all(|pair| pair[0] != "```" && pair[1] == "```"), "{fences:?}");
}
