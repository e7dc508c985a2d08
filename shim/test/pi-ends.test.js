// However Pi ends, the guard ends with it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, oneByOne } from "./calls.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { binary, extension, makeWorld } from "./world.js";

/** @type {[NodeJS.Signals, {code: number | null, signal: NodeJS.Signals | null}][]} */
const ends = [
  ["SIGTERM", { code: 143, signal: null }],
  ["SIGHUP", { code: 129, signal: null }],
  // The one that leaves Pi no time to say good-bye.
  ["SIGKILL", { code: null, signal: "SIGKILL" }],
];

describe("no guard is left when Pi ends with", { concurrency: 2 }, () => {
  for (const [name, expected] of ends) {
    it(name, async (t) => {
      const world = await makeWorld(t, oneByOne([bash(RAN)]));
      const rpc = new Rpc(world, ["-e", extension], { env: { LOOPBREAKER_BINARY: await world.child(binary) } });
      await rpc.prompt("go");
      assert.equal((await world.childPids()).length, 1, "a guard was there");
      rpc.process.child.kill(name);
      const { code, signal, stderr } = await rpc.process.ended;
      assert.deepEqual({ code, signal, stderr }, { ...expected, stderr: "" });
      await assertNothingLeft(world);
    });
  }
});
