//! Command lines of C programs, read as `getopt_long` does: letters in clusters, values attached or apart, long names
//! abbreviated.

/// The options that a program has.
#[derive(Debug)]
pub(super) struct Syntax {
    /// Letters of the options that have a value.
    pub(super) with_value: &'static str,
    /// Letters of the options that may have a value, attached to them.
    pub(super) with_attached_value: &'static str,
    /// Long names, each with the letter that it stands for.
    pub(super) long: &'static [(&'static str, char)],
}

impl Syntax {
    /// Returns the letter of a long name, which may be abbreviated as far as it is one option's.
    fn letter(&self, name: &str) -> Option<char> {
        if let Some((_, letter)) = self.long.iter().find(|(long, _)| *long == name) {
            return Some(*letter);
        }
        let mut starting = self.long.iter().filter(|(long, _)| long.starts_with(name)).map(|(_, letter)| *letter);
        let first = starting.next()?;
        starting.all(|other| other == first).then_some(first)
    }
}

/// The options of a command line, in order, with their values.
#[derive(Debug)]
pub(super) struct Options<'a>(Vec<(char, Option<&'a str>)>);

impl<'a> Options<'a> {
    /// Parses the words after the program's name; unknown options have no value, and other words are ignored.
    pub(super) fn of(syntax: &Syntax, words: impl Iterator<Item = &'a str>) -> Self {
        let mut words = words.peekable();
        let mut options = Vec::new();
        while let Some(word) = words.next() {
            if word == "--" {
                break;
            }
            if let Some(long) = word.strip_prefix("--") {
                let (name, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                let Some(letter) = syntax.letter(name) else { continue };
                let takes_next = attached.is_none() && syntax.with_value.contains(letter);
                options.push((letter, if takes_next { words.next() } else { attached }));
            } else if let Some(cluster) = word.strip_prefix('-') {
                for (at, letter) in cluster.char_indices() {
                    let rest = Some(&cluster[at + letter.len_utf8()..]).filter(|rest| !rest.is_empty());
                    if syntax.with_value.contains(letter) {
                        options.push((letter, rest.or_else(|| words.next())));
                        break;
                    }
                    let attached = syntax.with_attached_value.contains(letter);
                    options.push((letter, rest.filter(|_| attached)));
                    if attached {
                        break;
                    }
                }
            }
        }
        Self(options)
    }

    /// Returns whether an option is there.
    pub(super) fn has(&self, letter: char) -> bool {
        self.0.iter().any(|(known, _)| *known == letter)
    }

    /// Returns the value of an option, the last one if it is there several times.
    pub(super) fn value(&self, letter: char) -> Option<&'a str> {
        self.0.iter().rev().find(|(known, _)| *known == letter)?.1
    }
}
