// Colours: those of Okabe and Ito, which most people can tell apart. A cause has the same colour everywhere.

const BLUE = "#0072b2", VERMILION = "#d55e00", GREEN = "#009e73", PURPLE = "#cc79a7", ORANGE = "#e69f00", SKY = "#56b4e9", YELLOW = "#d8cb2e", GREY = "#8a8a8a";

/** Colours of series, in order; the pictures of the program have the same. */
export const SERIES = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "#b8a800", GREY];

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

/** Returns a cause's colour. */
export function ofCause(cause: string): string {
  return CAUSES[cause] ?? GREY;
}

/** Returns a series' colour. */
export function ofSeries(index: number): string {
  return SERIES[index % SERIES.length] ?? GREY;
}

/** Returns the present colour of a CSS variable. */
export function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || GREY;
}
