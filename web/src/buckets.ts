// Buckets of other programs, and bounds as text.

import type { Bounds } from "./document";
import { time } from "./format";

/** A bucket: its ends in ns, the upper one being the first value above it, and its number of values. */
export type Bucket = [from: number, to: number, count: number];

/** Returns the buckets of several counts together, ascending; those with the same ends are added. */
export function together(all: Bucket[][]): Bucket[] {
  const sums = new Map<string, Bucket>();
  for (const [from, to, count] of all.flat()) {
    const known = sums.get(`${from} ${to}`);
    if (known) known[2] += count;
    else sums.set(`${from} ${to}`, [from, to, count]);
  }
  return [...sums.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Returns bounds as text: `33.0 µs to 34.0 µs`. */
export function between(bounds: Bounds | null | undefined): string {
  const low = bounds?.low_ns ?? null, high = bounds?.high_ns ?? null;
  if (low === null && high === null) return "–";
  if (low === null) return `below ${time(high)}`;
  if (high === null) return `above ${time(low)}`;
  // A bucket ends just below the next one.
  const end = high % 10 === 9 ? high + 1 : high;
  return time(low) === time(end) ? time(low) : `${time(low)} to ${time(end)}`;
}

/** Returns the largest value as text: a file that counts whole microseconds tells where it begins. */
export function largest(max: number | null | undefined): string {
  return typeof max === "number" ? between({ low_ns: max % 1000 === 999 ? max - 999 : max, high_ns: max }) : "–";
}
