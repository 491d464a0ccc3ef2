// Bundles the page's program and style; with --test, the tests.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = { bundle: true, target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning" };

if (process.argv.includes("--test")) {
  const entryPoints = readdirSync(here("test")).filter((name) => name.endsWith(".test.ts")).map((name) => here(`test/${name}`));
  await build({ ...common, entryPoints, outdir: here("build/test"), outExtension: { ".js": ".mjs" }, platform: "node", format: "esm", packages: "external" });
} else {
  const place = process.argv[2] ?? here("../crates/oversleep-report/src/html/bundle");
  mkdirSync(place, { recursive: true });
  const licence = "/* uPlot 1.6.32, © 2022 Leon Sorokin, MIT licence: https://github.com/leeoniya/uPlot */\n";
  const program = await build({ ...common, entryPoints: [here("src/main.ts")], minify: true, format: "iife", write: false });
  // The text of a script element must not end it.
  const text = licence + program.outputFiles[0].text.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const style = await build({ ...common, entryPoints: [here("src/report.css")], minify: true, write: false });
  writeFileSync(`${place}/report.js`, text);
  writeFileSync(`${place}/report.js.sha256`, `${createHash("sha256").update(text).digest("base64")}\n`);
  writeFileSync(`${place}/report.css`, licence + style.outputFiles[0].text);
  console.log(`program ${text.length} bytes, style ${readFileSync(`${place}/report.css`).length} bytes`);
}
