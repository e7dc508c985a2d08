// A window belongs to one session: every new one starts empty.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { Process } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

/** Five that run and one that is refused: proof that the guard is there, and was empty. */
const six = oneByOne(times(6, () => bash(RAN)));
const twice = [...six, ...six];

describe("an empty window", { concurrency: 2 }, () => {
  it("is what a second session in the same process starts with", async (t) => {
    const world = await makeWorld(t, twice);
    const host = fileURLToPath(new URL("sdk/two-sessions.js", import.meta.url));
    const run = await new Process(world, [host, extension]).ended;
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    await assertTwice(world, 2);
  });

  it("is what /new starts with", async (t) => {
    const world = await makeWorld(t, twice);
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    await rpc.send({ type: "new_session" });
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr, notices: rpc.notices }, { code: 0, stderr: "", notices: [] });
    await assertTwice(world, 2);
  });

  it("is what /reload starts with", async (t) => {
    const world = await makeWorld(t, twice);
    const reload = fileURLToPath(new URL("extensions/reload.js", import.meta.url));
    const rpc = new Rpc(world, ["-e", extension, "-e", reload]);
    await rpc.prompt("go");
    await rpc.prompt("/test-reload");
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr, notices: rpc.notices }, { code: 0, stderr: "", notices: [] });
    await assertTwice(world, 1);
  });

  it("is not what a second prompt in the same session starts with", async (t) => {
    const world = await makeWorld(t, [...six, ...oneByOne([bash(RAN)])]);
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
