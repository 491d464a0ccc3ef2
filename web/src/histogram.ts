// Histograms in the bins of the document, and figures computed from them.

/** Bins per decade, as the document has them (`Bins` in the Rust sources). */
const PER_DECADE = 40;

/** Numbers of sleeps by lateness: a bin's number and its count, in ascending order. */
export type Histogram = [number, number][];

/** Returns the lower and the upper end of a bin, in ns. */
export function bounds(bin: number): [number, number] {
  if (bin === 0) return [0, 1];
  const edge = (number: number) => 10 ** (number / PER_DECADE);
  return bin > 0 ? [edge(bin - 1), edge(bin)] : [-edge(-bin), -edge(-bin - 1)];
}

/** Returns the number of a value's bin. */
export function binOf(ns: number): number {
  if (Math.abs(ns) < 1) return 0;
  const bin = Math.floor(Math.log10(Math.abs(ns)) * PER_DECADE + 1e-9) + 1;
  return ns < 0 ? -bin : bin;
}

/** Returns the sum of all counts. */
export function total(histogram: Histogram): number {
  return histogram.reduce((sum, [, count]) => sum + count, 0);
}

/** Returns the value at a rank (from 1), as the middle of its bin, in ns. */
export function ofRank(histogram: Histogram, rank: number): number {
  let seen = 0;
  for (const [bin, count] of histogram) {
    seen += count;
    if (seen >= rank) {
      const [low, high] = bounds(bin);
      return bin > 0 ? Math.sqrt(low * high) : (low + high) / 2;
    }
  }
  const last = histogram[histogram.length - 1];
  return last ? bounds(last[0])[1] : NaN;
}

/** Returns a quantile with the ends of its 95 % interval in ns, computed by ranks. */
export function quantile(histogram: Histogram, share: number, count = total(histogram)): { low: number; middle: number; high: number } {
  const rank = Math.max(1, Math.ceil(share * count)), half = 1.96 * Math.sqrt(count * share * (1 - share));
  return {
    low: ofRank(histogram, Math.max(1, Math.floor(rank - half))),
    middle: ofRank(histogram, rank),
    high: ofRank(histogram, Math.min(count, Math.ceil(rank + half))),
  };
}

/** Returns whether this number of samples is enough for a quantile, by the same rule as the program's. */
export function carries(count: number, share: number): boolean {
  return share ** count <= 0.05;
}

/** Returns a histogram of values. */
export function counted(values: Iterable<number>): Histogram {
  const bins = new Map<number, number>();
  for (const value of values) {
    const bin = binOf(value);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return [...bins].sort((a, b) => a[0] - b[0]);
}

/** Returns the sum of histograms. */
export function merged(histograms: Histogram[]): Histogram {
  const bins = new Map<number, number>();
  for (const histogram of histograms) for (const [bin, count] of histogram) bins.set(bin, (bins.get(bin) ?? 0) + count);
  return [...bins].sort((a, b) => a[0] - b[0]);
}
