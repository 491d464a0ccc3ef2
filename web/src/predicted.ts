// The model laid over the samples: the lateness that a kernel with the parameters found predicts for them.

import { percent, time } from "./format";
import type { Layer } from "./layers";
import { isShown, type Loaded } from "./model";
import { variable } from "./palette";

/** A prediction: seconds since the beginning, lateness in ns. */
export interface Prediction { cell: number; at: number; late: number }

/** Returns the predictions of a recording, in order of time. */
export function predicted(recording: Loaded): Prediction[] {
  const lines = recording.document.predicted ?? [];
  return lines.flatMap(({ cell, points }) => points.map(([at, late]): Prediction => ({ cell, at: at / 1e9, late }))).sort((a, b) => a.at - b.at);
}

/** Returns at most about `most` of these, spread evenly, so that no rhythm of theirs decides which. */
export function thinned<T>(all: T[], most: number): T[] {
  const GOLDEN = 0.6180339887498949, share = most / all.length;
  return share >= 1 ? all : all.filter((_, at) => at * GOLDEN % 1 < share);
}

/** Size of a dash, and the least distance between two on average, in pixels of the page. */
const WIDE = 6, HIGH = 1.5, APART = 9;

/** Returns the layer of the model; `null` if there is none. */
export function predictions(recording: Loaded): Layer | null {
  const all = predicted(recording), last = all[all.length - 1];
  if (!last) return null;
  const shown = () => all.filter((one) => isShown(recording.index, one.cell));
  return {
    key: "model", name: "model",
    draw: (context, frame, to) => {
      const { ratio } = frame;
      const within = shown().map((one) => ({ x: frame.x(one.at), y: frame.y(to(one.late)) })).filter(({ x }) => x >= frame.left && x <= frame.left + frame.width);
      const dashes = thinned(within, frame.width / ratio / APART);
      // All edges first: none may cover a neighbour.
      for (const [edge, colour] of [[ratio, variable("--paper")], [0, variable("--ink")]] as const) {
        context.fillStyle = colour;
        for (const { x, y } of dashes) context.fillRect(x - WIDE / 2 * ratio - edge, y - HIGH / 2 * ratio - edge, WIDE * ratio + 2 * edge, HIGH * ratio + 2 * edge);
      }
    },
    said: () => {
      if (shown().length === 0) return "";
      const share = recording.document.explained?.model.fit?.variance_share ?? null;
      const end = recording.series?.at[recording.series.at.length - 1] ?? 0;
      return ` Short dashes: what a kernel with the parameters found would do${last.at < 0.9 * end ? ` in the first ${time(last.at * 1e9)}, from which they were found` : ""}`
        + `${share !== null && share > 0 ? `; it explains ${percent(share)} of the variation` : ""}.`;
    },
  };
}

/** Returns a function that returns the lateness predicted for a row of the samples, in ns; `null` where none is drawn. */
export function predictor(recording: Loaded): (row: number) => number | null {
  const known = new Map((recording.document.predicted ?? []).flatMap(({ cell, points }) => points.map(([at, late]): [string, number] => [`${cell} ${at}`, late])));
  return (row) => known.get(`${recording.samples!.cell[row]} ${recording.samples!.start[row]}`) ?? null;
}
