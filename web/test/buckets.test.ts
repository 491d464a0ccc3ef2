import assert from "node:assert/strict";
import { test } from "node:test";
import { between, together } from "../src/buckets";

test("bounds are shown as the program shows them", () => {
  assert.equal(between({ low_ns: 33_000, high_ns: 33_999 }), "33.0 µs to 34.0 µs");
  assert.equal(between({ low_ns: 20_000, high_ns: null }), "above 20.0 µs");
  assert.equal(between({ low_ns: null, high_ns: 5 }), "below 5 ns");
  assert.equal(between({ low_ns: 7, high_ns: 7 }), "7 ns");
  assert.equal(between(null), "–");
});

test("buckets with the same ends are added", () => {
  assert.deepEqual(together([[[0, 1000, 2], [2000, 3000, 1]], [[0, 1000, 3], [1000, 2000, 4]]]), [[0, 1000, 5], [1000, 2000, 4], [2000, 3000, 1]]);
});
