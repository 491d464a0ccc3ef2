// The samples as CSV: the columns that differ from sample to sample, which are the first ones of `oversleep export`.

import type { Samples } from "./data";
import type { PageRecording } from "./document";

const HEADER = "method,thread,cpu,load,clock,sequence,requested_ns,deadline_ns,start_ns,end_ns,oversleep_ns,flags\n";
/** Number of lines in a piece of text. */
const CHUNK = 20000;

function field(text: string): string {
  return /^#|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a function that returns the exact sum of an origin (ns) and a distance from it (ns) as text. */
function adder(origin: string): (ns: number) => string {
  const whole = BigInt(origin);
  const near = whole < 2n ** 52n && whole > -(2n ** 52n);
  if (near) {
    const from = Number(whole);
    return (ns) => { const sum = from + ns; return Number.isSafeInteger(sum) ? String(sum) : String(whole + BigInt(ns)); };
  }
  // Seconds and nanoseconds are added separately: each is small enough to be exact as a number.
  const seconds = Number(whole / 1000000000n), rest = Number(whole % 1000000000n);
  return (ns) => {
    const sum = rest + ns;
    const carry = Math.floor(sum / 1e9);
    const second = seconds + carry;
    return second > 0 ? `${second}${String(sum - carry * 1e9).padStart(9, "0")}` : String(whole + BigInt(ns));
  };
}

/** Returns the CSV in pieces. */
export function csv(recording: PageRecording, samples: Samples): string[] {
  const cells = recording.measured.cells.map((cell, index) => {
    const { asked, obtained } = cell.conditions;
    const load = (obtained?.load ?? asked.load)?.threads ?? 0;
    return { begin: field(cell.method), middle: `,${load},${cell.clock},`, add: adder(recording.cells[index]?.origin_ns ?? "0") };
  });
  const out = [HEADER];
  for (let from = 0; from < samples.count; from += CHUNK) {
    let text = "";
    for (let row = from; row < Math.min(from + CHUNK, samples.count); row++) {
      const cell = cells[samples.cell[row]!];
      if (!cell) continue;
      const cpu = samples.cpu[row]!, deadline = samples.deadline[row]!;
      text += `${cell.begin},${samples.thread[row]},${cpu < 0 ? "" : cpu}${cell.middle}${samples.sequence[row]},${samples.requested[row]},`;
      text += `${Number.isNaN(deadline) ? "" : cell.add(deadline)},${cell.add(samples.start[row]!)},${cell.add(samples.end[row]!)},${samples.late[row]},${samples.flags[row]}\n`;
    }
    out.push(text);
  }
  return out;
}
