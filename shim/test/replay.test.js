// scripts/replay and `loopbreaker replay` are two ways to play a fixture, and
// agree: on what is printed, what is wrong, and the exit code.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { real } from "./guard.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string[]} args */
const replay = (...args) => run(process.execPath, join(repository, "scripts", "replay.mjs"), ...args);
/** @param {string[]} args */
const inGo = (...args) => run(real.path, "replay", ...args);

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: repository });
  return { status, stdout, stderr };
}

it("our fixtures are as expected, the same both ways", () => {
  const outcome = replay();
  assert.deepEqual(outcome, { status: 0, stdout: inGo().stdout, stderr: "" });
  assert.match(outcome.stdout, /^{"name":"runaway","calls":6,"blocked":1,"firstBlock":6,"entries":1}$/m);
  assert.equal(outcome.stdout.trimEnd().split("\n").length, 6);
});

const recordings = join(repository, "..", "shared", "recordings", "window");
it("the recorded originals are the same both ways", { skip: !existsSync(recordings) && "they are not here" }, () => {
  const paths = readdirSync(recordings).map((name) => join(recordings, name));
  assert.deepEqual(replay(...paths), inGo(...paths));
});

it("usage is printed when asked for, and with the mistake when it is wrong", () => {
  const help = replay("--help");
  assert.deepEqual({ ...help, stdout: "" }, { status: 0, stdout: "", stderr: "" });
  assert.match(help.stdout, /^Usage: scripts\/replay /);
  const wrong = replay("--explain", "fixtures/runaway.json");
  assert.deepEqual({ status: wrong.status, stdout: wrong.stdout }, { status: 2, stdout: "" });
  assert.match(wrong.stderr, /--explain[^]*Usage: scripts\/replay /);
});

describe("a fixture is told to be wrong, with file and field:", () => {
  const call = { toolName: "bash", input: { command: "ls" } };
  const sound = { name: "n", source: "s", calls: [call], expected: { blocked: 0, entries: 0, firstBlock: null } };
  const change = (/** @type {object} */ changes) => JSON.stringify({ ...sound, ...changes });
  const expect = (/** @type {object} */ changes) => change({ expected: { ...sound.expected, ...changes } });

  /** Played all the same, and a line printed. @type {Record<string, [string, RegExp]>} */
  const played = {
    "another number of refusals": [expect({ blocked: 1 }), /expected\.blocked: 1, observed: 0/],
    "another number of entries": [expect({ entries: 2 }), /expected\.entries: 2, observed: 0/],
    "another first refusal": [expect({ firstBlock: 3 }), /expected\.firstBlock: 3, observed: null/],
    "no first refusal stated": [expect({ firstBlock: undefined }), /expected\.firstBlock: missing; state null or a positive integer \(observed: null\)/],
    "a first refusal that is no number": [expect({ firstBlock: "3" }), /expected\.firstBlock: "3" is neither null nor a positive integer/],
    "a first refusal before the first call": [expect({ firstBlock: 0 }), /expected\.firstBlock: 0 is neither/],
    "no number of refusals": [expect({ blocked: undefined }), /expected\.blocked: missing; state a number \(observed: 0\)/],
    "null for the number of entries": [expect({ entries: null }), /expected\.entries: missing/],
    "nothing expected": [change({ expected: undefined }), /expected\.blocked: missing[^]*expected\.firstBlock: missing/],
  };
  /** Not played. @type {Record<string, [string, RegExp]>} */
  const malformed = {
    "an empty file": ["", /not valid JSON|EOF|neither a fixture/],
    "a file cut short": [change({}).slice(0, -1), /not valid JSON|EOF|neither a fixture/],
    "two values": [change({}) + change({}), /not valid JSON|after top-level value/],
    "bytes that are not UTF-8": ["\xff", /UTF-8|not valid JSON|neither a fixture/],
    "a list": ["[]", /./],
    "no name": [change({ name: undefined }), /name: missing or empty|neither a fixture/],
    "an empty source": [change({ source: "" }), /source: missing or empty/],
    "a name that is no text": [change({ name: 5 }), /name: wrong type/],
    "no calls": [change({ calls: undefined }), /calls: missing or empty|neither a fixture/],
    "an empty list of calls": [change({ calls: [] }), /calls: missing or empty/],
    "calls that are no list": [change({ calls: {} }), /calls: wrong type/],
    "a call without a tool": [change({ calls: [call, { input: {} }] }), /calls\[1\]\.toolName: missing or empty/],
    "a call without an input": [change({ calls: [{ toolName: "bash" }] }), /calls\[0\]\.input: missing/],
    "an input that is no object": [change({ calls: [{ toolName: "bash", input: "ls" }] }), /calls\[0\]\.input: must be an object/],
    "an input that is a list": [change({ calls: [{ toolName: "bash", input: [] }] }), /calls\[0\]\.input: must be an object/],
    "a field nobody knows": [change({ expect: {} }), /expect: unknown field/],
    "a field nobody knows in a call": [change({ calls: [{ ...call, args: {} }] }), /calls\[0\]\.args: unknown field/],
    "a field nobody knows in what is expected": [expect({ firstBlocked: 1 }), /expected\.firstBlocked: unknown field/],
    "a number of refusals that is a text": [expect({ blocked: "0" }), /expected\.blocked: wrong type/],
    "a number of refusals that is not whole": [expect({ blocked: 0.5 }), /expected\.blocked: wrong type/],
    "a field stated twice": [change({}).replace("{", '{"name":"other",'), /name: stated twice/],
    "a field stated twice in an input": [change({}).replace('"command"', '"command":"","\\u0063ommand"'), /command: stated twice/],
    "a lone surrogate": [change({ source: "\ud800" }), /surrogate|not valid JSON.* in source/],
  };

  const all = Object.entries({ ...played, ...malformed });
  /** @type {ReturnType<typeof run>} */
  let ours;
  /** @type {ReturnType<typeof run>} */
  let theirs;
  const place = mkdtempSync(join(tmpdir(), "loopbreaker-unit-"));
  const paths = all.map((_, i) => join(place, `${i}.json`));
  before(() => {
    for (const [i, [, [text]]] of all.entries()) writeFileSync(paths[i] ?? "", text, text === "\xff" ? "latin1" : "utf8");
    ours = replay(...paths, join(place, "nothing.json"));
    theirs = inGo(...paths, join(place, "nothing.json"));
  });
  after(() => rmSync(place, { recursive: true }));

  it("all together, with the same lines and the same exit code both ways", () => {
    assert.deepEqual([ours.status, theirs.status], [1, 1]);
    assert.equal(ours.stdout, theirs.stdout);
    assert.equal(ours.stdout, '{"name":"n","calls":1,"blocked":0,"firstBlock":null,"entries":0}\n'.repeat(Object.keys(played).length));
    assert.match(ours.stderr, /nothing\.json: ENOENT/);
  });

  for (const [i, [name, [, says]]] of all.entries()) {
    it(name, () => {
      for (const { stderr } of [ours, theirs]) {
        const faults = stderr.split("\n").filter((line) => line.startsWith(`${paths[i]}: `)).join("\n");
        assert.match(faults, says);
      }
    });
  }
});
