//! The parts of protocol buffers' encoding that a trace needs (protobuf.dev/programming-guides/encoding).

/// A message under construction.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

/// Wire type of numbers of variable length.
const VARINT: u32 = 0;
/// Wire type of bytes preceded by their length.
const BYTES: u32 = 2;

impl Message {
    /// Adds an unsigned number.
    #[must_use]
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        self.varint(u64::from(field << 3 | VARINT));
        self.varint(value);
        self
    }

    /// Adds a signed number, encoded as `int64`.
    #[must_use]
    pub(super) fn signed(self, field: u32, value: i64) -> Self {
        self.number(field, value.cast_unsigned())
    }

    /// Adds a text field.
    #[must_use]
    pub(super) fn text(self, field: u32, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a nested message.
    #[must_use]
    pub(super) fn message(self, field: u32, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Returns the encoded bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn bytes(mut self, field: u32, value: &[u8]) -> Self {
        self.varint(u64::from(field << 3 | BYTES));
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            #[allow(clippy::cast_possible_truncation)] // seven bits
            self.0.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        #[allow(clippy::cast_possible_truncation)] // below 0x80
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples in the encoding's documentation: field 1 with 150, field 2 with "testing", field 3 with the first
    /// message.
    #[test]
    fn bytes_are_those_of_the_description() {
        let first = Message::default().number(1, 150);
        assert_eq!(first.clone().into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().text(2, "testing").into_bytes();
        assert_eq!(text, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67]);
        assert_eq!(Message::default().message(3, &first).into_bytes(), [0x1A, 0x03, 0x08, 0x96, 0x01]);
        let minus_two = [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01];
        assert_eq!(Message::default().signed(1, -2).into_bytes()[1..], minus_two);
    }
}
