// Findings written on the picture of oversleep against time, where they act: the parts of the median as a ladder at the right,
// and the moments from which on something was different.

import { time, words } from "./format";
import { label, upright } from "./label";
import type { Layer } from "./layers";
import { isShown, type Loaded } from "./model";
import { lit, ofCause, UNEXPLAINED, variable } from "./palette";
import { view } from "./state";
import { parts as ranked, typical } from "./verdict";

/** A part of the median, from one lateness to another, both in ns. */
export interface Rung { cause: string; from: number; to: number }

/** Returns the parts of a median, the largest first, each from where the one before ends; none if one of them is negative. */
export function ladder(split: Record<string, number>): Rung[] {
  const rungs: Rung[] = [];
  let sum = 0;
  for (const [cause, ns] of ranked(split).filter(([, ns]) => ns !== 0)) {
    if (ns < 0) return [];
    rungs.push({ cause, from: sum, to: sum += ns });
  }
  return rungs;
}

/** Returns when something changed, in seconds since the beginning, with the finding's name; none where samples are left out. */
export function moments(recording: Loaded): { at: number; name: string }[] {
  const { series, document } = recording;
  if (!series || document.samples?.one_of !== 1) return [];
  return recording.cells.filter((cell) => isShown(recording.index, cell.index)).flatMap((cell) => cell.findings.flatMap((found) => {
    const { sleep } = found.evidence as { sleep?: unknown };
    if (found.cause !== "change-point" || typeof sleep !== "number" || (view.cause !== null && view.cause !== found.cause)) return [];
    let left = sleep;
    const place = series.cell.findIndex((one) => one === cell.index && left-- === 0);
    return place < 0 ? [] : [{ at: series.at[place]!, name: words(found.cause) }];
  }));
}

/** Returns the layer of changes; `null` if nothing changed. */
export function changes(recording: Loaded): Layer | null {
  if (!recording.cells.some((cell) => cell.findings.some((found) => found.cause === "change-point"))) return null;
  return {
    key: "changes", name: "changes",
    draw: (context, frame) => {
      for (const { at, name } of moments(recording)) {
        const x = frame.x(at);
        upright(context, frame, x, variable("--ink"), [5, 4], 1.5);
        label(context, frame, name, x + 5 * frame.ratio, frame.top + 9 * frame.ratio, "left");
      }
    },
    said: () => {
      const all = moments(recording);
      return all.length === 0 ? "" : ` Dashed lines: oversleep was different from ${all.map(({ at }) => time(at * 1e9)).join(" and from ")} on.`;
    },
  };
}

/** Returns the layer of the median's parts: of the cell that is shown alone, or of the headline's; `null` if there are none. */
export function parts(recording: Loaded): Layer | null {
  const cell = () => view.cell ? recording.cells[view.cell[1]] : typical(recording);
  const rungs = () => ladder(cell()?.budget?.p50_ns ?? {});
  if (recording.cells.every((cell) => ladder(cell.budget?.p50_ns ?? {}).length === 0)) return null;
  return {
    key: "parts", name: "parts of the median",
    draw: (context, frame, to) => {
      const { ratio } = frame, bottom = frame.top + frame.height, right = frame.left + frame.width, wide = 7 * ratio;
      let free = Infinity;
      for (const { cause, from, to: end } of rungs()) {
        if (view.cause !== null && view.cause !== cause) continue;
        const low = Math.min(bottom, frame.y(to(from))), high = Math.max(frame.top, frame.y(to(end)));
        if (!(low - high > ratio)) continue;
        context.fillStyle = UNEXPLAINED.has(cause) ? variable("--quiet") : lit(ofCause(cause));
        context.globalAlpha = UNEXPLAINED.has(cause) ? 0.45 : 1;
        context.fillRect(right - wide, high, wide, low - high);
        context.globalAlpha = 1;
        const middle = (low + high) / 2;
        // Labels of thin parts would cover one another.
        if (free - middle < 12 * ratio) continue;
        label(context, frame, `${words(cause)} ${time(end - from)}`, right - wide - 5 * ratio, middle, "right");
        free = middle;
      }
    },
    said: () => {
      const all = rungs(), of = cell();
      if (!of || all.length === 0) return "";
      return ` At the right, what the median of ${of.page.label} is made of: ${all.map(({ cause, from, to }) => `${words(cause)} ${time(to - from)}`).join(", ")}.`;
    },
  };
}
