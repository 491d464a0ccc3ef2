//! The operating systems that clocks and sleep primitives belong to.

use crate::names;
use std::fmt;

names! {
    /// An operating system.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum System {
        /// Linux.
        Linux = "Linux",
        /// `macOS`.
        MacOs = "macOS",
        /// Windows.
        Windows = "Windows",
        /// FreeBSD.
        FreeBsd = "FreeBSD",
        /// NetBSD.
        NetBsd = "NetBSD",
        /// OpenBSD.
        OpenBsd = "OpenBSD",
        /// `DragonFly` BSD.
        DragonFly = "DragonFly BSD",
        /// illumos.
        Illumos = "illumos",
    }
}

impl System {
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
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
