// The preset `risk`: a score for each call before it runs. What it warns of stands
// at the end of that call's result, where Pi lets the model read it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { extension, makeWorld } from "./world.js";

const risk = { preset: "risk" };

/** @param {{ content: { text: string }[] }[]} results */
const texts = (results) => results.map(({ content }) => content.map(({ text }) => text).join("\n"));

/** @param {string} text */
const parts = (text) => text.match(/loop risk of (\d+ in 100 \([^)]*\))/)?.[1];

describe("a call over and over, scored", { concurrency: 2 }, () => {
  it("is warned of and then refused where it fails", async (t) => {
    const world = await makeWorld(t, oneByOne(times(6, () => bash(`${RAN}; exit 3`))), risk);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.equal((await world.ran()).length, 4);
    const session = await world.session();
    const results = toolResults(session);
    const warned = "60 in 100 (exact 40 + stagnation 20)";
    const refused = "90 in 100 (exact 40 + cycle 30 + stagnation 20)";
    assert.deepEqual(texts(results).map(parts), [undefined, undefined, warned, warned, refused, refused]);
    for (const text of texts(results).slice(2, 4)) assert.match(text, /exited with code 3\n\[Loopbreaker\] This bash call has/);
    for (const { details } of results.slice(4)) {
      assert.deepEqual(details.loopbreaker, { rule: "risk", stage: "block", tool: "bash", count: 90, limit: 70, window: 20, parts: "exact 40 + cycle 30 + stagnation 20" });
    }
    assert.deepEqual(loopBroken(session).map(({ data }) => data), times(2, (n) => ({ tool: "bash", repeats: 4, blockedSoFar: n + 1 })));
    await assertNothingLeft(world);
  });

  it("is only warned of where it works, and its scores can be looked up", async (t) => {
    const world = await makeWorld(t, oneByOne(times(7, () => bash(RAN))), risk);
    const run = await runPi(world, ["-p", "go", "/loopbreaker status", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    assert.equal((await world.ran()).length, 7);
    const warned = "70 in 100 (exact 40 + cycle 30)";
    assert.deepEqual(texts(toolResults(await world.session())).map(parts), [...times(4, () => undefined), ...times(3, () => warned)]);
    assert.match(run.stderr, /Loop risk of 7 calls: 70 at most \(exact 40 \+ cycle 30\); of the last, the latest first: 70 70 70 40 40 40 0\.$/m);
    await assertNothingLeft(world);
  });
});
