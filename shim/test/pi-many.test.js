// Many at once: Pi processes in one project, and sessions in one process. None
// knows of another, each has its guard, and each guard ends with its session.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { RAN, bash, loopBroken, times } from "./calls.js";
import { LONG } from "./faults.js";
import { Process, runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, extension, makeWorld } from "./world.js";

const PROCESSES = LONG ? 16 : 3;
const SESSIONS = LONG ? 100 : 10;

describe("many at once", { concurrency: !LONG }, () => {
  it(`${PROCESSES} of Pi, each of which refuses its own sixth call`, async (t) => {
    const world = await makeWorld(t, ({ messages }) => {
      const made = messages.filter(({ role }) => role === "assistant").length;
      return made < 6 ? { toolCalls: [bash(RAN)] } : { text: "Finished." };
    }, { preset: "window" });
    const env = { LOOPBREAKER_BINARY: await world.child(binary), LOOPBREAKER_DEADLINE_MS: "20000" };
    const runs = await Promise.all(times(PROCESSES, () => runPi(world, ["-p", "go", "-e", extension], { env })));
    // Pi gives up on its own settings where another Pi holds them for long.
    const ours = (/** @type {string} */ stderr) => stderr.replace(/^Warning: .*: Lock file is already being held\n/gm, "");
    for (const { code, stdout, stderr } of runs) assert.deepEqual({ code, stdout, stderr: ours(stderr) }, { code: 0, stdout: "Finished.\n", stderr: "" });
    const sessions = await world.sessions();
    assert.deepEqual(sessions.map(({ entries }) => loopBroken(entries).length), times(PROCESSES, () => 1));
    assert.equal((await world.ran()).length, 5 * PROCESSES);
    assert.equal((await world.childPids()).length, PROCESSES);
    await assertNothingLeft(world);
  });

  // A host of the SDK may dispose of a session without a word to its extensions.
  it(`${SESSIONS} sessions of a host that drops them, one after another`, async (t) => {
    const world = await makeWorld(t, ({ messages }) => {
      const made = messages.filter(({ role }) => role === "assistant").length;
      return made < 1 ? { toolCalls: [bash(RAN)] } : { text: "Finished." };
    });
    const host = fileURLToPath(new URL("sdk/dropped.js", import.meta.url));
    const run = await new Process(world, [host, extension, String(SESSIONS)], { env: { LOOPBREAKER_BINARY: await world.child(binary) } }).ended;
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    assert.equal((await world.childPids()).length, SESSIONS);
    assert.deepEqual(JSON.parse(run.stdout), { left: 0 });
    await assertNothingLeft(world);
  });
});
