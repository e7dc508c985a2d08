// What each dependency adds to the program: the size of its symbols, and its share
// of the tables that go with them.

import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Of the standard library, these are told apart. */
const LARGE = ["net/http", "crypto", "encoding/json", "net", "runtime", "regexp", "reflect", "vendor"];

/** @param {import("./table.mjs").Setup} setup */
export function printSizes({ peers }) {
  const run = (/** @type {string[]} */ ...args) => execFileSync("go", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  const full = join(peers, "unstripped");
  run("build", "-trimpath", "-tags=nethttpomithttp2", "-o", full, ".");
  const modules = run("list", "-m", "-f", "{{.Path}}", "all").trim().split("\n").sort((a, b) => b.length - a.length);
  /** @type {Map<string, number>} */
  const sizes = new Map();
  let sum = 0;
  for (const line of run("tool", "nm", "-size", full).split("\n")) {
    const [, , size, kind, symbol] = /^\s*(\S+)\s+(\d+)\s+(\S)\s+(.*)$/.exec(line) ?? [];
    if (!size || !symbol || !"TtRr".includes(kind ?? "")) continue; // data is small, and most of it takes no room in the file
    const owner = ownerOf(symbol, modules);
    sizes.set(owner, (sizes.get(owner) ?? 0) + Number(size));
    sum += Number(size);
  }
  const stripped = statSync(join(peers, "loopbreaker")).size;
  console.log(`\nWhat the ${(stripped / 1e6).toFixed(2)} MB are, in KB:`);
  for (const [owner, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const share = (size / sum) * (stripped / 1000);
    if (share >= 5) console.log(`${share.toFixed(0).padStart(6)}  ${owner}`);
  }
  rmSync(full);
}

/** @param {string} symbol @param {string[]} modules the longest first */
function ownerOf(symbol, modules) {
  const name = symbol.replace(/^(type:|go:)[^a-z]*/, "").replace(/^(\.eq|\.hash|\.namedata|itab)\.?/, "");
  const found = modules.find((path) => name.startsWith(`${path}.`) || name.startsWith(`${path}/`)) ?? (name.startsWith("main.") ? modules.at(-1) : undefined);
  if (found) return found === "github.com/loopbreaker/loopbreaker" || name.startsWith("main.") ? "Loopbreaker itself" : found;
  const large = LARGE.find((path) => name.startsWith(`${path}.`) || name.startsWith(`${path}/`));
  return large === "vendor" ? "net/http" : (large ?? "the rest of Go's own");
}
