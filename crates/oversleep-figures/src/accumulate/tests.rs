use super::sparse::EXACT;
use super::*;
use crate::quantile::{self, Fraction};

fn spread(count: usize) -> Accumulator {
    let mut values = Accumulator::default();
    // The first values of a multiplicative generator with a full cycle: all distinct, in no order.
    let mut value = 1_u64;
    for _ in 0..count {
        value = value * 48_271 % 2_147_483_647;
        values.add(value.cast_signed() - 500_000_000);
    }
    values
}

#[test]
fn few_values_are_exact() {
    let mut values = Accumulator::default();
    for value in [5, -3, 1, 9, 7] {
        values.add(value);
    }
    assert_eq!((values.count(), values.settle().early(), values.min(), values.max()), (5, 1, Some(-3), Some(9)));
    assert_eq!(values.settle().quantile(Fraction::P50), Some(5));
    assert_eq!(values.settle().mean(), Some(3.8));
    assert!((values.settle().deviation().unwrap() - 4.816_637).abs() < 1e-6);
    assert_eq!(values.counts(&[0, 6]), [1, 2, 2]);
    assert!(values.settle().exact());
}

#[test]
fn many_values_keep_their_sign_and_three_digits() {
    let mut many = spread(EXACT + 10_000);
    assert!(!many.settle().exact());
    let mut sorted = Vec::new();
    let mut value = 1_u64;
    for _ in 0..EXACT + 10_000 {
        value = value * 48_271 % 2_147_483_647;
        sorted.push(value.cast_signed() - 500_000_000);
    }
    sorted.sort_unstable();
    for p in [Fraction::P50, Fraction::P90, Fraction::P99, Fraction::P999] {
        let (binned, exact) = (many.settle().quantile(p).unwrap(), quantile::of_sorted(&sorted, p).unwrap());
        assert!((binned - exact).abs() <= exact.abs() / 1_000 + 1, "{binned} against {exact}");
    }
    assert_eq!(many.settle().early(), sorted.iter().filter(|&&value| value < 0).count() as u64);
    assert_eq!(many.settle().at_rank(1), many.min());
    assert_eq!(many.counts(&[0]).iter().sum::<u64>(), many.count());
    assert_eq!(many.counts(&[0])[0], many.settle().early());
}

#[test]
fn ranks_come_in_any_order_and_between_additions() {
    let mut values = spread(1_000);
    let mut sorted = values.sparse.values().expect("few values are exact").to_vec();
    sorted.sort_unstable();
    for rank in [500, 900, 990, 999, 470, 530, 2, 500, 1, 1_000, 501] {
        assert_eq!(values.settle().at_rank(rank), Some(sorted[usize::try_from(rank).unwrap() - 1]), "rank {rank}");
    }
    values.add(i64::MIN + 1);
    assert_eq!(values.settle().at_rank(2), Some(sorted[0]));
    assert_eq!(values.settle().at_rank(501), Some(sorted[499]));
}

#[test]
fn two_merged_are_as_one() {
    for (one, other) in [(0, 5), (5, 0), (7, 9), (EXACT + 3, 5), (5, EXACT + 3), (EXACT - 2, EXACT - 2)] {
        let mut whole = spread(one + other);
        let mut first = spread(one);
        let mut second = Accumulator::default();
        let mut value = 1_u64;
        for number in 0..one + other {
            value = value * 48_271 % 2_147_483_647;
            if number >= one {
                second.add(value.cast_signed() - 500_000_000);
            }
        }
        first.merge(&second);
        assert_eq!((first.count(), first.settle().early()), (whole.count(), whole.settle().early()));
        assert_eq!((first.min(), first.max()), (whole.min(), whole.max()));
        assert_eq!(first.settle().exact(), whole.settle().exact());
        assert_eq!(first.settle().quantile(Fraction::P50), whole.settle().quantile(Fraction::P50));
        assert_eq!(first.settle().quantile(Fraction::P999), whole.settle().quantile(Fraction::P999));
        assert!((first.settle().mean().unwrap() - whole.settle().mean().unwrap()).abs() < 1e-3);
        assert!((first.settle().deviation().unwrap() / whole.settle().deviation().unwrap() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn nothing_has_no_statistics() {
    let mut empty = Accumulator::default();
    assert_eq!((empty.min(), empty.max(), empty.settle().mean(), empty.settle().deviation()), (None, None, None, None));
    assert_eq!(empty.settle().quantile(Fraction::P50), None);
}

#[test]
fn the_ends_of_the_range_neither_wrap_nor_vanish() {
    let mut values = Accumulator::default();
    for _ in 0..=EXACT {
        values.add(i64::MIN);
        values.add(i64::MAX);
    }
    assert!(!values.settle().exact());
    assert_eq!((values.min(), values.max()), (Some(i64::MIN), Some(i64::MAX)));
    assert_eq!(values.settle().at_rank(1), Some(i64::MIN));
    assert_eq!(values.counts(&[0]), [EXACT as u64 + 1, EXACT as u64 + 1]);
}

/// Returns values most of which are counted in bins.
fn near(count: usize) -> Vec<i64> {
    let mut value = 1_u64;
    let next = |_| {
        value = value * 48_271 % 2_147_483_647;
        // One in 20 is anywhere within ±500 µs.
        if value.is_multiple_of(20) {
            (value % 1_000_000).cast_signed() - 500_000
        } else {
            (value % 200_000).cast_signed()
        }
    };
    (0..count).map(next).collect()
}

#[test]
fn many_that_are_counted_stay_exact() {
    let values = near(50_000);
    let mut gathered = Accumulator::default();
    for &value in &values {
        gathered.add(value);
    }
    assert!(gathered.counted.is_some() && gathered.settle().exact());
    let mut sorted = values.clone();
    sorted.sort_unstable();
    for rank in (1..=50_000).step_by(37).chain([1, 2, 49_999, 50_000]) {
        assert_eq!(gathered.settle().at_rank(rank), Some(sorted[usize::try_from(rank).unwrap() - 1]), "rank {rank}");
    }
    let mean = values.iter().sum::<i64>() as f64 / 5e4;
    let squares: f64 = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum();
    assert!((gathered.settle().mean().unwrap() - mean).abs() < 1e-6);
    assert!((gathered.settle().deviation().unwrap() / (squares / 49_999.0).sqrt() - 1.0).abs() < 1e-12);
    assert_eq!((gathered.min(), gathered.max()), (sorted.first().copied(), sorted.last().copied()));
    let edges = [0, 1_000, 262_143, 262_144, 400_000];
    let counted = |from: i64, to: i64| sorted.iter().filter(|&&value| from <= value && value < to).count() as u64;
    let bounds = [i64::MIN, 0, 1_000, 262_143, 262_144, 400_000, i64::MAX];
    assert_eq!(gathered.counts(&edges), bounds.windows(2).map(|pair| counted(pair[0], pair[1])).collect::<Vec<_>>());
}

#[test]
fn counted_and_kept_merge_either_way() {
    let values = near(20_000);
    let gather = |values: &[i64]| {
        let mut gathered = Accumulator::default();
        for &value in values {
            gathered.add(value);
        }
        gathered
    };
    let mut whole = gather(&values);
    for at in [10, 4_000, 10_000, 19_990] {
        let mut both = gather(&values[..at]);
        both.merge(&gather(&values[at..]));
        assert_eq!((both.count(), both.settle().early()), (whole.count(), whole.settle().early()));
        for rank in [1, 500, 10_000, 19_990, 20_000] {
            assert_eq!(both.settle().at_rank(rank), whole.settle().at_rank(rank), "rank {rank}, split at {at}");
        }
        assert!((both.settle().deviation().unwrap() / whole.settle().deviation().unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn many_values_at_even_distances_are_as_if_added_one_by_one() {
    let counts = [0, 1, 2, 1_000, EXACT as u64, EXACT as u64 + 1, 3_000_000];
    for ((step, above), count) in
        [(1, 0), (7, 3), (1_000, 999), (123_457, 5)].into_iter().flat_map(|pair| counts.map(|count| (pair, count)))
    {
        let highest = step * count.cast_signed() + above;
        let (mut together, mut each) = (spread(3), spread(3));
        together.add_descending(highest, step, count);
        (0..count.cast_signed()).for_each(|number| each.add(highest - step * number));
        assert_eq!(together.count(), each.count());
        assert_eq!((together.min(), together.max()), (each.min(), each.max()), "{step} × {count}");
        let mut both = [together.settle(), each.settle()];
        let [mean, deviation] =
            [both.each_ref().map(|of| of.mean().unwrap()), both.each_ref().map(|of| of.deviation().unwrap())];
        assert!((mean[0] - mean[1]).abs() <= mean[1].abs() * 1e-9, "{step} × {count}: {mean:?}");
        assert!((deviation[0] - deviation[1]).abs() <= deviation[1] * 1e-9, "{step} × {count}: {deviation:?}");
        for p in [Fraction::P50, Fraction::P90, Fraction::P99, Fraction::P999] {
            let [found, exact] = both.each_mut().map(|of| of.quantile(p).unwrap());
            assert!((found - exact).abs() <= exact.abs() / 1_000 + 1, "{step} × {count}: {found} against {exact}");
        }
    }
}

#[test]
fn a_value_of_centuries_at_distances_of_a_nanosecond_is_added_at_once() {
    let mut values = Accumulator::default();
    values.add_descending(i64::MAX, 1, 1 << 53);
    values.add_descending(i64::MAX, i64::MAX, 1);
    assert_eq!(
        (values.count(), values.min(), values.max()),
        ((1 << 53) + 1, Some(i64::MAX - (1 << 53) + 1), Some(i64::MAX))
    );
}
