// Rhythms on the picture of oversleep against time: when something that wakes at a fixed period was due.

import { grouped, time } from "./format";
import { label, upright, wide } from "./label";
import type { Layer } from "./layers";
import { isShown, type Loaded } from "./model";
import { lit, ofCause } from "./palette";
import { view } from "./state";

const CAUSE = "periodic-interference";

/** Something that recurs; times in seconds since the beginning. */
export interface Rhythm {
  period: number;
  /** Uncertainty of the period. */
  error: number;
  /** One of its times. */
  at: number;
  /** Number of sleeps that it delayed. */
  events: number;
  /** From when to when it was there, in s. */
  lasts: [from: number, to: number];
  /** Indices of the cells whose sleeps it delayed. */
  cells: number[];
}

/** Returns the rhythms of a recording, each once. */
export function found(recording: Loaded): Rhythm[] {
  const all: Rhythm[] = [];
  for (const cell of recording.cells) for (const finding of cell.findings) {
    if (finding.cause !== CAUSE) continue;
    const { period_s: period, period_error_s: error, at_ns, events, from_s, to_s } = finding.evidence;
    const at = (at_ns - Number(cell.page.origin_ns)) / 1e9;
    const known = all.find((one) => one.period === period && Math.abs(one.at - at) < 1e-3 * period);
    if (known) known.cells.push(cell.index);
    else if (period > 0) all.push({ period, error, at, events, cells: [cell.index], lasts: [from_s ?? -Infinity, to_s ?? Infinity] });
  }
  return all;
}

/** Returns a rhythm's times from one second to another; none so far from the known one that they would be a guess, or if they
 * are more than `most`. */
export function beats({ period, error, at, lasts }: Rhythm, from: number, to: number, most: number): number[] {
  [from, to] = [Math.max(from, lasts[0] - period / 2), Math.min(to, lasts[1] + period / 2)];
  const sure = error > 0 ? Math.floor(period / 4 / error) : Infinity;
  const first = Math.max(Math.ceil((from - at) / period), -sure), last = Math.min(Math.floor((to - at) / period), sure);
  return last - first + 1 > most ? [] : Array.from({ length: Math.max(0, last - first + 1) }, (_, beat) => at + (first + beat) * period);
}

/** Returns the layer of rhythms; `null` if there are none. */
export function rhythms(recording: Loaded): Layer | null {
  const all = found(recording);
  if (all.length === 0) return null;
  const shown = () => view.cause !== null && view.cause !== CAUSE ? [] : all.filter((one) => one.cells.some((cell) => isShown(recording.index, cell)));
  return {
    key: "rhythm", name: "rhythm",
    draw: (context, frame) => {
      const { ratio } = frame, bottom = frame.top + frame.height, colour = lit(ofCause(CAUSE));
      const perSecond = frame.x(1) - frame.x(0), from = (frame.left - frame.x(0)) / perSecond;
      shown().forEach((rhythm, line) => {
        const times = beats(rhythm, from, from + frame.width / perSecond, frame.width / ratio / 6);
        for (const beat of times) {
          const x = frame.x(beat);
          context.globalAlpha = 0.6;
          upright(context, frame, x, colour, [1.5, 3.5], 1.2);
          context.globalAlpha = 1;
          context.fillStyle = colour;
          context.fillRect(x - ratio, bottom - 9 * ratio, 2 * ratio, 9 * ratio);
        }
        const text = `every ${time(rhythm.period * 1e9)}${times.length === 0 ? "; zoom in to see each" : ""}`;
        const x = Math.max(frame.left + 6 * ratio, Math.min(frame.x(times[0] ?? -Infinity) + 5 * ratio, frame.left + frame.width - wide(context, frame, text)));
        label(context, frame, text, x, frame.top + (34 + 13 * line) * ratio, "left");
      });
    },
    said: () => shown().map(({ period, events, lasts: [from, to] }) => ` Dotted lines: something delays sleeps every ${time(period * 1e9)}${Number.isFinite(to) ? `, from ${time(from * 1e9)} to ${time(to * 1e9)}` : ""}; it met ${grouped(events)}.`).join(""),
  };
}
