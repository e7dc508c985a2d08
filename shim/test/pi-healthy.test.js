// A run that is not stuck must not notice that Loopbreaker is there.

import assert from "node:assert/strict";
import { it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { extension, makeWorld } from "./world.js";

/**
 * Every kind of call a healthy run makes, failures included; as many equal ones as
 * are let go without a word, in one response and in several, and more others than
 * are looked back on.
 *
 * @type {import("./model.js").Reply[]}
 */
const healthy = [
  { text: "Let me look.", toolCalls: [bash("echo héllo 🙂"), bash("printf 'a\\nb\\n' > f.txt")] },
  { toolCalls: [{ name: "read", arguments: { path: "f.txt" } }, { name: "read", arguments: { path: "missing.txt" } }] },
  { toolCalls: [{ name: "edit", arguments: { path: "f.txt", edits: [{ oldText: "a\n", newText: "c\n" }] } }] },
  { toolCalls: [{ name: "edit", arguments: { path: "f.txt", edits: [{ oldText: "nowhere", newText: "x" }] } }] },
  { toolCalls: [{ name: "write", arguments: { path: "big.txt", content: "long line\n".repeat(2_000) } }] },
  { toolCalls: [bash("exit 3"), bash("cat f.txt big.txt | tail -n 3")] },
  { toolCalls: [{ name: "no_such_tool", arguments: {} }, { name: "bash", arguments: { cmd: "of another schema" } }] },
  { toolCalls: [{ name: "bash", arguments: '{"command": "cut o' }] },
  { toolCalls: times(2, () => bash(RAN)) },
  ...times(2, () => ({ toolCalls: [bash("cat big.txt")] })),
  ...oneByOne(times(24, (n) => bash(`echo step ${n}`))),
];

it("a healthy run is the same with and without the extension, byte for byte, in what the model sees", async (t) => {
  const world = await makeWorld(t, healthy);

  // One after the other in the same folder: the prompt names it. Nothing else
  // differs by itself (ids come from the script, no time reaches the model), so
  // the requests are compared as they are.
  const without = await runPi(world, ["-p", "go"]);
  const expected = world.model.requests.map((request) => request.raw);

  world.model.restart(healthy);
  await world.resetProject();
  const guarded = await runPi(world, ["-p", "go", "-e", extension]);
  const actual = world.model.requests.map((request) => request.raw);

  assert.equal(expected.length, healthy.length, "the script was played to its end");
  assert.deepEqual(actual, expected);
  const printed = { code: 0, stdout: "Finished.\n", stderr: "" };
  for (const { code, stdout, stderr } of [without, guarded]) assert.deepEqual({ code, stdout, stderr }, printed);

  const [first, second, ...others] = await world.sessions();
  assert.ok(first && second && others.length === 0);
  assert.deepEqual(second.entries.map(kind), first.entries.map(kind), "the session file has the same entries");
  assert.deepEqual(loopBroken(second.entries), []);
  assert.deepEqual(toolResults(second.entries).map(lasting), toolResults(first.entries).map(lasting));
  await assertNothingLeft(world);
});

/** @param {import("./world.js").Entry} entry */
const kind = (entry) => [entry.type, entry.customType, entry.message?.role];

/**
 * A result without what a clock wrote into it.
 *
 * @param {any} result
 */
const lasting = ({ timestamp, durationMs, ...rest }) => rest;
