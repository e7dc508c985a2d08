// In a terminal: Pi's own /reload and /new, and all that a person sees of the guard.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { assertNothingLeft } from "./processes.js";
import { Terminal, noTmux } from "./terminal.js";
import { makeWorld } from "./world.js";

describe("in a terminal", { skip: noTmux, concurrency: 2 }, () => {
  it("/new starts with an empty window, and /reload with what the session has", async (t) => {
    /** @param {string} lastWord */
    const six = (lastWord) => [...times(6, () => ({ toolCalls: [bash(RAN)] })), { text: lastWord }];
    const again = [{ toolCalls: [bash(RAN)] }, { text: "Two." }];
    const world = await makeWorld(t, [...six("One."), ...again, ...six("Three.")], { preset: "window" });
    const terminal = await Terminal.open(world);

    await terminal.type("go");
    await terminal.settled("One.");
    await terminal.type("/reload");
    await terminal.until("reloaded", (screen) => screen.includes("Reloaded"));
    await terminal.type("go");
    await terminal.settled("Two.");
    await terminal.type("/new");
    await terminal.until("a new session", (screen) => screen.includes("New session started"));
    await terminal.type("go");
    await terminal.settled("Three.");
    assert.equal(await terminal.quit(), 0);

    assert.equal((await world.ran()).length, 10);
    const refusals = (await world.sessions()).map(({ entries }) => loopBroken(entries).map((entry) => entry.data.blockedSoFar));
    assert.deepEqual(refusals, [[1, 2], [1]]);
    await assertNothingLeft(world);
  });

  it("a guard that prints rubbish is told of once, and its stderr stays off the screen", async (t) => {
    const world = await makeWorld(t, oneByOne(times(6, () => bash(RAN))));
    const terminal = await Terminal.open(world, { LOOPBREAKER_BINARY: await world.fakeChild("rubbish") });
    await terminal.type("go");
    const screen = await terminal.settled("Finished.");
    // The six calls fit on one screen, with all that was said before them.
    assert.equal(screen.match(/Loopbreaker/g)?.length, 1, screen);
    assert.ok(!screen.includes("rubbish on stderr"), screen);
    assert.equal(await terminal.quit(), 0);
    assert.equal((await world.ran()).length, 6);
    await assertNothingLeft(world);
  });

  it("refusals are in the transcript and the footer, the first one is told of, and /loopbreaker answers", async (t) => {
    const world = await makeWorld(t, sevenOfOne, { preset: "window" });
    const terminal = await Terminal.open(world);
    await terminal.type("go");
    const screen = await terminal.settled("Finished.");
    const rows = screen.split("\n").map((row) => row.trim());
    const flowing = rows.join(" ").replace(/ +/g, " "); // the terminal breaks long lines
    assert.equal(flowing.match(/Warning: Loopbreaker refused a call of bash: [^.]*\. \/loopbreaker why tells more\./g)?.length, 1, screen);
    const rendered = "Loopbreaker refused bash: 5 repeats came before";
    assert.deepEqual(rows.filter((row) => row.startsWith("Loopbreaker refused bash")), [rendered, `${rendered}, refused 2 times`], screen);
    assert.equal(rows.findLast((row) => row !== ""), "loopbreaker: 2 refused", screen);

    await terminal.command("/loopbreaker why");
    const why = await terminal.until("the answer", (screen) => screen.includes("What Loopbreaker did, the latest first:"));
    assert.equal(why.match(/- refused a call: .*\(rule window, due from 5\)/g)?.length, 2, why);
    await terminal.command("/loopbreaker off");
    await terminal.until("OFF in the footer", (screen) => /\nloopbreaker OFF\s*$/.test(screen));
    await terminal.command("/loopbreaker on");
    await terminal.until("2 refused in the footer again", (screen) => /\nloopbreaker: 2 refused\s*$/.test(screen));
    assert.equal(await terminal.quit(), 0);
    await assertNothingLeft(world);
  });

  it("forty columns hold all of it, and what may follow /loopbreaker is offered", async (t) => {
    const world = await makeWorld(t, sevenOfOne, { preset: "window" });
    const terminal = await Terminal.open(world, {}, { columns: 40 });
    await terminal.type("go");
    const screen = await terminal.settled("Finished.");
    assert.match(unwrapped(screen), /Warning: Loopbreaker refused a call of bash: [^.]*\. \/loopbreaker why tells more\./);
    assert.match(unwrapped(screen), /Loopbreaker refused bash: 5 repeats came before, refused 2 times/);
    assert.match(screen, /\nloopbreaker: 2 refused\s*$/);

    await terminal.keys("/loopbreaker preset ");
    await terminal.until("the presets", (screen) => /→ preset default\s+preset window\s+preset streak\s+preset turns\n/.test(screen));
    await terminal.command("streak"); // typed in full it is not offered, so Enter runs it
    await terminal.until("the answer", (screen) => unwrapped(screen).includes("Loopbreaker is on, preset streak. Refused: 2 in this prompt, 2 in this session."));
    assert.equal(await terminal.quit(), 0);
    await assertNothingLeft(world);
  });

  it("the end of a run is told of, and the session opened again shows the refusals", async (t) => {
    const world = await makeWorld(t, oneByOne(times(20, () => bash(RAN))), { preset: "streak" });
    const terminal = await Terminal.open(world);
    await terminal.type("go");
    const ended = /Warning: Loopbreaker ended the run: [^.]* 4 times in a row, after 3 refusals\./;
    const screen = await terminal.until("the end", (screen) => ended.test(unwrapped(screen)) && !screen.includes("Working"));
    assert.match(screen, /\nloopbreaker: ended the run, 3 refused\s*$/);
    assert.equal(world.model.requests.length, 7);
    assert.equal(await terminal.quit(), 0);

    const again = await Terminal.open(world, {}, { args: ["--continue"] });
    await again.until("the refusals", (screen) => screen.includes("Loopbreaker refused bash: 4 repeats came before, refused 3 times"));
    assert.equal(await again.quit(), 0);
    await assertNothingLeft(world);
  });
});

const sevenOfOne = oneByOne(times(7, () => bash(RAN)));

/**
 * What a narrow terminal shows, in one line again.
 *
 * @param {string} screen
 */
const unwrapped = (screen) => screen.replace(/\s+/g, " ");
