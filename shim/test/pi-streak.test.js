// The preset `streak`: the same call with the same result. The third result is
// remarked on, the fifth call refused, and the third refusal ends the run.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_REFUSAL, RAN, bash, loopBroken, oneByOne, said, times, toolResults } from "./calls.js";
import { records, runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

const endless = oneByOne(times(30, () => bash(RAN)));
const streak = { preset: "streak" };

const REMARK = /^\(no output\)\n\[Loopbreaker\] [^\n]*identical bash call[^\n]*identical result 3 times in a row\.[^\n]*$/;
const REFUSAL = /^Loopbreaker refused this call: [^\n]*bash[^\n]*identical result 4 times in a row\.[^\n]*$/;
const ENDED = /^Loopbreaker ended the run: [^\n]*bash[^\n]*4 times in a row[^\n]*after 3 refusals\.$/;

describe("the same bash call thirty times", { concurrency: 2 }, () => {
  it("runs four times in print mode, and the third refusal ends the run with Pi's exit code for an abort", async (t) => {
    const world = await makeWorld(t, endless, streak);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 1, stdout: "" }, run.stderr);
    const [ended, ...others] = said(run.stderr);
    assert.match(ended ?? "", ENDED);
    assert.deepEqual(others, [], "one line, that a script can look for");
    await assertEnded(world);
  });

  it("runs four times in json mode, which has exit code 0, and the same line is on stderr", async (t) => {
    const world = await makeWorld(t, endless, streak);
    const run = await runPi(world, ["--mode", "json", "go", "-e", extension]);
    assert.equal(run.code, 0);
    assert.equal(said(run.stderr).length, 1, run.stderr);
    assert.match(run.stderr.trimEnd(), ENDED);
    const ends = records(run.stdout).filter((record) => record.type === "tool_execution_end");
    const structured = ends.map(({ result }) => result.structuredContent?.exit_code);
    assert.deepEqual(structured, [0, 0, 0, 0, undefined, undefined, undefined], "the remark leaves structuredContent where it was");
    await assertEnded(world);
  });

  it("runs four times in rpc mode, where the operator is told of the first refusal and of the end", async (t) => {
    const world = await makeWorld(t, endless, streak);
    const rpc = new Rpc(world, ["-e", extension]);
    rpc.onDialog = () => undefined; // nothing waits for an operator who answers nothing
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    const [first, ended, ...others] = rpc.notices;
    assert.match(first ?? "", FIRST_REFUSAL);
    assert.match(ended ?? "", ENDED);
    assert.deepEqual(others, []);
    assert.deepEqual(rpc.statuses, [...times(3, (n) => `loopbreaker: ${n + 1} refused`), "loopbreaker: ended the run, 3 refused"]);
    await assertEnded(world);
  });

  it("goes by the environment of the system it comes from", async (t) => {
    const world = await makeWorld(t, endless, streak);
    const env = { LOOP_GUARD_WARN_THRESHOLD: "2", LOOP_GUARD_BLOCK_THRESHOLD: "4", LOOP_GUARD_USE_TERMINATE: "1" };
    const run = await runPi(world, ["-p", "go", "-e", extension], { env });
    // A turn that Pi ends because of a refusal is no abort, and has no last word.
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "", stderr: "" });
    assert.equal(world.model.requests.length, 4);
    assert.match(world.model.resultOf("call_2_1") ?? "", /\[Loopbreaker\] .* 2 times in a row/);
    assert.equal((await world.ran()).length, 3);
    assert.deepEqual(loopBroken(await world.session()).map(({ data }) => data), [{ tool: "bash", repeats: 3, blockedSoFar: 1 }]);
    await assertNothingLeft(world);
  });
});

it("polling whose result changes runs thirty times, and the model sees nothing of the guard", async (t) => {
  const world = await makeWorld(t, oneByOne(times(30, () => bash("echo ran >> ran.txt; wc -l < ran.txt"))), streak);
  const run = await runPi(world, ["-p", "go", "-e", extension]);
  assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
  assert.deepEqual(world.model.results().map(({ text }) => text.trim()), times(30, (n) => `${n + 1}`));
  await assertNothingLeft(world);
});

/**
 * Four ran, three were refused, and then the model was not asked again.
 *
 * @param {import("./world.js").World} world
 */
async function assertEnded(world) {
  assert.equal((await world.ran()).length, 4, "the calls that ran");
  assert.equal(world.model.requests.length, 7);

  // The model never saw the result of the seventh call; the file has it.
  const [first, second, third, fourth, ...refused] = world.model.results().map(({ text }) => text);
  assert.deepEqual([first, second, fourth], times(3, () => "(no output)"), "the remark is made once");
  assert.match(third ?? "", REMARK);
  assert.equal(refused.length, 2);

  const entries = await world.session();
  const results = toolResults(entries);
  assert.deepEqual(results.map((result) => result.isError), [false, false, false, false, true, true, true]);
  for (const { content, details } of results.slice(4)) {
    assert.match(content[0].text, REFUSAL);
    const { rule, stage, tool, count, limit } = details.loopbreaker;
    assert.deepEqual({ rule, stage, tool, count, limit }, { rule: "streak", stage: "block", tool: "bash", count: 4, limit: 4 });
  }
  assert.deepEqual(results.slice(4, 6).map(({ content }) => content[0].text), refused, "the file says what the model saw");
  assert.deepEqual(
    loopBroken(entries).map((entry) => entry.data),
    times(3, (n) => ({ tool: "bash", repeats: 4, blockedSoFar: n + 1 })),
  );
  await assertNothingLeft(world);
}
