//! Downloads and unpacks Debian's emulators, kernels and busybox without installing them.
//!
//! apt has its own configuration, lists and archives here. Those of the machine are not written, nor read except for
//! its network settings. apt checks what it downloads by Debian's signature.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::child;

const SUITE: &str = "trixie";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
pub(crate) const BUSYBOX: &str = "usr/bin/busybox";

/// The packages that a step needs, and files by which they are recognised.
pub(crate) struct Wanted {
    /// Packages that run on this machine, with their dependencies.
    pub(crate) programs: &'static [&'static str],
    /// Package that depends on the newest kernel. Only that kernel is unpacked; its dependencies are for machines with
    /// a disk.
    pub(crate) kernel: &'static str,
    /// Package of the guest's busybox, if it needs one.
    pub(crate) shell: Option<&'static str>,
    pub(crate) files: &'static [&'static str],
}

/// Checks that this machine can run the programs and has the tools to get them.
pub(crate) fn ready(root: &Path) -> Result<(), String> {
    let host = child::output(root, &["uname", "-sm"]).unwrap_or_default();
    if host.trim() != "Linux x86_64" {
        return Err("only on x86-64 Linux".to_owned());
    }
    for tool in ["apt-get", "dpkg-deb", "timeout"] {
        child::output(root, &[tool, "--version"]).map_err(|_| format!("this machine has no {tool}"))?;
    }
    Ok(())
}

/// The folder with the unpacked packages, and the kernel in it.
pub(crate) struct Packages {
    folder: PathBuf,
    kernel: PathBuf,
}

impl Packages {
    /// Returns the packages kept from an earlier run, or downloads them.
    pub(crate) fn have(folder: &Path, wanted: &Wanted) -> Result<Self, String> {
        let kept = folder.join(SUITE);
        if let Some(packages) = Self::whole(&kept, wanted) {
            return Ok(packages);
        }
        if !Path::new(KEYS).exists() {
            return Err(format!("this machine has no {KEYS} (apt-get install debian-archive-keyring)"));
        }
        fetch(&folder.join("apt"), &kept, wanted)?;
        Self::whole(&kept, wanted).ok_or_else(|| "the packages do not hold what they did".to_owned())
    }

    fn whole(folder: &Path, wanted: &Wanted) -> Option<Self> {
        let mut kernels = fs::read_dir(folder.join("boot")).ok()?.flatten().map(|entry| entry.path());
        let kernel = kernels.find(|path| path.to_string_lossy().contains("/vmlinuz-"))?;
        let mut files = wanted.files.iter().chain(wanted.shell.map(|_| &BUSYBOX));
        files.all(|file| folder.join(file).exists()).then(|| Self { folder: folder.to_path_buf(), kernel })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn kernel(&self) -> &Path {
        &self.kernel
    }

    /// Returns the command that starts a program with its own loader and C library: the machine's may be older.
    pub(crate) fn words(&self, program: &str) -> Vec<String> {
        let text = |name: &str| self.path(name).display().to_string();
        let libraries = text("usr/lib/x86_64-linux-gnu");
        let loader = text("usr/lib64/ld-linux-x86-64.so.2");
        vec![loader, "--library-path".to_owned(), format!("{libraries}:{libraries}/pulseaudio"), text(program)]
    }
}

/// Downloads and unpacks the packages into a temporary folder and renames it, so that the folder at `place` is always
/// complete.
fn fetch(work: &Path, place: &Path, wanted: &Wanted) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", work.display());
    // An interrupted run may have left other versions.
    let _ = fs::remove_dir_all(work);
    let _ = fs::remove_dir_all(place);
    let apt = Apt { folder: work.to_path_buf() };
    apt.prepare().map_err(told)?;
    eprintln!("downloading {} and {} of Debian {SUITE}", wanted.programs.join(", "), wanted.kernel);
    apt.download(wanted)?;
    let root = work.join("root");
    fs::create_dir_all(&root).map_err(told)?;
    for archive in fs::read_dir(apt.archives()).map_err(told)?.flatten().map(|entry| entry.path()) {
        if archive.extension().is_some_and(|ending| ending == "deb") {
            child::output(&root, &["dpkg-deb", "-x", &archive.display().to_string(), "."])?;
        }
    }
    fs::rename(&root, place).map_err(told)?;
    fs::remove_dir_all(work).map_err(told)
}

/// An apt that knows one suite for two architectures, and no installed packages.
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

    fn download(&self, wanted: &Wanted) -> Result<(), String> {
        self.run(&["apt-get", "update"])?;
        let install = ["apt-get", "install", "--yes", "--download-only", "--no-install-recommends"];
        self.run(&[&install, wanted.programs].concat())?;
        let depends = self.run(&["apt-cache", "depends", wanted.kernel])?;
        let kernel = depends.lines().find_map(|line| line.trim().strip_prefix("Depends: "));
        let kernel = kernel.ok_or_else(|| format!("{} names no kernel", wanted.kernel))?;
        let guest = [Some(kernel), wanted.shell].into_iter().flatten();
        self.run(&["apt-get", "download"].into_iter().chain(guest).collect::<Vec<_>>()).map(drop)
    }

    /// Runs a command of apt; returns its standard output, or its error message.
    fn run(&self, words: &[&str]) -> Result<String, String> {
        let mut command = child::command(&self.archives(), &words[..1]);
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

/// Returns apt's configuration. It is read after the machine's and removes what that would run or fetch in addition.
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
