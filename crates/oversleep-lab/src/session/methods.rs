//! Methods by the names that users write.

use super::error::RequestError;
use oversleep_recording::catalog::{MethodId, ROWS, Row};

/// Returns the catalogue's row of a method, whatever system it is of.
///
/// # Errors
/// [`RequestError::Method`] with methods of similar names.
pub fn method(name: &str) -> Result<&'static Row, RequestError> {
    MethodId::from_name(name).map(MethodId::row).ok_or_else(|| {
        let mut similar: Vec<_> =
            ROWS.iter().map(|row| row.name).filter(|known| known.contains(name) || name.contains(known)).collect();
        similar.sort_unstable();
        RequestError::Method { name: name.to_owned(), similar: if name.is_empty() { Vec::new() } else { similar } }
    })
}

/// Returns the rows of the methods named, or of `default` where none are; `all` stands for every one this build has
/// code for.
pub(super) fn methods(names: &[String], default: &[MethodId]) -> Result<Vec<&'static Row>, RequestError> {
    if names.is_empty() {
        return Ok(default.iter().map(|id| id.row()).collect());
    }
    if names.iter().any(|name| name == "all") {
        return Ok(here().collect());
    }
    names.iter().map(|name| method(name)).collect()
}

/// Returns the rows of the methods that this build has code for.
pub(super) fn here() -> impl Iterator<Item = &'static Row> {
    oversleep_os::method::entries().map(|entry| entry.id.row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Interface;

    #[test]
    fn unknown_methods_get_a_hint() {
        let text = |name| method(name).unwrap_err().text(Interface::CommandLine);
        assert!(text("nano").contains("did you mean "));
        assert_eq!(text("nap"), "no sleep method is called 'nap'; `oversleep list` shows what there is");
        assert!(method("nanosleep").is_ok());
    }

    #[test]
    fn all_are_those_of_this_build() {
        let all = methods(&["all".to_owned()], &[]).unwrap();
        assert_eq!(all.len(), oversleep_os::method::entries().count());
        assert_eq!(methods(&[], &[MethodId::Spin]).unwrap()[0].name, "spin");
    }
}
