// What each dependency adds to the program: the size of its symbols, its share of
// the tables that go with them, and that of what nothing else imports. The linker
// leaves out more than imports tell of: golang.org/x/net, for one, imports net/http
// for a type, so that net/http seems to be there for more than the fetcher.

import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const OURS = "github.com/loopbreaker/loopbreaker";
const TAGS = "-tags=nethttpomithttp2";
/** What is smaller is not listed, in KB. */
const LEAST = 5;

/** @typedef {{ ImportPath: string, Imports?: string[], ImportMap?: Record<string, string>, Module?: { Path: string } }} Package */

/** @param {import("./table.mjs").Setup} setup */
export function printSizes({ peers }) {
  const packages = listed();
  const full = join(peers, "unstripped");
  go("build", "-trimpath", TAGS, "-o", full, ".");
  const sizes = sizesOf(symbols(full), packages);
  rmSync(full);

  const total = statSync(join(peers, "loopbreaker")).size / 1000;
  const scale = total / sum(sizes.values());
  const needed = reachable(packages, new Set());
  const rows = groups(packages).map(([name, members]) => {
    const left = reachable(packages, members);
    const gone = [...needed].filter((path) => !left.has(path));
    const size = (/** @type {Iterable<string>} */ paths) => scale * sum([...paths].map((path) => sizes.get(path) ?? 0));
    return { name, itself: size(members), all: members.has(OURS) ? NaN : size(gone) };
  });
  console.log(`\nWhat the ${(total / 1000).toFixed(2)} MB are, in KB: what is in it, and what would go with it:\n`);
  for (const { name, itself, all } of rows.sort((a, b) => (b.all || 0) - (a.all || 0))) {
    if ((all || itself) < LEAST) continue;
    console.log(`${itself.toFixed(0).padStart(6)} ${(all ? all.toFixed(0) : "").padStart(6)}  ${name}`);
  }
}

/** @param {string[]} args */
function go(...args) {
  return execFileSync("go", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The packages of the program, by their paths. @returns {Map<string, Package>} */
function listed() {
  const text = go("list", TAGS, "-deps", "-json=ImportPath,Imports,ImportMap,Module", ".");
  /** @type {Package[]} */
  const packages = JSON.parse(`[${text.replaceAll("}\n{", "},\n{")}]`);
  return new Map(packages.map((found) => [found.ImportPath, found]));
}

/** What the table has a row for: every module, our own packages, and those of Go that they import. @param {Map<string, Package>} packages @returns {[string, Set<string>][]} */
function groups(packages) {
  /** @type {Map<string, Set<string>>} */
  const rows = new Map();
  const add = (/** @type {string} */ name, /** @type {string} */ path) => rows.set(name, (rows.get(name) ?? new Set()).add(path));
  for (const { ImportPath, Imports = [], Module } of packages.values()) {
    if (!Module) continue; // it is Go's own
    if (Module.Path !== OURS) {
      add(Module.Path, ImportPath);
      continue;
    }
    add(ImportPath, ImportPath);
    for (const path of Imports) if (packages.has(path) && !packages.get(path)?.Module) add(path, path);
  }
  return [...rows];
}

/** The packages that the program would need if some were not there. @param {Map<string, Package>} packages @param {Set<string>} without */
function reachable(packages, without) {
  const found = new Set(["runtime"]);
  const next = without.has(OURS) ? [] : [OURS];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    const { Imports = [], ImportMap = {} } = packages.get(path) ?? {};
    found.add(path);
    next.push(...Imports.map((name) => ImportMap[name] ?? name).filter((name) => !found.has(name) && !without.has(name)));
  }
  return found;
}

/** The symbols of a program that take room in its file. @param {string} program */
function symbols(program) {
  const all = go("tool", "nm", "-size", program).split("\n").flatMap((line) => {
    const [, address = "", size, kind = "", name = ""] = /^\s*(\S+)\s+(\d+)\s+(\S)\s+(.*)$/.exec(line) ?? [];
    return "TtRrDd".includes(kind) && size ? [{ address: parseInt(address, 16), size: Number(size), name }] : [];
  });
  // What is zero at the start is in memory only.
  const at = (/** @type {string} */ name) => all.find((symbol) => symbol.name === name)?.address ?? NaN;
  const zero = [[at("runtime.bss"), at("runtime.ebss")], [at("runtime.noptrbss"), at("runtime.enoptrbss")]];
  return all.filter(({ address }) => !zero.some(([from = NaN, to = NaN]) => address >= from && address < to));
}

/** How large the symbols of each package are; those that are of none, as tables of all, are left out. @param {ReturnType<typeof symbols>} symbols @param {Map<string, Package>} packages */
function sizesOf(symbols, packages) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { name, size } of symbols) {
    const path = ownerOf(name, packages);
    if (path !== undefined) sizes.set(path, (sizes.get(path) ?? 0) + size);
  }
  return sizes;
}

/**
 * The package of a symbol. A generic function is of the package whose types it was
 * made for.
 *
 * @param {string} symbol @param {Map<string, Package>} packages
 */
function ownerOf(symbol, packages) {
  if (symbol.startsWith("main.")) return OURS;
  const [name = "", types = ""] = symbol.replace(/^(type:|go:)(\.eq|\.hash|itab)?[.*]*/, "").split(/\[(.*)/s);
  const last = name.lastIndexOf("/") + 1;
  const path = (name.slice(0, last) + (name.slice(last).split(".")[0] ?? "")).replaceAll("%2e", ".");
  if (!packages.has(path)) return undefined;
  if (packages.get(path)?.Module) return path;
  const made = [...types.matchAll(/([\w./-]+)\.\w/g)].map(([, of = ""]) => of).find((of) => of.includes("/") && packages.has(of));
  return made ?? path;
}

/** @param {Iterable<number>} values */
function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
