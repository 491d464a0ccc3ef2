//! Sizes, offsets and numbers on which foreign calls rely, each with the place where it was published.
//!
//! A row that names a revision of a header, or a commit of its repository, was read there; one that names only the
//! header is from documentation and memory, and would not detect an error that the declaration shares. All are compared
//! at compile time, for every system that the code is compiled for: a declaration that differs from the system's own
//! headers fails to build even where nothing can be run.

/// Declares the rows of one system and compares each at compile time.
macro_rules! published {
    ($($what:expr, $number:expr, $source:literal;)*) => {
        #[cfg(test)]
        pub(super) const ROWS: &[super::LayoutCheck] = &[$(super::LayoutCheck {
            what: stringify!($what),
            found: $what as i128,
            published: $number as i128,
            source: $source,
        },)*];
        $(const _: () = assert!($what as i128 == $number as i128, stringify!($what));)*
    };
}

#[cfg(target_os = "macos")]
mod apple;
#[cfg(target_os = "dragonfly")]
mod dragonfly;
#[cfg(target_os = "freebsd")]
mod freebsd;
#[cfg(target_os = "illumos")]
mod illumos;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux;
#[cfg(target_os = "netbsd")]
mod netbsd;
#[cfg(target_os = "openbsd")]
mod openbsd;
#[cfg(all(windows, target_pointer_width = "64"))]
mod windows;

/// A size, offset or constant of ours, and the published number that it must equal.
#[cfg(test)]
struct LayoutCheck {
    what: &'static str,
    found: i128,
    published: i128,
    source: &'static str,
}

#[cfg(test)]
mod tests {
    use super::LayoutCheck;

    const TABLE: &[&[LayoutCheck]] = &[
        #[cfg(target_os = "macos")]
        super::apple::ROWS,
        #[cfg(target_os = "freebsd")]
        super::freebsd::ROWS,
        #[cfg(target_os = "netbsd")]
        super::netbsd::ROWS,
        #[cfg(target_os = "openbsd")]
        super::openbsd::ROWS,
        #[cfg(target_os = "dragonfly")]
        super::dragonfly::ROWS,
        #[cfg(target_os = "illumos")]
        super::illumos::ROWS,
        #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
        super::linux::ROWS,
        #[cfg(all(windows, target_pointer_width = "64"))]
        super::windows::ROWS,
    ];

    #[test]
    fn every_number_is_the_published_one() {
        let rows: Vec<&LayoutCheck> = TABLE.iter().copied().flatten().collect();
        if rows.is_empty() {
            println!("skipped: no numbers are published for this system");
        }
        for row in rows {
            println!("{} = {} ({})", row.what, row.found, row.source);
            assert_eq!(row.found, row.published, "{}: {}", row.what, row.source);
            assert!(!row.source.is_empty(), "{} has no source", row.what);
        }
    }
}
