//! Facts that all rows of a recording share, and the recording's folder in a dataset.

use super::table::{Column, Kind, Value};
use oversleep_recording::{Meta, Origin};
use std::path::PathBuf;

/// Columns that both tables begin with.
const COLUMNS: [Column; 8] = [
    ("host", Kind::Text),
    ("date", Kind::Date),
    ("recording", Kind::Text),
    ("started", Kind::Time),
    ("origin", Kind::Text),
    ("system", Kind::Text),
    ("release", Kind::Text),
    ("architecture", Kind::Text),
];

/// Hive's folder name for rows whose value is unknown.
const UNKNOWN: &str = "__HIVE_DEFAULT_PARTITION__";

/// Column by which a dataset is split into folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partition {
    /// Name of the machine.
    Host,
    /// Day on which the recording began, UTC.
    Date,
}

impl Partition {
    const fn column(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Date => "date",
        }
    }
}

/// Facts about a recording as a whole.
#[derive(Debug, Clone)]
pub struct Facts {
    host: Option<String>,
    started: Option<jiff::Timestamp>,
    recording: String,
    origin: &'static str,
    system: String,
    release: String,
    architecture: String,
}

impl Facts {
    /// Returns the facts of a recording. `host` is the machine's name, which recordings do not hold.
    pub fn of(meta: &Meta, host: Option<&str>) -> Self {
        let started: Option<jiff::Timestamp> = meta.started.as_deref().and_then(|text| text.parse().ok());
        let machine = &meta.machine;
        // Only what is known beforehand, so that a recording has the same name whenever it is written.
        let head = serde_json::to_vec(meta).unwrap_or_default();
        let sum = crc32fast::hash(&head);
        let began = started.map_or_else(|| "unknown".to_owned(), |time| time.strftime("%Y%m%dT%H%M%SZ").to_string());
        Self {
            host: host.map(str::to_owned),
            started,
            recording: format!("{began}-{sum:08x}"),
            origin: match meta.origin {
                Origin::Live => "live",
                Origin::Simulated { .. } => "simulated",
                Origin::Imported { .. } => "imported",
            },
            system: machine.system.clone(),
            release: machine.release.clone(),
            architecture: machine.architecture.clone(),
        }
    }

    /// Returns the recording's name: when it began, and a checksum of what was known beforehand.
    pub fn recording(&self) -> &str {
        &self.recording
    }

    /// Returns the folder of the recording's rows in a dataset: `host=a/date=2026-11-23`.
    pub fn folder(&self, partitions: &[Partition]) -> PathBuf {
        let value = |partition: &Partition| match partition {
            Partition::Host => self.host.clone(),
            Partition::Date => self.started.map(|time| time.strftime("%Y-%m-%d").to_string()),
        };
        let name = |partition: &Partition| {
            let value = value(partition).map_or_else(|| UNKNOWN.to_owned(), |value| escaped(&value));
            format!("{}={value}", partition.column())
        };
        partitions.iter().map(name).collect()
    }

    /// Returns the columns of facts that are in the files: those that no folder is named by.
    pub(super) fn columns(partitions: &[Partition]) -> Vec<Column> {
        let split = |name: &str| partitions.iter().any(|partition| partition.column() == name);
        COLUMNS.into_iter().filter(|(name, _)| !split(name)).collect()
    }

    /// Returns the values of [`Facts::columns`].
    pub(super) fn values(&self, partitions: &[Partition]) -> Vec<Value> {
        let days = |time: jiff::Timestamp| time.as_second().div_euclid(86_400);
        let all = [
            Value::text(self.host.as_deref().unwrap_or_default()),
            Value::number(self.started.map(days)),
            Value::text(&self.recording),
            Value::number(self.started.map(jiff::Timestamp::as_microsecond)),
            Value::text(self.origin),
            Value::text(&self.system),
            Value::text(&self.release),
            Value::text(&self.architecture),
        ];
        let kept = Self::columns(partitions);
        let named = COLUMNS.iter().zip(all).filter(|(column, _)| kept.contains(column));
        named.map(|(_, value)| value).collect()
    }
}

/// Escapes a value for a folder's name: all bytes but ASCII letters, digits, `-`, `_` and `.`.
fn escaped(value: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    value.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::Plan;

    #[test]
    fn folders_are_named_as_hive_names_them_and_nothing_leads_out_of_them() {
        let plan = Plan { experiment: "measure".into(), cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let mut meta = Meta::new("oversleep", Origin::Live, plan);
        let both = [Partition::Host, Partition::Date];
        let folder = |meta: &Meta, host| Facts::of(meta, host).folder(&both);
        assert_eq!(folder(&meta, None), PathBuf::from(format!("host={UNKNOWN}/date={UNKNOWN}")));
        // Late in the evening in New York, already the next day in UTC.
        meta.started = Some("2026-11-22T23:30:00-05:00".to_owned());
        assert_eq!(folder(&meta, Some("../a b")), PathBuf::from("host=..%2Fa%20b/date=2026-11-23"));
        let facts = Facts::of(&meta, None);
        assert!(facts.recording().starts_with("20261123T043000Z-"), "{}", facts.recording());
        assert_eq!(facts.values(&both).len(), COLUMNS.len() - 2);
        assert_eq!(facts.values(&[])[1], Value::Number(20_780), "days since 1970");
    }
}
