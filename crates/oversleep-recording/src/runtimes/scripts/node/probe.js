// Every Node probe ends with this part, which implements oversleep's protocol; `sleep(ms)` or `block` precedes it.
const { PerformanceObserver, performance } = require("node:perf_hooks");
const now = process.hrtime.bigint;
const load = Number(process.env.OVERSLEEP_LOAD ?? 0);
let busy = false;

// One of the callbacks that keep the loop busy during a block of sleeps, a fraction of a millisecond each.
function work() {
  const until = performance.now() + 0.2;
  while (performance.now() < until);
  if (busy) setImmediate(work);
}

// Collections as Node reports them, matched by time after the block: reports come late.
const collections = [];
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ["gc"] });
const origin = now() - BigInt(Math.round(performance.now() * 1e6));

async function oneByOne(ms, count) {
  const rows = [];
  for (let n = 0; n < count; n++) {
    const start = now();
    await sleep(ms);
    rows.push([start, now()]);
  }
  return rows;
}

const isCollected = ([start, end]) => (entry) => {
  const at = origin + BigInt(Math.round(entry.startTime * 1e6));
  return at >= start && at < end;
};

async function answer(line) {
  const [request, count] = line.split(" ").map(Number);
  busy = load > 0;
  for (let n = 0; n < load; n++) setImmediate(work);
  const rows = await (typeof block === "function" ? block : oneByOne)(request / 1e6, count);
  busy = false;
  await new Promise(setImmediate);
  const lines = rows.map((row) => `${request},${row[0]},${row[1]},${collections.filter(isCollected(row)).length}`);
  collections.length = 0;
  process.stdout.write(["requested_ns,start_ns,end_ns,gc", ...lines, "", ""].join("\n"));
}

let cost = 1n << 40n;
for (let n = 0, last = now(); n < 200; n++) {
  const next = now();
  if (next - last < cost) cost = next - last;
  last = next;
}
const mode = typeof schedule === "undefined" ? "sleep" : "schedule";
console.log(`# oversleep-probe 1 clock=monotonic mode=${mode} cost_ns=${cost} load=${load} runtime=Node.js ${process.version}`);
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", answer).on("close", () => process.exit());
