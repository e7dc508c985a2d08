// The settings, changed by a person while a session runs.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { Terminal, noTmux } from "./terminal.js";
import { extension, makeWorld } from "./world.js";

/** @param {import("./world.js").World} world */
const fileOf = (world) => join(world.agentDir, "extensions", "loopbreaker.json");

describe("settings by command", { concurrency: 2 }, () => {
  it("hold from the next call on, while a run goes on, and in the next session", async (t) => {
    /** @type {Rpc | undefined} */
    let rpc;
    const world = await makeWorld(t, async (_request, n) => {
      if (n === 2) await rpc?.send({ type: "prompt", message: "/loopbreaker set window.block 3" });
      return n < 5 ? { toolCalls: [bash(RAN)] } : { text: "Finished." };
    }, { preset: "window" });
    rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 3);
    assert.equal(rpc.notices[0], `window.block is 3 now. Saved in ${fileOf(world)}.`);
    assert.deepEqual(JSON.parse(await readFile(fileOf(world), "utf8")), { window: { block: 3 } });

    await world.resetProject();
    world.model.restart(oneByOne(times(5, () => bash(RAN))));
    const run = await runPi(world, ["-p", "/loopbreaker unset window.block", "/loopbreaker set window.block 2", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    assert.equal((await world.ran()).length, 2);
    assert.deepEqual(run.stderr.trimEnd().split("\n"), [
      `window.block is 5 now, from preset window. Saved in ${fileOf(world)}.`,
      `window.block is 2 now. Saved in ${fileOf(world)}.`,
    ]);
    await assertNothingLeft(world);
  });

  it("are listed, and what is not allowed is not saved", async (t) => {
    const world = await makeWorld(t, []);
    const commands = ["settings", "set window.block many", "set windo.block 2", "set rejected.note 9"];
    const env = { LOOPBREAKER_REJECTED_ABORT: "7" };
    const run = await runPi(world, ["-p", ...commands.map((args) => `/loopbreaker ${args}`), "-e", extension], { env });
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "" });
    const told = run.stderr.trimEnd().split("\n");
    assert.match(told[0] ?? "", /^Loopbreaker's settings/);
    assert.ok(told.some((line) => /^window\.block +5 +preset default +refuse /.test(line)), run.stderr);
    assert.ok(told.some((line) => /^rejected\.abort +7 +LOOPBREAKER_REJECTED_ABORT +end /.test(line)), run.stderr);
    assert.deepEqual(told.slice(-3), [
      'Not saved: window.block is "many" but must be an integer from 0 (off) to 1000.',
      "Not saved: windo.block is not a setting (did you mean window.block?).",
      "Not saved: rejected.note is 9 but must be below rejected.steer, which is 4 (preset default).",
    ]);
    assert.ok(!existsSync(fileOf(world)));
    await assertNothingLeft(world);
  });
});

describe("settings in a terminal", { skip: noTmux, concurrency: 2 }, () => {
  it("are changed in a view, and hold from the next call on", async (t) => {
    const world = await makeWorld(t, oneByOne(times(5, () => bash(RAN))));
    await mkdir(join(world.agentDir, "extensions"));
    await writeFile(fileOf(world), '{\n  "$schema": "x",\n  "ladder": {"refusals": 9}\n}\n');
    const terminal = await Terminal.open(world);
    await terminal.command("/loopbreaker settings");
    await terminal.until("the settings", (screen) => /→ preset +default +default\n/.test(screen));

    await select(terminal, "window.block");
    await terminal.press("Enter");
    await terminal.until("the question", (screen) => screen.includes("window.block, now 5: refuse a call"));
    await terminal.type("many");
    await terminal.until("the refusal", (screen) => screen.includes('Not saved: window.block is "many" but must be an integer from 0 (off) to 1000.'));
    await terminal.press("Enter");
    await terminal.until("the question", (screen) => screen.includes("window.block, now 5: refuse a call"));
    await terminal.type("2");
    await terminal.until("the new value", (screen) => /→ window\.block +2 /.test(screen) && screen.includes("window.block is 2 now. Saved in"));

    await select(terminal, "enabled", "Up");
    await terminal.press("Space");
    await terminal.until("off", (screen) => /→ enabled +false /.test(screen) && /\nloopbreaker OFF\s*$/.test(screen));
    await terminal.press("BSpace");
    await terminal.until("on again", (screen) => /→ enabled +true +default/.test(screen) && !screen.includes("loopbreaker OFF"));

    await select(terminal, "preset", "Up");
    await terminal.press("Enter");
    await terminal.until("the presets", (screen) => /→ default\n\s+window\n\s+streak\n/.test(screen));
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.until("the preset", (screen) => /→ preset +window /.test(screen));

    await select(terminal, "ladder.refusals");
    await terminal.until("where it is from", (screen) => screen.replace(/ +/g, " ").includes(`→ ladder.refusals 9 ${fileOf(world)}`));
    await terminal.press("BSpace");
    await terminal.until("taken back", (screen) => /→ ladder\.refusals +0 \(off\) +preset window/.test(screen));
    await terminal.press("Escape");
    await terminal.until("the view closed", (screen) => !screen.includes("Loopbreaker's settings"));

    await terminal.type("go");
    await terminal.settled("Finished.");
    assert.equal(await terminal.quit(), 0);
    assert.equal((await world.ran()).length, 2);
    assert.equal(await readFile(fileOf(world), "utf8"), '{\n  "$schema": "x",\n  "window": {\n    "block": 2\n  },\n  "preset": "window"\n}\n');
    await assertNothingLeft(world);
  });

  it("fit into forty columns", async (t) => {
    const world = await makeWorld(t, []);
    const terminal = await Terminal.open(world, {}, { columns: 40 });
    await terminal.command("/loopbreaker settings");
    await terminal.until("the settings", (screen) => /→ preset +default/.test(screen));
    await select(terminal, "ladder.refusals");
    await terminal.press("Enter");
    await terminal.until("the question", (screen) => screen.includes("ladder.refusals, now 0 (off)"));
    await terminal.type("2");
    await terminal.until("the new value", (screen) => /→ ladder\.refusals +2\b/.test(screen) && screen.includes("ladder.refusals is 2 now."));
    await terminal.press("Escape");
    await terminal.until("the view closed", (screen) => !screen.includes("Loopbreaker's settings"));
    assert.equal(await terminal.quit(), 0);
    await assertNothingLeft(world);
  });
});

/**
 * Goes through the view until a setting is selected.
 *
 * @param {Terminal} terminal
 * @param {string} path
 * @param {string} key
 */
async function select(terminal, path, key = "Down") {
  for (;;) {
    const screen = await terminal.until("a selected setting", (screen) => /→ [a-z]/.test(screen));
    const [, now] = /→ (\S+)/.exec(screen) ?? [];
    if (now === path) return;
    await terminal.press(key);
    await terminal.until("the next setting", (screen) => !screen.includes(`→ ${now}`));
  }
}
