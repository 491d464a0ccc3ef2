//! The rows of all families in one table, assembled and checked at compile time.

use super::row::MethodRow;
use super::rows::{apple, illumos, kqueue, linux, portable, posix, windows};

const FAMILIES: &[&[MethodRow]] =
    &[portable::ROWS, posix::ROWS, linux::ROWS, kqueue::ROWS, apple::ROWS, illumos::ROWS, windows::ROWS];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

const fn table() -> [MethodRow; COUNT] {
    let mut table = [FAMILIES[0][0]; COUNT];
    let (mut index, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            table[index] = FAMILIES[family][row];
            assert!(table[index].id as usize == index, "the rows are not in the order of MethodId");
            index += 1;
            row += 1;
        }
        family += 1;
    }
    table
}

static TABLE: [MethodRow; COUNT] = table();

/// Every row, in the order of [`super::MethodId`].
pub static ROWS: &[MethodRow] = &TABLE;
