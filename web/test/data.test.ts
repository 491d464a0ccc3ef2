import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/csv";
import { byTime, lowerBound, unpacked, type Samples } from "../src/data";
import type { PackedSamples, PageRecording } from "../src/document";

function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Rows of folded differences, as the Rust side writes them. */
function packed(rows: number[][], names: string[]): { layout: PackedSamples; planes: Uint8Array } {
  const columns = names.map((name, column) => {
    const most = Math.max(...rows.map((row) => row[column]!));
    return { name, width: most === 0 ? 0 : Math.floor(Math.log2(most) / 8) + 1 };
  });
  const planes = columns.flatMap(({ width }, column) => Array.from({ length: width }, (_, byte) => rows.map((row) => Math.floor(row[column]! / 256 ** byte) % 256)).flat());
  return { layout: { count: rows.length, of: rows.length, one_of: 1, columns }, planes: Uint8Array.from(planes) };
}

const NAMES = ["cell", "thread", "cpu", "sequence", "requested", "has-deadline", "deadline", "start", "late", "flags"];

function three(): Samples {
  // A relative sleep of 1 ms, its successor 300 ns after it, and one on a schedule that has missed a period.
  const { layout, planes } = packed([
    [0, 0, folded(1), 0, folded(1_000_000), 0, 0, folded(500), folded(57_000), 1],
    [0, 0, 0, 0, 0, 0, 0, folded(300), folded(-2_000), 0],
    [folded(1), 0, folded(-1), folded(4), folded(2_000), 1, folded(7_000_000), folded(1_000), folded(70_000), 4],
    [0, 0, 0, folded(1), 0, 1, 0, folded(0), folded(1), 0],
  ], NAMES);
  return unpacked(layout, planes, [null, 2_000]);
}

test("columns of differences become samples", () => {
  const samples = three();
  assert.deepEqual([...samples.start].slice(0, 2), [500, 1_057_800]);
  assert.deepEqual([...samples.end].slice(0, 2), [1_057_500, 2_055_800]);
  assert.deepEqual([...samples.cpu], [1, 1, -1, -1]);
  assert.deepEqual([...samples.sequence], [0, 1, 4, 6]);
  assert.ok(Number.isNaN(samples.deadline[0]!));
  // Two periods on from the first deadline.
  assert.equal(samples.deadline[3]! - samples.deadline[2]!, 4_000);
  assert.equal(samples.end[3]! - samples.deadline[3]!, 1);
});

test("what failed is in the table and in no picture", () => {
  const series = byTime(three());
  assert.deepEqual([...series.row], [0, 1, 3]);
  assert.equal(lowerBound(series.at, series.at[1]!), 1);
  assert.equal(lowerBound([1, 2, 3], 4), 3);
});

test("the table counts exactly from origins no float holds", () => {
  const cell = (method: string, obtained: object | null) => ({ method, clock: "realtime", conditions: { asked: { load: { threads: 2, kind: "spin" } }, obtained } });
  const recording = {
    measured: { cells: [cell('a,"b"', null), cell("#periodic", { load: { threads: 1, kind: "spin" } })] },
    cells: [{ origin_ns: "1763831156000000007" }, { origin_ns: "-9007199254740993" }],
  } as unknown as PageRecording;
  const lines = csv(recording, three()).join("").split("\n");
  assert.equal(lines[1], '"a,""b""",0,1,2,realtime,0,1000000,,1763831156000000507,1763831156001057507,57000,1');
  const [method, , , load, , , , deadline, start] = lines[3]!.split(",");
  // What ran stands before what was asked for, and no line begins like a comment.
  assert.deepEqual([method, load], ['"#periodic"', "1"]);
  assert.equal(BigInt(start!), -9007199254740993n + 2_056_800n);
  assert.equal(BigInt(deadline!), -9007199254740993n + 2_056_800n + 1_002_000n - 1_000_000n + 7_000_000n);
  assert.equal(lines.length, 6);
});
