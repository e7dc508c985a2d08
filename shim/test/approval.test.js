// What an answer of the operator was, where Pi only says no.

import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { put, question } from "../approval.js";

/**
 * @typedef {{ timeout?: number, signal: AbortSignal }} Options
 * @typedef {(title: string, message: string, options: Options) => Promise<boolean>} Confirm
 */

const asked = { id: "1", title: "Let it?", message: "It is the 12th.", timeoutMs: 1000 };

/**
 * @param {Confirm} confirm
 * @param {object} [ctx]
 */
const operator = (confirm, ctx) => /** @type {any} */ ({ hasUI: true, signal: undefined, ui: { confirm }, ...ctx });

/** Fact: Pi's dialogs answer false at once when their signal is aborted. @type {Confirm} */
const silent = (_title, _message, { signal }) =>
  new Promise((resolve) => (signal.aborted ? resolve(false) : signal.addEventListener("abort", () => resolve(false))));

const open = new AbortController().signal;

describe("the operator", () => {
  it("is shown what the guard asks, with its time", async () => {
    /** @type {unknown[]} */
    const shown = [];
    /** @type {Confirm} */
    const confirm = async (title, message, { timeout }) => {
      shown.push(title, message, timeout);
      return true;
    };
    assert.equal(await put(operator(confirm), asked, open), "approved");
    assert.deepEqual(shown, ["Let it?", "It is the 12th.", 1000]);
  });

  it("declines", async () => {
    assert.equal(await put(operator(async () => false), asked, open), "declined");
    assert.equal(await put(operator(async () => false), { ...asked, timeoutMs: undefined }, open), "declined");
  });

  it("lets the time go by, also where the host does not keep it", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const now = t.mock.method(performance, "now", () => 0);
    const late = put(operator(silent), asked, open);
    now.mock.mockImplementation(() => 1000);
    t.mock.timers.tick(1000);
    assert.equal(await late, "timeout");

    // A host that keeps it answers no just before we would.
    now.mock.mockImplementation(() => 0);
    const kept = put(operator(async () => {
      now.mock.mockImplementation(() => 999);
      return false;
    }), asked, open);
    assert.equal(await kept, "timeout");
  });

  it("ends the run, or the session", async () => {
    for (const when of ["before", "while"]) {
      for (const what of ["run", "session"]) {
        const [run, session] = [new AbortController(), new AbortController()];
        const end = () => (what === "run" ? run : session).abort();
        if (when === "before") end();
        const answer = put(operator(silent, { signal: run.signal }), asked, session.signal);
        end();
        assert.equal(await answer, "aborted", `${what}, ${when}`);
      }
    }
  });

  it("is not there", async () => {
    const never = mock.fn(async () => true);
    assert.equal(await put(operator(never, { hasUI: false }), asked, open), "unattended");
    assert.equal(never.mock.callCount(), 0);
    const broken = async () => {
      throw new Error("no UI after all");
    };
    assert.equal(await put(operator(broken), asked, open), "unattended");
  });
});

describe("a question", () => {
  it("is what the guard asks, and nothing else is one", () => {
    assert.deepEqual(question(asked), asked);
    for (const timeoutMs of [undefined, 0, -1, "1000", NaN, 2 ** 31]) {
      assert.deepEqual(question({ ...asked, timeoutMs }), { ...asked, timeoutMs: undefined });
    }
    for (const none of [undefined, null, true, "text", {}, { ...asked, id: 1 }, { ...asked, title: undefined }]) {
      assert.equal(question(none), undefined);
    }
  });
});
