// Only a real user starts afresh. What an extension says to the model, in
// whosever name, does not.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld, testExtension } from "./world.js";

/** As many as run under the preset `default`, which goes by the results since the prompt. */
const four = oneByOne(times(4, () => bash(RAN)));
const REFUSED = /^Loopbreaker refused/;

describe("four calls, and the same again after", { concurrency: 2 }, () => {
  it("another prompt in rpc mode, all run", async (t) => {
    const world = await makeWorld(t, [...four, ...four]);
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    await rpc.prompt("go on");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 8);
    assert.deepEqual(loopBroken(await world.session()), []);
    await assertNothingLeft(world);
  });

  it("another prompt in print mode, all run", async (t) => {
    const world = await makeWorld(t, [...four, ...four]);
    assert.equal((await runPi(world, ["-p", "go", "go on", "-e", extension])).code, 0);
    assert.equal((await world.ran()).length, 8);
    assert.deepEqual(loopBroken(await world.session()), []);
    await assertNothingLeft(world);
  });

  it("a message that the user has sent while they ran, all run", async (t) => {
    /** @type {Rpc | undefined} */
    let rpc;
    const world = await makeWorld(t, async (_request, n) => {
      // The fourth has run. The message reaches the model with this reply's result.
      if (n === 4) await rpc?.send({ type: "steer", message: "Once more, please." });
      return n < 8 ? { toolCalls: [bash(RAN)] } : { text: "Finished." };
    });
    rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    assert.equal((await rpc.end()).code, 0);
    assert.ok(world.model.last.raw.includes("Once more, please."));
    assert.equal((await world.ran()).length, 8);
    assert.deepEqual(loopBroken(await world.session()), []);
    await assertNothingLeft(world);
  });

  for (const command of ["test-message", "test-user-message"]) {
    it(`an extension's ${command.slice("test-".length)}, all are refused`, async (t) => {
      const world = await makeWorld(t, [...four, ...oneByOne(times(2, () => bash(RAN)))]);
      const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("injecting")]);
      await rpc.prompt("go");
      const from = rpc.messages.length;
      await rpc.prompt(`/${command}`);
      await rpc.wait((message) => message.type === "agent_settled", from);
      assert.equal((await rpc.end()).code, 0);
      assert.ok(world.model.last.raw.includes("Go on."));
      assert.equal((await world.ran()).length, 4);
      const again = world.model.results().slice(4);
      assert.equal(again.length, 2);
      for (const { text } of again) assert.match(text, REFUSED);
      assert.equal(loopBroken(await world.session()).length, 2);
      await assertNothingLeft(world);
    });
  }
});
