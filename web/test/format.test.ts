import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, confidence, grouped, percent, size, time } from "../src/format";

test("times have three digits and the program's units", () => {
  const cases: [number | null, string][] = [
    [0, "0 ns"], [73, "73 ns"], [999, "999 ns"], [1000, "1.00 µs"], [66_912, "66.9 µs"], [128_000, "128 µs"], [999_999, "1.00 ms"],
    [-5_000_000, "−5.00 ms"], [1_058_000_000, "1.06 s"], [123_456_000_000_000, "123\u202f456 s"], [null, "–"],
  ];
  for (const [ns, text] of cases) assert.equal(time(ns), text);
  assert.equal(brief(1000), "1 µs");
  assert.equal(brief(2_500_000), "2.5 ms");
});

test("shares, sizes and confidence read as sentences", () => {
  assert.equal(percent(0.5), "50 %");
  assert.equal(percent(0.0031), "0.31 %");
  assert.equal(percent(0), "0 %");
  assert.equal(grouped(1234567), "1\u202f234\u202f567");
  assert.equal(size(-68.5, "ppm"), "-68.50 ppm");
  assert.equal(size(0.001, "ratio"), "0.1 % of the request");
  assert.equal(confidence(0.9), "likely: wrong about one time in 10");
  assert.match(confidence(1), /^almost certain/);
  assert.match(confidence(0.2), /^a guess/);
});
