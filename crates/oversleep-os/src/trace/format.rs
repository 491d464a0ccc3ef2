//! The layout of tracefs records, from the files `events/*/*/format` and `events/header_page`.
//!
//! Offsets and sizes are taken from these files and never assumed, so a kernel that adds, drops or widens a field
//! is read correctly, and one that lacks a needed field gives an error that names it.

/// One field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// Offset in bytes from the record's start.
    pub offset: usize,
    /// Length in bytes.
    pub size: usize,
    /// Whether it is a signed number.
    pub signed: bool,
    /// Whether it contains offset and length of text elsewhere in the record (`__data_loc`).
    pub elsewhere: bool,
}

/// The layout of one event's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLayout {
    /// Name of the event, such as `sched_switch`.
    pub name: String,
    /// Number with which each of its records begins.
    pub id: u16,
    /// Fields, the common ones first.
    pub fields: Vec<Field>,
}

impl EventLayout {
    /// Parses an event's `format` file; the error says what is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let after = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        let name = after("name:").ok_or("no name")?.to_owned();
        let id = after("ID:").and_then(|id| id.parse().ok()).ok_or_else(|| format!("{name}: no ID"))?;
        let fields = text.lines().filter_map(field).collect();
        Ok(Self { name, id, fields })
    }

    /// Returns a field by name; the error names both.
    pub fn field(&self, name: &str) -> Result<&Field, String> {
        self.fields.iter().find(|field| field.name == name).ok_or_else(|| format!("{} has no {name}", self.name))
    }
}

impl Field {
    /// Returns a whole number of up to 8 bytes, sign-extended if the field is signed. `None` beyond the record's end.
    pub fn number(&self, record: &[u8]) -> Option<i64> {
        let bytes = record.get(self.offset..self.offset.checked_add(self.size)?)?;
        Some(match (self.size, self.signed) {
            (1, false) => i64::from(bytes[0]),
            (1, true) => i64::from(i8::from_ne_bytes([bytes[0]])),
            (2, false) => i64::from(u16::from_ne_bytes(bytes.try_into().ok()?)),
            (2, true) => i64::from(i16::from_ne_bytes(bytes.try_into().ok()?)),
            (4, false) => i64::from(u32::from_ne_bytes(bytes.try_into().ok()?)),
            (4, true) => i64::from(i32::from_ne_bytes(bytes.try_into().ok()?)),
            (8, _) => i64::from_ne_bytes(bytes.try_into().ok()?),
            _ => return None,
        })
    }

    /// Returns text up to its NUL, from the field itself or from where it points. `None` beyond the record's end.
    pub fn text(&self, record: &[u8]) -> Option<String> {
        let (offset, size) = if self.elsewhere {
            let place = u32::from_ne_bytes(record.get(self.offset..self.offset.checked_add(4)?)?.try_into().ok()?);
            ((place & 0xffff) as usize, (place >> 16) as usize)
        } else {
            (self.offset, self.size)
        };
        let bytes = record.get(offset..offset.checked_add(size)?)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }
}

/// Parses `field:pid_t prev_pid; offset:24; size:4; signed:1;`, separated by tabs.
fn field(line: &str) -> Option<Field> {
    let mut parts = line.trim().strip_prefix("field:")?.split(';').map(str::trim);
    let declaration = parts.next()?;
    let (mut offset, mut size, mut signed) = (None, None, false);
    for part in parts {
        match part.split_once(':') {
            Some(("offset", value)) => offset = value.parse().ok(),
            Some(("size", value)) => size = value.parse().ok(),
            Some(("signed", value)) => signed = value == "1",
            _ => {}
        }
    }
    // The name in `char comm[16]` and in `__data_loc char[] comm` is comm.
    let name = declaration.rsplit([' ', '*']).next()?;
    let name = name.split('[').next()?.to_owned();
    let elsewhere = declaration.starts_with("__data_loc");
    Some(Field { name, offset: offset?, size: size?, signed, elsewhere })
}

/// The layout of a ring-buffer page, from `events/header_page`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLayout {
    /// Offset of the data's length.
    pub commit: usize,
    /// Size of that length in bytes: 8, or 4 on 32-bit kernels.
    pub commit_size: usize,
    /// Offset of the data.
    pub data: usize,
    /// Maximum length of the data in a page, in bytes.
    pub capacity: usize,
}

impl PageLayout {
    /// Parses `header_page`; the error says what is missing. The page's time always comes first, in 8 bytes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<_> = text.lines().filter_map(field).collect();
        let find = |name: &str| {
            fields.iter().find(|field| field.name == name).ok_or_else(|| format!("header_page has no {name}"))
        };
        let (time, commit, data) = (find("timestamp")?, find("commit")?, find("data")?);
        let sane = time.offset == 0 && time.size == 8 && matches!(commit.size, 4 | 8);
        let sane = sane && commit.offset >= 8 && commit.offset + commit.size <= data.offset;
        if !sane || data.offset + data.size > 1 << 24 {
            return Err("header_page describes a page of unknown shape".to_owned());
        }
        Ok(Self { commit: commit.offset, commit_size: commit.size, data: data.offset, capacity: data.size })
    }

    /// Returns the size of a page including its head, in bytes.
    pub fn page(&self) -> usize {
        self.data + self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWITCH: &str = include_str!("../../tests/data/trace/format/sched_switch");
    const HANDLER: &str = include_str!("../../tests/data/trace/format/irq_handler_entry");

    #[test]
    fn a_format_file_gives_names_places_and_signs() {
        let format = EventLayout::parse(SWITCH).unwrap();
        assert_eq!((format.name.as_str(), format.id), ("sched_switch", 372));
        let names: Vec<_> = format.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(
            names[4..],
            ["prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio"]
        );
        let pid = format.field("next_pid").unwrap();
        assert_eq!((pid.offset, pid.size, pid.signed), (56, 4, true));
        assert_eq!(format.field("nonsense").unwrap_err(), "sched_switch has no nonsense");
    }

    #[test]
    fn pointers_and_text_elsewhere_are_fields_too() {
        let start = EventLayout::parse(include_str!("../../tests/data/trace/format/hrtimer_start")).unwrap();
        assert_eq!(start.field("hrtimer").unwrap().size, 8);
        assert_eq!(start.field("was_armed").unwrap().size, 1);
        let format = EventLayout::parse(HANDLER).unwrap();
        let name = format.field("name").unwrap();
        assert!(name.elsewhere);
        let mut record = vec![0; 24];
        record[12..16].copy_from_slice(&(0x10_u32 | (8 << 16)).to_ne_bytes());
        record[16..24].copy_from_slice(b"timer\0xx");
        assert_eq!(name.text(&record).as_deref(), Some("timer"));
        record[12..16].copy_from_slice(&(0x14_u32 | (8 << 16)).to_ne_bytes());
        assert_eq!(name.text(&record), None, "beyond the end");
    }

    #[test]
    fn numbers_keep_their_sign() {
        let field = |size, signed| Field { name: String::new(), offset: 0, size, signed, elsewhere: false };
        let ones = [0xff; 8];
        assert_eq!(field(4, true).number(&ones), Some(-1));
        assert_eq!(field(4, false).number(&ones), Some(0xffff_ffff));
        assert_eq!(field(1, true).number(&ones), Some(-1));
        assert_eq!(field(2, false).number(&ones), Some(0xffff));
        assert_eq!(field(8, true).number(&ones[..7]), None);
        assert_eq!(field(3, true).number(&ones), None);
    }

    #[test]
    fn the_page_s_head_is_read_and_nonsense_refused() {
        let layout = PageLayout::parse(include_str!("../../tests/data/trace/header_page")).unwrap();
        assert_eq!(layout, PageLayout { commit: 8, commit_size: 8, data: 16, capacity: 4080 });
        assert_eq!(layout.page(), 4096);
        assert!(PageLayout::parse("").is_err());
        let overlapping = "field: u64 timestamp; offset:0; size:8; signed:0;\n\
            field: local_t commit; offset:8; size:8; signed:1;\nfield: char data; offset:12; size:4080; signed:0;";
        assert!(PageLayout::parse(overlapping).is_err());
        assert!(EventLayout::parse("ID: 7").is_err());
        assert!(EventLayout::parse("name: x\nID: many").is_err());
    }
}
