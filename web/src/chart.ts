// A chart with axes, cursor and zoom (by uPlot), into which other modules draw.

import uPlot from "uplot";
import { h } from "./dom";
import { variable } from "./palette";
import type { Scale } from "./scale";

/** The area of a chart in which to draw, in pixels of the canvas. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels of the canvas per pixel of the page. */
  ratio: number;
  /** Returns the horizontal pixel of a place on the axis. */
  x(place: number): number;
  /** Returns the vertical pixel of a place on the axis. */
  y(place: number): number;
}

export interface ChartOptions {
  /** Description of the chart for screen readers. */
  alt: string;
  height: number;
  x: { title: string; scale: Scale; range: [number, number] };
  y: { title: string; scale: Scale; range: [number, number] };
  draw(context: CanvasRenderingContext2D, frame: Frame): void;
  /** Returns lines about the point at a place, or `null` if there is none; `near` is the size of a pixel in places. */
  hover?(x: number, y: number, near: { x: number; y: number }): string[] | null;
  /** Called with the range that the user chose, in values; `null` for all. */
  zoom?(range: [number, number] | null): void;
}

export interface Chart {
  element: HTMLElement;
  /** Shows another range, in values; `null` for all. */
  show(range: [number, number] | null): void;
  /** Draws the chart again. */
  redraw(): void;
}

const tip = h("div.tip", { role: "status", "aria-live": "polite" });
tip.hidden = true;

function tell(lines: string[] | null, x: number, y: number): void {
  tip.hidden = lines === null;
  if (!lines) return;
  if (!tip.isConnected) document.body.append(tip);
  tip.replaceChildren(...lines.map((line, index) => h(index === 0 ? "strong" : "span", {}, line)));
  const { innerWidth, innerHeight } = window;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 6))}px`;
  tip.style.top = `${y + 14 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 14}px`;
}

const FONT = "12px system-ui, sans-serif";

/** The width of a chart on paper, in the browser's pixels, and the gap between two: a quarter more than A4 has between its margins, so that
 * lines are fine and the labels can still be read. */
const PAPER = 860, GAP = 16;

/** Returns a chart, which fills the width of its container. */
export function chart(options: ChartOptions): Chart {
  const { x, y } = options;
  const whole: [number, number] = [x.scale.to(x.range[0]), x.scale.to(x.range[1])];
  const tall: [number, number] = [y.scale.to(y.range[0]), y.scale.to(y.range[1])];
  let shown: [number, number] = [...whole];
  const keys = options.zoom ? " Arrow keys move, + and − zoom, 0 shows all." : "";
  const element = h("div.chart", { tabindex: options.zoom ? 0 : null, role: "img", "aria-label": options.alt + keys });
  const axis = (side: typeof x, current: () => [number, number], size: number): uPlot.Axis => ({
    stroke: () => variable("--quiet"), font: FONT, labelFont: FONT, label: side.title, labelSize: 20, size, gap: 4,
    grid: { stroke: () => variable("--line"), width: 1 }, ticks: { stroke: () => variable("--line"), width: 1, size: 4 },
    splits: () => side.scale.marks(...current()),
    values: (_, marks) => {
      const narrow = side === x && element.clientWidth < 480;
      const every = narrow && marks.length > 5 ? 2 : 1;
      let labelled = -1;
      return marks.map((mark) => {
        const text = side.scale.label(mark, ...current());
        if (text === "") return null;
        labelled++;
        return labelled % every === 0 ? text : null;
      });
    },
  });
  const frame = (plot: uPlot): Frame => {
    const { left, top, width, height } = plot.bbox;
    const [from, to] = shown, [low, high] = tall;
    return {
      left, top, width, height, ratio: devicePixelRatio || 1,
      x: (place) => left + (place - from) / (to - from) * width,
      y: (place) => top + height - (place - low) / (high - low) * height,
    };
  };
  const plot = new uPlot({
    width: 600, height: options.height, padding: [8, 12, 0, 0],
    scales: { x: { time: false, range: () => shown }, y: { range: () => tall } },
    axes: [axis(x, () => shown, 34), axis(y, () => tall, 62)],
    series: [{}, { paths: () => null, points: { show: false } }],
    legend: { show: false },
    cursor: {
      drag: { x: Boolean(options.zoom), y: false, setScale: false },
      points: { show: false },
      bind: { dblclick: () => () => { options.zoom?.(null); return null; } },
    },
    hooks: {
      draw: [(plot) => {
        const { ctx } = plot, into = frame(plot);
        ctx.save();
        ctx.beginPath();
        ctx.rect(into.left, into.top, into.width, into.height);
        ctx.clip();
        options.draw(ctx, into);
        ctx.restore();
      }],
      setSelect: [(plot) => {
        const { left, width } = plot.select;
        if (width > 3) options.zoom?.([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")].map(x.scale.from) as [number, number]);
        if (width > 0) plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }],
      setCursor: [(plot) => {
        const { left = -1, top = -1 } = plot.cursor;
        if (!options.hover || left < 0 || top < 0) return tell(null, 0, 0);
        const near = { x: (shown[1] - shown[0]) / plot.over.clientWidth, y: (tall[1] - tall[0]) / plot.over.clientHeight };
        const box = plot.over.getBoundingClientRect();
        tell(options.hover(plot.posToVal(left, "x"), plot.posToVal(top, "y"), near), box.left + left, box.top + top);
      }],
    },
  }, [[0, 1], [null, null]], element);
  const again = () => plot.setData([[shown[0], shown[1]], [null, null]]);
  const show = (range: [number, number] | null) => {
    shown = range ? [x.scale.to(range[0]), x.scale.to(range[1])] : [...whole];
    again();
  };
  element.addEventListener("keydown", (event) => {
    const zoom = options.zoom;
    if (!zoom || event.ctrlKey || event.metaKey || event.altKey) return;
    const [from, to] = shown, span = to - from;
    const move = (low: number, high: number) => {
      const wide = high - low, start = Math.max(whole[0], Math.min(low, whole[1] - wide));
      zoom(wide >= whole[1] - whole[0] ? null : [x.scale.from(start), x.scale.from(start + wide)]);
    };
    switch (event.key) {
      case "ArrowLeft": move(from - span / 4, to - span / 4); break;
      case "ArrowRight": move(from + span / 4, to + span / 4); break;
      case "+": case "=": case "ArrowUp": move(from + span / 4, to - span / 4); break;
      case "-": case "−": case "ArrowDown": move(from - span / 2, to + span / 2); break;
      case "0": case "Escape": case "Home": zoom(null); break;
      default: return;
    }
    event.preventDefault();
  });
  // Content above may have moved the chart since uPlot last read its position.
  for (const kind of ["pointerenter", "pointerdown"]) element.addEventListener(kind, () => plot.syncRect(false), { capture: true });
  let width = 0, printing = false;
  const size = (wide: number) => plot.setSize({ width: wide, height: options.height });
  new ResizeObserver(() => {
    const now = Math.floor(element.clientWidth);
    if (!printing && now > 40 && now !== width) size(width = now);
  }).observe(element);
  window.addEventListener("beforeprint", () => {
    printing = true;
    size(element.closest(".pair") ? (PAPER - GAP) / 2 : PAPER);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    if (width > 0) size(width);
  });
  return { element, show, redraw: () => plot.redraw(false, true) };
}
