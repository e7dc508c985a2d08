// A tool that the guard runs: it may take its time, and no call waits for it.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fake, folder, start, until } from "./guard.js";

const puppet = fake("puppet");
/** @param {string} toolCallId */
const tool = (toolCallId) => ({ toolCallId, toolName: "t", input: {} });

describe("a run of a tool", () => {
  it("ends with its own answer, whenever that comes", async (t) => {
    const { client, act, up } = start(t, puppet);
    await up(); // initialize is request 1
    const running = client.run(tool("a"), undefined); // 2
    const other = client.run(tool("b"), undefined); // 3
    assert.deepEqual(await act([{ answer: { n: 4 } }]), { n: 4 });
    assert.deepEqual(await act([{ write: '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such tool"}}\n' }, { answer: { n: 5 } }]), { n: 5 });
    assert.deepEqual(await other, { result: undefined, error: "no such tool" });
    assert.deepEqual(await act([{ write: '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n' }, { answer: {} }]), {});
    assert.deepEqual(await running, { result: { content: [] }, error: undefined });
  });

  it("is no sign of a guard that is late: after a late answer calls are asked again while it goes on", async (t) => {
    const { client, act, told, up, greetings } = start(t, { ...puppet, deadline: 300 });
    const { pid } = await up();
    void client.run(tool("a"), undefined);
    assert.equal(await act([{ hold: true }]), undefined); // too late
    assert.equal(told.length, 1);
    process.kill(pid, "SIGUSR2");
    assert.deepEqual(await until(() => act([{ answer: { n: 1 } }])), { n: 1 });
    assert.equal(greetings.length, 1, "the guard was not replaced");
  });

  it("ends at once with its signal, and the guard is told", async (t) => {
    const { client, act, up } = start(t, puppet);
    await up();
    const abort = new AbortController();
    const running = client.run(tool("a"), abort.signal);
    assert.equal(getEventListeners(abort.signal, "abort").length, 1);
    abort.abort();
    assert.deepEqual(await running, { result: undefined, error: undefined });
    assert.equal(getEventListeners(abort.signal, "abort").length, 0);
    // Its answer, which comes still, troubles nobody.
    assert.deepEqual(await act([{ answer: { n: 1 } }]), { n: 1 });
    assert.deepEqual(await client.run(tool("b"), abort.signal), {}, "nothing begins after the signal");
  });

  it("ends without a result when the guard does", async (t) => {
    const { client, act, up, trouble } = start(t, puppet);
    await up();
    const runs = [client.run(tool("a"), undefined), client.run(tool("b"), undefined)];
    assert.equal(await act([{ exit: 3 }]), undefined);
    for (const run of runs) assert.deepEqual(await run, { result: undefined, error: undefined });
    assert.match(await trouble(), /ended with code 3/);
  });

  it("ends without a result when the session does", async (t) => {
    const { client, up } = start(t, puppet);
    await up();
    const running = client.run(tool("a"), undefined);
    await client.close();
    assert.deepEqual(await running, { result: undefined, error: undefined });
    assert.deepEqual(await client.run(tool("b"), undefined), { result: undefined, error: undefined });
  });
});

describe("whoever waits for the guard's first word", () => {
  it("has it, once it is there", async (t) => {
    const { client, greetings } = start(t, puppet);
    await client.ready();
    assert.equal(greetings.length, 1);
    await client.ready();
  });

  it("waits no longer than a call would", async (t) => {
    const { client, greetings } = start(t, { ...fake("silent"), deadline: 50 });
    await client.ready();
    assert.deepEqual(greetings, []);
  });

  it("does not wait for a guard that ends, or cannot be started", async (t) => {
    await start(t, fake("exits")).client.ready();
    await start(t, { path: "/nowhere/loopbreaker", args: [] }).client.ready();
  });
});

describe("a guard that nobody waits for", () => {
  it("is started soon and not at once, and then has heard all that it was told", async (t) => {
    const { timers } = t.mock;
    timers.enable({ apis: ["setTimeout"] });
    t.after(() => timers.reset());
    const heard = join(folder(t), "heard");
    const { client } = start(t, { path: "/bin/sh", args: ["-c", `cat > '${heard}'`], past: () => '{"events":[{"type":"prompt"}]}' });
    client.prepare();
    client.tell("prompt", '{"source":"rpc"}');
    timers.tick(249);
    client.tell("turn/start");
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!existsSync(heard));
    timers.tick(1);
    const text = await until(() => existsSync(heard) && /turn.start.*\n/.test(readFileSync(heard, "utf8")) && readFileSync(heard, "utf8"));
    assert.deepEqual([...String(text).matchAll(/"method":"([^"]+)"/g)].map(([, method]) => method), ["initialize", "session/restore", "prompt", "turn/start"]);
  });

  it("is never started where the session ends before", async (t) => {
    const started = join(folder(t), "started");
    const { client, told } = start(t, { path: "/bin/sh", args: ["-c", `echo > '${started}'; cat`] });
    client.prepare();
    client.tell("prompt");
    await client.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(!existsSync(started));
    assert.deepEqual(told, []);
  });
});
