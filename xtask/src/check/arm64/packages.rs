//! Debian's qemu, arm64 kernel and arm64 busybox, unpacked and not installed.
//!
//! apt has a configuration, lists and archives of its own here: the machine's are neither read (but for how it reaches the
//! network) nor written. It checks what it downloads by Debian's signature.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::child;

const SUITE: &str = "trixie";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const EMULATOR: &str = "qemu-system-arm";
/// A third of the size of the usual kernel, and with everything that is tested here.
const KERNEL: &str = "linux-image-cloud-arm64:arm64";
const SHELL: &str = "busybox-static:arm64";

/// A folder that holds all of them.
pub(super) struct Packages {
    folder: PathBuf,
    kernel: PathBuf,
}

impl Packages {
    /// Those kept from an earlier run, or downloaded; the error says why neither.
    pub(super) fn have(root: &Path, folder: &Path) -> Result<Self, String> {
        let kept = folder.join(SUITE);
        if Self::whole(&kept).is_none() {
            if !Path::new(KEYS).exists() {
                return Err(format!("this machine has no {KEYS} (apt-get install debian-archive-keyring)"));
            }
            fetch(&folder.join("apt"), &kept)?;
        }
        let packages = Self::whole(&kept).ok_or("the packages are not what they were: no qemu, kernel or busybox")?;
        let version = [packages.emulator(), vec!["--version".to_owned()]].concat();
        let version = child::output(root, &version.iter().map(String::as_str).collect::<Vec<_>>());
        version.map_err(|why| format!("Debian's qemu does not start here: {why}"))?;
        Ok(packages)
    }

    fn whole(folder: &Path) -> Option<Self> {
        let kernels = fs::read_dir(folder.join("boot")).ok()?.flatten().map(|entry| entry.path());
        let kernel = kernels.into_iter().find(|path| path.to_string_lossy().contains("/vmlinuz-"))?;
        let packages = Self { folder: folder.to_path_buf(), kernel };
        let there = [packages.busybox(), packages.path("usr/bin/qemu-system-aarch64")].iter().all(|path| path.exists());
        there.then_some(packages)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn busybox(&self) -> PathBuf {
        self.path("usr/bin/busybox")
    }

    pub(super) fn kernel(&self) -> &Path {
        &self.kernel
    }

    /// The words that start qemu, by its own C library and loader: the machine's may be older.
    pub(super) fn emulator(&self) -> Vec<String> {
        let text = |name: &str| self.path(name).display().to_string();
        let libraries = text("usr/lib/x86_64-linux-gnu");
        let loader = text("usr/lib64/ld-linux-x86-64.so.2");
        let qemu = text("usr/bin/qemu-system-aarch64");
        vec![loader, "--library-path".into(), libraries, qemu, "-L".into(), text("usr/share/qemu")]
    }
}

/// Downloads and unpacks into a folder beside the one wanted, which therefore is whole once it has its name.
fn fetch(work: &Path, wanted: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", work.display());
    // What an interrupted run left may be of other versions.
    let _ = fs::remove_dir_all(work);
    let _ = fs::remove_dir_all(wanted);
    let apt = Apt { folder: work.to_path_buf() };
    apt.prepare().map_err(told)?;
    eprintln!("downloading qemu, an arm64 kernel and busybox of Debian {SUITE}");
    apt.download()?;
    let root = work.join("root");
    fs::create_dir_all(&root).map_err(told)?;
    for archive in fs::read_dir(apt.archives()).map_err(told)?.flatten().map(|entry| entry.path()) {
        if archive.extension().is_some_and(|ending| ending == "deb") {
            child::output(&root, &["dpkg-deb", "-x", &archive.display().to_string(), "."])?;
        }
    }
    fs::rename(&root, wanted).map_err(told)?;
    fs::remove_dir_all(work).map_err(told)
}

/// An apt that knows one suite, for two architectures, and of no package installed.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn archives(&self) -> PathBuf {
        self.folder.join("archives")
    }

    fn prepare(&self) -> Result<(), std::io::Error> {
        fs::create_dir_all(self.folder.join("lists").join("partial"))?;
        fs::create_dir_all(self.archives().join("partial"))?;
        fs::write(self.folder.join("status"), "")?;
        fs::write(
            self.folder.join("sources.list"),
            format!("deb [signed-by={KEYS}] http://deb.debian.org/debian {SUITE} main\n"),
        )?;
        fs::write(self.folder.join("apt.conf"), configuration(&self.folder.display().to_string()))
    }

    fn download(&self) -> Result<(), String> {
        self.run(&["apt-get", "update"])?;
        self.run(&["apt-get", "install", "--yes", "--download-only", "--no-install-recommends", EMULATOR])?;
        // The kernel's dependencies are for a machine that has a disk.
        let depends = self.run(&["apt-cache", "depends", KERNEL])?;
        let kernel = depends.lines().find_map(|line| line.trim().strip_prefix("Depends: "));
        let kernel = kernel.ok_or_else(|| format!("{KERNEL} names no kernel"))?;
        self.run(&["apt-get", "download", kernel, SHELL]).map(drop)
    }

    /// Standard output of a command of apt; the last of its messages if it fails.
    fn run(&self, words: &[&str]) -> Result<String, String> {
        let mut command: Command = child::command(&self.archives(), &words[..1]);
        command.arg("--config-file").arg(self.folder.join("apt.conf")).args(["-qq"]).args(&words[1..]);
        let output = command.output().map_err(|error| format!("{}: {error}", words[0]))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let error = said.lines().find(|line| line.starts_with("E: ")).or(said.lines().last()).unwrap_or("no message");
        Err(format!("`{}`: {error}", words.join(" ")))
    }
}

/// Read after the machine's own, of which it takes away what would be run or fetched besides.
fn configuration(folder: &str) -> String {
    format!(
        r#"#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear APT::Architectures;
APT::Architecture "amd64";
APT::Architectures {{ "amd64"; "arm64"; }};
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Debug::NoLocking "true";
Dir::State "{folder}";
Dir::State::status "{folder}/status";
Dir::State::lists "{folder}/lists";
Dir::Cache "{folder}";
Dir::Cache::archives "{folder}/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
"#
    )
}
