// Draws many points: as a density in small squares, with the extremes of every column on top.

import type { Frame } from "./chart";
import { channels, lit, variable } from "./palette";

/** Points of one colour, as places on the chart's axes. */
export interface Cloud {
  colour: string;
  x: Float32Array | Float64Array;
  y: Float32Array;
  /** Index of the first point that is drawn, and of the first after the last. */
  from: number;
  until: number;
  /** Whether `x` ascends. */
  ordered?: boolean;
  /** Returns whether a point is drawn; all are if this is absent. */
  only?: (index: number) => boolean;
}

/** Most points that are drawn one by one. */
const FEW = 6000;
/** Most points of a square whose opacity is looked up. */
const USUAL = 1000;

/** Draws a cloud of points. */
export function draw(context: CanvasRenderingContext2D, frame: Frame, cloud: Cloud): void {
  const { x, y, from, until, only } = cloud;
  const ratio = frame.ratio;
  const left = frame.x(0), perX = frame.x(1) - left, bottom = frame.y(0), perY = frame.y(1) - bottom;
  if (until - from <= FEW) {
    const radius = Math.max(1, (until - from < 400 ? 2.2 : 1.4) * ratio);
    context.globalAlpha = until - from < 400 ? 0.85 : Math.min(1, Number(variable("--faint")) / 125);
    context.fillStyle = lit(cloud.colour);
    for (let index = from; index < until; index++) {
      if (only && !only(index)) continue;
      context.fillRect(left + x[index]! * perX - radius, bottom + y[index]! * perY - radius, 2 * radius, 2 * radius);
    }
    context.globalAlpha = 1;
    return;
  }
  const side = Math.max(1, Math.round(1.5 * ratio));
  const squares = grid(Math.ceil(frame.width / side), Math.ceil(frame.height / side));
  if (!squares) return;
  const { width, height, counts, image, pixels, canvas, highest, lowest } = squares;
  counts.fill(0);
  const originX = (left - frame.left) / side, stepX = perX / side;
  const rows = rowsOf(y, (bottom - frame.top) / side, perY / side, height);
  if (cloud.ordered && !only) {
    // Nothing but a comparison and a count for each point: there may be a million in every picture of a move.
    for (let column = 0, index = from; column < width; column++) {
      const edge = (column + 1 - originX) / stepX;
      for (; index < until && x[index]! < edge; index++) counts[rows[index]! * width + column]!++;
    }
  } else {
    for (let index = from; index < until; index++) {
      if (only && !only(index)) continue;
      const column = originX + x[index]! * stepX;
      // Compared before it is made whole, which rounds a number a little below zero to zero.
      if (column >= 0 && column < width) counts[rows[index]! * width + (column | 0)]!++;
    }
  }
  counts.fill(0, height * width);
  let most = 1;
  for (const count of counts) if (count > most) most = count;
  const [red, green, blue] = channels(cloud.colour);
  // A single point on dark paper would hardly be seen with what is enough on light paper.
  const faint = Number(variable("--faint")), scale = (255 - faint) / Math.log1p(most), full = blue << 16 | green << 8 | red;
  // The bytes of a pixel are red, green, blue and opacity; every processor with a browser has the first one lowest.
  const pixel = (count: number) => Math.round(faint + scale * Math.log1p(count)) << 24 | full;
  const pixelOf = Uint32Array.from({ length: Math.min(most, USUAL) + 1 }, (_, count) => pixel(count));
  highest.fill(-1);
  pixels.fill(0);
  for (let row = 0, place = 0; row < height; row++) {
    for (let column = 0; column < width; column++, place++) {
      const count = counts[place]!;
      if (count === 0) continue;
      if (highest[column]! < 0) highest[column] = row;
      lowest[column] = row;
      pixels[place] = count <= USUAL ? pixelOf[count]! : pixel(count);
    }
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, frame.left, frame.top, width * side, height * side);
  context.fillStyle = lit(cloud.colour);
  const dot = side + ratio;
  for (let column = 0; column < width; column++) {
    if (highest[column]! < 0) continue;
    for (const row of [highest[column]!, lowest[column]!]) context.fillRect(frame.left + column * side - ratio / 2, frame.top + row * side - ratio / 2, dot, dot);
  }
}

const rowsKnown = new WeakMap<Float32Array, { origin: number; step: number; rows: Uint16Array }>();

/** Returns the row of squares that each place is in; one below the last row for those in none. They change only with the size
 * of the chart. */
function rowsOf(y: Float32Array, origin: number, step: number, height: number): Uint16Array {
  let of = rowsKnown.get(y);
  if (of?.origin !== origin || of.step !== step) {
    const rows = of?.rows ?? new Uint16Array(y.length);
    for (let index = 0; index < y.length; index++) {
      const row = origin + y[index]! * step;
      rows[index] = row >= 0 && row < height ? row : height;
    }
    rowsKnown.set(y, of = { origin, step, rows });
  }
  return of.rows;
}

/** Squares that points are counted in, the picture of them, and the highest and lowest square of each column. */
interface Grid {
  width: number;
  height: number;
  /** Row by row, and one more row for points outside. */
  counts: Uint32Array;
  image: ImageData;
  /** The pixels of `image`. */
  pixels: Uint32Array;
  canvas: HTMLCanvasElement;
  highest: Int32Array;
  lowest: Int32Array;
}

const grids = new Map<string, Grid>();

/** Returns squares to draw into, the same for each size: a chart that is moved is drawn sixty times a second. */
function grid(width: number, height: number): Grid | null {
  if (width < 1 || height < 1) return null;
  const key = `${width} ${height}`;
  let known = grids.get(key);
  if (!known) {
    // Sizes that a window had while it was resized.
    if (grids.size >= 8) grids.clear();
    const image = new ImageData(width, height), canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    known = { width, height, counts: new Uint32Array(width * (height + 1)), image, pixels: new Uint32Array(image.data.buffer), canvas, highest: new Int32Array(width), lowest: new Int32Array(width) };
    grids.set(key, known);
  }
  return known;
}

/** Draws a ring around a point, so that it is seen among many. */
export function ring(context: CanvasRenderingContext2D, x: number, y: number, ratio: number, colour: string): void {
  context.lineWidth = 1.5 * ratio;
  context.strokeStyle = colour;
  context.beginPath();
  context.arc(x, y, 4.5 * ratio, 0, 2 * Math.PI);
  context.stroke();
}
