// The classic runaway under the preset `window`: the same call again and again.
// Five run, the rest is refused.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_REFUSAL, RAN, bash, loopBroken, oneByOne, times, toolResults } from "./calls.js";
import { records, runPi } from "./pi.js";
import { assertNothingLeft, canLook, marked } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

const nine = oneByOne(times(9, () => bash(RAN)));

describe("the same bash call nine times", { concurrency: 2 }, () => {
  it("runs five times in print mode", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    await assertFiveOfNine(world, perTurn);
  });

  it("runs five times in json mode, which shows the telemetry as it is written", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    const run = await runPi(world, ["--mode", "json", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    const appended = records(run.stdout).filter((record) => record.type === "entry_appended");
    assert.deepEqual(appended.map((record) => record.entry.customType), times(4, () => "loop_broken"));
    await assertFiveOfNine(world, perTurn);
  });

  it("runs five times in rpc mode", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    if (canLook) {
      // What assertNothingLeft looks for afterwards is there now.
      const running = (await marked(world.mark)).map(({ command }) => command);
      assert.equal(running.filter((command) => command.includes(" serve")).length, 1, running.join("\n"));
    }
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    assert.equal(rpc.notices.length, 1, "only the first refusal is told of");
    assert.match(rpc.notices[0] ?? "", FIRST_REFUSAL);
    assert.deepEqual(rpc.statuses, times(4, (n) => `loopbreaker: ${n + 1} refused`));
    await assertFiveOfNine(world, perTurn);
  });

  it("runs five times when all nine come in one message", async (t) => {
    const world = await makeWorld(t, [{ toolCalls: times(9, () => bash(RAN)) }, { text: "Finished." }], { preset: "window" });
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    await assertFiveOfNine(world, inOneMessage);
  });

  it("is refused whatever order and spelling its arguments come in", async (t) => {
    const spellings = times(6, (n) => (n % 2 === 0 ? `{"command":"${RAN}","timeout":9}` : `{ "timeout": 9.0, "command": "${RAN}" }`));
    const world = await makeWorld(t, oneByOne(spellings.map((args) => ({ name: "bash", arguments: args }))), { preset: "window" });
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.equal(run.code, 0);
    assert.equal((await world.ran()).length, 5);
    assert.equal(loopBroken(await world.session()).length, 1);
  });
});

/** @param {number} n from 0 */
const perTurn = (n) => `call_${n + 1}_1`;
/** @param {number} n from 0 */
const inOneMessage = (n) => `call_1_${n + 1}`;

/**
 * @param {import("./world.js").World} world
 * @param {(n: number) => string} idOf
 */
async function assertFiveOfNine(world, idOf) {
  assert.equal((await world.ran()).length, 5, "the calls that ran");

  const seen = times(9, (n) => world.model.resultOf(idOf(n)));
  assert.deepEqual(seen.slice(0, 5), times(5, () => "(no output)"));
  for (const refusal of seen.slice(5)) {
    // The sentence is the guard's own affair; what it must say is not.
    assert.match(refusal ?? "", /bash/, "it names the tool");
    assert.match(refusal ?? "", /\b(5|five)\b/, "it says how often");
    assert.match(refusal ?? "", /\b20\b/, "it says of how many");
  }

  const entries = await world.session();
  assert.deepEqual(
    loopBroken(entries).map((entry) => entry.data),
    times(4, (n) => ({ tool: "bash", repeats: 5, blockedSoFar: n + 1 })),
  );

  // By id: parallel calls are written in the order of the message, but that is Pi's affair.
  const results = new Map(toolResults(entries).map((result) => [result.toolCallId, result]));
  for (const [n, refusal] of seen.entries()) {
    const result = results.get(idOf(n));
    assert.equal(result.isError, n >= 5, `call ${n + 1}`);
    if (n < 5) {
      assert.equal(result.details?.loopbreaker, undefined, `call ${n + 1}`);
      continue;
    }
    assert.equal(result.content[0].text, refusal, "the file says what the model saw");
    const { rule, stage, count, limit, window } = result.details.loopbreaker;
    assert.deepEqual({ rule, stage, count, limit, window }, { rule: "window", stage: "block", count: 5, limit: 5, window: 20 });
  }

  await assertNothingLeft(world);
}
