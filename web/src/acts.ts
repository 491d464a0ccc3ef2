// Findings written on the picture of oversleep against time, where they act: the parts of the median as a ladder at the right,
// and the moments from which on something was different.

import type { Frame } from "./chart";
import { time, words } from "./format";
import { isShown, type Loaded } from "./model";
import { ofCause, UNEXPLAINED, variable } from "./palette";
import { view } from "./state";
import { parts, typical } from "./verdict";

/** A part of the median, from one lateness to another, both in ns. */
export interface Rung { cause: string; from: number; to: number }

/** Returns the parts of a median, the largest first, each from where the one before ends; none if one of them is negative. */
export function ladder(split: Record<string, number>): Rung[] {
  const rungs: Rung[] = [];
  let sum = 0;
  for (const [cause, ns] of parts(split).filter(([, ns]) => ns !== 0)) {
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

/** Returns the cell whose median the ladder divides: the one that is shown alone, or the headline's. */
function explained(recording: Loaded) {
  return view.cell ? recording.cells[view.cell[1]] : typical(recording);
}

/** Returns a sentence on the ladder; empty if there is none. */
export function said(all: Loaded[]): string {
  const [only] = all;
  const cell = only && all.length === 1 ? explained(only) : null;
  const rungs = ladder(cell?.budget?.p50_ns ?? {});
  if (!cell || rungs.length === 0) return "";
  return ` At the right, what the median of ${cell.page.label} is made of: ${rungs.map(({ cause, from, to }) => `${words(cause)} ${time(to - from)}`).join(", ")}.`;
}

/** Draws the ladder and the moments; `to` returns a lateness's place. */
export function draw(context: CanvasRenderingContext2D, frame: Frame, all: Loaded[], to: (ns: number) => number): void {
  const [only] = all;
  if (!only || all.length > 1) return;
  const { ratio } = frame, bottom = frame.top + frame.height, right = frame.left + frame.width;
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  const label = (text: string, x: number, y: number, align: CanvasTextAlign) => {
    context.textAlign = align;
    context.lineWidth = 4 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = variable("--paper");
    context.strokeText(text, x, y);
    context.fillStyle = variable("--ink");
    context.fillText(text, x, y);
  };
  const wide = 7 * ratio;
  let free = Infinity;
  for (const { cause, from, to: end } of ladder(explained(only)?.budget?.p50_ns ?? {})) {
    if (view.cause !== null && view.cause !== cause) continue;
    const low = Math.min(bottom, frame.y(to(from))), high = Math.max(frame.top, frame.y(to(end)));
    if (!(low - high > ratio)) continue;
    context.fillStyle = UNEXPLAINED.has(cause) ? variable("--quiet") : ofCause(cause);
    context.globalAlpha = UNEXPLAINED.has(cause) ? 0.45 : 1;
    context.fillRect(right - wide, high, wide, low - high);
    context.globalAlpha = 1;
    const middle = (low + high) / 2;
    // Labels of thin parts would cover one another.
    if (free - middle < 12 * ratio) continue;
    label(`${words(cause)} ${time(end - from)}`, right - wide - 5 * ratio, middle, "right");
    free = middle;
  }
  for (const { at, name } of moments(only)) {
    const x = frame.x(at);
    context.setLineDash([5 * ratio, 4 * ratio]);
    context.lineWidth = 1.5 * ratio;
    context.strokeStyle = variable("--ink");
    context.beginPath();
    context.moveTo(x, frame.top);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
    label(name, x + 5 * ratio, frame.top + 9 * ratio, "left");
  }
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
}
