// Labels on charts, and lines across them.

import type { Frame } from "./chart";
import { variable } from "./palette";

/** Draws a text that can be read on whatever is below it; `y` is its middle. */
export function label(context: CanvasRenderingContext2D, { ratio }: Frame, text: string, x: number, y: number, align: CanvasTextAlign): void {
  context.save();
  context.font = font(ratio);
  context.textBaseline = "middle";
  context.textAlign = align;
  context.lineWidth = 4 * ratio;
  context.lineJoin = "round";
  context.strokeStyle = variable("--paper");
  context.strokeText(text, x, y);
  context.fillStyle = variable("--ink");
  context.fillText(text, x, y);
  context.restore();
}

/** Returns the width of a label, in pixels of the canvas. */
export function wide(context: CanvasRenderingContext2D, { ratio }: Frame, text: string): number {
  context.font = font(ratio);
  return context.measureText(text).width;
}

/** Draws an upright line from the top of the chart, in pixels of the canvas; over the whole height, unless `until` says where it ends. */
export function upright(context: CanvasRenderingContext2D, frame: Frame, x: number, colour: string, dash: number[], width: number, until = frame.top + frame.height): void {
  context.save();
  context.setLineDash(dash.map((length) => length * frame.ratio));
  context.lineWidth = width * frame.ratio;
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(x, frame.top);
  context.lineTo(x, until);
  context.stroke();
  context.restore();
}

function font(ratio: number): string {
  return `${11 * ratio}px system-ui, sans-serif`;
}
