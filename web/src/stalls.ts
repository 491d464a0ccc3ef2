// Marks on the picture of oversleep against time where the program or a processor stood still, with what is known of it.

import { time, words } from "./format";
import { label, upright, wide } from "./label";
import type { Layer } from "./layers";
import { isShown, type Loaded } from "./model";
import { lit, ofCause } from "./palette";
import { view } from "./state";

/** A stall: its beginning and end in seconds since the beginning, and its length in ns if known. */
export interface Stall {
  at: number;
  until: number;
  length: number | null;
  /** Index of its cell; `null` if it is of the whole machine. */
  cell: number | null;
  what: string;
  /** The cause whose colour it has. */
  cause: string;
}

/** Causes of the kinds of stalls; others have the colour of unknown causes. */
const KINDS: Record<string, string> = {
  quota: "throttled", smi: "interrupted", stolen: "host-steal", "at-once": "host-steal", owner: "preempted", preempted: "preempted", interrupt: "interrupted",
};

/** A sleep longer than this, in ns, and than this many times the usual one, was stopped: the program's own rule. */
const STOPPED = 5e8, TIMES = 100;

/** Returns what stood still in a recording: watched stalls, late sleeps that were examined, stops of a thread and of the machine. */
export function found(recording: Loaded): Stall[] {
  const { measured, explained } = recording.document;
  const origin = (cell: number) => Number(recording.cells[cell]?.page.origin_ns ?? 0);
  const lasting = (at: number, length: number, of: Omit<Stall, "at" | "until" | "length">): Stall => ({ at, until: at + length / 1e9, length, ...of });
  const out: Stall[] = [];
  for (const { cell, at_ns, length_ns, cause, evidence } of measured.stalls?.worst ?? []) {
    out.push(lasting((at_ns - origin(cell)) / 1e9, length_ns, { cell, what: cause, cause: KINDS[evidence?.kind ?? ""] ?? "" }));
  }
  for (const { cell, at_ns, length_ns, cause } of measured.late?.sleeps ?? []) {
    out.push(lasting((at_ns - length_ns - origin(cell)) / 1e9, length_ns, { cell, what: cause, cause: "late-interrupt" }));
  }
  for (const cell of recording.cells) for (const finding of cell.findings) {
    const { samples, series } = recording;
    if (finding.cause !== "stopped" || !samples || !series) continue;
    // Without the usual lateness only examined sleeps show it, and those are above.
    const usual: unknown = "usual_late_ns" in finding.evidence ? finding.evidence.usual_late_ns : undefined;
    if (typeof usual !== "number") continue;
    const least = Math.max(STOPPED, TIMES * usual);
    series.late.forEach((late, place) => {
      if (late < least || series.cell[place] !== cell.index) return;
      const end = samples.end[series.row[place]!]! / 1e9;
      out.push(lasting(end - late / 1e9, late, { cell: cell.index, what: "stopped", cause: "stopped" }));
    });
  }
  for (const finding of explained?.findings ?? []) {
    if (finding.cause !== "host-steal") continue;
    for (const end of finding.evidence.ends_ns) {
      const at = (end - origin(0)) / 1e9;
      out.push({ at, until: at, length: null, cell: null, what: "several processors at once", cause: "host-steal" });
    }
  }
  return out.sort((a, b) => (b.length ?? 0) - (a.length ?? 0));
}

/** Returns the layer of stalls; `null` if there were none. */
export function stalls(recording: Loaded): Layer | null {
  const all = found(recording);
  if (all.length === 0) return null;
  const shown = () => all.filter(({ cell, cause }) => (cell === null || isShown(recording.index, cell)) && (view.cause === null || view.cause === cause));
  return {
    key: "stalls", name: "stalls",
    draw: (context, frame, to) => {
      const { ratio } = frame, right = frame.left + frame.width, side = 4.5 * ratio;
      const taken: [number, number][] = [], marked: number[] = [];
      for (const { at, until, length, what, cause } of shown()) {
        const x = frame.x(at), end = frame.x(until);
        // Of marks that would cover one another, the longest stall's is drawn.
        if (end < frame.left || x > right || marked.some((other) => Math.abs(other - x) < 2 * side)) continue;
        marked.push(x);
        const colour = lit(ofCause(cause));
        if (end - x > 2 * ratio) {
          context.globalAlpha = 0.16;
          context.fillStyle = colour;
          context.fillRect(x, frame.top, end - x, frame.height);
        }
        context.globalAlpha = 0.45;
        upright(context, frame, x, colour, [], 1, length === null ? undefined : frame.y(to(length)));
        context.globalAlpha = 1;
        context.fillStyle = colour;
        context.beginPath();
        context.moveTo(x - side, frame.top);
        context.lineTo(x + side, frame.top);
        context.lineTo(x, frame.top + 1.6 * side);
        context.fill();
        const text = length === null ? what : `${words(what)} ${time(length)}`;
        const long = wide(context, frame, text) + 12 * ratio;
        const begin = x + long < right ? x : x - long;
        if (begin < frame.left || taken.some(([from, to]) => begin < to && begin + long > from)) continue;
        taken.push([begin, begin + long]);
        label(context, frame, text, begin + 6 * ratio, frame.top + 20 * ratio, "left");
      }
    },
    said: () => {
      const now = shown(), [longest] = now;
      if (!longest) return "";
      return ` Triangles mark ${now.length === 1 ? "a stall" : `the longest of ${now.length} stalls`}${longest.length === null ? "" : `: ${time(longest.length)}, ${words(longest.what)}`}.`;
    },
  };
}
