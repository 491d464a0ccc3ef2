//! A processor's ring buffer of a tracefs instance, read as raw pages.

use super::super::format::PageLayout;
use super::super::page::Page;
use oversleep_recording::trace::Gap;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// A processor's ring buffer.
#[derive(Debug)]
pub(super) struct CpuBuffer {
    pub(super) cpu: u16,
    file: File,
    last: Nanos,
}

impl CpuBuffer {
    /// Opens the ring buffers of an instance.
    pub(super) fn all(instance: &Path) -> Result<Vec<Self>, Refusal> {
        let folder = instance.join("per_cpu");
        let entries = std::fs::read_dir(&folder).map_err(|error| Refusal::from_os("tracefs per_cpu", &error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.strip_prefix("cpu")?.parse().ok()).map(|cpu| Self::open(&folder, cpu)).collect()
    }

    fn open(folder: &Path, cpu: u16) -> Result<Self, Refusal> {
        let path = folder.join(format!("cpu{cpu}/trace_pipe_raw"));
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
        let file = file.map_err(|error| Refusal::from_os("tracefs trace_pipe_raw", &error))?;
        Ok(Self { cpu, file, last: Nanos::ZERO })
    }

    /// Returns whether it is half full (`buffer_percent`), on kernels before 6.1 whether anything is in it.
    pub(super) fn is_filling(&self) -> bool {
        let mut event = libc::pollfd { fd: self.file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, as said, and no waiting.
        unsafe { libc::poll(&raw mut event, 1, 0) > 0 }
    }

    /// Reads the next page; returns `false` if there is none.
    pub(super) fn fill(&mut self, page: &mut [u8]) -> Result<bool, Refusal> {
        loop {
            match self.file.read(page) {
                Ok(0) => return Ok(false),
                Ok(length) => {
                    page[length..].fill(0);
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Refusal::from_os("tracefs trace_pipe_raw", &error)),
            }
        }
    }

    /// Passes on each record of a page, with its time; returns the gaps before or within the page.
    pub(super) fn take(&mut self, bytes: &[u8], layout: &PageLayout, mut each: impl FnMut(u64, &[u8])) -> Vec<Gap> {
        let Ok(page) = Page::parse(bytes, layout) else {
            // Nothing in it can be decoded; its contents are lost, up to the next valid page.
            return vec![Gap { cpu: self.cpu, from: self.last, until: Nanos::MAX, records: 0 }];
        };
        let mut gaps = Vec::new();
        let start = Nanos::new(i64::try_from(page.start).unwrap_or(i64::MAX));
        if let Some(records) = page.missed() {
            gaps.push(Gap { cpu: self.cpu, from: self.last, until: start, records });
        }
        self.last = self.last.max(start);
        for record in page.records() {
            let Ok(record) = record else {
                gaps.push(Gap { cpu: self.cpu, from: self.last, until: Nanos::MAX, records: 0 });
                return gaps;
            };
            self.last = Nanos::new(i64::try_from(record.at).unwrap_or(i64::MAX));
            each(record.at, record.bytes);
        }
        gaps
    }
}

/// Returns `events/header_page`, in one read: this file only supports reads from its beginning (seen on 6.18).
pub(super) fn header(root: &Path) -> Result<String, Refusal> {
    let mut text = vec![0; 16 * 1024];
    let file = File::open(root.join("events/header_page")).and_then(|mut file| file.read(&mut text));
    let length = file.map_err(|error| Refusal::from_os("tracefs header_page", &error))?;
    Ok(String::from_utf8_lossy(&text[..length]).into_owned())
}
