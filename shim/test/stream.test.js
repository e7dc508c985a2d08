// What the model writes is gathered before it is told, and a cut takes off what it
// says and no more.

import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { Stream, cutMessage } from "../stream.js";

/** A stream, and the params of what it has sent. */
function gather() {
  /** @type {any[]} */
  const sent = [];
  return { sent, stream: new Stream((params) => sent.push(JSON.parse(params))) };
}

/** @param {string} delta @param {number} [contentIndex] */
const text = (delta, contentIndex = 0) => ({ type: "text_delta", contentIndex, delta });

describe("what the model writes is gathered", () => {
  it("until there is enough of it", () => {
    const { sent, stream } = gather();
    for (let n = 0; n < 1000; n++) stream.add(text("four"), {});
    assert.deepEqual(sent.map((params) => params.text.length), [2048]);
    stream.end();
    assert.equal(sent.map((params) => params.text).join(""), "four".repeat(1000));
  });

  it("or for so long", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { sent, stream } = gather();
    stream.add(text("a"), {});
    t.mock.timers.tick(39);
    stream.add(text("b"), {});
    assert.deepEqual(sent, []);
    t.mock.timers.tick(1);
    assert.deepEqual(sent, [{ channel: "text", block: 0, text: "ab" }]);
    t.mock.timers.tick(1000);
    assert.equal(sent.length, 1);
  });

  it("block by block, with the name of the tool", () => {
    const { sent, stream } = gather();
    stream.add({ type: "thinking_start", contentIndex: 0 }, {});
    stream.add({ type: "thinking_delta", contentIndex: 0, delta: "hm" }, {});
    stream.add(text("Fine.", 1), {});
    const message = { content: [{}, {}, { name: "write" }] };
    stream.add({ type: "toolcall_delta", contentIndex: 2, delta: '{"a"' }, message);
    stream.add({ type: "toolcall_delta", contentIndex: 2, delta: ":1}" }, message);
    stream.add({ type: "toolcall_end", contentIndex: 2 }, message);
    assert.equal(stream.end(), true);
    assert.deepEqual(sent, [
      { channel: "thinking", block: 0, text: "hm" },
      { channel: "text", block: 1, text: "Fine." },
      { channel: "arguments", block: 2, toolName: "write", text: '{"a":1}' },
    ]);
    assert.equal(stream.end(), false, "nothing since");
  });

  it("without cutting a character in two, unless it ends so", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { sent, stream } = gather();
    stream.add(text("a\ud83d"), {});
    t.mock.timers.tick(40);
    stream.add(text("\ude00b"), {});
    t.mock.timers.tick(40);
    stream.add(text("c\ud83d"), {});
    stream.end();
    assert.deepEqual(sent.map((params) => params.text), ["a", "😀b", "c\ud83d"]);
  });

  it("without a look at the message, which grows", () => {
    const { stream } = gather();
    const message = new Proxy({}, { get: () => assert.fail("the message was read") });
    for (let n = 0; n < 1000; n++) stream.add(text("four"), message);
    stream.end();
  });

  it("and a pause sends nothing", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const send = mock.fn();
    const stream = new Stream(send);
    stream.end();
    t.mock.timers.tick(1000);
    assert.equal(send.mock.callCount(), 0);
  });
});

describe("a response is cut", () => {
  const message = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Größe: Größe: Größe:", thinkingSignature: "sealed" },
      { type: "toolCall", id: "1", name: "bash", arguments: {} },
      { type: "text", text: "One. Two. Two. Two.", textSignature: "sealed" },
      { type: "text", text: "More." },
    ],
    stopReason: "aborted",
    errorMessage: "Request was aborted",
  };

  it("in its text, up to there, without calls and without what follows", () => {
    const { content, stopReason, errorMessage } = cutMessage(message, { block: 2, keep: 9, mark: "[cut]" });
    assert.deepEqual(content, [message.content[0], { type: "text", text: "One. Two." }, { type: "text", text: "[cut]" }]);
    assert.deepEqual([stopReason, errorMessage], ["aborted", "Request was aborted"]);
  });

  it("in its thinking, in bytes, without the seal of what it was", () => {
    const { content } = cutMessage(message, { block: 0, keep: 8, mark: "[cut]" });
    assert.deepEqual(content, [{ type: "thinking", thinking: "Größe:" }, { type: "text", text: "[cut]" }]);
  });

  it("in a call, of which nothing stays; and it may end as one that was not aborted", () => {
    const cut = cutMessage(message, { block: 1, keep: 5, mark: "[cut]", stopReason: "stop" });
    assert.deepEqual(cut.content, [message.content[0], { type: "text", text: "[cut]" }]);
    assert.equal(cut.stopReason, "stop");
    assert.equal("errorMessage" in cut, false);
  });

  it("in a block that it does not have", () => {
    const { content } = cutMessage({ content: [] }, { block: 7, keep: 5, mark: "[cut]" });
    assert.deepEqual(content, [{ type: "text", text: "[cut]" }]);
  });
});
