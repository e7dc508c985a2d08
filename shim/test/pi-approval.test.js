// The operator is asked about a call: what becomes of it, of the others of its
// batch, and of Pi, whatever the operator does, or the guard meanwhile.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { RAN, bash, oneByOne, other, said, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft, kill } from "./processes.js";
import { Rpc } from "./rpc.js";
import { Terminal, noTmux } from "./terminal.js";
import { binary, extension, lines, makeWorld } from "./world.js";

/** The second equal call is for the operator to decide on; nothing else is counted. */
const ASKS = {
  LOOPBREAKER_PRESET: "measures",
  LOOPBREAKER_MEASURES_LIMITS: "exact=2,cmd=null,net=null,sink=null,host=null",
};

/** What the model reads of a refused call, and why it was not let pass. */
const REFUSED = /^REPEAT_TOOL_BLOCKED/;
const DECLINED = /The user was asked to allow it and declined/;
const LATE = /The user was asked to allow it and did not answer in time/;
const UNATTENDED = /Nobody could be asked to allow it/;

describe("the operator is asked", { concurrency: 2 }, () => {
  it("and approves, in his own time: the call runs, and all like it, unasked", async (t) => {
    const { world, rpc } = await asking(t, oneByOne(times(4, () => bash(RAN))), { LOOPBREAKER_DEADLINE_MS: "2000" });
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    const dialog = await rpc.wait(isDialog);
    assert.equal(dialog.title, "Loopbreaker: let this bash call run?");
    assert.match(dialog.message, /2 times with this call, the limit is 2/);
    assert.equal(dialog.timeout, 120_000);
    await pause(2500); // more than a deadline
    rpc.answer(dialog, { confirmed: true });
    await done;
    assert.equal((await world.ran()).length, 4);
    assert.equal(dialogs(rpc).length, 1);
    await ended(world, rpc);
  });

  it("and declines: it is refused, unasked again, until he writes", async (t) => {
    const script = oneByOne(times(3, () => bash(RAN)));
    const { world, rpc } = await asking(t, [...script, ...script]);
    rpc.onDialog = () => ({ confirmed: false });
    await rpc.prompt("go");
    assert.deepEqual([(await world.ran()).length, dialogs(rpc).length], [1, 1]);
    for (const id of ["call_2_1", "call_3_1"]) assertRefused(world, id, DECLINED);
    await rpc.prompt("again");
    assert.deepEqual([(await world.ran()).length, dialogs(rpc).length], [2, 2]);
    await ended(world, rpc);
  });

  it("in the middle of a batch: no other call of it is lost", async (t) => {
    for (const confirmed of [true, false]) {
      const { world, rpc } = await asking(t, [{ toolCalls: [bash(RAN), bash(RAN), other(2), other(3)] }, { text: "Finished." }]);
      rpc.onDialog = () => ({ confirmed });
      await rpc.prompt("go");
      assert.deepEqual((await world.ran()).sort(), confirmed ? ["2", "3", "ran", "ran"] : ["2", "3", "ran"]);
      assert.equal(world.model.results().length, 4);
      if (!confirmed) assertRefused(world, "call_1_2", DECLINED);
      await ended(world, rpc);
    }
  });

  it("and closes the question", async (t) => {
    const { world, rpc } = await asking(t, oneByOne(times(2, () => bash(RAN))));
    rpc.onDialog = () => ({ cancelled: true });
    await rpc.prompt("go");
    assertRefused(world, "call_2_1", DECLINED);
    await ended(world, rpc);
  });

  it("and lets the time go by", async (t) => {
    const { world, rpc } = await asking(t, oneByOne(times(3, () => bash(RAN))), { LOOPBREAKER_MEASURES_ASK_SECONDS: "1" });
    rpc.onDialog = () => undefined;
    await rpc.prompt("go");
    assert.deepEqual([(await world.ran()).length, dialogs(rpc).length], [1, 1]);
    for (const id of ["call_2_1", "call_3_1"]) assertRefused(world, id, LATE);
    await ended(world, rpc);
  });

  it("and ends the run instead", async (t) => {
    const { world, rpc } = await asking(t, [{ toolCalls: [bash(RAN), bash(RAN), other(2)] }, { text: "Finished." }], { LOOPBREAKER_TRACE: "trace.jsonl" });
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    await rpc.wait(isDialog);
    await rpc.send({ type: "abort" });
    await done;
    assert.deepEqual(await world.ran(), []);
    const trace = await lines(join(world.project, "trace.jsonl"));
    assert.ok(trace.some((line) => line.includes('"approval"') && line.includes('"aborted"')), trace.join("\n"));
    await rpc.prompt("go on");
    assert.equal(world.model.requests.length, 2, "the next prompt is answered");
    await ended(world, rpc);
  });

  it("and ends the session instead", async (t) => {
    const { world, rpc } = await asking(t, [{ toolCalls: [bash(RAN), bash(RAN), other(2)] }, { text: "Finished." }]);
    rpc.onDialog = () => undefined;
    rpc.prompt("go").catch(() => {}); // which nothing answers any more
    await rpc.wait(isDialog);
    await ended(world, rpc);
    assert.deepEqual(await world.ran(), []);
  });

  it("twice at once, by calls within a call: each has its answer", async (t) => {
    const script = `
      const again = (n) => tools.bash({ command: "echo " + n + " >> ran.txt" });
      await again(1);
      await again(2);
      const all = await Promise.allSettled([again(1), again(2), tools.bash({ command: "echo 3 >> ran.txt" })]);
      return all.map(({ status }) => status).join();`;
    const world = await makeWorld(t, [{ toolCalls: [{ name: "codemode", arguments: { code: script } }] }, { text: "Finished." }]);
    const rpc = new Rpc(world, ["-e", extension, "--tools", "bash,codemode"], { env: ASKS });
    rpc.onDialog = () => undefined;
    const done = rpc.prompt("go");
    const first = await rpc.wait(isDialog);
    const second = await rpc.wait((message) => isDialog(message) && message.id !== first.id);
    rpc.answer(second, { confirmed: true });
    rpc.answer(first, { confirmed: false });
    await done;
    assert.match(world.model.results()[0]?.text ?? "", /rejected,fulfilled,fulfilled/);
    assert.deepEqual((await world.ran()).sort(), ["1", "2", "2", "3"]);
    await ended(world, rpc);
  });

  it("while the guard dies: what he approves runs, what he declines does not, and it is told once", async (t) => {
    for (const confirmed of [true, false]) {
      const world = await makeWorld(t, oneByOne(times(2, () => bash(RAN))));
      const rpc = new Rpc(world, ["-e", extension], { env: { ...ASKS, LOOPBREAKER_BINARY: await world.child(binary) } });
      rpc.onDialog = () => undefined;
      const done = rpc.prompt("go");
      const dialog = await rpc.wait(isDialog);
      for (const pid of await world.childPids()) kill(pid);
      await rpc.wait((message) => message.method === "notify");
      rpc.answer(dialog, { confirmed });
      await done;
      assert.equal((await world.ran()).length, confirmed ? 2 : 1);
      if (!confirmed) assert.match(world.model.resultOf("call_2_1") ?? "", /^The operator declined this call\./);
      assert.equal(rpc.notices.length, 1, rpc.notices.join("\n"));
      assert.match(rpc.notices[0] ?? "", /^Loopbreaker's guard stopped: it was ended by SIGKILL\./);
      await ended(world, rpc);
    }
  });
});

describe("nobody is there to be asked", { concurrency: 2 }, () => {
  for (const mode of ["text", "json"]) {
    it(`in mode ${mode}: the call is refused, and it says so`, async (t) => {
      const world = await makeWorld(t, [{ toolCalls: [bash(RAN), bash(RAN), other(2)] }, { text: "Finished." }]);
      const run = await runPi(world, ["--mode", mode, "-p", "go", "-e", extension], { env: ASKS });
      assert.deepEqual({ code: run.code, said: said(run.stderr) }, { code: 0, said: [] });
      assert.deepEqual((await world.ran()).sort(), ["2", "ran"]);
      assertRefused(world, "call_1_2", UNATTENDED);
      await assertNothingLeft(world);
    });
  }
});

describe("the operator is asked in a terminal", { skip: noTmux, concurrency: 2 }, () => {
  it("Enter lets the call run, Escape does not, and the run goes on", async (t) => {
    const world = await makeWorld(t, oneByOne([bash(RAN), bash(RAN), other(2), other(2), other(3)]));
    const terminal = await Terminal.open(world, ASKS);
    await terminal.type("go");
    await terminal.until("a question with its time", (screen) => /let this bash call run\?[^]*\(\d+s\)/.test(screen));
    await terminal.press("Enter");
    await terminal.until("the next question", (screen) => screen.includes("let this bash call run?") && /echo 2[^]*echo 2/.test(screen));
    await terminal.press("Escape");
    await terminal.settled("Finished.");
    assert.equal(await terminal.quit(), 0);
    assert.deepEqual(await world.ran(), ["ran", "ran", "2", "3"]);
    assertRefused(world, "call_4_1", DECLINED);
    await assertNothingLeft(world);
  });

  it("the time runs out", async (t) => {
    const world = await makeWorld(t, oneByOne([bash(RAN), bash(RAN)]));
    const terminal = await Terminal.open(world, { ...ASKS, LOOPBREAKER_MEASURES_ASK_SECONDS: "2" });
    await terminal.type("go");
    await terminal.settled("Finished.");
    assert.equal(await terminal.quit(), 0);
    assert.deepEqual(await world.ran(), ["ran"]);
    assertRefused(world, "call_2_1", LATE);
    await assertNothingLeft(world);
  });
});

/** @param {import("./rpc.js").Message} message */
const isDialog = (message) => message.type === "extension_ui_request" && message.method === "confirm";

/** @param {Rpc} rpc */
const dialogs = (rpc) => rpc.messages.filter(isDialog);

/**
 * Pi in rpc mode, with a guard that asks.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("./model.js").Script} script
 * @param {NodeJS.ProcessEnv} [env]
 */
async function asking(t, script, env = {}) {
  const world = await makeWorld(t, script);
  return { world, rpc: new Rpc(world, ["-e", extension], { env: { ...ASKS, ...env } }) };
}

/**
 * @param {import("./world.js").World} world
 * @param {string} id of a call
 * @param {RegExp} why
 */
function assertRefused(world, id, why) {
  const result = world.model.resultOf(id) ?? "";
  assert.match(result, REFUSED);
  assert.match(result, why);
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
