//! Names of methods as they are shown: different names in a file stay different.

use oversleep_recording::text::is_invisible;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Number of letters above which a name is shortened.
const LONGEST: usize = 60;

/// The names in a file, with the form in which each is shown.
#[derive(Debug)]
pub(super) struct ShownNames {
    shown: HashMap<String, Rc<str>>,
    used: HashSet<Rc<str>>,
    /// For each form that more than one name has, the last number appended to it.
    numbers: HashMap<String, u64>,
    most: usize,
    /// The previous name and its form: most rows have the same.
    last: Option<(String, Rc<str>)>,
}

impl ShownNames {
    /// Begins without names; at most `most` different ones are taken.
    pub(super) fn new(most: usize) -> Self {
        Self { shown: HashMap::new(), used: HashSet::new(), numbers: HashMap::new(), most, last: None }
    }

    /// Returns the form in which a name is shown: without invisible characters, at most 60 letters. Equal names have
    /// the same form and others another one. `None` if there are too many names.
    pub(super) fn shown_form(&mut self, name: &str) -> Option<Rc<str>> {
        if let Some((last, form)) = &self.last
            && last == name
        {
            return Some(Rc::clone(form));
        }
        let form = match self.shown.get(name) {
            Some(form) => Rc::clone(form),
            None if self.shown.len() < self.most => self.admit(name),
            None => return None,
        };
        self.last = Some((name.to_owned(), Rc::clone(&form)));
        Some(form)
    }

    fn admit(&mut self, name: &str) -> Rc<str> {
        let first = form(name);
        let mut free = first.clone();
        while self.used.contains(free.as_str()) {
            // Goes on from the last number: names can be made to have one form.
            let number = self.numbers.entry(first.clone()).or_insert(1);
            *number += 1;
            free = format!("{first} ({number})");
        }
        let free: Rc<str> = free.into();
        self.used.insert(Rc::clone(&free));
        self.shown.insert(name.to_owned(), Rc::clone(&free));
        free
    }
}

/// Returns the form of a name on its own. A name that has to be changed ends in a checksum of the whole name, so that it
/// is the same in every file.
fn form(name: &str) -> String {
    let visible: String = name.chars().filter(|letter| !is_invisible(*letter)).take(LONGEST + 1).collect();
    if visible == name && visible.chars().count() <= LONGEST {
        return visible;
    }
    let begin: String = visible.chars().take(LONGEST - 9).collect();
    format!("{begin}~{:08x}", checksum(name.as_bytes()))
}

/// Returns the 32-bit FNV-1a checksum.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_names_are_shown_differently() {
        let long = "m".repeat(60);
        let texts = ["nap", "na\u{0}p", "na\u{202E}p", &long, &format!("{long}A"), &format!("{long}B"), "nap~00000000"];
        let mut names = ShownNames::new(100);
        let forms: Vec<_> = texts.iter().map(|text| names.shown_form(text).unwrap()).collect();
        let different: HashSet<_> = forms.iter().collect();
        assert_eq!(different.len(), texts.len(), "{forms:?}");
        assert!(forms.iter().all(|form| form.chars().count() <= LONGEST && !form.contains(is_invisible)), "{forms:?}");
        assert_eq!((&*forms[0], &*forms[3]), ("nap", long.as_str()));
        // The form does not depend on what else is in the file, unless another name is the same text.
        assert_eq!(ShownNames::new(1).shown_form(texts[5]).unwrap(), forms[5]);
        let taken = names.shown_form("na\u{0}p").unwrap();
        let mut other = ShownNames::new(2);
        assert_eq!(other.shown_form(&taken).unwrap(), taken);
        assert_eq!(*other.shown_form("na\u{0}p").unwrap(), *format!("{taken} (2)"));
        assert_eq!(other.shown_form("one too many"), None);
        assert_eq!(checksum(b"a"), 0xe40c_292c);
    }
}
