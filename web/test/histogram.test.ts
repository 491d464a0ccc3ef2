import assert from "node:assert/strict";
import { test } from "node:test";
import { binOf, bounds, carries, counted, merged, quantile, total } from "../src/histogram";
import { lateness, logarithmic } from "../src/scale";
import { parsed, written } from "../src/state";

test("every value lies in its bin", () => {
  for (const ns of [0, 1, 7, 999, 57_123, 1e9, -1, -58, -1e6 - 3]) {
    const [low, high] = bounds(binOf(ns));
    assert.ok(ns < 0 ? low < ns + 1e-6 && ns <= high + 1e-6 : low <= ns + 1e-6 && ns < high + 1e-6, `${ns} in ${low} to ${high}`);
  }
});

test("quantiles are right to a bin, and their intervals hold them", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => 1000 + index);
  const histogram = counted(values);
  assert.equal(total(histogram), 10_000);
  const { low, middle, high } = quantile(histogram, 0.9);
  assert.ok(Math.abs(middle / 10_000 - 1) < 0.06, String(middle));
  assert.ok(low <= middle && middle <= high);
  assert.equal(total(merged([histogram, histogram])), 20_000);
});

test("few samples carry no tail", () => {
  assert.ok(!carries(4, 0.5) && carries(5, 0.5) && !carries(298, 0.99) && carries(299, 0.99));
});

test("a ruler goes there and back, on both sides of zero", () => {
  for (const negative of [false, true]) {
    const scale = logarithmic(negative);
    for (const ns of negative ? [-1e9, -500, 0, 3, 1e6] : [1, 57_000, 1e10]) {
      assert.ok(Math.abs(scale.from(scale.to(ns)) - ns) <= Math.abs(ns) * 1e-9 + 1e-6);
    }
    assert.ok(scale.marks(scale.to(1e4), scale.to(1e6)).length >= 18);
  }
});

test("an address carries the view, and a wrong one is none", () => {
  const view = { range: [1.5, 2.25] as [number, number], cell: [0, 3] as [number, number], cause: "timer-slack", hidden: ["model", "stalls"], theme: "dark" as const };
  assert.deepEqual(parsed(`#${written(view)}`), view);
  const none = { range: null, cell: null, cause: null, hidden: [], theme: "auto" };
  for (const wrong of ["#t=2~1&cell=x", "#cause=%&theme=pink&hide=<b>", "", "#cell=-1.2&t=NaN~3"]) assert.deepEqual(parsed(wrong), none);
});

test("an axis holds every oversleep, also if all are early", () => {
  for (const [low, high] of [[5e4, 9e4], [-5e6, 9e4], [-5e6, -4.9e6], [-5e6, 0], [0, 0]] as const) {
    const [from, to] = lateness(low, high);
    assert.ok(from <= low && to >= high && from < to, `${low} to ${high}: ${from} to ${to}`);
  }
});
