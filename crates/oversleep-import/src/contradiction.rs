//! Figures of one distribution that cannot all be true.

use oversleep_recording::Distribution;
use oversleep_recording::Quantity::{LoopGap, Noise, TimerInterrupt, TimerThread, TimerUser};
use oversleep_sys::units::Nanos;

/// Returns how the extremes and the mean of a distribution contradict each other or the buckets; `None` if they can be
/// true together.
pub(super) fn contradiction(of: &Distribution) -> Option<String> {
    if of.count == 0 {
        return None;
    }
    let least = of.min.unwrap_or(Nanos::new(i64::MIN));
    let most = of.max.unwrap_or(Nanos::new(i64::MAX));
    if least > most {
        return Some(format!("its smallest value, {least}, is above its largest, {most}"));
    }
    // rtla does not state how wide its buckets are, so that their upper ends are inferred.
    let inferred = matches!(of.quantity, TimerInterrupt | TimerThread | TimerUser | Noise);
    let mut filled = of.buckets.iter().filter(|(_, _, count)| *count > 0);
    if let Some(&(low, high, _)) = filled.next() {
        let (last_low, last_high) = filled.next_back().map_or((low, high), |&(low, high, _)| (low, high));
        if least > high && !inferred || of.min.is_some() && least < low {
            return Some(format!("its smallest value is {least}, and its lowest value in buckets {low}"));
        }
        if most < last_low {
            return Some(format!("its largest value is below {most}, and values in buckets reach {last_low}"));
        }
        if inferred {
            return mean(of, least, most);
        }
        if of.max.is_some() && of.outside() == 0 && most > last_high {
            return Some(format!("its largest value is below {most}, and no bucket above {last_high} has a value"));
        }
        if of.outside() > 0 && of.outside_from.is_some_and(|from| most < from) {
            let outside = of.outside();
            return Some(format!("{outside} values are beyond its buckets, and its largest value, {most}, is not"));
        }
    }
    mean(of, least, most).or_else(|| mean_of_buckets(of))
}

/// Returns how the mean contradicts the buckets: it lies between those of their lower and of their upper ends.
fn mean_of_buckets(of: &Distribution) -> Option<String> {
    let mean = of.mean_ns.filter(|_| !of.buckets.is_empty() && of.quantity != LoopGap)?;
    let outside = of.outside() as f64;
    let sum = |end: fn(&(Nanos, Nanos, u64)) -> Nanos| -> f64 {
        of.buckets.iter().map(|bucket| end(bucket).get() as f64 * bucket.2 as f64).sum()
    };
    let from = of.outside_from.filter(|_| outside > 0.0);
    let least = (sum(|bucket| bucket.0) + from.map_or(0.0, |from| from.get() as f64) * outside) / of.count as f64;
    let most = match of.max {
        _ if outside == 0.0 => sum(|bucket| bucket.1) / of.count as f64,
        Some(max) => (sum(|bucket| bucket.1) + max.get() as f64 * outside) / of.count as f64,
        None => f64::INFINITY,
    };
    let apart = 1_000.0 + of.max.map_or(0.0, |max| (max.get() as f64).abs() / of.count as f64);
    let shown = Nanos::from_f64;
    if outside > 0.0 && from.is_none() || (least - apart..=most + apart).contains(&mean) {
        return None;
    }
    let end = if mean < least { format!("at least {}", shown(least)) } else { format!("at most {}", shown(most)) };
    Some(format!("its mean is {}, and that of its buckets is {end}", shown(mean)))
}

/// Returns how the mean contradicts the extremes.
fn mean(of: &Distribution, least: Nanos, most: Nanos) -> Option<String> {
    let mean = of.mean_ns?;
    // Some programs round it, and print it while a last value is being added.
    let apart = |extreme: Nanos| 1_000.0 + (extreme.get() as f64).abs() / of.count as f64;
    let shown = Nanos::from_f64(mean);
    if mean < least.get() as f64 - apart(least) {
        return Some(format!("its mean is {shown}, and its smallest value {least}"));
    }
    (mean > most.get() as f64 + apart(most)).then(|| format!("its mean is {shown}, and its largest value {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Quantity;

    fn us(value: i64) -> Nanos {
        Nanos::from_micros(value)
    }

    #[test]
    fn what_cannot_be_true_together_is_told() {
        let bucket = |value: i64, count| (us(value), us(value + 1) - Nanos::new(1), count);
        let sound = Distribution {
            cell: 0,
            quantity: Quantity::Oversleep,
            count: 30,
            buckets: vec![bucket(3, 0), bucket(5, 10), bucket(9, 19), bucket(20, 0)],
            outside_from: Some(us(100)),
            min: Some(us(5)),
            max: Some(us(200)),
            mean_ns: Some(12_000.0),
            lost: Vec::new(),
        };
        assert_eq!(contradiction(&sound), None);
        let told = |change: &dyn Fn(&mut Distribution)| {
            let mut changed = sound.clone();
            change(&mut changed);
            contradiction(&changed).unwrap_or_default()
        };
        assert!(told(&|it| it.min = Some(us(300))).contains("is above its largest"));
        assert!(told(&|it| it.min = Some(us(-5))).contains("its smallest value is -5.00 µs"));
        assert!(told(&|it| it.min = Some(us(6))).contains("its lowest value in buckets 5.00 µs"));
        assert!(told(&|it| it.max = Some(us(7))).contains("values in buckets reach 9.00 µs"));
        assert!(told(&|it| it.count = 29).contains("no bucket above 10.0 µs has a value"));
        assert!(told(&|it| it.max = Some(us(50))).contains("1 values are beyond its buckets"));
        assert!(told(&|it| it.mean_ns = Some(1e12)).contains("its mean is 1000 s, and its largest value 200 µs"));
        // Ten values from 5 to 6 µs, nineteen from 9 to 10, and one from 100 to 200: their mean is 10.7 to 15.0 µs.
        assert!(told(&|it| it.mean_ns = Some(30_000.0)).contains("that of its buckets is at most 15.0 µs"));
        let low = told(&|it| (it.max, it.mean_ns) = (Some(us(105)), Some(5_500.0)));
        assert!(low.contains("that of its buckets is at least 10.7 µs"), "{low}");
        assert!(told(&|it| it.mean_ns = Some(0.0)).contains("its mean is 0 ns, and its smallest value 5.00 µs"));
        assert_eq!(told(&|it| (it.quantity, it.max) = (Quantity::TimerUser, Some(us(50)))), "");
        assert_eq!(told(&|it| (it.min, it.max, it.mean_ns) = (None, None, None)), "");
        assert_eq!(told(&|it| (it.count, it.buckets) = (0, Vec::new())), "");
    }
}
