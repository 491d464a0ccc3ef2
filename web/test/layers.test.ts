import assert from "node:assert/strict";
import { test } from "node:test";
import type { Loaded } from "../src/model";
import { predicted, predictor, thinned } from "../src/predicted";
import { beats, found as rhythms } from "../src/rhythm";
import { found as stalls } from "../src/stalls";

const loaded = (of: object) => ({ index: 0, cells: [], samples: null, series: null, ...of, document: { measured: { stalls: null, late: null }, explained: null, ...(of as Partial<Loaded>).document } }) as unknown as Loaded;
const cell = (index: number, findings: object[] = []) => ({ index, findings, page: { origin_ns: "1000000000" } });

test("predictions are in order of time and known by their sleep", () => {
  const recording = loaded({
    document: { predicted: [{ cell: 0, points: [[0, 50], [2e9, 60]] }, { cell: 1, points: [[1e9, 70]] }] },
    samples: { cell: [1, 0, 0], start: [1e9, 2e9, 3e9] },
  });
  assert.deepEqual(predicted(recording).map(({ at, late }) => [at, late]), [[0, 50], [1, 70], [2, 60]]);
  const of = predictor(recording);
  assert.deepEqual([0, 1, 2].map(of), [70, 60, null]);
  assert.deepEqual(predicted(loaded({ document: {} })), [], "pages of recordings without a model");
});

test("a thinned list keeps both kinds of an alternating one", () => {
  const all = Array.from({ length: 1000 }, (_, at) => at);
  assert.equal(thinned(all, 2000), all);
  const some = thinned(all, 100);
  assert.ok(some.length > 90 && some.length < 110, String(some.length));
  const even = some.filter((at) => at % 2 === 0).length;
  assert.ok(even > 40 && even < 60, String(even));
  assert.ok(some.every((at, place) => Math.abs(at - 10 * place) < 30));
});

test("a rhythm of several cells is one, and comes at whole periods from its own time", () => {
  const finding = (at_ns: number) => ({ cause: "periodic-interference", evidence: { period_s: 0.5, period_error_s: 0.01, at_ns, events: 7 } });
  const recording = loaded({ cells: [cell(0, [finding(11.25e9)]), cell(1, [finding(11.25e9)]), cell(2)] });
  const [rhythm, ...others] = rhythms(recording);
  assert.ok(rhythm && others.length === 0);
  assert.deepEqual([rhythm.at, rhythm.events, rhythm.cells], [10.25, 7, [0, 1]]);
  assert.deepEqual(beats(rhythm, 9.3, 10.9, 10), [9.75, 10.25, 10.75]);
  assert.deepEqual(beats(rhythm, 9.3, 10.9, 2), [], "too many to tell apart");
  // After 12 periods the uncertainty is a quarter of one.
  assert.equal(beats(rhythm, 10, 100, 1000).length, 13);
  assert.deepEqual(beats(rhythm, 50, 60, 1000), []);
  assert.deepEqual(beats({ ...rhythm, lasts: [9.8, 10.2] }, 9, 11, 10), [9.75, 10.25], "it was there for a part of the time");
});

test("stalls are found in every kind of recording, the longest first", () => {
  const watched = { worst: [{ cell: 0, at_ns: 3e9, length_ns: 2e6, cause: "another thread", evidence: { kind: "preempted" } }, { cell: 0, at_ns: 4e9, length_ns: 1e6, cause: "an SMI", evidence: null }] };
  const late = { sleeps: [{ cell: 0, at_ns: 2.5e9, length_ns: 5e8, cause: "an interrupt" }] };
  const steal = { cause: "host-steal", evidence: { ends_ns: [6e9] } };
  const stopped = { cause: "stopped", evidence: { usual_late_ns: 60_000 } };
  const all = stalls(loaded({
    document: { measured: { stalls: watched, late }, explained: { findings: [steal] } },
    cells: [cell(0, [stopped])],
    samples: { end: [1e9, 9e9] }, series: { late: Float64Array.of(50_000, 3e9), cell: [0, 0], row: [0, 1], at: [0, 5] },
  }));
  assert.deepEqual(all.map(({ at, until, length, cell, cause }) => [at, until, length, cell, cause]), [
    [6, 9, 3e9, 0, "stopped"], [1, 1.5, 5e8, 0, "late-interrupt"], [2, 2.002, 2e6, 0, "preempted"], [3, 3.001, 1e6, 0, ""], [5, 5, null, null, "host-steal"],
  ]);
});
