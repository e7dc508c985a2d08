// Closing leaves no process, whatever state it is in, and neither does not
// closing. Nothing of the guard keeps Pi from ending, or lets it end too soon.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { alive, fake, real, start, until } from "./guard.js";

const puppet = fake("puppet");

describe("close() ends", () => {
  it("the real guard, which needs no killing", async (t) => {
    const { client, up, told } = start(t, real);
    await up();
    t.mock.timers.enable({ apis: ["setTimeout"] }); // the grace period has no end
    await client.close();
    assert.deepEqual(told, []);
  });

  it("a guard that was just started", async (t) => {
    const { client, told } = start(t, puppet);
    client.open();
    await client.close();
    assert.deepEqual(told, []);
  });

  it("a stopped guard", async (t) => {
    const { client, up } = start(t, puppet);
    const { pid } = await up();
    process.kill(pid, "SIGSTOP");
    await client.close();
    assert.ok(!alive(pid));
  });

  it("a stopped guard that owes an answer", async (t) => {
    const { client, up, act, told } = start(t, { ...puppet, deadline: 1 });
    const { pid } = await up();
    assert.equal(await act([{ stop: true }]), undefined);
    t.mock.timers.enable({ apis: ["setTimeout"] }); // the grace period has no end: it is not given one
    await client.close();
    assert.ok(!alive(pid));
    assert.equal(told.length, 1);
  });

  it("a guard that ends neither with its input nor by SIGTERM", async (t) => {
    const { client, up, act } = start(t, puppet);
    const { pid } = await up();
    await act([{ deaf: true }, { answer: {} }]);
    await client.close();
    assert.ok(!alive(pid));
  });

  it("a guard with a call waiting, which gets no answer", async (t) => {
    const { client, up, act, told } = start(t, puppet);
    const { pid } = await up();
    const call = act([{ hold: true }]);
    await client.close();
    assert.equal(await call, undefined);
    assert.ok(!alive(pid));
    assert.deepEqual(told, []);
  });

  it("what the guard has started, if it lives by the same input", async (t) => {
    // The shell is the guard; cat, which it starts, holds the other ends of its pipes.
    const script = `exec 3<&0; cat <&3 >&2 & printf '{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"pids":[%d,%d]}}\\n' $$ $!; wait`;
    const { up, trouble } = start(t, { path: "/bin/sh", args: ["-c", script] });
    const { pids } = await up();
    process.kill(pids[0], "SIGKILL");
    await trouble();
    await until(() => !alive(pids[1]));
  });
});

describe("after close()", () => {
  it("nothing is started, asked or told any more", async (t) => {
    const { client, up, act, told, greetings } = start(t, puppet);
    await up();
    await client.close();
    client.open();
    assert.equal(await act([{ answer: {} }]), undefined);
    assert.equal(greetings.length, 1);
    assert.deepEqual(told, []);
  });

  it("close() may come again, or be the first thing to happen", async (t) => {
    const { client, up } = start(t, puppet);
    await up();
    await Promise.all([client.close(), client.close()]);
    await client.close();
    const unused = start(t, puppet);
    await unused.client.close();
    assert.equal(unused.client.open(), undefined);
  });

  it("a guard that has failed is not waited for", async (t) => {
    const { client, act } = start(t, puppet);
    await act([{ exit: 1 }]);
    await client.close();
  });
});

describe("a program that holds nothing but a client", () => {
  /**
   * Runs a program in which `client` is a client of the puppet, and `greeted`
   * resolves with its process id.
   *
   * @param {string} body
   * @param {number} deadline
   */
  async function run(body, deadline = 60_000) {
    const program = `
      import { Client } from ${JSON.stringify(new URL("../client.js", import.meta.url))};
      let greet;
      const greeted = new Promise((resolve) => (greet = ({ pid }) => resolve(pid)));
      const client = new Client({
        ...${JSON.stringify(puppet)}, deadline: ${deadline}, hello: () => ({}), past() {}, greet, trouble() {},
      });
      const act = (...steps) => client.call("tool/call", JSON.stringify({ do: steps }), undefined);
      ${body}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const [pid, ...more] = (await text(child.stdout)).trimEnd().split("\n");
    assert.deepEqual(await ended, [0, null]);
    await until(() => !alive(Number(pid)));
    return more;
  }
  const answered = "await act({ answer: {} }); console.log(await greeted);";

  it("ends by itself, and the guard with it, even if it does not close it", async () => {
    await run(answered);
  });

  it("ends by itself while the guard owes an answer, and the guard with it", async () => {
    const timers = 'process.getActiveResourcesInfo().includes("Timeout")'; // those that keep it from ending
    assert.deepEqual(await run(`${answered} console.log(await act({ hold: true }), ${timers});`, 500), ["undefined false"]);
  });

  it("does not end while it waits for an answer", async () => {
    assert.deepEqual(await run(`${answered} console.log((await act({ answer: { n: 1 } })).n);`), ["1"]);
  });

  it("does not end while it closes a stopped guard", async () => {
    assert.deepEqual(await run(`${answered} process.kill(await greeted, "SIGSTOP"); await client.close(); console.log("closed");`), ["closed"]);
  });

  it("does not end while it closes a guard that will not end", async () => {
    assert.deepEqual(await run(`${answered} await act({ deaf: true }, { answer: {} }); await client.close(); console.log("closed");`), ["closed"]);
  });
});
