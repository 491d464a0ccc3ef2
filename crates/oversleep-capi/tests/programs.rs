//! Runs every C and C++ program that a document shows, compiled under every standard without a warning.

mod common;

use common::{Installed, compilers, has, here, is_cpp, is_lacking, run, strict};

/// A document, and what each of its programs must print, in their order.
const DOCUMENTS: [(&str, &[&str]); 3] = [
    ("../../docs/guide/sleep-on-time.md", &["a second of frames: done\n"]),
    ("README.md", &["frame 3 was ", "a second of frames: done\n", "10000 bytes: done\n"]),
    ("man/oversleep.3", &["frame 3 was "]),
];

/// A program of a document.
#[derive(Debug, PartialEq)]
struct Program {
    is_cpp: bool,
    text: String,
}

/// Returns the programs between fences in Markdown, or in literal blocks of a manual page.
fn programs(document: &str) -> Vec<Program> {
    let mut found = Vec::new();
    let mut open: Option<(Program, &str)> = None;
    for line in document.lines() {
        match &mut open {
            Some((_, end)) if line == *end => found.extend(open.take().map(|(program, _)| program)),
            Some((program, end)) => {
                // In roff a backslash is written `\e`.
                let line = if *end == ".Ed" { line.replace("\\e", "\\") } else { line.to_owned() };
                program.text += &(line + "\n");
            }
            None => {
                let kind = match line {
                    "```c" => Some((false, "```")),
                    "```cpp" | "```c++" => Some((true, "```")),
                    _ if line.starts_with(".Bd -literal") => Some((false, ".Ed")),
                    _ => None,
                };
                open = kind.map(|(is_cpp, end)| (Program { is_cpp, text: String::new() }, end));
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

#[test]
fn programs_are_found_in_markdown_and_in_manual_pages() {
    let c = |text: &str| Program { is_cpp: false, text: text.to_owned() };
    assert_eq!(programs("a\n```c\nint x;\n\ny\n```\n```sh\nls\n```\n"), [c("int x;\n\ny\n")]);
    assert_eq!(programs("```cpp\nz\n```\n"), [Program { is_cpp: true, text: "z\n".to_owned() }]);
    assert_eq!(programs(".Bd -literal -offset indent\n\"\\en\"\n.Ed\n.Pp\n"), [c("\"\\n\"\n")]);
}

#[test]
fn every_program_of_the_documents_compiles_and_runs() {
    if is_lacking(&["cc", "pkg-config"]) {
        return;
    }
    if !has("c++") {
        println!("not tested: this machine has no c++ for the programs in C++");
    }
    let installed = Installed::new();
    let flags = installed.shared();
    for (document, expected) in DOCUMENTS {
        let programs = programs(&std::fs::read_to_string(here().join(document)).unwrap());
        assert_eq!(programs.len(), expected.len(), "{document} shows other programs than this test knows");
        for (program, expected) in programs.iter().zip(expected) {
            let source = installed.home.path().join(if program.is_cpp { "program.cpp" } else { "program.c" });
            std::fs::write(&source, &program.text).unwrap();
            let binary = installed.home.path().join("program");
            let mut suits = compilers();
            suits.retain(|(_, standard)| is_cpp(standard) == program.is_cpp);
            for (compiler, standard) in &suits {
                run(strict(compiler, standard).arg("-o").arg(&binary).arg(&source).args(&flags));
            }
            if !suits.is_empty() {
                let output = installed.start(&binary).output().unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success() && output.stderr.is_empty(), "{document}: {output:?}");
                assert!(text.contains(expected), "{document}: '{text}' has no '{expected}'");
            }
        }
    }
}
