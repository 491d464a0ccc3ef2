import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, PageSeries } from "../src/document";
import { colour, drawn, legendEntries, loaded } from "../src/model";
import { SERIES } from "../src/palette";
import { view } from "../src/state";

const recording = (name: string, cells: number, series: PageSeries[]) => ({
  name, series, explained: null,
  cells: Array.from({ length: cells }, (_, at) => ({ label: `cell ${at}` })),
  measured: { cells: Array.from({ length: cells }, () => ({ n: 1 })) },
});
const all = (...recordings: ReturnType<typeof recording>[]) => {
  const page = { recordings } as unknown as Page;
  return recordings.map((_, at) => loaded(page, at));
};
const series = [{ name: "others", colour: 7, cells: [0, 2] }, { name: "latest", colour: 0, cells: [1] }];

test("a recording is drawn in the series and colours that its document names", () => {
  const one = all(recording("a", 4, series));
  assert.deepEqual(drawn(one).map(({ name, colour, cells }) => [name, colour, cells]), [["others", SERIES[7], [0, 2]], ["latest", SERIES[0], [1]]]);
  assert.deepEqual(drawn(one).map(({ only }) => only && [...only]), [[1, 0, 1, 0], [0, 1, 0, 0]]);
  assert.deepEqual([0, 1, 2].map((cell) => colour(one, 0, cell)), [SERIES[7], SERIES[0], SERIES[7]]);
  assert.deepEqual(legendEntries(one).map(({ name }) => name), ["others", "latest"]);
  assert.deepEqual(legendEntries(all(recording("a", 2, [{ name: null, colour: 0, cells: [0, 1] }]))), []);
});

test("several recordings have a colour each, and a cell that is shown alone keeps its own", () => {
  const two = all(recording("a", 3, series), recording("b", 2, series.slice(1)));
  assert.deepEqual(drawn(two).map(({ name, colour, only }) => [name, colour, only]), [["a", SERIES[0], null], ["b", SERIES[1], null]]);
  assert.deepEqual(legendEntries(two).map(({ name }) => name), ["a", "b"]);
  view.cell = [0, 2];
  assert.deepEqual(drawn(all(recording("a", 3, series))).map(({ name, colour, cells }) => [name, colour, cells]), [["cell 2", SERIES[7], [2]]]);
  view.cell = null;
});
