// FAULTS.md names tests that are there.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

it("every test that FAULTS.md names is there", async () => {
  const read = (/** @type {string} */ path) => readFile(fileURLToPath(new URL(path, import.meta.url)), "utf8");
  const text = await read("FAULTS.md");
  const rows = [...text.matchAll(/^\| [^|]+ \| `([^`|]+)` \| ([^|]+) \| (?:short|long)[^|]* \|$/gm)];
  assert.equal(rows.length, [...text.matchAll(/^\| (?!case )/gm)].length, "some rows cannot be read");
  for (const [, file = "", test = ""] of rows) {
    assert.ok((await read(file)).includes(test.trim()), `${file} has no "${test.trim()}"`);
  }
});
