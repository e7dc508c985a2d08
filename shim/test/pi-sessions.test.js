// A window (of the preset of that name) belongs to one session: every new one
// starts empty.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { FIRST_REFUSAL, RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { Process } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld, testExtension } from "./world.js";

/** Five that run and one that is refused: proof that the guard is there, and was empty. */
const six = oneByOne(times(6, () => bash(RAN)));
const twice = [...six, ...six];

describe("an empty window", { concurrency: 2 }, () => {
  it("is what a second session in the same process starts with", async (t) => {
    const world = await makeWorld(t, twice, { preset: "window" });
    const host = fileURLToPath(new URL("sdk/two-sessions.js", import.meta.url));
    const run = await new Process(world, [host, extension]).ended;
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    await assertTwice(world, 2);
  });

  it("is what /new starts with", async (t) => {
    const world = await makeWorld(t, twice, { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    await rpc.send({ type: "new_session" });
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    assertToldTwice(rpc);
    await assertTwice(world, 2);
  });

  it("is not what /reload starts with, for the session is the same", async (t) => {
    const world = await makeWorld(t, [...six, ...oneByOne([bash(RAN)])], { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("reload")]);
    await rpc.prompt("go");
    await rpc.prompt("/test-reload");
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    assertToldTwice(rpc);
    assert.equal((await world.ran()).length, 5);
    assert.deepEqual(loopBroken(await world.session()).map((entry) => entry.data.blockedSoFar), [1, 2]);
    await assertNothingLeft(world);
  });

  it("is not what a second prompt in the same session starts with", async (t) => {
    const world = await makeWorld(t, [...six, ...oneByOne([bash(RAN)])], { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    await rpc.prompt("go");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 5);
    assert.deepEqual(loopBroken(await world.session()).map((entry) => entry.data.blockedSoFar), [1, 2]);
    await assertNothingLeft(world);
  });
});

/**
 * The first refusal of each of the two prompts was told of.
 *
 * @param {Rpc} rpc
 */
function assertToldTwice(rpc) {
  assert.equal(rpc.notices.length, 2, JSON.stringify(rpc.notices));
  for (const notice of rpc.notices) assert.match(notice, FIRST_REFUSAL);
}

/**
 * @param {import("./world.js").World} world
 * @param {number} files
 */
async function assertTwice(world, files) {
  const sessions = await world.sessions();
  assert.equal(sessions.length, files);
  assert.equal((await world.ran()).length, 10);
  const refusals = sessions.flatMap(({ entries }) => loopBroken(entries));
  // Counted from one again: nothing of the first window is left.
  assert.deepEqual(refusals.map((entry) => entry.data), times(2, () => ({ tool: "bash", repeats: 5, blockedSoFar: 1 })));
  await assertNothingLeft(world);
}
