// What the client makes of what a guard writes.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";
import { alive, fake, real, start, until } from "./guard.js";

const puppet = fake("puppet");

describe("a call is answered", () => {
  it("by the real guard, which refuses the sixth", async (t) => {
    const { ask, greetings, told } = start(t, real);
    for (let i = 1; i <= 5; i++) assert.deepEqual(await ask("bash", { command: "ls -R" }), {});
    assert.equal((await ask("bash", { command: "ls -R" }))?.block, true);
    assert.deepEqual(await ask("bash", { command: "pwd" }), {});
    assert.equal(greetings.length, 1);
    assert.deepEqual(told, []);
  });

  it("by its own answer, when several are asked at once and answered in another order", async (t) => {
    const { client, act } = start(t, puppet);
    const answers = await Promise.all([
      act([]),
      act([]),
      act([{ write: '{"jsonrpc":"2.0","id":4,"result":{"n":4}}\n{"jsonrpc":"2.0","id":2,"result":{"n":2}}\n' }, { write: '{"jsonrpc":"2.0","id":3,"result":{"n":3}}\n' }]),
    ]);
    assert.deepEqual(answers, [{ n: 2 }, { n: 3 }, { n: 4 }]);
    await client.close();
  });

  it("whatever the params are", async (t) => {
    const { client } = start(t, fake("echo"));
    const params = { text: 'line\nbreak "\u2028\u0000😀\ud800', deep: [[[{}]]] };
    assert.deepEqual(await client.call("tool/call", JSON.stringify(params), undefined), { method: "tool/call", params });
  });

  it("with the greeting before it", async (t) => {
    const { act, greetings } = start(t, { ...puppet, hello: () => ({ protocol: 1, mode: "rpc" }) });
    assert.deepEqual(await act([{ answer: { n: 1 } }]), { n: 1 });
    assert.deepEqual(greetings[0].params, { protocol: 1, mode: "rpc" });
  });
});

describe("an answer is understood", () => {
  const right = '{"jsonrpc":"2.0","id":$ID,"result":{"n":1}}\n';
  /** @type {Record<string, import("./children/puppet.js").Step[]>} */
  const ways = {
    "when it comes in pieces": (right.match(/\$ID|[^]/g) ?? []).map((piece) => ({ write: piece })),
    "when its letters come in pieces": [
      { write: '{"jsonrpc":"2.0","id":$ID,"result":{"n":1},"more":"' },
      ...Array.from(Buffer.from("é😀"), (byte) => ({ bytes: byte.toString(16) })),
      { write: '"}\n' },
    ],
    "when it comes twice": [{ write: right + right }],
    "when an answer to nothing comes first": [{ write: `{"jsonrpc":"2.0","id":99,"result":{"n":2}}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}\n${right}` }],
    "when an answer to nobody known comes first": [{ write: `{"jsonrpc":"2.0","id":"2","result":{"n":2}}\n{"jsonrpc":"2.0","id":{"a":1},"result":{}}\n${right}` }],
    "when notifications come first": [{ write: `{"jsonrpc":"2.0","method":"host/abort","params":{}}\n{"jsonrpc":"2.0","method":42}\n${right}` }],
    "when it has blanks around it": [{ write: ` ${right.replace("\n", "\t\r\n")}` }],
    "when its members are in another order": [{ write: '{"result":{"n":1},"id":$ID,"more":null,"jsonrpc":"2.0","error":null}\n' }],
    "with noise on stderr": [{ log: "x".repeat(1_000_000) }, { write: right }],
    "when a text in it is invalid UTF-8": [{ write: '{"jsonrpc":"2.0","id":$ID,"result":{"n":1},"more":"' }, { bytes: "fffe" }, { write: '"}\n' }],
    "when it is large": [{ write: `${right.slice(0, -2)},"more":"` }, { flood: 7_000_000 }, { write: '"}\n' }],
  };
  for (const [name, steps] of Object.entries(ways)) {
    it(name, async (t) => {
      const { act, told } = start(t, puppet);
      assert.deepEqual(await act(steps), { n: 1 });
      assert.deepEqual(await act([{ answer: { n: 2 } }]), { n: 2 }, "and so is the next");
      assert.deepEqual(told, []);
    });
  }
});

describe("a call goes unanswered, and nothing more comes of it,", () => {
  /** @type {Record<string, string>} */
  const answers = {
    "when the guard answers with an error": '"error":{"code":-32602,"message":"params/toolName: missing"}',
    "when the error is no object": '"error":"text"',
    "when the result is null": '"result":null',
    "when the result is no object": '"result":5',
    "when there is neither result nor error": '"more":{}',
  };
  for (const [name, answer] of Object.entries(answers)) {
    it(name, async (t) => {
      const { act, told, greetings } = start(t, puppet);
      assert.equal(await act([{ write: `{"jsonrpc":"2.0","id":$ID,${answer}}\n` }]), undefined);
      assert.deepEqual(await act([{ answer: { n: 2 } }]), { n: 2 });
      assert.equal(greetings.length, 1);
      assert.deepEqual(told, []);
    });
  }
});

describe("a guard that writes what is not the protocol is killed, replaced, and told of:", () => {
  /** @type {Record<string, [import("./children/puppet.js").Step[], RegExp]>} */
  const rubbish = {
    "a text": [[{ write: "Welcome!\n" }], /"Welcome!"/],
    "half a line and another": [[{ write: '{"jsonrpc":"2.0","id":$ID,\n' }], /not the protocol/],
    "an empty line": [[{ write: "\n" }], /""/],
    null: [[{ write: "null\n" }], /"null"/],
    "a batch": [[{ write: '[{"jsonrpc":"2.0","id":$ID,"result":{}}]\n' }], /not the protocol/],
    "another version of JSON-RPC": [[{ write: '{"jsonrpc":"1.0","id":$ID,"result":{}}\n' }], /not the protocol/],
    "bytes that are not UTF-8": [[{ bytes: "fffe000a" }], /not the protocol/],
    "control characters, which are shown as escapes": [[{ write: "\u001b[2J\u0007\n" }], /"\\u001b\[2J\\u0007"/],
    "a line without end": [[{ flood: 9_000_000 }], /"x{80}"/],
  };
  for (const [name, [steps, says]] of Object.entries(rubbish)) {
    it(name, async (t) => {
      const { act, up, told, greetings } = start(t, puppet);
      const { pid } = await up();
      assert.equal(await act(steps), undefined);
      assert.equal(told.length, 1);
      assert.match(told[0] ?? "", says);
      assert.deepEqual(await act([{ answer: { n: 2 } }]), { n: 2 });
      assert.notEqual(greetings[1].pid, pid);
      await until(() => !alive(pid));
      assert.equal(told.length, 1);
    });
  }

  it("a whole program that is something else", async (t) => {
    const { act, told } = start(t, fake("rubbish"));
    assert.equal(await act([]), undefined);
    assert.match(told[0] ?? "", /"Welcome to something else entirely!"/);
  });

  it("what a guard says after it has gone wrong is not believed", async (t) => {
    const { act } = start(t, puppet);
    assert.equal(await act([{ write: 'rubbish\n{"jsonrpc":"2.0","id":$ID,"result":{"block":true}}\n' }]), undefined);
  });
});

describe("the signal of an aborted run", () => {
  it("keeps a call from being made", async (t) => {
    const { act, up, told } = start(t, puppet);
    await up();
    assert.equal(await act([{ write: "rubbish\n" }], AbortSignal.abort()), undefined);
    assert.deepEqual(await act([{ answer: {} }]), {});
    assert.deepEqual(told, [], "the guard was not asked");
  });

  it("ends the waiting, and a later answer is let go", async (t) => {
    const { act, up, told } = start(t, puppet);
    const { pid } = await up();
    const run = new AbortController();
    const call = act([{ hold: true }, { log: "held" }], run.signal);
    run.abort();
    assert.equal(await call, undefined);
    await act([{ answer: {} }]);
    process.kill(pid, "SIGUSR2");
    assert.deepEqual(await act([{ answer: { n: 1 } }]), { n: 1 });
    assert.deepEqual(told, []);
  });

  it("is not listened to after the answer", async (t) => {
    const { act } = start(t, puppet);
    const { signal } = new AbortController();
    for (let i = 0; i < 3; i++) await act([{ answer: {} }], signal);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
});
