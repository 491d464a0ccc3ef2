//! The operating systems that clocks and sleep primitives belong to.

use std::fmt;

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum System {
    /// Linux.
    Linux,
    /// `macOS`.
    MacOs,
    /// Windows.
    Windows,
    /// FreeBSD.
    FreeBsd,
    /// NetBSD.
    NetBsd,
    /// OpenBSD.
    OpenBsd,
    /// `DragonFly` BSD.
    DragonFly,
    /// illumos.
    Illumos,
}

impl System {
    /// Every system of the catalogue.
    pub const ALL: &[Self] = &[
        Self::Linux,
        Self::MacOs,
        Self::Windows,
        Self::FreeBsd,
        Self::NetBsd,
        Self::OpenBsd,
        Self::DragonFly,
        Self::Illumos,
    ];

    /// System for which this program was built, if it is in the catalogue.
    pub const HERE: Option<Self> = match std::env::consts::OS.as_bytes() {
        b"linux" => Some(Self::Linux),
        b"macos" => Some(Self::MacOs),
        b"windows" => Some(Self::Windows),
        b"freebsd" => Some(Self::FreeBsd),
        b"netbsd" => Some(Self::NetBsd),
        b"openbsd" => Some(Self::OpenBsd),
        b"dragonfly" => Some(Self::DragonFly),
        b"illumos" => Some(Self::Illumos),
        _ => None,
    };

    /// Returns the usual name of the system.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::MacOs => "macOS",
            Self::Windows => "Windows",
            Self::FreeBsd => "FreeBSD",
            Self::NetBsd => "NetBSD",
            Self::OpenBsd => "OpenBSD",
            Self::DragonFly => "DragonFly BSD",
            Self::Illumos => "illumos",
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
