//! Tests that the glossary has every word that screens use for causes, parts of late sleeps, and tiers.

use super::Cause;
use super::breakdown::PartKind;
use crate::trace::Tier;
use std::collections::BTreeSet;
use std::fs;

/// Returns the words in the first column of the tables below one heading; all of them without a heading.
fn words(glossary: &str, heading: Option<&str>) -> BTreeSet<String> {
    let mut inside = heading.is_none();
    let mut words = BTreeSet::new();
    for line in glossary.lines() {
        if let (Some(wanted), Some(found)) = (heading, line.strip_prefix("## ")) {
            inside = wanted == found;
        }
        let cell = line.strip_prefix("| ").and_then(|row| row.split(" |").next()).filter(|_| inside);
        words.extend(cell.into_iter().flat_map(|cell| cell.split(", ")).map(str::to_owned));
    }
    words.retain(|word| word != "word" && word != "---");
    words
}

fn glossary() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/GLOSSARY.md");
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_cause_and_every_part_is_in_the_glossary_and_no_other() {
    let text = glossary();
    let causes: BTreeSet<String> = Cause::ALL.iter().map(|cause| cause.name().to_owned()).collect();
    assert_eq!(words(&text, Some("Causes")), causes, "docs/GLOSSARY.md, Causes");
    let parts: BTreeSet<String> = PartKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    assert_eq!(words(&text, Some("Parts of a late sleep")), parts, "docs/GLOSSARY.md, Parts of a late sleep");
}

#[test]
fn words_of_the_screen_are_in_the_glossary() {
    let all = words(&glossary(), None);
    let tiers = Tier::ALL.iter().map(|tier| format!("by {}", tier.name()));
    let others = ["fresh", "late", "skipped", "in no bucket", "residual", "unexplained"].map(str::to_owned);
    for word in tiers.chain(others) {
        assert!(all.contains(&word), "docs/GLOSSARY.md lacks {word}");
    }
}
