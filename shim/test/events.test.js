// A session's past, as the guard is told it after a restart.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { past } from "../events.js";

/** @param {unknown[]} entries @returns {any[] | undefined} */
function told(entries) {
  const text = past(/** @type {any} */ (entries));
  return text === undefined ? undefined : JSON.parse(text).events;
}

/** @param {object} message */
const message = (message) => ({ type: "message", message });
const call = (/** @type {string} */ id, /** @type {string} */ name, input = {}) => ({ type: "toolCall", id, name, arguments: input });
const result = (/** @type {string} */ id, /** @type {string} */ text, more = {}) =>
  message({ role: "toolResult", toolCallId: id, isError: false, content: [{ type: "text", text }], ...more });

describe("a session's past", () => {
  it("is none where nothing has happened", () => {
    assert.equal(told([]), undefined);
    assert.equal(told([{ type: "model_change" }, { type: "custom", customType: "loop_broken", data: {} }]), undefined);
  });

  it("has prompts, turns, calls, results and compactions, in order", () => {
    const events = told([
      message({ role: "user", content: "go" }),
      message({ role: "assistant", content: [{ type: "text", text: "hm" }, call("1", "bash", { command: "ls" })] }),
      result("1", "a"),
      { type: "custom_message", content: "from an extension" },
      { type: "compaction", summary: "s" },
    ]);
    assert.deepEqual(events, [
      { type: "prompt" },
      { type: "turn" },
      { type: "call", toolCallId: "1", toolName: "bash", input: { command: "ls" } },
      { type: "result", toolCallId: "1", isError: false, content: [{ type: "text", text: "a" }] },
      { type: "compact" },
    ]);
  });

  it("marks what the guard refused", () => {
    const events = told([result("1", "no", { isError: true, details: { loopbreaker: { rule: "window" } } })]);
    assert.equal(events?.[0].refused, true);
  });

  it("leaves out calls without a name or an id, and keeps the others", () => {
    const events = told([message({ role: "assistant", content: [call("", "bash"), call("2", ""), call("3", "bash")] })]);
    assert.deepEqual(events?.map(({ type, toolCallId }) => [type, toolCallId]), [["turn", undefined], ["call", "3"]]);
  });

  it("reaches back a bounded way, to the newest", () => {
    const many = Array.from({ length: 1000 }, (_, n) => result(String(n), "x"));
    assert.deepEqual(told(many)?.map(({ toolCallId }) => toolCallId), Array.from({ length: 400 }, (_, n) => String(600 + n)));
    const large = Array.from({ length: 100 }, (_, n) => result(String(n), "x".repeat(60_000)));
    const kept = told(large) ?? [];
    assert.ok(kept.length > 10 && kept.length < 20, String(kept.length));
    assert.equal(kept.at(-1).toolCallId, "99");
  });
});
