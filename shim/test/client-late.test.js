// A guard that is late costs one deadline, once; one that stays silent is
// replaced. The clock of these tests stands still unless it is moved.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { alive, fake, folder, real, start, until } from "./guard.js";

const DEADLINE = 250;
const HUNG = 5000;

/**
 * @param {import("node:test").TestContext} t
 * @param {{ path: string, args: string[], past?: () => string | undefined }} program
 */
function late(t, program) {
  const { timers } = t.mock;
  timers.enable({ apis: ["setTimeout", "Date"] });
  t.after(() => timers.reset());
  const started = start(t, { ...program, deadline: DEADLINE });
  return {
    ...started,
    pass: (/** @type {number} */ ms) => timers.tick(ms),
    /**
     * Has the puppet answer what it holds, and waits until a call is answered again.
     *
     * @param {number} pid
     */
    recovered: (pid) =>
      until(async () => {
        process.kill(pid, "SIGUSR2"); // again and again: it may not hold it yet
        return (await started.act([{ answer: { n: 1 } }]))?.n === 1;
      }),
  };
}

describe("a call that is not answered in time", () => {
  it("is let go at its deadline and no sooner, and the user is told", async (t) => {
    const { act, up, pass, told } = late(t, fake("puppet"));
    await up();
    let over = false;
    const call = act([{ hold: true }]).then((answer) => ((over = true), answer));
    pass(DEADLINE - 1);
    await act([{ answer: {} }]);
    assert.equal(over, false);
    pass(1);
    assert.equal(await call, undefined);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /did not answer within 250 ms/);
  });

  it("spares the next ones the waiting, until its answer comes", async (t) => {
    const { act, up, pass, recovered, told, greetings } = late(t, fake("puppet"));
    const { pid } = await up();
    const call = act([{ hold: true }]);
    pass(DEADLINE);
    assert.equal(await call, undefined);
    for (let i = 0; i < 10; i++) assert.equal(await act([{ write: "this would be rubbish\n" }]), undefined);
    pass(HUNG - 1);
    await recovered(pid);
    pass(10 * HUNG); // nothing is left of the matter
    assert.deepEqual(await act([{ answer: { n: 2 } }]), { n: 2 });
    assert.equal(greetings.length, 1, "it is the same guard");
    assert.equal(told.length, 1);
  });

  it("is one of several, after all of which the next waits again", async (t) => {
    const { act, up, pass, recovered, told, greetings } = late(t, fake("puppet"));
    const { pid } = await up();
    const calls = [act([{ hold: true }]), act([{ hold: true }]), act([{ hold: true }])];
    pass(DEADLINE);
    assert.deepEqual(await Promise.all(calls), [undefined, undefined, undefined]);
    await recovered(pid);
    pass(10 * HUNG);
    assert.deepEqual(await act([{ answer: {} }]), {});
    assert.equal(greetings.length, 1, "it is the same guard");
    assert.equal(told.length, 1);
  });

  it("may be late again without the user being told again", async (t) => {
    const { act, up, pass, recovered, told } = late(t, fake("puppet"));
    const { pid } = await up();
    for (let i = 0; i < 2; i++) {
      const call = act([{ hold: true }]);
      pass(DEADLINE);
      assert.equal(await call, undefined);
      await recovered(pid);
    }
    assert.equal(told.length, 1);
  });

  it("may be the first one, with the greeting still due", async (t) => {
    const { act, pass, told } = late(t, fake("silent"));
    const call = act([]);
    pass(DEADLINE);
    assert.equal(await call, undefined);
    assert.match(told[0] ?? "", /did not answer within 250 ms/);
  });
});

it("a call that is answered in time leaves no timer behind", async (t) => {
  const { act, pass, told } = late(t, fake("puppet"));
  assert.deepEqual(await act([{ answer: {} }]), {});
  pass(10 * HUNG);
  assert.deepEqual(await act([{ answer: {} }]), {});
  assert.deepEqual(told, []);
});

describe("a guard that has been silent for five seconds is killed and replaced", () => {
  for (const [name, step] of /** @type {const} */ ([["hung", { hold: true }], ["stopped", { stop: true }]])) {
    it(`when it is ${name}`, async (t) => {
      const { act, up, pass, told, greetings } = late(t, fake("puppet"));
      const { pid } = await up();
      const call = act([step]);
      pass(DEADLINE);
      assert.equal(await call, undefined);
      pass(HUNG - 1);
      assert.equal(await act([{ answer: {} }]), undefined);
      assert.ok(alive(pid));
      pass(1);
      assert.deepEqual(await act([{ answer: {} }]), {});
      assert.notEqual(greetings[1].pid, pid);
      await until(() => !alive(pid));
      assert.equal(told.length, 1);
    });
  }
});

it("a guard that was late and recovered is replaced all the same when it hangs later", async (t) => {
  const { act, up, pass, recovered, greetings } = late(t, fake("puppet"));
  const { pid } = await up();
  for (let i = 0; i < 2; i++) {
    const call = act([{ hold: true }]);
    pass(DEADLINE);
    assert.equal(await call, undefined);
    if (i === 0) await recovered(pid);
  }
  pass(HUNG);
  assert.deepEqual(await act([{ answer: {} }]), {});
  assert.notEqual(greetings[1].pid, pid);
});

it("the real guard, stopped and continued, has lost nothing", async (t) => {
  const pidFile = join(folder(t), "pid");
  /** @type {object[]} what the session file would have */
  const events = [];
  const past = () => (events.length > 0 ? JSON.stringify({ events }) : undefined);
  const { ask, up, pass, told } = late(t, { path: "/bin/sh", args: ["-c", `echo $$ > '${pidFile}'; exec "$0" "$@"`, real.path, ...real.args], past });
  await up();
  const pid = Number(readFileSync(pidFile, "utf8"));
  for (let i = 1; i <= 4; i++) assert.deepEqual(await ask("bash", { command: "ls" }), {});
  process.kill(pid, "SIGSTOP");
  const fifth = ask("bash", { command: "ls" });
  pass(DEADLINE);
  assert.equal(await fifth, undefined, "it runs unguarded, and counts");
  for (const toolCallId of ["1", "2", "3", "4", "5"]) {
    events.push({ type: "call", toolCallId, toolName: "bash", input: { command: "ls" } });
    events.push({ type: "result", toolCallId, isError: false, content: [{ type: "text", text: "README.md" }] });
  }
  process.kill(pid, "SIGCONT");
  const sixth = await until(() => ask("bash", { command: "ls" }));
  assert.equal(sixth?.block, true);
  assert.equal(told.length, 1);
});
