import assert from "node:assert/strict";
import { test } from "node:test";
import { pairs } from "../src/compare";
import type { Loaded } from "../src/model";

const recording = (labels: string[], shifts: (number | null)[] = []) => ({
  cells: labels.map((label, index) => ({ index, page: { label } })),
  document: { shifts: shifts.map((first) => first === null ? null : { first }) },
}) as unknown as Loaded;
const rows = (...all: Loaded[]) => pairs(all).map(({ label, cells }) => [label, ...cells.map((cell) => cell?.index ?? null)]);

test("cells that were compared share a row, whatever their conditions", () => {
  assert.deepEqual(rows(recording(["nanosleep"]), recording(["nanosleep, slack 1 ns"], [0])), [["nanosleep → nanosleep, slack 1 ns", 0, 0]]);
  assert.deepEqual(rows(recording(["a", "b"]), recording(["b", "c"], [1, 0])), [["a → c", 0, 1], ["b", 1, 0]]);
});

test("others share one by their label, and none is lost", () => {
  assert.deepEqual(
    rows(recording(["a", "b"]), recording(["c", "b"], [null, null]), recording(["c", "a"])),
    [["a", 0, null, 1], ["b", 1, 1, null], ["c", null, 0, 0]],
  );
});
