//! The presets included in the program, as text. To add one, add a file in `presets/` and a line here.

macro_rules! presets {
    ($($name:literal)*) => {
        /// The name and text of every preset, in display order.
        pub(crate) const PRESETS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../presets/", $name, ".toml"))),)*];
    };
}

presets! {
    "darwin-7"
    "dragonfly-1.0"
    "dragonfly-1.0-i8254"
    "dragonfly-1.0-tvtohz-fix"
    "dragonfly-1.0-tvtohz-fix-herman"
    "dragonfly-frac"
    "dragonfly-pll"
    "dragonfly-pll-hz1000"
    "dragonfly-systimer"
    "freebsd-4.9"
    "freebsd-7-hz1000"
    "freebsd-7-hz2000"
    "freebsd-7-hz2500"
    "freebsd-7-hz4000"
    "freebsd-7-hz5000"
    "freebsd-7-hz10000"
    "freebsd-7-hz40000"
    "freebsd-8-hz1000"
    "freebsd-8-hz2000"
    "freebsd-8-hz2500"
    "freebsd-8-hz4000"
    "freebsd-8-hz5000"
    "freebsd-8-hz10000"
    "freebsd-8-hz40000"
    "freebsd-8-rizzo-fixed"
    "freebsd-8-rizzo-fixed-unsafe"
    "freebsd-10"
    "freebsd-10-busy"
    "freebsd-10-deviation-0"
    "freebsd-10-deviation-1"
    "freebsd-10-guest"
    "freebsd-15"
    "freertos"
    "freertos-hz1000"
    "illumos"
    "ios"
    "linux-2.4"
    "linux-2.6-hrtimer"
    "linux-2.6-hrtimer-rt"
    "linux-guest"
    "linux-nohighres-hz100"
    "linux-nohighres-hz250"
    "linux-nohighres-hz1000"
    "linux-real-time"
    "linux-server"
    "linux-wheel-4.8"
    "linux-wheel-4.8-hz250"
    "macos"
    "macos-active"
    "macos-app-nap"
    "macos-background"
    "macos-rt"
    "macos-tier-3"
    "macos-tier-3-user-idle"
    "macos-user-idle"
    "macos-utility"
    "netbsd"
    "nuttx"
    "openbsd"
    "openbsd-guest"
    "solaris-8"
    "windows-10-1ms"
    "windows-11"
    "windows-11-1ms"
    "windows-98"
    "windows-hires-waitable"
    "windows-nt-10ms"
    "windows-nt-15.6ms"
    "zephyr"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder of presets")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().replace(".toml", ""))
            .collect();
        assert_eq!(files, PRESETS.iter().map(|(name, _)| (*name).to_owned()).collect());
    }
}
