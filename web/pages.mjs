// Makes the pages that page.mjs opens: NAME.html, and NAME.csv where a page holds all samples.
//
//     node pages.mjs OVERSLEEP FOLDER
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [oversleep, folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const file = (name) => join(folder, name);
const run = (...words) => execFileSync(oversleep, words, { maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "pipe"] });

/** Recordings: simulated ones, which do not depend on the machine, and a short one of each other kind. */
const RECORDINGS = {
  methods: "simulate linux-2.6-hrtimer -m nanosleep,select -r 100us,1ms -n 400",
  sweep: "simulate freebsd-8-hz4000 --experiment sweep",
  seconds: "simulate dragonfly-1.0 --experiment wall-second",
  load: "simulate windows-98 --experiment load",
  threads: "measure -m nanosleep -r 1ms -n 400 -t 2 -a 0,1 --one-cpu-each",
  schedule: "measure --experiment periodic -n 500",
  million: "simulate linux-2.6-hrtimer -m nanosleep -r 1ms -n 1000000",
  one: "measure -m nanosleep -r 1ms -n 1",
  traced: "measure --trace -m nanosleep -r 1ms -n 100",
  stalls: "stalls -d 2s",
  clocks: "clocks",
};

/** Returns a number from 0 to 2³² − 1 that looks random. */
function hash(number) {
  let value = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Sleeps of a kernel with a tick of 10 ms. What wakes at every 73rd tick delays them by 300 µs, and once the thread is stopped
 * for 3 s. */
function rhythm() {
  const TICK = 10e6, rows = [];
  for (let n = 0, start = 0; n < 4000; n++) {
    const requested = 200e3 + hash(3 * n) % 59_800_000;
    const tick = Math.ceil((start + requested) / TICK) + 1;
    const end = tick * TICK + 20e3 + hash(3 * n + 1) % 4000 + (tick % 73 === 0 ? 300e3 : 0) + (n === 3000 ? 3e9 : 0);
    rows.push(`nanosleep,${requested},${start},${end}`);
    start = end + 1000 + hash(3 * n + 2) % 20_000_000;
  }
  return rows;
}

/** More sleeps than a page holds, late by 50 to 70 µs, with one in the middle that is late by 100 ms. It is not among those that
 * a page would hold if it did not keep the latest. */
function planted() {
  const REQUESTED = 1e6, rows = [];
  for (let n = 0, start = 0; n < 1_100_000; n++) {
    const end = start + REQUESTED + (n === 550_047 ? 100e6 : 50e3 + hash(n) % 20_000);
    rows.push(`nanosleep,${REQUESTED},${start},${end}`);
    start = end + 1000;
  }
  return rows;
}

/** Tables of samples that show what no simulated kernel does; the first has texts that would run as markup. */
const TABLES = {
  texts: ["</script><script>alert(1)</script>,1000000,0,1058000", "<!--<img src=x onerror=alert(1)>,1000000,2000000,3058000"],
  rhythm: rhythm(),
  planted: planted(),
};

const made = [];
for (const [name, words] of Object.entries(RECORDINGS)) {
  try {
    run(...words.split(" "), "-q", "--out", file(`${name}.arrows`));
    made.push([name, file(`${name}.arrows`)]);
  } catch (error) {
    // Stalls need two processors, and tracing needs privileges.
    console.log(`not opened: ${name}: ${error.stderr}`);
  }
}
for (const [name, rows] of Object.entries(TABLES)) {
  writeFileSync(file(`table-${name}`), ["method,requested_ns,start_ns,end_ns", ...rows, ""].join("\n"));
  made.push([name, file(`table-${name}`)]);
}
for (const [name, path] of made) {
  run("report", path, "-o", file(`${name}.html`), "--force");
  // Clocks have no samples, and the page of more than a million has not all of them.
  if (!["clocks", "planted"].includes(name)) writeFileSync(file(`${name}.csv`), run("export", path, "--csv"));
}
run("report", ...["methods", "seconds", "one"].map((name) => file(`${name}.arrows`)), "-o", file("several.html"), "--force");
