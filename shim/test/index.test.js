// What the extension does with what the guard decides, and with a Pi in which
// everything fails.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import loopbreaker from "../index.js";
import { Double } from "./double.js";
import { PATIENT, environment, executable, fake, folder, real } from "./guard.js";
import { tooOld } from "../sentences.js";

/** @typedef {import("node:test").TestContext} TestContext */

/**
 * A session with the extension, started and shut down after the test.
 *
 * @param {TestContext} t
 * @param {{ guard?: { path: string, args: string[] }, deadline?: string } & ConstructorParameters<typeof Double>[1]} [options]
 */
async function session(t, { guard, deadline = String(PATIENT), ...options } = {}) {
  environment(t, { LOOPBREAKER_BINARY: guard ? executable(t, guard) : real.path, LOOPBREAKER_DEADLINE_MS: deadline, LOOPBREAKER_TRACE: undefined });
  const pi = new Double(loopbreaker, options);
  t.after(() => pi.shutdown());
  await pi.start();
  return pi;
}

const puppet = fake("puppet");

/**
 * Has the puppet answer a call so.
 *
 * @param {Double} pi
 * @param {unknown} decision
 */
const decide = (pi, decision) => pi.call("bash", { do: [{ answer: decision }] });

const told = (/** @type {Double} */ pi) => pi.notices.map(({ sentence }) => sentence);

/** @param {Double} pi @param {number} times @param {unknown} [input] */
async function repeat(pi, times, input = { command: "ls -R" }) {
  let last;
  for (let i = 0; i < times; i++) last = await pi.call("bash", input);
  return last;
}

const why = { rule: "window", stage: "block", tool: "bash", count: 5, limit: 5, window: 20 };

describe("a call the guard refuses", () => {
  it("is blocked with its reason, and the result is marked with its finding", async (t) => {
    const pi = await session(t);
    assert.equal(await repeat(pi, 5), undefined);
    const message = await repeat(pi, 1);
    assert.match(message?.content[0]?.text ?? "", /^Loopbreaker refused this call: the identical bash call was already made 5 times among the last 20 /);
    assert.deepEqual(message?.details, { loopbreaker: why });
    assert.equal(message?.isError, true);
    assert.equal(told(pi).length, 1); // that a call was refused
  });

  it("leaves one entry in the session each time", async (t) => {
    const pi = await session(t);
    await repeat(pi, 7);
    const data = { tool: "bash", repeats: 5 };
    assert.deepEqual(pi.entries, [
      { customType: "loop_broken", data: { ...data, blockedSoFar: 1 } },
      { customType: "loop_broken", data: { ...data, blockedSoFar: 2 } },
    ]);
  });

  it("is blocked even if the entry cannot be appended", async (t) => {
    let tried = 0;
    const appendEntry = () => {
      tried++;
      throw new Error("the disk is full");
    };
    const pi = await session(t, { api: { appendEntry } });
    const message = await repeat(pi, 6);
    assert.deepEqual(message?.details, { loopbreaker: why });
    assert.equal(tried, 1);
    assert.deepEqual({ told: told(pi).length, errors: pi.errors }, { told: 1, errors: [] }); // only of the refusal
  });

  it("is blocked even if its entries are not what they should be, and those that are get appended", async (t) => {
    const pi = await session(t, { guard: puppet });
    for (const entries of [5, null, {}, [null], ["text"]]) {
      assert.ok(await decide(pi, { block: true, reason: "so", entries }), JSON.stringify(entries));
    }
    pi.entries.length = 0;
    await decide(pi, { block: true, reason: "so", entries: [null, { customType: "a", data: 1 }] });
    assert.deepEqual(pi.entries, [{ customType: "a", data: 1 }]);
  });

  it("may have a long text, elided on its way", async (t) => {
    const pi = await session(t);
    const content = () => `${"x".repeat(100_000)}`;
    assert.equal(await repeat(pi, 5, { path: "f", content: content() }), undefined);
    assert.equal(await repeat(pi, 1, { path: "f", content: `${content()}y` }), undefined);
    assert.ok(await repeat(pi, 1, { content: content(), path: "f" }));
  });

  it("is one of a tool, in a registration", async (t) => {
    const pi = await session(t);
    const other = await session(t);
    await repeat(pi, 5);
    assert.equal(await pi.call("read", { command: "ls -R" }), undefined);
    assert.equal(await repeat(other, 5), undefined, "nothing is shared");
    assert.ok(await repeat(pi, 1));
    await pi.shutdown();
    assert.ok(await repeat(other, 1), "and nothing is ended together");
    assert.equal(other.entries.length, 1);
  });
});

describe("a call runs", () => {
  it("when its input is not JSON, however often", async (t) => {
    const pi = await session(t);
    const cycle = /** @type {Record<string, unknown>} */ ({});
    cycle.self = cycle;
    for (const input of [cycle, { when: new Date(0) }, { n: 1n }, undefined, { text: "\ud800" }]) {
      for (let i = 0; i < 7; i++) assert.equal(await pi.call("bash", input), undefined);
    }
    assert.deepEqual(told(pi), []);
  });

  it("when the decision is none", async (t) => {
    const pi = await session(t, { guard: puppet });
    for (const decision of [{}, [], { block: false, reason: "so" }, { block: "true", reason: "so" }, { block: 1, reason: "so" }, { block: true }, { block: true, reason: 5 }]) {
      assert.equal(await decide(pi, decision), undefined, JSON.stringify(decision));
    }
  });

  it("when there is no guard, of which the user is told once", async (t) => {
    environment(t, { LOOPBREAKER_BINARY: join(folder(t), "nothing") });
    const pi = new Double(loopbreaker);
    await pi.start();
    assert.equal(await repeat(pi, 9), undefined);
    await pi.shutdown();
    assert.equal(pi.notices.length, 1);
    assert.match(told(pi)[0] ?? "", /LOOPBREAKER_BINARY names/);
  });

  it("when the session has been shut down, and asks nobody", async (t) => {
    const pi = await session(t);
    await repeat(pi, 5);
    await pi.shutdown();
    assert.equal(await repeat(pi, 5), undefined);
    assert.deepEqual({ told: told(pi), errors: pi.errors }, { told: [], errors: [] });
  });

  it("when the run is aborted", async (t) => {
    const pi = await session(t);
    await repeat(pi, 5);
    pi.ctx.abort();
    assert.equal(await repeat(pi, 1), undefined);
  });

  it("guarded without a session_start, which a host may leave out", async (t) => {
    environment(t, { LOOPBREAKER_BINARY: real.path, LOOPBREAKER_DEADLINE_MS: String(PATIENT) });
    const pi = new Double(loopbreaker);
    t.after(() => pi.shutdown());
    assert.ok(await repeat(pi, 6));
  });
});

describe("message_end", () => {
  const result = (/** @type {string} */ toolCallId, details = /** @type {unknown} */ ({})) => ({
    role: "toolResult", toolCallId, toolName: "bash", content: [], details, isError: true,
  });

  it("marks the result of a refused call, once, and keeps what stands there", async (t) => {
    const pi = await session(t, { guard: puppet });
    await pi.decide("bash", { do: [{ answer: { block: true, reason: "so", why } }] }, "refused");
    const message = { ...result("refused", { diff: "+1" }), timestamp: 1 };
    assert.deepEqual(await pi.write(message), { ...message, details: { diff: "+1", loopbreaker: why } });
    assert.deepEqual(message.details, { diff: "+1" }, "the message itself is not ours to change");
    assert.equal(await pi.write(message), message);
  });

  it("marks one without details", async (t) => {
    const pi = await session(t, { guard: puppet });
    await pi.decide("bash", { do: [{ answer: { block: true, reason: "so", why } }] }, "refused");
    assert.deepEqual((await pi.write(result("refused", undefined))).details, { loopbreaker: why });
  });

  it("leaves every other message alone", async (t) => {
    const pi = await session(t);
    await pi.decide("bash", { command: "ls" }, "admitted");
    for (const message of [result("admitted"), result("unknown"), { role: "user", content: "hello" }, { role: "assistant", toolCallId: "admitted" }]) {
      assert.equal(await pi.write(message), message);
    }
  });

  it("knows nothing of an earlier turn's refusals", async (t) => {
    const pi = await session(t, { guard: puppet });
    await pi.decide("bash", { do: [{ answer: { block: true, reason: "so", why } }] }, "call");
    await pi.endTurn();
    const message = result("call");
    assert.equal(await pi.write(message), message);
  });
});

describe("the user is told", () => {
  it("what the guard wants told, as warnings", async (t) => {
    const pi = await session(t, { guard: puppet });
    await decide(pi, { notify: ["One.", "Two."] });
    await decide(pi, { block: true, reason: "so", notify: ["Three."] });
    assert.deepEqual(pi.notices, ["One.", "Two.", "Three."].map((sentence) => ({ sentence, kind: "warning" })));
  });

  it("nothing but sentences", async (t) => {
    const pi = await session(t, { guard: puppet });
    for (const notify of [5, "text", {}, null, [null, 5, {}, { toString: null }]]) {
      assert.ok(await decide(pi, { notify, block: true, reason: "so" }));
    }
    assert.deepEqual(told(pi), []);
  });

  it("on stderr when there is no UI", async (t) => {
    /** @type {string[]} */
    const written = [];
    t.mock.method(process.stderr, "write", (/** @type {string} */ text) => written.push(text));
    const pi = await session(t, { guard: puppet, hasUI: false });
    await decide(pi, { notify: ["One."] });
    assert.deepEqual(written, ["One.\n"]);
  });
});

describe("--loop-trace", () => {
  /** @param {string} path */
  const methods = (path) => readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line).message.method).filter(Boolean);

  it("=FILE writes the trace there and says nothing", async (t) => {
    const path = join(folder(t), "a trace.jsonl");
    const pi = await session(t, { flags: { "loop-trace": path } });
    await repeat(pi, 1);
    await pi.shutdown();
    assert.deepEqual(methods(path), ["initialize", "tool/call"]);
    assert.deepEqual(told(pi), []);
  });

  it("=true picks a new file in the temp folder and names it", async (t) => {
    const paths = [];
    for (let i = 0; i < 2; i++) {
      const pi = await session(t, { flags: { "loop-trace": "true" } });
      await repeat(pi, 1);
      await pi.shutdown();
      assert.equal(pi.notices.length, 1);
      const path = /^Loopbreaker writes a trace to (.*)$/.exec(told(pi)[0] ?? "")?.[1] ?? "";
      t.after(() => rmSync(path));
      assert.equal(dirname(path), tmpdir());
      assert.deepEqual(methods(path), ["initialize", "tool/call"]);
      paths.push(path);
    }
    assert.notEqual(paths[0], paths[1]);
  });

  it("to a file that cannot be written is told, and the guard guards on", async (t) => {
    const pi = await session(t, { flags: { "loop-trace": join(folder(t), "no", "folder") } });
    assert.ok(await repeat(pi, 6));
    assert.equal(pi.notices.length, 2);
    assert.match(told(pi)[0] ?? "", /cannot write the trace/);
    assert.match(told(pi)[1] ?? "", /refused a call of bash/);
  });

  for (const [name, flags] of /** @type {[string, Record<string, string | boolean>][]} */ ([["not given", {}], ["empty", { "loop-trace": "" }], ["no text", { "loop-trace": true }]])) {
    it(`${name} traces nothing`, async (t) => {
      // The guard writes its arguments as rubbish, which is then quoted to the user.
      const pi = await session(t, { guard: { path: "/bin/sh", args: ["-c", 'echo "$@"', "guard"] }, flags });
      await repeat(pi, 1);
      assert.match(told(pi)[0] ?? "", /\("serve"\)/);
    });
  }
});

describe("LOOPBREAKER_DEADLINE_MS", () => {
  for (const value of ["1", "20"]) {
    it(`=${value} is how long a call waits`, async (t) => {
      const pi = await session(t, { guard: fake("silent"), deadline: value });
      assert.equal(await repeat(pi, 1), undefined);
      assert.match(told(pi)[0] ?? "", new RegExp(`did not answer within ${value} ms`));
    });
  }

  it("is 250 by default, and when it is empty", async (t) => {
    const pi = await session(t, { guard: fake("silent"), deadline: "" });
    assert.equal(await repeat(pi, 1), undefined);
    assert.match(told(pi)[0] ?? "", /within 250 ms/);
  });

  for (const value of ["0", "-1", "1.5", "1e3", "250ms", " 250", "0x10", "Infinity", "9999999999"]) {
    it(`=${value} is told to be wrong, and what holds instead`, async (t) => {
      const pi = await session(t, { guard: fake("silent"), deadline: value });
      assert.equal(pi.notices.length, 1);
      assert.ok(told(pi)[0]?.includes(`LOOPBREAKER_DEADLINE_MS is "${value}"`) && told(pi)[0]?.endsWith("Waiting 250 ms."));
    });
  }
});

describe("no handler throws", () => {
  const failing = () => {
    throw new Error("this is broken");
  };
  /** Everything about it throws. */
  const broken = new Proxy(failing, Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, failing])));
  const events = {
    session_start: { type: "session_start", reason: "startup" },
    session_tree: { type: "session_tree", newLeafId: null, oldLeafId: null },
    session_compact: { type: "session_compact", reason: "manual" },
    input: { type: "input", text: "go", source: "interactive" },
    turn_start: { type: "turn_start", turnIndex: 0 },
    tool_execution_start: { type: "tool_execution_start", toolCallId: "1", toolName: "bash", args: { command: "ls" } },
    tool_call: { type: "tool_call", toolCallId: "1", toolName: "bash", input: { command: "ls" } },
    tool_result: { type: "tool_result", toolCallId: "1", toolName: "bash", input: {}, content: [{ type: "text", text: "x" }], isError: false },
    tool_execution_end: { type: "tool_execution_end", toolCallId: "2", toolName: "bash", result: { content: [] }, isError: true },
    message_end: { type: "message_end", message: { role: "toolResult", toolCallId: "1", details: {} } },
    turn_end: { type: "turn_end" },
    agent_settled: { type: "agent_settled", aborted: true },
    session_shutdown: { type: "session_shutdown", reason: "quit" },
  };

  /**
   * Every handler is called with every event and must return nothing.
   *
   * @param {Double} pi
   * @param {(event: any) => any} [change]
   */
  async function dispatchAll(pi, change = (event) => event) {
    for (const event of Object.values(events)) {
      for (const handler of pi.handlers(event.type)) assert.equal(await handler(change(event), pi.ctx), undefined, event.type);
    }
  }

  it("nor does the extension as it is loaded, whatever Pi lacks", (t) => {
    /** @type {string[]} */
    const written = [];
    t.mock.method(process.stderr, "write", (/** @type {string} */ text) => written.push(text));
    loopbreaker(/** @type {any} */ ({ getSettings() {} }));
    loopbreaker(/** @type {any} */ (broken));
    assert.equal(written.length, 2);
    for (const text of written) assert.match(text, /^Loopbreaker is not guarding: this version of Pi [^\n]*\n$/);
    loopbreaker(/** @type {any} */ ({}));
    assert.deepEqual(written.slice(2), [`${tooOld}\n`]);
  });

  it("and all events have one", () => {
    const pi = new Double(loopbreaker);
    for (const type of Object.keys(events)) assert.equal(pi.handlers(type).length, 1, type);
  });

  it("when everything about the context does", async (t) => {
    environment(t, { LOOPBREAKER_BINARY: real.path });
    const pi = new Double(loopbreaker);
    pi.ctx = broken;
    await dispatchAll(pi);
  });

  for (const member of ["hasUI", "mode", "cwd", "signal", "ui", "isProjectTrusted", "sessionManager"]) {
    it(`when ctx.${member} does`, async (t) => {
      t.mock.method(process.stderr, "write", () => true);
      environment(t, { LOOPBREAKER_BINARY: real.path, LOOPBREAKER_DEADLINE_MS: "wrong" });
      for (const value of ["get", "use"]) {
        const pi = new Double(loopbreaker);
        const descriptor = value === "get" ? { get: failing } : { value: broken };
        pi.ctx = Object.defineProperty({ ...pi.ctx }, member, descriptor);
        await dispatchAll(pi);
      }
    });
  }

  for (const member of /** @type {const} */ (["getFlag", "appendEntry"])) {
    it(`when ${member} does`, async (t) => {
      environment(t, { LOOPBREAKER_BINARY: real.path });
      await dispatchAll(new Double(loopbreaker, { api: { [member]: failing } }));
    });
  }

  it("when everything about the event does", async (t) => {
    const pi = await session(t);
    await dispatchAll(pi, () => broken);
  });

  it("when the environment is unusable", async (t) => {
    environment(t, { LOOPBREAKER_BINARY: "\ud800", PATH: undefined });
    const pi = new Double(loopbreaker);
    await dispatchAll(pi);
    assert.ok(!existsSync("\ud800"));
  });
});
