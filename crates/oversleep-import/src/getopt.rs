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

/// The command line ended where an option needs a value.
struct MissingValue;

/// An option of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOption {
    /// Its long name, in full.
    pub name: &'static str,
    /// Its value.
    pub value: Option<String>,
    /// Option and value as they can be typed by themselves.
    pub text: String,
}

impl Syntax {
    /// Returns the options of a command line that consists of nothing else; `None` if a word is no option of the program,
    /// or a value is missing. A value that may be left out can also be the next word, if that is a number, as
    /// cyclictest reads `-t 2`.
    pub(super) fn only_options(&self, words: &[String]) -> Option<Vec<GivenOption>> {
        let mut words = words.iter().map(String::as_str).peekable();
        let mut options = Vec::new();
        while let Some(word) = words.next() {
            if let Some(long) = word.strip_prefix("--") {
                let (given, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                let (name, letter) = self.long(given)?;
                let value = match attached {
                    Some(value) => Some(value),
                    None => self.value_after(letter, &mut words).ok()?,
                };
                let text = value.map_or_else(|| format!("--{name}"), |value| format!("--{name}={value}"));
                options.push(GivenOption { name, value: value.map(str::to_owned), text });
                continue;
            }
            let mut rest = word.strip_prefix('-').filter(|cluster| !cluster.is_empty())?;
            while let Some(letter) = rest.chars().next() {
                rest = &rest[letter.len_utf8()..];
                let name = self.name(letter)?;
                let takes = self.with_value.contains(letter) || self.with_attached_value.contains(letter);
                let value = match std::mem::take(&mut rest) {
                    "" => self.value_after(letter, &mut words).ok()?,
                    attached if takes => Some(attached),
                    others => {
                        rest = others;
                        None
                    }
                };
                let text = value.map_or_else(|| format!("-{letter}"), |value| format!("-{letter} {value}"));
                options.push(GivenOption { name, value: value.map(str::to_owned), text });
            }
        }
        Some(options)
    }

    /// Returns the long name of a letter that can be typed.
    fn name(&self, letter: char) -> Option<&'static str> {
        let is_it = |(_, known): &&(&str, char)| letter.is_ascii_alphabetic() && *known == letter;
        self.long.iter().find(is_it).map(|(name, _)| *name)
    }

    /// Returns the full long name of one that may be abbreviated, and the letter that stands for it.
    fn long(&self, given: &str) -> Option<(&'static str, char)> {
        let letter = self.letter(given)?;
        let own = self.long.iter().find(|(name, _)| *name == given);
        let own = own.or_else(|| self.long.iter().find(|(name, _)| name.starts_with(given)))?;
        Some((if letter.is_ascii_alphabetic() { self.name(letter)? } else { own.0 }, letter))
    }

    /// Returns the value that follows an option as a word of its own, if it takes one. Fails if it needs one and there is
    /// none.
    fn value_after<'a>(
        &self,
        letter: char,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<Option<&'a str>, MissingValue> {
        if self.with_value.contains(letter) {
            return words.next().map(Some).ok_or(MissingValue);
        }
        let number = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        let takes = self.with_attached_value.contains(letter);
        Ok(if takes { words.next_if(number) } else { None })
    }
}

/// The options of a command line, in order, with their values.
#[derive(Debug)]
pub(super) struct Options<'a>(Vec<(char, Option<&'a str>)>);

impl<'a> Options<'a> {
    /// Parses the words after the program's name; unknown options have no value, and other words are ignored.
    pub(super) fn parse(syntax: &Syntax, words: impl Iterator<Item = &'a str>) -> Self {
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
