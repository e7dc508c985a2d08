// The preset `turns`: how often one response may make a call, and how many
// responses running.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { extension, makeWorld } from "./world.js";

const turns = { preset: "turns" };
const DUPLICATE = /^Loopbreaker refused this call: [^\n]*bash[^\n]*already in this batch[^\n]*$/;
const STUCK = /^Loopbreaker refused this call: [^\n]*bash[^\n]*each of the last 3 turns[^\n]*$/;

describe("the preset turns", { concurrency: 2 }, () => {
  it("runs a batch of forty identical calls once, and the model reads a short reason for each of the others", async (t) => {
    const world = await makeWorld(t, [{ toolCalls: times(40, () => bash(RAN)) }, { text: "Finished." }], turns);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.equal((await world.ran()).length, 1);
    const [ran, ...refused] = world.model.results().map(({ text }) => text);
    assert.equal(ran, "(no output)");
    assert.equal(refused.length, 39);
    for (const text of refused) {
      assert.match(text, DUPLICATE);
      assert.ok(text.length < 150, text); // there are many of them
    }
    const results = toolResults(await world.session());
    assert.deepEqual(results.map(({ details }) => details?.loopbreaker?.rule), [undefined, ...times(39, () => "duplicate")]);
    await assertNothingLeft(world);
  });

  it("refuses the same call in the fourth turn running", async (t) => {
    const world = await makeWorld(t, oneByOne(times(4, () => bash(RAN))), turns);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.equal((await world.ran()).length, 3);
    const seen = world.model.results().map(({ text }) => text);
    assert.deepEqual(seen.slice(0, 3), times(3, () => "(no output)"));
    assert.match(seen[3] ?? "", STUCK);
    assert.deepEqual(loopBroken(await world.session()).map(({ data }) => data), [{ tool: "bash", repeats: 3, blockedSoFar: 1 }]);
    await assertNothingLeft(world);
  });

  it("refuses no call whose results differ", async (t) => {
    const world = await makeWorld(t, oneByOne(times(10, () => bash("echo ran >> ran.txt; wc -l < ran.txt"))), turns);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.deepEqual(world.model.results().map(({ text }) => text.trim()), times(10, (n) => `${n + 1}`));
    await assertNothingLeft(world);
  });
});
