//! Methods, by the names that users write.

use super::error::RequestError;
use oversleep_recording::catalog::{MethodId, MethodRow, ROWS};
use oversleep_recording::runtimes::APIS;

/// Number of methods that an error suggests.
const SIMILAR: usize = 5;

/// Returns the catalogue's row of a method of any system.
///
/// # Errors
/// [`RequestError::RuntimeTimer`] for a timer of a language runtime, else [`RequestError::Method`] with similar names.
pub fn method(name: &str) -> Result<&'static MethodRow, RequestError> {
    // Calls are written `nanosleep()`, and in manuals `nanosleep(2)`.
    let without_brackets = |call: &'_ str| call.split_once('(').map_or(call.len(), |(before, _)| before.len());
    let plain = &name[..without_brackets(name)];
    // `clock_nanosleep` is the name in C, `Sleep` the name on Windows.
    let kebab = plain.to_lowercase().replace('_', "-");
    // C's `sleep()`, also written `sleep(3)`, is not Windows' `Sleep`, whose name here is `sleep`.
    let found = MethodId::recognise(name).or_else(|| MethodId::recognise(plain));
    let found = found.or_else(|| MethodId::from_name(&kebab)).or_else(|| MethodId::under_library(plain));
    found.map(MethodId::row).ok_or_else(|| {
        if let Some(api) = APIS.iter().find(|api| api.call[..without_brackets(api.call)] == *plain && !plain.is_empty())
        {
            return RequestError::RuntimeTimer { name: name.to_owned(), runtime: api.runtime().title };
        }
        let is_its = |title: &str| title.eq_ignore_ascii_case(plain);
        if let Some(runtime) = APIS.iter().map(|api| api.runtime().title).find(|title| is_its(title)) {
            return RequestError::Runtime { name: name.to_owned(), runtime };
        }
        let bare = name.to_lowercase().replace("::", "-").replace(['_', '.'], "-");
        let measurable: Vec<_> = here().map(|row| row.name).collect();
        // `tokio::time::sleep` does not mean Windows' `sleep`.
        let holds = |known: &str| bare.contains(known) && measurable.contains(&known);
        let near = |known: &str| known.contains(&bare) || holds(known) || strsim::jaro(known, &bare) > 0.85;
        let mut similar: Vec<_> = ROWS.iter().map(|row| row.name).filter(|known| near(known)).collect();
        similar.sort_by_key(|known| (!measurable.contains(known), *known));
        similar.truncate(SIMILAR);
        RequestError::Method { name: name.to_owned(), similar: if name.is_empty() { Vec::new() } else { similar } }
    })
}

/// Name that stands for every method.
pub(super) const ALL: &str = "all";

/// Returns the rows of the named methods, or of `default` if none are named; `all` stands for every method this build
/// has code for.
pub(super) fn methods(names: &[String], default: &[MethodId]) -> Result<Vec<&'static MethodRow>, RequestError> {
    if names.is_empty() {
        return Ok(default.iter().map(|id| id.row()).collect());
    }
    if names.iter().any(|name| name == ALL) {
        names.iter().filter(|name| *name != ALL).try_for_each(|name| method(name).map(drop))?;
        return Ok(here().collect());
    }
    // Several names of one method are measured once; a name that is repeated is measured again.
    let mut rows: Vec<(&str, &'static MethodRow)> = Vec::new();
    for name in names {
        let row = method(name)?;
        if !rows.iter().any(|(other, known)| known.name == row.name && other != name) {
            rows.push((name, row));
        }
    }
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Returns the rows of the methods that this build has code for.
pub(super) fn here() -> impl Iterator<Item = &'static MethodRow> {
    oversleep_os::method::entries().map(|entry| entry.id.row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Interface;
    use oversleep_recording::catalog::System;

    #[test]
    fn unknown_methods_get_a_hint() {
        let text = |name| method(name).unwrap_err().text(Interface::CommandLine);
        assert!(text("nano").contains("did you mean "));
        assert_eq!(text("nap"), "no sleep method is called 'nap'; `oversleep list` shows what there is");
        assert!(text("nanoslep").contains("did you mean nanosleep"));
        assert!(methods(&["all".to_owned(), "nanoslep".to_owned()], &[]).is_err(), "beside all");
        assert!(text("clock_nanoslep").contains("did you mean clock-nanosleep"), "{}", text("clock_nanoslep"));
        assert!(method("nanosleep").is_ok());
        for known in ["thread::sleep", "std::thread::sleep()", "thread-sleep"] {
            assert_eq!(method(known).unwrap().name, "thread-sleep");
        }
        assert!(method("time.sleep").is_ok());
        assert_eq!(method("clock_nanosleep()").unwrap().name, "clock-nanosleep");
        assert_eq!(method("nanosleep(2)").unwrap().name, "nanosleep");
        for windows in ["Sleep", "Sleep()", "sleep"] {
            assert_eq!(method(windows).unwrap().name, "sleep");
        }
        for of_c in ["sleep(3)", "sleep()"] {
            assert_eq!(method(of_c).unwrap().name, "nanosleep");
        }
        assert_eq!(
            text("Thread.sleep"),
            "Thread.sleep is a timer of Java, not a call of the system; `oversleep runtimes` measures it"
        );
        assert_eq!(
            text("asyncio.sleep"),
            "asyncio.sleep is a timer of Python, not a call of the system; `oversleep runtimes` measures it"
        );
        assert_eq!(
            text("tokio::time::sleep"),
            "tokio::time::sleep is a timer of Rust, not a call of the system; `oversleep runtimes` measures it"
        );
    }

    #[test]
    fn a_library_s_function_is_the_method_that_it_stands_on() {
        let of_cpp = [
            "std::this_thread::sleep_for",
            "this_thread::sleep_for()",
            "sleep_until",
            "this_thread",
            "std::this_thread",
        ];
        for name in of_cpp.into_iter().chain(["SDL_Delay"]) {
            let under = if System::HERE == Some(System::Windows) { "sleep" } else { "nanosleep" };
            assert_eq!(method(name).unwrap().name, under);
        }
        assert!(method("thrd_sleep").is_ok());
    }

    #[test]
    fn several_names_of_a_method_are_measured_once() {
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            methods(&names, &[]).unwrap().iter().map(|row| row.name).collect::<Vec<_>>()
        };
        let under = method("SDL_Delay").unwrap().name;
        assert_eq!(named(&["SDL_Delay", "sleep_for", under, "poll"]), [under, "poll"]);
        assert_eq!(named(&["poll", "poll"]), ["poll", "poll"]);
    }

    #[test]
    fn a_runtime_is_measured_by_its_own_command() {
        let text = method("python").unwrap_err().text(Interface::CommandLine);
        assert_eq!(text, "python is not a call of the system; `oversleep runtimes` measures the timers of Python");
    }

    #[test]
    fn all_are_those_of_this_build() {
        let all = methods(&["all".to_owned()], &[]).unwrap();
        assert_eq!(all.len(), oversleep_os::method::entries().count());
        assert_eq!(methods(&[], &[MethodId::Spin]).unwrap()[0].name, "spin");
    }
}
