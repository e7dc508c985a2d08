// --loop-trace: everything the shim and the guard said to each other, in a file
// that can be replayed.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FIRST_REFUSAL, RAN, bash, oneByOne, said, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { binary, extension, lines, makeWorld } from "./world.js";

const six = oneByOne(times(6, () => bash(RAN)));

describe("--loop-trace", { concurrency: 2 }, () => {
  it("=FILE writes every message both ways, and the file replays without a difference", async (t) => {
    const world = await makeWorld(t, six, { preset: "window" });
    const file = join(world.root, "trace.jsonl");
    const run = await runPi(world, ["-p", "go", "-e", extension, `--loop-trace=${file}`]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    await assertTrace(file);
    await assertReplays(file);
    await assertNothingLeft(world);
  });

  it("=true picks a file in the temp folder and tells its name in print mode", async (t) => {
    const world = await makeWorld(t, six, { preset: "window" });
    const run = await runPi(world, ["-p", "go", "-e", extension, "--loop-trace=true"]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    const told = said(run.stderr);
    assert.equal(told.length, 1, run.stderr);
    await assertTrace(fileNamedIn(told[0] ?? "", world));
    await assertNothingLeft(world);
  });

  it("=true picks a file in the temp folder and tells its name in rpc mode", async (t) => {
    const world = await makeWorld(t, six, { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension, "--loop-trace=true"]);
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    const [traced, refused, ...others] = rpc.notices;
    assert.match(refused ?? "", FIRST_REFUSAL);
    assert.deepEqual(others, []);
    const file = fileNamedIn(traced ?? "", world);
    await assertTrace(file);
    await assertReplays(file);
    await assertNothingLeft(world);
  });
});

/**
 * @param {string} sentence
 * @param {import("./world.js").World} world
 */
function fileNamedIn(sentence, world) {
  const start = sentence.indexOf(world.temp);
  assert.notEqual(start, -1, `a file in the temp folder is named: ${sentence}`);
  // Our own temp folder has no spaces; a full stop may end the sentence.
  return (sentence.slice(start).split(/[\s"'`)]/)[0] ?? "").replace(/\.$/, "");
}

/** @param {string} file */
async function assertTrace(file) {
  const trace = (await lines(file)).map((line) => JSON.parse(line));
  let last = 0;
  for (const line of trace) {
    const time = Date.parse(line.at);
    assert.match(line.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    assert.ok(time >= last, "in order");
    last = time;
    assert.ok(line.from === "host" || line.from === "guard", line.from);
    assert.equal(line.message.jsonrpc, "2.0");
  }

  const [hello, welcome] = trace;
  assert.deepEqual([hello.from, hello.message.method, welcome.from], ["host", "initialize", "guard"]);
  assert.equal(hello.message.params.protocol, 1);
  assert.equal(welcome.message.id, hello.message.id);
  assert.equal(welcome.message.result.protocol, 1);

  const asked = trace.filter((line) => line.message.method === "tool/call").map((line) => line.message);
  assert.deepEqual(asked.map((message) => message.params.toolCallId), times(6, (n) => `call_${n + 1}_1`));
  assert.deepEqual(asked.map((message) => message.params.toolName), times(6, () => "bash"));
  assert.deepEqual(asked[0].params.input, { command: RAN });
  const answers = new Map(trace.filter((line) => line.from === "guard").map((line) => [line.message.id, line.message]));
  const refused = asked.map((message) => answers.get(message.id)?.result.block === true);
  assert.deepEqual(refused, [false, false, false, false, false, true]);
}

/** @param {string} file */
async function assertReplays(file) {
  const { code, output } = await new Promise((resolve) => {
    execFile(binary, ["replay", file], (error, stdout, stderr) => resolve({ code: error ? error.code : 0, output: stdout + stderr }));
  });
  assert.equal(code, 0, output);
}
