// Colours: those of Okabe and Ito, which most people can tell apart. A cause has the same colour everywhere.

const BLUE = "#0072b2", VERMILION = "#d55e00", GREEN = "#009e73", PURPLE = "#cc79a7", ORANGE = "#e69f00", SKY = "#56b4e9", YELLOW = "#d8cb2e", GREY = "#8a8a8a";

/** Colours of series, in order; the pictures of the program have the same. */
export const SERIES = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "#b8a800", GREY].map(tint);

const CAUSES: Record<string, string> = {
  "timer-slack": ORANGE, "timer slack": ORANGE,
  "constant-cost": SKY, "wake-up": SKY,
  "tick-quantised": BLUE, "proportional-slack": YELLOW, "coalescing": YELLOW,
  "timer-wheel": VERMILION, "interrupt late": VERMILION, "late-interrupt": VERMILION,
  "run-queue": PURPLE, "run queue": PURPLE, "preempted": "#e3a9c8",
  "idle-exit": GREEN, "interrupt entry": "#5cc4a5", "not yet running": "#5cc4a5",
  "host-steal": "#7a3b00", "stopped": "#7a3b00",
  "sawtooth": "#004a77", "clock-drift": "#004a77", "calibration": "#004a77", "cached-clock": "#7fb8d8",
  "return to the program": "#a8d6f2", "entering the kernel": "#c9c9c9", "timer armed late": "#f2c879",
  "other timers first": "#8fbf7f", "interrupted": "#b3593a",
  "periodic-interference": "#8d6bb1", "bimodal": "#b39ddb", "change-point": "#5e548e",
  "first-call": "#b9a44c", "missed-periods": "#c44536", "throttled": "#c44536", "early-wake": "#6c757d", "clock-step": "#6c757d",
};

/** Names of unexplained parts, which are drawn hatched. */
export const UNEXPLAINED = new Set(["unexplained", "not separated"]);

/** Returns a colour for style sheets: lighter on dark paper, where the page's `--full` is less than all of it. */
function tint(colour: string): string {
  return `color-mix(in srgb, ${colour} var(--full), white)`;
}

/** Returns the channels of such a colour as it is shown now, each 0 to 255. */
export function channels(tinted: string): [number, number, number] {
  const number = parseInt(/#([0-9a-f]{6})/.exec(tinted)?.[1] ?? GREY.slice(1), 16), share = parseFloat(variable("--full")) / 100;
  const mixed = (channel: number) => Math.round(255 + (channel - 255) * share);
  return [mixed(number >> 16 & 255), mixed(number >> 8 & 255), mixed(number & 255)];
}

/** Returns such a colour as it is shown now, for a canvas. */
export function lit(tinted: string): string {
  return `rgb(${channels(tinted).join(" ")})`;
}

/** Returns a cause's colour. */
export function ofCause(cause: string): string {
  return tint(CAUSES[cause] ?? GREY);
}

/** Returns a series' colour. */
export function ofSeries(index: number): string {
  return SERIES[index % SERIES.length] ?? tint(GREY);
}

/** Returns the present colour of a CSS variable. */
export function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || GREY;
}
