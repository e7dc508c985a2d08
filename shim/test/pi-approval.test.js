// The operator is asked before a call: what becomes of it, of the others of its
// batch, and of Pi, whatever the operator does.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bash, oneByOne, said } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { Terminal, noTmux } from "./terminal.js";
import { extension, makeWorld } from "./world.js";

/** @param {string} name @param {string} [mark] */
const leaves = (name, mark = "") => bash(`echo ${name} >> ran.txt${mark}`);

/** A batch whose first call is asked about, and a last word. @param {string} mark */
const batch = (mark) => [{ toolCalls: [leaves("first", mark), leaves("second"), leaves("third")] }, { text: "Finished." }];

describe("the operator is asked", { concurrency: 2 }, () => {
  it("and approves, in his own time: the batch runs", async (t) => {
    const { world, rpc } = await asking(t, batch(" # ask"), { LOOPBREAKER_DEADLINE_MS: "400" });
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    const dialog = await rpc.wait(isDialog);
    assert.deepEqual([dialog.method, dialog.title, dialog.message, dialog.timeout], ["confirm", "Let it?", "It makes call_1_1.", 30_000]);
    await pause(1200); // three deadlines
    rpc.answer(dialog, { confirmed: true });
    await done;
    assert.deepEqual((await world.ran()).sort(), ["first", "second", "third"]);
    await ended(world, rpc);
  });

  it("and declines: that call is refused, and no other of the batch", async (t) => {
    const { world, rpc } = await asking(t, batch(" # ask"));
    rpc.onDialog = () => ({ confirmed: false });
    await rpc.prompt("go");
    assert.deepEqual((await world.ran()).sort(), ["second", "third"]);
    assert.equal(world.model.resultOf("call_1_1"), "Refused: declined call_1_1");
    await ended(world, rpc);
  });

  it("and closes the question, or lets its time go by", async (t) => {
    const { world, rpc } = await asking(t, oneByOne([leaves("closed", " # ask"), leaves("late", " # ask 700")]));
    let n = 0;
    rpc.onDialog = () => (n++ === 0 ? { cancelled: true } : undefined);
    await rpc.prompt("go");
    assert.deepEqual(await world.ran(), []);
    assert.deepEqual(world.model.results().map(({ text }) => text), ["Refused: declined call_1_1", "Refused: timeout call_2_1"]);
    await ended(world, rpc);
  });

  it("and ends the run instead", async (t) => {
    const { world, rpc } = await asking(t, [...batch(" # ask"), { text: "Finished." }]);
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    await rpc.wait(isDialog);
    await rpc.send({ type: "abort" });
    await done;
    assert.deepEqual(await world.ran(), []);
    await rpc.prompt("go on");
    assert.equal(world.model.requests.length, 2, "the next prompt is answered");
    await ended(world, rpc);
  });

  it("and ends the session instead", async (t) => {
    const { world, rpc } = await asking(t, batch(" # ask"));
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    done.catch(() => {});
    await rpc.wait(isDialog);
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    assert.deepEqual(await world.ran(), []);
    await assertNothingLeft(world);
  });

  it("while the guard dies: what was approved runs, what was declined does not, and it is told once", async (t) => {
    const { world, rpc } = await asking(t, oneByOne([leaves("approved", " # ask die"), leaves("declined", " # ask die")]));
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    for (const confirmed of [true, false]) {
      const dialog = await rpc.wait((message) => isDialog(message) && message.message.includes(confirmed ? "call_1_1" : "call_2_1"));
      await pause(600);
      rpc.answer(dialog, { confirmed });
    }
    await done;
    assert.deepEqual(await world.ran(), ["approved"]);
    assert.match(world.model.resultOf("call_2_1") ?? "", /^The operator declined this call\./);
    assert.equal(rpc.notices.length, 1, rpc.notices.join("\n"));
    assert.match(rpc.notices[0] ?? "", /^Loopbreaker's guard stopped: it ended with code 3\./);
    await ended(world, rpc);
  });
});

describe("nobody is there to be asked", { concurrency: 2 }, () => {
  for (const mode of ["text", "json"]) {
    it(`in mode ${mode}: the call is refused`, async (t) => {
      const world = await makeWorld(t, batch(" # ask"));
      const env = { LOOPBREAKER_BINARY: await world.fakeChild("asking") };
      const run = await runPi(world, ["--mode", mode, "-p", "go", "-e", extension], { env });
      assert.deepEqual({ code: run.code, said: said(run.stderr) }, { code: 0, said: [] });
      assert.deepEqual((await world.ran()).sort(), ["second", "third"]);
      assert.equal(world.model.resultOf("call_1_1"), "Refused: unattended call_1_1");
      await assertNothingLeft(world);
    });
  }
});

describe("the operator is asked in a terminal", { skip: noTmux, concurrency: 2 }, () => {
  it("Enter lets the call run, Escape does not, and the time is counted down", async (t) => {
    const world = await makeWorld(t, oneByOne([leaves("approved", " # ask"), leaves("declined", " # ask"), leaves("late", " # ask 2000")]));
    const terminal = await Terminal.open(world, { LOOPBREAKER_BINARY: await world.fakeChild("asking") });
    await terminal.type("go");
    await terminal.until("the first question", (screen) => /Let it\?\n\s*It makes call_1_1\. \(\d+s\)/.test(screen));
    await terminal.type("");
    await terminal.until("the second question", (screen) => screen.includes("It makes call_2_1."));
    await terminal.press("Escape");
    await terminal.until("the third question", (screen) => screen.includes("It makes call_3_1."));
    await terminal.settled("Finished.");
    assert.equal(await terminal.quit(), 0);
    assert.deepEqual(await world.ran(), ["approved"]);
    assert.deepEqual(world.model.results().map(({ text }) => text).slice(1), ["Refused: declined call_2_1", "Refused: timeout call_3_1"]);
    await assertNothingLeft(world);
  });
});

/** @param {import("./rpc.js").Message} message */
const isDialog = (message) => message.type === "extension_ui_request" && message.method === "confirm";

/**
 * Pi in rpc mode, with a guard that asks.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("./model.js").Script} script
 * @param {NodeJS.ProcessEnv} [env]
 */
async function asking(t, script, env = {}) {
  const world = await makeWorld(t, script);
  const rpc = new Rpc(world, ["-e", extension], { env: { LOOPBREAKER_BINARY: await world.fakeChild("asking"), ...env } });
  return { world, rpc };
}

/**
 * @param {import("./world.js").World} world
 * @param {Rpc} rpc
 */
async function ended(world, rpc) {
  const run = await rpc.end();
  assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
  await assertNothingLeft(world);
}
