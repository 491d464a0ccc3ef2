// Draws many points: as a density in small squares, with the extremes of every column on top.

import type { Frame } from "./chart";
import { channels, lit, variable } from "./palette";

/** Points of one colour, as places on the chart's axes. */
export interface Cloud {
  colour: string;
  x: Float32Array | Float64Array;
  y: Float32Array | Float64Array;
  /** Index of the first point that is drawn, and of the first after the last. */
  from: number;
  until: number;
  /** Returns whether a point is drawn; all are if this is absent. */
  only?: (index: number) => boolean;
}

/** Most points that are drawn one by one. */
const FEW = 6000;

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
  const width = Math.ceil(frame.width / side), height = Math.ceil(frame.height / side);
  if (width < 1 || height < 1) return;
  const counts = new Uint32Array(width * height);
  const highest = new Int32Array(width).fill(-1), lowest = new Int32Array(width).fill(-1);
  const originX = (left - frame.left) / side, stepX = perX / side, originY = (bottom - frame.top) / side, stepY = perY / side;
  for (let index = from; index < until; index++) {
    if (only && !only(index)) continue;
    const column = Math.floor(originX + x[index]! * stepX), row = Math.floor(originY + y[index]! * stepY);
    if (column < 0 || column >= width || row < 0 || row >= height) continue;
    counts[row * width + column]!++;
    if (highest[column]! < 0 || row < highest[column]!) highest[column] = row;
    if (row > lowest[column]!) lowest[column] = row;
  }
  let most = 1;
  for (const count of counts) if (count > most) most = count;
  const [red, green, blue] = channels(cloud.colour);
  const image = new ImageData(width, height);
  // A single point on dark paper would hardly be seen with what is enough on light paper.
  const faint = Number(variable("--faint")), scale = (255 - faint) / Math.log1p(most);
  for (let place = 0; place < counts.length; place++) {
    const count = counts[place]!;
    if (count === 0) continue;
    image.data[4 * place] = red;
    image.data[4 * place + 1] = green;
    image.data[4 * place + 2] = blue;
    image.data[4 * place + 3] = faint + scale * Math.log1p(count);
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, frame.left, frame.top, width * side, height * side);
  context.fillStyle = lit(cloud.colour);
  const dot = side + ratio;
  for (let column = 0; column < width; column++) {
    for (const row of [highest[column]!, lowest[column]!]) {
      if (row >= 0) context.fillRect(frame.left + column * side - ratio / 2, frame.top + row * side - ratio / 2, dot, dot);
    }
  }
}

/** Draws a ring around a point, so that it is seen among many. */
export function ring(context: CanvasRenderingContext2D, x: number, y: number, ratio: number, colour: string): void {
  context.lineWidth = 1.5 * ratio;
  context.strokeStyle = colour;
  context.beginPath();
  context.arc(x, y, 4.5 * ratio, 0, 2 * Math.PI);
  context.stroke();
}
