// The recordings as the page shows them: documents with their samples, and the colours of cells.

import { byTime, type Samples, type Series } from "./data";
import type { Budget, CellFigures, Finding, Page, PageCell, PageRecording, PageSeries } from "./document";
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

/** Cells of one recording that are drawn together, in one colour. */
export interface Drawn {
  name: string;
  colour: string;
  recording: number;
  cells: number[];
  /** Whether each cell of the recording is among them; `null` if all are. */
  only: Uint8Array | null;
}

function together(recording: Loaded, name: string, colour: string, cells: number[]): Drawn {
  const count = recording.cells.length;
  const only = cells.length < count ? new Uint8Array(count) : null;
  if (only) for (const cell of cells) only[cell] = 1;
  return { name, colour, recording: recording.index, cells, only };
}

/** Returns the name of a series, and its colour: its recording's if there are several. */
function entry(all: Loaded[], { index, document }: Loaded, series: PageSeries): { name: string; colour: string } {
  return all.length > 1 ? { name: document.name, colour: ofSeries(index) } : { name: series.name ?? document.name, colour: ofSeries(series.colour) };
}

/** Returns the colour of a cell. */
export function colour(all: Loaded[], recording: number, cell: number): string {
  const of = all[recording]!;
  const series = of.document.series.find((one) => one.cells.includes(cell));
  return series ? entry(all, of, series).colour : ofSeries(all.length > 1 ? recording : 0);
}

/** Returns what is drawn together, the lowest first: each series, each of several recordings, or the cell that is shown alone. */
export function drawn(all: Loaded[]): Drawn[] {
  return all.flatMap((recording): Drawn[] => {
    const { index, document: { name, series, cells } } = recording;
    if (view.cell) {
      const [of, cell] = view.cell;
      return of === index ? [together(recording, cells[cell]?.label ?? "?", colour(all, index, cell), [cell])] : [];
    }
    if (all.length > 1) return [together(recording, name, ofSeries(index), [...cells.keys()])];
    return series.map((one) => {
      const { name, colour } = entry(all, recording, one);
      return together(recording, name, colour, one.cells);
    });
  });
}

/** Returns the names and colours of a legend; none if everything has one colour. */
export function legendEntries(all: Loaded[]): { name: string; colour: string }[] {
  const entries = all.length > 1 ? all.map(({ index, document }) => ({ name: document.name, colour: ofSeries(index) }))
    : all.flatMap((recording) => recording.document.series.map((series) => entry(all, recording, series)));
  return entries.length > 1 ? entries : [];
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
