// Unpacks the embedded samples: base64 of deflated planes of bytes, turned into columns of numbers.

import type { PackedSamples, PageRecording } from "./document";

/** Flag of a call that failed: it is in the CSV, but in no picture. */
export const FAILED = 4;
/** Bit above the flags: the sample was not drawn like the others, and is there because it is among the latest or earliest. */
const EXTRA = 2 ** 16;

/** Samples by columns, in the order of the file. Times count from the cell's origin, in ns. */
export interface Samples {
  count: number;
  cell: Uint32Array;
  thread: Uint16Array;
  /** The processor; −1 if unknown. */
  cpu: Int32Array;
  sequence: Float64Array;
  requested: Float64Array;
  /** NaN if there is none. */
  deadline: Float64Array;
  start: Float64Array;
  end: Float64Array;
  late: Float64Array;
  flags: Uint16Array;
  /** 1 for samples that are there only because they are extremes; `null` if all samples are. */
  extra: Uint8Array | null;
}

async function inflated(base64: string): Promise<Uint8Array> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns each column's numbers by its name. In all but the flags, the lowest bit holds the sign. */
function columns(layout: PackedSamples, planes: Uint8Array): Record<string, Float64Array> {
  const count = layout.count;
  const out: Record<string, Float64Array> = {};
  let at = 0;
  for (const { name, width } of layout.columns) {
    const values = new Float64Array(count);
    let weight = 1;
    for (let byte = 0; byte < width; byte++, weight *= 256) {
      const plane = planes.subarray(at, at + count);
      if (byte === 0) for (let row = 0; row < count; row++) values[row] = plane[row]!;
      else for (let row = 0; row < count; row++) { const value = plane[row]!; if (value !== 0) values[row]! += value * weight; }
      at += count;
    }
    if (name !== "flags" && name !== "has-deadline") {
      for (let row = 0; row < count; row++) { const value = values[row]!; values[row] = value % 2 === 0 ? value / 2 : -(value + 1) / 2; }
    }
    out[name] = values;
  }
  return out;
}

/** Returns the embedded samples of a recording; `null` if it has none. */
export async function read(recording: PageRecording, base64: string | null | undefined): Promise<Samples | null> {
  const layout = recording.samples;
  if (!layout || !base64) return null;
  return unpacked(layout, await inflated(base64), recording.measured.cells.map((cell) => cell.pattern === "periodic" ? cell.requested_ns : null));
}

/** Adds up the differences that columns hold. `periods` has the period of each cell that keeps a schedule, in ns. */
export function unpacked(layout: PackedSamples, planes: Uint8Array, periods: (number | null)[]): Samples {
  const count = layout.count;
  const of = columns(layout, planes);
  const column = (name: string) => of[name] ?? new Float64Array(count);
  const [cells, threads, cpus, sequences, requests, has, deadlines, starts, late, flags] =
    [column("cell"), column("thread"), column("cpu"), column("sequence"), column("requested"), column("has-deadline"), column("deadline"), column("start"), column("late"), column("flags")];
  const samples: Samples = {
    count, cell: new Uint32Array(count), thread: new Uint16Array(count), cpu: new Int32Array(count),
    sequence: sequences!, requested: requests!, deadline: deadlines!, start: starts!, end: new Float64Array(count), late: late!,
    flags: Uint16Array.from(flags!, (flags) => flags % EXTRA),
    extra: layout.one_of > 1 ? Uint8Array.from(flags!, (flags) => flags >= EXTRA ? 1 : 0) : null,
  };
  interface Before { sequence: number; requested: number; deadline: number; cpu: number }
  const before = new Map<number, Before>();
  const ends = new Float64Array(65536);
  let cell = 0, thread = 0;
  for (let row = 0; row < count; row++) {
    cell += cells![row]!;
    thread += threads![row]!;
    const key = cell * 65536 + thread;
    let known = before.get(key);
    if (!known) before.set(key, known = { sequence: -1, requested: 0, deadline: NaN, cpu: 0 });
    const sequence = known.sequence + 1 + samples.sequence[row]!;
    const requested = known.requested += samples.requested[row]!;
    known.cpu += cpus![row]!;
    const start = samples.start[row]! + ends[thread]!;
    const period = periods[cell] ?? null;
    let due = start + requested;
    if (has![row]) {
      if (period !== null && !Number.isNaN(known.deadline)) due = known.deadline + period * (sequence - known.sequence);
      due += samples.deadline[row]!;
      known.deadline = samples.deadline[row] = due;
    } else samples.deadline[row] = NaN;
    const end = due + samples.late[row]!;
    known.sequence = samples.sequence[row] = sequence;
    samples.cell[row] = cell;
    samples.thread[row] = thread;
    samples.cpu[row] = known.cpu;
    samples.requested[row] = requested;
    samples.start[row] = start;
    ends[thread] = samples.end[row] = end;
  }
  return samples;
}

/** Samples in order of time, for pictures. */
export interface Series {
  /** Seconds since the beginning, ascending. */
  at: Float64Array;
  /** Oversleep in ns. */
  late: Float64Array;
  cell: Uint32Array;
  /** The row in [`Samples`]. */
  row: Uint32Array;
}

/** Returns the samples, except failed calls, in the order in which they began. */
export function byTime(samples: Samples): Series {
  const rows: number[] | Uint32Array = new Uint32Array(samples.count);
  let count = 0, sorted = true, last = -Infinity;
  for (let row = 0; row < samples.count; row++) {
    if (samples.flags[row]! & FAILED) continue;
    const start = samples.start[row]!;
    if (start < last) sorted = false;
    last = start;
    rows[count++] = row;
  }
  const row = rows.slice(0, count);
  if (!sorted) {
    const key = samples.start;
    row.sort((a, b) => key[a]! - key[b]!);
  }
  const series: Series = { at: new Float64Array(count), late: new Float64Array(count), cell: new Uint32Array(count), row };
  for (let place = 0; place < count; place++) {
    const from = row[place]!;
    series.at[place] = samples.start[from]! / 1e9;
    series.late[place] = samples.late[from]!;
    series.cell[place] = samples.cell[from]!;
  }
  return series;
}

/** Returns the first place at which `values`, ascending, are at least `wanted`. */
export function lowerBound(values: ArrayLike<number>, wanted: number): number {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < wanted) low = middle + 1; else high = middle;
  }
  return low;
}
