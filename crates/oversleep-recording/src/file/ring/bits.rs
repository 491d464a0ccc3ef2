//! Numbers as bits, in one description for both directions.
//!
//! Numbers are written as exponential Golomb codes of order k: those below 2ᵏ take k + 1 bits, and twice the value takes
//! two bits more. So a distribution with a heavy tail costs little even if k fits only its middle.

use bitstream_io::{BigEndian, BitRead, BitReader, BitWrite, BitWriter};
use std::io;

/// Where bits go to, or come from. Who writes and who reads run the same code: each value is `given` to the port, which
/// returns it; a port that reads ignores what it is given and returns what was written.
pub(super) trait Port {
    /// Passes a bit.
    fn bit(&mut self, given: bool) -> io::Result<bool>;
    /// Passes a number as a code of order `k`, at most 63.
    fn number(&mut self, given: u64, k: u32) -> io::Result<u64>;

    /// Passes a signed number: 0, −1, 1, −2, … as 0, 1, 2, 3, …
    fn signed(&mut self, given: i64, k: u32) -> io::Result<i64> {
        let folded = self.number(((given << 1) ^ (given >> 63)).cast_unsigned(), k)?;
        Ok((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }
}

/// Writes bits.
pub(super) struct Writing(BitWriter<Vec<u8>, BigEndian>);

impl Writing {
    pub(super) fn new() -> Self {
        Self(BitWriter::endian(Vec::new(), BigEndian))
    }

    /// Returns the bytes; the last one is filled with zeros.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        self.0.byte_align()?;
        Ok(self.0.into_writer())
    }
}

impl Port for Writing {
    fn bit(&mut self, given: bool) -> io::Result<bool> {
        self.0.write_bit(given)?;
        Ok(given)
    }

    fn number(&mut self, given: u64, k: u32) -> io::Result<u64> {
        let above = u128::from(given >> k) + 1;
        let length = above.ilog2();
        self.0.write_unary::<1>(length)?;
        if length > 0 {
            let rest = u64::try_from(above - (1 << length)).unwrap_or(u64::MAX);
            self.0.write_var(length, rest)?;
        }
        if k > 0 {
            self.0.write_var(k, given & ((1 << k) - 1))?;
        }
        Ok(given)
    }
}

/// Reads bits. After the end of the bytes every read is an error.
pub(super) struct Reading<'a>(BitReader<&'a [u8], BigEndian>);

impl<'a> Reading<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(BitReader::endian(bytes, BigEndian))
    }
}

impl Port for Reading<'_> {
    fn bit(&mut self, _: bool) -> io::Result<bool> {
        self.0.read_bit()
    }

    fn number(&mut self, _: u64, k: u32) -> io::Result<u64> {
        let beyond = || io::Error::from(io::ErrorKind::InvalidData);
        let length = self.0.read_unary::<1>()?;
        if length > u64::BITS {
            return Err(beyond());
        }
        let rest: u64 = if length > 0 { self.0.read_var(length)? } else { 0 };
        let above = (1_u128 << length) + u128::from(rest) - 1;
        let low: u64 = if k > 0 { self.0.read_var(k)? } else { 0 };
        u64::try_from((above << k) | u128::from(low)).map_err(|_| beyond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back_and_small_ones_are_short() {
        let numbers = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]).chain([u64::MAX]);
        let numbers: Vec<u64> = numbers.collect();
        let signed = [0, -1, 1, i64::MIN, i64::MAX, -4711];
        for k in [0, 1, 7, 40, 63] {
            let mut out = Writing::new();
            for &number in &numbers {
                out.number(number, k).unwrap();
            }
            for number in signed {
                out.signed(number, k).unwrap();
            }
            let bytes = out.finish().unwrap();
            let mut back = Reading::new(&bytes);
            for &number in &numbers {
                assert_eq!(back.number(0, k).unwrap(), number, "k = {k}");
            }
            assert_eq!(signed.map(|_| back.signed(0, k).unwrap()), signed, "k = {k}");
        }
        let mut out = Writing::new();
        for number in 0..16 {
            out.number(number, 4).unwrap();
        }
        assert_eq!(out.finish().unwrap().len(), 10, "sixteen times five bits");
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        assert!(Reading::new(&[0; 20]).number(0, 3).is_err());
        assert!(Reading::new(&[]).bit(true).is_err());
        // A code of 64 bits above order 8 is not a number of 64 bits.
        let mut long = vec![0; 8];
        long.extend([0xFF; 12]);
        assert!(Reading::new(&long).number(0, 8).is_err());
    }
}
