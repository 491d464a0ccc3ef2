// Exact figures of the samples that the page holds, by the same rules as the program's.

import { carries } from "./histogram";

/** Figures of lateness in ns; `null` where there are too few samples. */
export interface Exact { n: number; p50: number | null; low: number | null; high: number | null; p99: number | null; p999: number | null; max: number | null }

/** Returns the figures of values in ascending order: quantiles by nearest rank, and the median's 95 % interval. */
export function exact(sorted: Float64Array): Exact {
  const n = sorted.length;
  const at = (rank: number) => sorted[rank - 1] ?? null;
  const quantile = (permille: number) => carries(n, permille / 1000) ? at(Math.ceil(permille * n / 1000)) : null;
  const [low, high] = medianRanks(n) ?? [0, 0];
  return { n, p50: quantile(500), low: at(low), high: at(high), p99: quantile(990), p999: quantile(999), max: at(n) };
}

/** Returns the ranks, from 1, between which the median lies with 95 % confidence, as the program's `median_ranks` does; `null` below 5 values. */
export function medianRanks(n: number): [number, number] | null {
  return n < 5 ? null : [smallest(n, 0.025), smallest(n, 0.975)];
}

/** Returns the smallest rank k at which P(Binomial(n, k/n) is at least half of n) reaches `level`. */
function smallest(n: number, level: number): number {
  let low = 1, high = n;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (atLeastHalf(n, middle) >= level) high = middle; else low = middle + 1;
  }
  return low;
}

/** Returns P(Binomial(n, k/n) is at least half of n). */
function atLeastHalf(n: number, k: number): number {
  if (k >= n) return 1;
  const half = Math.ceil(n / 2), odds = k / (n - k);
  const first = k >= half ? half - 1 : half, step = k >= half ? -1 : 1;
  // Summed from the half away from the mean, where every further term is smaller.
  let term = Math.exp(factorial(n) - factorial(first) - factorial(n - first) + first * Math.log(k / n) + (n - first) * Math.log1p(-k / n));
  let sum = 0;
  for (let hits = first; hits >= 0 && hits <= n && term > sum * 1e-17; hits += step) {
    sum += term;
    term *= step > 0 ? (n - hits) / (hits + 1) * odds : hits / (n - hits + 1) / odds;
  }
  return step > 0 ? sum : 1 - sum;
}

/** Returns the logarithm of n!, by Stirling's series for ln Γ (Abramowitz and Stegun, 6.1.41), to some 1e-14 of itself. */
function factorial(n: number): number {
  let x = n + 1, shift = 0;
  while (x < 15) shift -= Math.log(x++);
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
