// Writes the types of the page's document from its schema.
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(readFileSync(new URL("../docs/schema/page.json", import.meta.url), "utf8"));
schema.title = "Page";
// The generator knows tuples by the older draft's word.
(function tuples(node) {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node.prefixItems)) {
    node.items = node.prefixItems;
    delete node.prefixItems;
  }
  Object.values(node).forEach(tuples);
})(schema);
const text = await compile(schema, "Page", {
  additionalProperties: false,
  bannerComment: "// Made from docs/schema/page.json by `npm run types`.",
  format: false,
});
writeFileSync(process.argv[2] ?? new URL("src/document.ts", import.meta.url), text);
