import assert from "node:assert/strict";
import { test } from "node:test";
import { latenessOverTime, logarithmic } from "../src/scale";

/** Returns values that rise evenly. */
function rising(from: number, step: number): Float64Array {
  return Float64Array.from({ length: 1000 }, (_, at) => from + step * at);
}

/** Returns whether the axis of these series is linear: half way between two values is their mean. */
function isLinear(...series: Float64Array[]): boolean {
  const all = series.flatMap((values) => [...values]);
  const { scale } = latenessOverTime(series, Math.min(...all), Math.max(...all));
  return Math.abs(scale.from((scale.to(1e3) + scale.to(1e6)) / 2) - 500_500) < 1;
}

test("what is spread evenly over time has a linear axis", () => {
  assert(isLinear(rising(10e6, 10e3)) && isLinear(rising(1e3, 10e3)) && isLinear(rising(-5e6, 10e3)));
  assert(!isLinear(rising(0, 1).map((at) => at % 100 === 0 ? 800e3 : 70e3 + 20 * at)));
  assert(!isLinear(rising(0, 1).map((at) => at % 2 === 0 ? 1e3 : 1e6)));
  assert(!isLinear(rising(70e3, 1), rising(1e6, 1)));
  assert(!isLinear(new Float64Array(10).fill(5e4)));
});

test("labels of a linear axis differ", () => {
  const { scale, range } = latenessOverTime([rising(50e6, 6)], 50e6, 50.006e6);
  const labels = scale.marks(...range).map((mark) => scale.label(mark, ...range));
  assert(labels.length >= 3 && new Set(labels).size === labels.length, labels.join());
});

test("every logarithmic axis has three labels and no wide part without one", () => {
  for (let start = 0; start < 60; start += 4) for (let length = 1; length < 120; length += 3) for (const negative of [false, true]) {
    const scale = logarithmic(negative), from = 20 * 10 ** (start / 10), to = from * 10 ** (length / 20);
    const [low, high] = [scale.to(negative ? -from : from), scale.to(to)];
    const labelled = scale.marks(low, high).filter((mark) => scale.label(mark, low, high) !== "");
    const ends = [low, ...labelled, high], widest = Math.max(...ends.slice(1).map((place, at) => place - ends[at]!));
    const labels = labelled.map((mark) => scale.label(mark, low, high));
    assert(labels.length >= 3 && new Set(labels).size === labels.length && widest <= 0.4001 * (high - low), `${negative} ${from} to ${to}: ${labels.join()}`);
  }
});
