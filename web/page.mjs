// Opens pages from disk in headless Chromium, with the network denied: nothing may be asked of it, no error may be told, and
// clicks, zooms, keys, theme and the table of samples have to work.
//
//     node page.mjs FOLDER PICTURES
//
// FOLDER holds NAME.html, and NAME.csv as `oversleep export --csv` wrote it. Pictures of each page go into PICTURES.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const faults = [];
/** Pages with many colours, which are also pictured as people see them who see few. */
const COLOURS = ["several", "traced", "methods"];
const HOSTILE = `</script><script>window.broken=1</script><img src=x onerror="window.broken=1"><!-- "'\`\${1}\u2028\u202e\u2066\ufeff\u200b`;

/** A copy of a page in which every text that is not a word of the format is hostile. */
function hostile(html) {
  const words = /^(ns|ppm|ratio|us\/s|live|simulated|imported|\d+|-\d+|fixed|random|aligned|periodic|pattern|intervention|trace|cell|thread|cpu|sequence|requested|has-deadline|deadline|start|late|flags)$/;
  const turned = (value) => typeof value === "string" ? words.test(value) ? value : HOSTILE
    : Array.isArray(value) ? value.map(turned)
    : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, turned(one)])) : value;
  return html.replace(/(<script type="application\/json" id="document">)(.*?)(<\/script>)/s,
    (_, open, json, close) => open + JSON.stringify(turned(JSON.parse(json))).replaceAll("<", "\\u003c") + close);
}

/** What stands over the samples of the page with a rhythm, a stall and a model: each can be hidden. */
const LAYERS = ["model", "rhythm", "stalls", "parts of the median"];
/** Lateness in ns of the planted sample in the middle of the page `planted`, and the least and most of all others. */
const PLANTED = { ns: 100e6, least: 50e3, most: 70e3 };

/** Returns how many pixels in the colour of samples are drawn where the planted sample belongs, and how many elsewhere above
 * all other samples. The ring around it, lines and labels have other colours. */
function latePixels(page) {
  return page.evaluate(({ ns, least, most }) => {
    const chart = document.querySelector(".chart[tabindex]"), canvas = chart.querySelector("canvas");
    const outer = canvas.getBoundingClientRect(), plot = chart.querySelector(".u-over").getBoundingClientRect(), ratio = canvas.width / outer.width;
    const [left, top, width, height] = [plot.left - outer.left, plot.top - outer.top, plot.width, plot.height].map((length) => Math.round(length * ratio));
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, left, top, width, height, 0, 0, width, height);
    const { data } = copy.getImageData(0, 0, width, height);
    // The axis goes from 0.8 of the least lateness to 1.3 of the most, in logarithms.
    const y = (late) => height * (1 - Math.log(late / (0.8 * least)) / Math.log(1.3 * ns / (0.8 * least)));
    let there = 0, elsewhere = 0;
    for (let row = 0; row < y(2 * most); row++) for (let column = 0; column < width; column++) {
      const pixel = 4 * (row * width + column);
      if (data[pixel + 3] < 200 || data[pixel + 2] - data[pixel] < 90) continue;
      if (Math.abs(row - y(ns)) < 5 * ratio && Math.abs(column - width / 2) < 0.03 * width) there++; else elsewhere++;
    }
    return { there, elsewhere };
  }, PLANTED);
}

/** Columns of the CSV by which the tables of groups are made, by the heading of their first column. */
const GROUPS = { processor: "cpu", thread: "thread", "busy threads": "load" };
/** Sleeps that a quantile needs (`supports_quantile` of `oversleep-figures`). */
const NEEDED = { p50: 5, p99: 299 };
/** A call that failed is in no figure. */
const FAILED = 4;

/** Returns the faults of the tables of groups: every figure has to be the sorted samples' own, but for the rounding of what is
 * shown. `csv` are the lines of all samples. */
async function groupFaults(page, csv) {
  const tables = await page.evaluate(() => [...document.querySelectorAll(".groups table.strips")].map((table) => {
    const cells = (row) => [...row.children].map((cell) => cell.textContent.replaceAll("\u202f", ""));
    return { head: cells(table.tHead.rows[0]), rows: [...table.tBodies[0].rows].map(cells) };
  }));
  const [names, ...lines] = csv.trimEnd().split("\n").map((line) => line.split(","));
  const column = (name) => names.indexOf(name);
  const ns = (text) => Number(text.split(" ")[0].replace("−", "-")) * { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 }[text.split(" ")[1]];
  /** Half of the last digit. */
  const half = (text) => ns(`${text.split(" ")[0].replace(/\d/g, (digit, at, whole) => at === whole.length - 1 ? "5" : "0").replace("−", "")} ${text.split(" ")[1]}`) / 10 * 1.001;
  const faults = [];
  for (const { head, rows } of tables) for (const row of rows) {
    const value = (name) => row[head.indexOf(name)];
    const key = row[0] === "not known" ? "" : row[0];
    const late = lines.filter((line) => !(line[column("flags")] & FAILED) && line[column(GROUPS[head[0]])] === key).map((line) => Number(line[column("oversleep_ns")])).sort((a, b) => a - b);
    const wanted = { n: late.length, p50: late[Math.ceil(late.length / 2) - 1], p99: late[Math.ceil(99 * late.length / 100) - 1], max: late.at(-1) };
    for (const [name, exact] of Object.entries(wanted)) {
      const shown = value(name);
      const right = name === "n" ? Number(shown) === exact : shown === "–" ? late.length < NEEDED[name] : late.length >= (NEEDED[name] ?? 0) && Math.abs(ns(shown) - exact) <= half(shown);
      if (!right) faults.push(`${head[0]} ${row[0]}: ${name} is shown as ${shown}, and is ${exact}`);
    }
    const [low, high] = value("95 %").split(" – ");
    if (high && !(ns(low) <= ns(value("p50")) && ns(value("p50")) <= ns(high))) faults.push(`${head[0]} ${row[0]}: the interval is beside the median`);
  }
  return { faults, compared: tables.reduce((sum, table) => sum + table.rows.length, 0) };
}

const place = mkdtempSync(join(tmpdir(), "oversleep-page-"));
const names = readdirSync(folder).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5)).sort();
const sources = names.map((name) => ({ name, path: join(folder, `${name}.html`) }));
if (names.length > 0) {
  const path = join(place, "hostile.html");
  writeFileSync(path, hostile(readFileSync(sources[0].path, "utf8")));
  sources.push({ name: "hostile", path });
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--no-default-browser-check"],
});

for (const { name, path } of sources) {
  const fault = (what) => faults.push(`${name}: ${what}`);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, offline: true });
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") fault(`console: ${message.text()}`); });
  page.on("pageerror", (error) => fault(`error: ${error.message}`));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) fault(`asked for ${request.url()}`); });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector("html[data-ready] #report h1", { timeout: 60000 });
  await page.waitForTimeout(150);
  const timing = await page.evaluate(() => ({
    verdict: performance.getEntriesByName("verdict-shown")[0]?.startTime,
    samples: performance.getEntriesByName("samples-shown")[0]?.startTime,
    shown: performance.getEntriesByName("report-shown")[0]?.startTime,
    broken: window.broken, scripts: document.scripts.length, images: document.images.length,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
    hidden: /[\p{Cf}\u2028]/u.test(document.getElementById("report").textContent + document.title),
    narrow: [...document.querySelectorAll("tbody th")].filter((one) => one.offsetParent && one.clientWidth < 100).length,
    unlabelled: [...document.querySelectorAll('[role="img"]')].filter((one) => !one.getAttribute("aria-label")).length,
  }));
  if (timing.broken || timing.images > 0) fault("a text became markup");
  if (timing.hidden) fault("a text has characters that no one sees");
  if (timing.wide) fault("it is wider than its window");
  if (timing.narrow > 0) fault(`${timing.narrow} rows of tables have a name that is squeezed together`);
  if (timing.unlabelled > 0) fault(`${timing.unlabelled} pictures without a text`);
  await page.screenshot({ path: join(pictures, `${name}-light.png`), fullPage: true });

  const samples = join(folder, `${name}.csv`);
  if (existsSync(samples)) {
    const { faults: wrong, compared } = await groupFaults(page, readFileSync(samples, "utf8"));
    wrong.forEach(fault);
    timing.groups = compared;
    if (["load", "threads"].includes(name) && compared < 2) fault("it has no table of groups");
  }

  if (COLOURS.includes(name)) {
    const tools = await context.newCDPSession(page);
    for (const type of ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"]) {
      await tools.send("Emulation.setEmulatedVisionDeficiency", { type });
      await page.screenshot({ path: join(pictures, `${name}-${type}.png`), fullPage: true });
    }
    await tools.send("Emulation.setEmulatedVisionDeficiency", { type: "none" });
  }

  // The page's own word for its address, once it fits or after five seconds: what the browser reports comes later.
  const address = async (fits) => {
    for (const end = Date.now() + 5000; ;) {
      const now = await page.evaluate(() => location.href);
      if (fits(now) || Date.now() > end) return now;
      await page.waitForTimeout(50);
    }
  };
  const button = page.locator("table.strips button.link").first();
  if (await button.count() > 0) {
    await button.focus();
    await page.keyboard.press("Enter");
    if (await button.getAttribute("aria-pressed") !== "true") fault("a cell is not shown alone");
    if (!(await address((now) => now.includes("cell="))).includes("cell=")) fault("the address does not carry the cell");
    await page.keyboard.press("Escape");
    if (await button.getAttribute("aria-pressed") !== "false") fault("Escape does not show all cells");
  }
  const layers = page.locator(".layers button.layer");
  if (name === "rhythm") {
    const named = await layers.allTextContents();
    if (named.join() !== LAYERS.join()) fault(`over the samples stand ${named.join(", ")} in place of ${LAYERS.join(", ")}`);
    const drawn = () => page.evaluate(() => document.querySelector(".chart[tabindex] canvas").toDataURL());
    const said = () => page.locator("#over-time").textContent();
    for (let at = 0; at < named.length; at++) {
      const layer = layers.nth(at), before = await drawn(), words = await said();
      await layer.focus();
      await page.keyboard.press("Enter");
      if (await layer.getAttribute("aria-pressed") !== "false" || !(await address((now) => now.includes("hide="))).includes("hide=")) fault(`${named[at]}: a key does not hide it`);
      await page.waitForTimeout(100);
      if (await drawn() === before || (await said()).length >= words.length) fault(`${named[at]}: it is there although it is hidden`);
      await page.keyboard.press("Enter");
      await page.waitForTimeout(100);
      if (await drawn() !== before || await said() !== words) fault(`${named[at]}: it does not come back`);
    }
  }
  const chart = page.locator(".chart[tabindex]").first();
  if (name === "planted") {
    const check = async (where) => {
      await page.waitForTimeout(200);
      const { there, elsewhere } = await latePixels(page);
      if (there === 0) fault(`the planted sample of 100 ms is not drawn ${where}`);
      if (elsewhere > 0) fault(`${elsewhere} pixels are drawn ${where} where no sample is`);
    };
    await check("when all are shown");
    await page.setViewportSize({ width: 390, height: 844 });
    await check("on a telephone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => { location.hash = "theme=dark"; });
    await check("on dark paper");
    await page.evaluate(() => { location.hash = ""; });
    await chart.focus();
    for (let times = 1; times <= 9; times++) {
      await page.keyboard.press("+");
      await check(`when ${2 ** times} times enlarged`);
    }
    await page.keyboard.press("0");
  }
  if (await chart.count() > 0) {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator(".u-over").boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
    // The cursor is moved with the next picture.
    await page.waitForFunction(() => parseFloat(document.querySelector(".chart[tabindex] .u-select").style.width) > 3, undefined, { timeout: 5000 }).catch(() => undefined);
    await page.mouse.up();
    const zoomed = await address((now) => now.includes("t="));
    if (!zoomed.includes("t=")) fault("a drag does not zoom");
    await chart.focus();
    await page.keyboard.press("+");
    if (await address((now) => now !== zoomed) === zoomed) fault("the key + does not zoom");
    await page.keyboard.press("0");
    if ((await address((now) => !now.includes("t="))).includes("t=")) fault("the key 0 does not show all");
    // A move in every picture that the browser shows: from picture to picture is 16.7 ms, or twice that if one was missed.
    const frames = await page.evaluate(async () => {
      const next = () => new Promise((done) => requestAnimationFrame(done));
      const chart = document.querySelector(".chart[tabindex]");
      const shown = [];
      for (let step = 0; step < 60; step++) {
        shown.push(await next());
        chart.dispatchEvent(new KeyboardEvent("keydown", { key: step % 2 ? "ArrowRight" : step === 0 ? "+" : "ArrowLeft" }));
      }
      const took = shown.slice(1).map((time, at) => time - shown[at]).sort((a, b) => a - b);
      return took[Math.floor(took.length * 0.95)];
    });
    timing.pan = frames;
    await chart.focus();
    await page.keyboard.press("0");
  }
  const save = page.getByRole("button", { name: "Save samples as CSV" }).first();
  if (await save.count() > 0 && name !== "hostile") {
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
    const file = join(place, `${name}.csv`);
    await download.saveAs(file);
    let wanted;
    try { wanted = readFileSync(join(folder, `${name}.csv`)); } catch { wanted = null; }
    // The lines of the program have the conditions after these columns.
    const rows = (bytes) => bytes.toString("utf8").split("\n");
    const same = (whole, part) => whole.length === part.length && part.every((row, at) => (row === "" ? whole[at] === "" : whole[at].startsWith(`${row},`)));
    if (wanted && !same(rows(wanted), rows(readFileSync(file)))) fault("the saved lines are not those with which `oversleep export` begins its own");
    timing.csv = wanted ? "as exported" : "not compared";
  }
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(pictures, `${name}-dark.png`), fullPage: true });
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1)) fault("it is wider than a telephone");
  await page.screenshot({ path: join(pictures, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.emulateMedia({ media: "print" });
  await page.waitForTimeout(150);
  await page.pdf({ path: join(pictures, `${name}.pdf`), format: "A4", printBackground: true, margin: { top: "14mm", bottom: "14mm", left: "14mm", right: "14mm" } });
  const rounded = (ms) => ms === undefined ? "–" : `${ms.toFixed(1)} ms`;
  console.log(`${name}: ${(readFileSync(path).length / 1e6).toFixed(2)} MB, verdict after ${rounded(timing.verdict)}, samples ${rounded(timing.samples)}, all ${rounded(timing.shown)}, a move p95 ${rounded(timing.pan)}, table ${timing.csv ?? "–"}, ${timing.groups ?? 0} groups exact`);
  await context.close();
}
await browser.close();
rmSync(place, { recursive: true, force: true });
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
