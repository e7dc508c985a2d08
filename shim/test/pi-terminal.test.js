// The same in a terminal, with Pi's own /reload and /new.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { assertNothingLeft } from "./processes.js";
import { Terminal, noTmux } from "./terminal.js";
import { extension, makeWorld } from "./world.js";

describe("in a terminal", { skip: noTmux, concurrency: 2 }, () => {
  it("/reload and /new start with an empty window", async (t) => {
    /** @param {string} lastWord */
    const six = (lastWord) => [...times(6, () => ({ toolCalls: [bash(RAN)] })), { text: lastWord }];
    const world = await makeWorld(t, [...six("One."), ...six("Two."), ...six("Three.")]);
    const terminal = await open(world);

    await terminal.type("go");
    await settled(terminal, "One.");
    await terminal.type("/reload");
    await terminal.until("reloaded", (screen) => screen.includes("Reloaded"));
    await terminal.type("go");
    await settled(terminal, "Two.");
    await terminal.type("/new");
    await terminal.until("a new session", (screen) => screen.includes("New session started"));
    await terminal.type("go");
    await settled(terminal, "Three.");
    assert.equal(await terminal.quit(), 0);

    assert.equal((await world.ran()).length, 15);
    const refusals = (await world.sessions()).map(({ entries }) => loopBroken(entries).map((entry) => entry.data.blockedSoFar));
    assert.deepEqual(refusals, [[1, 1], [1]]);
    await assertNothingLeft(world);
  });

  it("a guard that prints rubbish is told of once, and its stderr stays off the screen", async (t) => {
    const world = await makeWorld(t, oneByOne(times(6, () => bash(RAN))));
    const terminal = await open(world, { LOOPBREAKER_BINARY: await world.fakeChild("rubbish") });
    await terminal.type("go");
    const screen = await settled(terminal, "Finished.");
    // The six calls fit on one screen, with all that was said before them.
    assert.equal(screen.match(/Loopbreaker/g)?.length, 1, screen);
    assert.ok(!screen.includes("rubbish on stderr"), screen);
    assert.equal(await terminal.quit(), 0);
    assert.equal((await world.ran()).length, 6);
    await assertNothingLeft(world);
  });
});

/**
 * @param {import("./world.js").World} world
 * @param {NodeJS.ProcessEnv} [env]
 */
async function open(world, env) {
  const terminal = new Terminal(world, env);
  await terminal.start("-e", extension);
  await terminal.until("Pi's prompt", (screen) => screen.includes("[Extensions]") && screen.includes("scripted"));
  return terminal;
}

/**
 * The model has said its last word and Pi has stopped working on it.
 *
 * @param {Terminal} terminal
 * @param {string} lastWord
 */
function settled(terminal, lastWord) {
  return terminal.until(lastWord, (screen) => screen.includes(lastWord) && !screen.includes("Working"));
}
