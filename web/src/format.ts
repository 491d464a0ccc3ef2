// Numbers as text for people, with a suitable number of digits.

const UNITS: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Returns a time of `ns` nanoseconds with three digits, as the program prints it; a dash for none. */
export function time(ns: number | null | undefined): string {
  if (ns === null || ns === undefined || Number.isNaN(ns)) return "–";
  const size = Math.abs(ns);
  if (size < 999.5) return `${sign(ns)}${Math.round(size)} ns`;
  for (const [unit, name] of UNITS) {
    if (size >= unit * 0.9995) return `${sign(ns)}${digits(size / unit)} ${name}`;
  }
  return "0 ns";
}

function sign(number: number): string {
  return number < 0 ? "−" : "";
}

function digits(number: number): string {
  if (number >= 99.95) return number >= 9999.5 ? grouped(Math.round(number)) : number.toFixed(0);
  return number >= 9.995 ? number.toFixed(1) : number.toFixed(2);
}

/** Returns a time for an axis, without trailing zeros. */
export function brief(ns: number, digits = 3): string {
  if (ns === 0) return "0";
  const size = Math.abs(ns);
  for (const [unit, name] of UNITS) {
    if (size >= unit * 0.9999) return `${sign(ns)}${Number((size / unit).toPrecision(digits))} ${name}`;
  }
  return `${sign(ns)}${Number(size.toPrecision(digits - 1))} ns`;
}

/** Returns a whole number in groups of three. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** Returns a share as a percentage. */
export function percent(share: number): string {
  const of100 = 100 * share;
  return `${of100 !== 0 && Math.abs(of100) < 1 ? Number(of100.toPrecision(2)) : Math.round(of100)} %`;
}

/** Returns a finding's size in its unit. */
export function size(value: number | null, unit: string): string {
  if (value === null) return "–";
  switch (unit) {
    case "ns": return time(value);
    case "share": return `${Number((100 * value).toPrecision(3))} %`;
    case "ratio": return Math.abs(value) >= 10 ? `${Math.round(10 * value) / 10} times the request` : `${Number((100 * value).toPrecision(3))} % of the request`;
    case "us/s": return `${value > 0 ? "+" : ""}${value.toFixed(2)} µs per second`;
    default: return `${value > 0 ? "+" : ""}${value.toFixed(2)} ${unit}`;
  }
}

/** Returns a confidence in words, with how often such findings are wrong. */
export function confidence(share: number): string {
  const words = share >= 0.99 ? "almost certain" : share >= 0.95 ? "very likely" : share >= 0.8 ? "likely" : share >= 0.5 ? "more likely than not" : "a guess";
  const wrong = Math.round(1 / Math.max(1 - share, 1e-3));
  return share >= 0.55 ? `${words}: wrong about one time in ${wrong}` : `${words}: confidence ${share.toFixed(2)}`;
}

/** Returns an identifier as words. */
export function words(identifier: string): string {
  return identifier.replace(/[-_]/g, " ");
}
