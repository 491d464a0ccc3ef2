// The recordings as the page shows them: documents with their samples, and the colours of cells.

import { byTime, type Samples, type Series } from "./data";
import type { Budget, CellFigures, Finding, Page, PageCell, PageRecording } from "./document";
import { ofSeries } from "./palette";
import { view } from "./state";

/** A cell with its figures, findings and budget. */
export interface Cell {
  recording: number;
  index: number;
  page: PageCell;
  figures: CellFigures;
  findings: Finding[];
  budget: Budget | null;
}

/** A recording with its samples. */
export interface Loaded {
  index: number;
  document: PageRecording;
  cells: Cell[];
  samples: Samples | null;
  series: Series | null;
}

/** Most cells that have colours of their own; if there are more, all have one colour. */
const COLOURS = 6;

/** Returns a recording as the page shows it, as yet without samples. */
export function loaded(page: Page, index: number): Loaded {
  const document = page.recordings[index]!;
  const cells = document.cells.map((cell, number): Cell => {
    const explained = document.explained?.cells[number];
    return {
      recording: index, index: number, page: cell, figures: document.measured.cells[number]!,
      findings: explained?.findings ?? [], budget: explained?.budget ?? null,
    };
  });
  return { index, document, cells, samples: null, series: null };
}

/** Adds the samples to a recording. */
export function sampled(recording: Loaded, samples: Samples | null): void {
  recording.samples = samples;
  recording.series = samples ? byTime(samples) : null;
}

/** Returns the cells that have sleeps. */
export function slept(recording: Loaded): Cell[] {
  return recording.cells.filter((cell) => cell.figures.n > 0);
}

/** Returns whether a cell is shown: all are, unless one is picked. */
export function isShown(recording: number, cell: number): boolean {
  return view.cell === null || (view.cell[0] === recording && view.cell[1] === cell);
}

/** Returns the colour of a cell: its recording's if there are several, its own if there are only a few cells. */
export function colour(all: Loaded[], recording: number, cell: number): string {
  if (all.length > 1) return ofSeries(recording);
  const cells = slept(all[0]!);
  return cells.length <= COLOURS ? ofSeries(Math.max(0, cells.findIndex((one) => one.index === cell))) : ofSeries(0);
}

/** Returns whether cells have colours of their own. */
export function isColoured(all: Loaded[]): boolean {
  return all.length === 1 && slept(all[0]!).length > 1 && slept(all[0]!).length <= COLOURS;
}

/** Returns the least and the largest oversleep of all recordings, in ns. */
export function extremes(all: Loaded[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const recording of all) for (const cell of recording.cells) {
    low = Math.min(low, cell.figures.min_ns ?? Infinity);
    high = Math.max(high, cell.figures.max_ns ?? -Infinity);
  }
  return low <= high ? [low, high] : [0, 1e6];
}

/** Returns the last second of the longest recording whose samples are loaded; 0 while none are. */
export function length(all: Loaded[]): number {
  let last = 0;
  for (const { series } of all) if (series && series.at.length > 0) last = Math.max(last, series.at[series.at.length - 1]!);
  return last;
}
