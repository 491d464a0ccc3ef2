import assert from "node:assert/strict";
import { test } from "node:test";
import type { Samples, Series } from "../src/data";
import { exact, medianRanks } from "../src/exact";
import { gathered } from "../src/groups";

// The same numbers are in the program's test `the_ranks_of_the_page_are_these`.
test("the median's ranks are the program's", () => {
  const ranks: [number, number, number][] = [[5, 1, 5], [11, 3, 9], [100, 40, 60], [501, 229, 273], [7180, 3507, 3673]];
  for (const [n, low, high] of ranks) assert.deepEqual(medianRanks(n), [low, high], String(n));
  assert.equal(medianRanks(4), null);
});

test("figures are values of the samples", () => {
  const sorted = Float64Array.from({ length: 299 }, (_, index) => 1000 + 7 * index);
  const { n, p50, p99, max } = exact(sorted);
  assert.deepEqual([n, p50, p99, max], [299, 1000 + 7 * 149, 1000 + 7 * 296, 1000 + 7 * 298]);
  const few = exact(Float64Array.from([1, 2, 3, 4]));
  assert.deepEqual([few.n, few.p50, few.low, few.p99, few.max], [4, null, null, null, 4]);
  assert.equal(exact(new Float64Array()).max, null);
});

test("the figures of groups are exact, within the whole's, and leave extremes out of quantiles", () => {
  const count = 2_000;
  const late = Float64Array.from({ length: count }, (_, row) => 33_970 + (row * 7_919) % 2_003);
  const whole = { count, cell: new Uint32Array(count), cpu: Int32Array.from(late, (_, row) => row % 2), extra: null } as unknown as Samples;
  const series = { late, row: Uint32Array.from(late, (_, row) => row) } as unknown as Series;
  const all = Float64Array.from(late).sort();
  const of = (samples: Samples) => gathered(samples, series, () => true, (row) => samples.cpu[row]!);
  for (const [cpu, { figures, histogram }] of of(whole)) {
    const own = late.filter((_, row) => row % 2 === cpu).sort();
    assert.deepEqual([figures.n, figures.p50, figures.p99, figures.max], [1_000, own[499], own[989], own[999]]);
    assert.ok(figures.max! <= all[count - 1]! && histogram.reduce((sum, [, count]) => sum + count, 0) === 1_000);
  }
  late[1] = 1e9;
  const drawn = of({ ...whole, extra: Uint8Array.from(late, (ns) => ns === 1e9 ? 1 : 0) }).get(1)!.figures;
  assert.deepEqual([drawn.n, drawn.max], [999, 1e9]);
});
