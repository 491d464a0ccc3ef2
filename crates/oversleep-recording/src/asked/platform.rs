//! Systems as people write them: `windows`, `Windows 11 24H2`, `macOS 15`, `freebsd-14`, `linux 5.15 rt`, `esp-idf`.

use crate::catalog::{BROWSERS, runtime_in};
use crate::names;
use std::fmt;
use std::str::FromStr;

names! {
    /// A system whose rules of sleeping are known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Platform {
        /// Linux, Android included.
        Linux = "Linux",
        /// Windows.
        Windows = "Windows",
        /// `macOS`.
        MacOs = "macOS",
        /// iOS, `iPadOS`, tvOS and watchOS.
        Ios = "iOS",
        /// FreeBSD.
        FreeBsd = "FreeBSD",
        /// NetBSD.
        NetBsd = "NetBSD",
        /// OpenBSD.
        OpenBsd = "OpenBSD",
        /// `DragonFly` BSD.
        DragonFly = "DragonFly BSD",
        /// illumos and Solaris.
        Illumos = "illumos",
        /// `FreeRTOS`, also as part of ESP-IDF.
        FreeRtos = "FreeRTOS",
        /// Zephyr.
        Zephyr = "Zephyr",
        /// Another system, of whose rules nothing is known here.
        Other = "another system",
    }
}

/// Programs and hypervisors: they name no system, and leave it open, as browsers do.
const NO_SYSTEMS: &str =
    "node,nodejs,deno,electron,java,python,unity,hyper-v,hyperv,vmware,virtualbox,kvm,qemu,parallels,xen";

/// The words by which people name a system. Words of a distribution come with what it is built on; a number after a
/// distribution's name is no version of the kernel.
const NAMES: &[(Platform, &str, bool)] = &[
    // Its kernel is none of Windows'.
    (Platform::Other, "windows ce,windows mobile,windows embedded compact", false),
    // WSL 1 has no kernel of its own: Linux' calls wait by Windows' timers.
    (Platform::Windows, "windows,win,win32,win64,cygwin,mingw,wsl1,wsl 1", true),
    (Platform::MacOs, "macos,mac,osx,os x,mac os,darwin,xnu", true),
    (Platform::Ios, "ios,ipados,iphone,ipad,tvos,watchos", true),
    (Platform::FreeBsd, "freebsd", true),
    (Platform::NetBsd, "netbsd", true),
    (Platform::OpenBsd, "openbsd", true),
    (Platform::DragonFly, "dragonfly,dragonflybsd", true),
    (Platform::Illumos, "illumos,solaris,sunos,smartos,omnios,openindiana", true),
    (
        Platform::FreeRtos,
        "freertos,esp-idf,espidf,esp32,esp32s3,esp32c3,esp8266,stm32,stm32f,stm32g,stm32h,stm32l,stm32u",
        false,
    ),
    (Platform::Zephyr, "zephyr,ncs,nrf-connect-sdk", true),
    (Platform::Other, "pico,rp2040,rp2350,micropython,circuitpython", false),
    (Platform::Linux, "linux,kernel", true),
    (
        Platform::Linux,
        "ubuntu,debian,fedora,arch,archlinux,centos,rhel,rocky,alpine,android,raspbian,raspberry,rpi,opensuse,suse,nixos,wsl,wsl2,docker,\
         kubernetes,k8s,container,gentoo,mint,yocto,chromeos,proxmox,steamos,amazon,aws",
        false,
    ),
];

/// A system as somebody stated it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedSystem {
    /// The text as it was written.
    pub text: String,
    /// The system; `None` if the text names only a program or a hypervisor.
    pub platform: Option<Platform>,
    /// Major and minor version of the kernel or system, if stated.
    pub version: Option<(u32, u32)>,
    /// Whether a real-time kernel is stated.
    pub real_time: bool,
    /// Whether it is stated to run in a virtual machine.
    pub guest: bool,
}

/// A text that names no system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a system known here{1}; write one of linux, windows, macos, ios, freebsd, netbsd, openbsd, dragonfly, illumos, \
     freertos, zephyr, with its version if you know it; 'other' for one that is none of these; or leave --system out"
)]
pub struct PlatformError(String, String);

impl Platform {
    /// Returns whether it is one of microcontrollers, or one that is not known.
    pub const fn is_small(self) -> bool {
        matches!(self, Self::FreeRtos | Self::Zephyr | Self::Other)
    }
}

impl fmt::Display for StatedSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl StatedSystem {
    /// Returns whether the version is stated and is this one or a later one.
    pub fn is_from(&self, major: u32, minor: u32) -> bool {
        self.version.is_some_and(|version| version >= (major, minor))
    }

    /// Returns whether the version is stated and is before this one. Windows 10 without its half-year may be any of them, and Linux 2.6
    /// without its third number, which is the minor version's last two digits: 2.6.28 is 2.628.
    pub fn is_before(&self, major: u32, minor: u32) -> bool {
        let is_any = match self.platform {
            Some(Platform::Windows) => self.version == Some((10, 0)),
            Some(Platform::Linux) => self.version == Some((2, 6)) && minor > 6,
            _ => false,
        };
        self.version.is_some_and(|version| version < (major, if is_any { 0 } else { minor }))
    }

    /// Returns whether it is a Windows of before Win32, which began with Windows NT 3.1 and, as Win32s, on Windows 3.1.
    pub fn is_before_win32(&self) -> bool {
        let text = self.text.to_lowercase();
        self.platform == Some(Platform::Windows)
            && self.is_before(4, 0)
            && !["nt", "win32s"].iter().any(|name| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == *name))
    }
}

impl FromStr for StatedSystem {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, PlatformError> {
        let lower = text.trim().to_lowercase();
        let words: Vec<&str> = lower.split([' ', ',', '(', ')', '/', '_']).filter(|word| !word.is_empty()).collect();
        let named = |names: &str| {
            names.split(',').find_map(|name| {
                if name.contains(' ') {
                    return lower.find(name).map(|index| index + name.len());
                }
                let word = words.iter().find(|word| {
                    word.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphabetic()))
                })?;
                lower.find(word).map(|index| index + name.len())
            })
        };
        let found = NAMES.iter().find_map(|(platform, names, versioned)| Some((*platform, named(names)?, *versioned)));
        let (platform, end, versioned) = match found {
            Some((platform, end, versioned)) => (Some(platform), end, versioned),
            None if named(NO_SYSTEMS).or_else(|| named(BROWSERS)).is_some() => (None, lower.len(), false),
            // Whatever else has a name may be a system, unless it is another one's, mistyped.
            None => {
                let mut all = NAMES.iter().flat_map(|(_, names, _)| names.split(','));
                let mistyped = all.find(|known| words.iter().any(|word| is_mistyped(word, known)));
                if mistyped.is_some() || !lower.contains(char::is_alphabetic) {
                    let meant = mistyped.map(|known| format!("; is {known} meant?")).unwrap_or_default();
                    return Err(PlatformError(text.to_owned(), meant));
                }
                (Some(Platform::Other), lower.len(), false)
            }
        };
        // The version of a runtime is none of the system's.
        let rest = &lower[end..];
        let rest = &rest[..runtime_in(rest).unwrap_or(rest.len())];
        let has = |sought: &[&str]| {
            lower.split(|c: char| !c.is_alphanumeric()).any(|word| {
                sought.iter().any(|name| {
                    word.strip_prefix(name).is_some_and(|rest| rest.chars().all(|digit| digit.is_ascii_digit()))
                })
            })
        };
        Ok(Self {
            text: text.trim().to_owned(),
            platform,
            version: platform.filter(|_| versioned).and_then(|platform| version(platform, rest)),
            real_time: platform == Some(Platform::Linux) && (has(&["rt"]) || lower.contains("preempt_rt")),
            guest: (platform == Some(Platform::Linux) && has(&["wsl"]))
                || has(&["vm", "guest", "hyper", "parallels", "virtualbox", "qemu", "kvm", "vmware", "ec", "aws"]),
        })
    }
}

/// Returns whether a word is a longer one with a letter left out, added, changed, or changed places with its neighbour; short ones
/// are near each other by chance.
fn is_mistyped(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let same = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let (rest, of_known) = (&word[same..], &known[same..]);
    let is_same = |skipped, of_known_skipped| match (rest.get(skipped..), of_known.get(of_known_skipped..)) {
        (Some(rest), Some(of_known)) => rest == of_known,
        _ => false,
    };
    let swapped = matches!((rest, of_known), ([a, b, ..], [c, d, ..]) if a == d && b == c);
    known.len() > 4 && (is_same(0, 1) || is_same(1, 0) || is_same(1, 1) || (swapped && is_same(2, 2)))
}

/// The Windows that have a name or a year in place of their version: those built on DOS lie between 4.0 (NT 4) and 5.0 (2000).
const NAMED_WINDOWS: [(&str, (u32, u32)); 13] = [
    ("95", (4, 3)),
    ("98", (4, 10)),
    ("me", (4, 90)),
    ("2000", (5, 0)),
    ("xp", (5, 1)),
    ("2003", (5, 2)),
    ("vista", (6, 0)),
    ("2008", (6, 0)),
    ("2012", (8, 0)),
    ("2016", (10, 1607)),
    ("2019", (10, 1809)),
    ("2022", (10, 2009)),
    ("2025", (11, 2400)),
];

/// Returns the first number of a text as a version. Builds of Windows (`10.0.22631`, `build 22000`) say which Windows it is:
/// from 22000 on it is 11; Windows 10's half-years (`22H2`, `2004`) are its minor version.
fn version(platform: Platform, text: &str) -> Option<(u32, u32)> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "server");
    let word = words.next().filter(|_| platform == Platform::Windows);
    if let Some((_, version)) = NAMED_WINDOWS.iter().find(|(name, _)| word == Some(name)) {
        return Some(*version);
    }
    let numbers: Vec<u32> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .filter_map(|d| d.parse().ok())
        .collect();
    let (first, second) = (*numbers.first()?, numbers.get(1).copied().unwrap_or(0));
    if platform != Platform::Windows {
        let third =
            numbers.get(2).filter(|third| platform == Platform::Linux && (first, second) == (2, 6) && **third < 100);
        return Some((first, third.map_or(second, |third| 600 + third)));
    }
    if numbers.iter().any(|number| (22_000..100_000).contains(number)) {
        return Some((11, 0));
    }
    // Windows 10 2004 (build 19041) is the first whose timer resolution is of the process alone.
    let build = numbers.iter().find(|number| (10_000..22_000).contains(*number));
    let half_year =
        numbers.iter().skip(1).find(|number| (16..=30).contains(*number) || (1507..=2009).contains(*number));
    let half_year = half_year.map(|number| if *number > 100 { *number } else { *number * 100 });
    Some((first, build.map(|build| if *build >= 19_041 { 2004 } else { 1909 }).or(half_year).unwrap_or(second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_read_as_people_write_them() {
        for (text, platform, version, real_time, guest) in [
            ("windows", Platform::Windows, None, false, false),
            ("Windows 11 24H2", Platform::Windows, Some((11, 2400)), false, false),
            ("Windows 98 SE", Platform::Windows, Some((4, 10)), false, false),
            ("Windows Server 2019", Platform::Windows, Some((10, 1809)), false, false),
            ("win10", Platform::Windows, Some((10, 0)), false, false),
            ("Windows 10 22H2 build 19045.2787", Platform::Windows, Some((10, 2004)), false, false),
            ("Windows 10.0.22631 ARM guest in Parallels", Platform::Windows, Some((11, 0)), false, true),
            ("macOS 15", Platform::MacOs, Some((15, 0)), false, false),
            ("OS X 10.10", Platform::MacOs, Some((10, 10)), false, false),
            ("freebsd-14", Platform::FreeBsd, Some((14, 0)), false, false),
            ("FreeBSD 10.1-RELEASE-p9", Platform::FreeBsd, Some((10, 1)), false, false),
            ("linux 5.15 rt", Platform::Linux, Some((5, 15)), true, false),
            ("linux 2.6.18", Platform::Linux, Some((2, 618)), false, false),
            ("linux 2.6", Platform::Linux, Some((2, 6)), false, false),
            ("Linux 5.15.133-rt69 PREEMPT_RT x86_64", Platform::Linux, Some((5, 15)), true, false),
            ("Ubuntu 22.04", Platform::Linux, None, false, false),
            ("Windows 10, Python 3.12", Platform::Windows, Some((10, 0)), false, false),
            ("linux go1.23", Platform::Linux, None, false, false),
            ("WSL2", Platform::Linux, None, false, true),
            ("openbsd", Platform::OpenBsd, None, false, false),
            ("esp-idf", Platform::FreeRtos, None, false, false),
            ("Zephyr 3.7", Platform::Zephyr, Some((3, 7)), false, false),
            ("darwin", Platform::MacOs, None, false, false),
            ("NuttX 12.4", Platform::Other, None, false, false),
            ("WSL 1", Platform::Windows, None, false, false),
            // A system of which nothing is known here is another one.
            ("Windows CE 2.0", Platform::Other, None, false, false),
            ("Arduino Uno", Platform::Other, None, false, false),
            ("z/OS 2.5", Platform::Other, None, false, false),
        ] {
            let read: StatedSystem = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((read.platform, read.version), (Some(platform), version), "{text}");
            assert_eq!((read.real_time, read.guest), (real_time, guest), "{text}");
        }
        for wrong in ["", "5.15", "linxu", "windws", "freebsdd", "macps"] {
            assert!(wrong.parse::<StatedSystem>().is_err(), "{wrong}");
        }
        for program in ["chrome", "vmware"] {
            assert_eq!(program.parse::<StatedSystem>().unwrap().platform, None, "{program}");
        }
    }
}
