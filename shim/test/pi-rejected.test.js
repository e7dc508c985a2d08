// Calls that Pi answers by itself, before any extension is asked: no guard can
// refuse them. The model is spoken to, and then the run is ended.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, other, said, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { Terminal, noTmux } from "./terminal.js";
import { extension, makeWorld, testExtension } from "./world.js";

/** @typedef {import("./model.js").ScriptedCall} ScriptedCall */

/** The ways of Pi to reject a call: what was called, and what the model reads. @type {[string, ScriptedCall, RegExp][]} */
const rejections = [
  ["an edit that does not fit its schema", { name: "edit", arguments: { path: "a.txt" } }, /^Validation failed for tool "edit":/],
  ["a tool that does not exist", { name: "no_such_tool", arguments: {} }, /^Tool no_such_tool not found/],
  ["arguments that are no JSON", { name: "edit", arguments: '{"path": "a.t' }, /^Invalid arguments for tool "edit":/],
];
const [, edit] = /** @type {[string, ScriptedCall, RegExp]} */ (rejections[0]);

const LAST_WORD = "I cannot edit the file.";

describe("repeated twenty times, the run is ended at the sixth", { concurrency: 2 }, () => {
  for (const [what, call, error] of rejections) {
    it(what, async (t) => {
      const world = await makeWorld(t, (_request, n) => (n < 6 || (n > 6 && n < 20) ? { toolCalls: [call] } : { text: LAST_WORD }));
      const run = await runPi(world, ["-p", "go", "-e", extension]);

      // The model has answered after all, so for Pi the run went well.
      assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: `${LAST_WORD}\n` }, run.stderr);
      assert.match(run.stderr, ended(call.name, 6));
      assert.equal(said(run.stderr).length, 1, run.stderr);
      assertSpokenTo(world.model, call.name, error);
      assert.deepEqual(loopBroken(await world.session()), [], "none was refused");
      await assertNothingLeft(world);
    });
  }
});

it("a call of no tool keeps Pi's word for it", async (t) => {
  const world = await makeWorld(t, (_request, n) => (n < 2 ? { toolCalls: [{ name: "", arguments: {} }] } : { text: LAST_WORD }));
  const run = await runPi(world, ["-p", "go", "-e", extension]);
  assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: `${LAST_WORD}\n`, stderr: "" });
  const results = world.model.results();
  assert.equal(results.length, 2);
  for (const { text } of results) assert.match(text, /^Tool {2}not found/);
});

describe("after the run was ended, the model is asked once what it knows", { concurrency: 2 }, () => {
  it("in rpc mode", async (t) => {
    const world = await makeWorld(t, (_request, n) => (n < 6 ? { toolCalls: [edit] } : { text: LAST_WORD }));
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    const from = rpc.messages.findIndex((message) => message.type === "agent_settled") + 1;
    await rpc.wait((message) => message.type === "agent_settled", from);
    const { data } = await rpc.send({ type: "get_last_assistant_text" });
    assert.equal(data.text, LAST_WORD);
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr, notices: rpc.notices.length }, { code: 0, stderr: "", notices: 1 });
    assert.match(rpc.notices[0] ?? "", ended("edit", 6));
    assert.deepEqual(rpc.statuses, ["loopbreaker: ended the run"]);
    assertSpokenTo(world.model, "edit", /^Validation failed/);
    await assertNothingLeft(world);
  });

  it("in a terminal", { skip: noTmux }, async (t) => {
    const world = await makeWorld(t, (_request, n) => (n < 6 ? { toolCalls: [edit] } : { text: LAST_WORD }));
    const terminal = await Terminal.open(world);
    await terminal.type("go");
    const screen = await terminal.settled(LAST_WORD);
    assert.match(screen, /Loopbreaker ended the run: calls of edit/);
    assert.equal(await terminal.quit(), 0);
    assertSpokenTo(world.model, "edit", /^Validation failed/);
    await assertNothingLeft(world);
  });

  for (const [what, next] of /** @type {[string, ScriptedCall][]} */ ([["with the same", edit], ["with another call", bash(RAN)]])) {
    it(`and when it goes on ${what} instead, nothing runs and it is not asked any more`, async (t) => {
      const world = await makeWorld(t, (_request, n) => (n < 6 ? { toolCalls: [edit] } : n < 20 ? { toolCalls: [next] } : { text: "Finished." }));
      const run = await runPi(world, ["-p", "go", "-e", extension]);
      assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 1, stdout: "" });
      assert.equal(world.model.requests.length, 7);
      assert.equal((await world.ran()).length, 0);
      assert.equal(said(run.stderr).length, 1, run.stderr);
      assert.match(said(run.stderr)[0] ?? "", ended("edit", 6));
      await assertNothingLeft(world);
    });
  }

  it("but again after the next prompt, which is a fresh start", async (t) => {
    const world = await makeWorld(t, (_request, n) => (n % 7 < 6 ? { toolCalls: [edit] } : { text: LAST_WORD }));
    const run = await runPi(world, ["-p", "go", "go on", "-e", extension]);
    assert.equal(run.code, 0, run.stderr);
    assert.equal(world.model.requests.length, 14);
    assert.equal(said(run.stderr).length, 2, run.stderr);
    await assertNothingLeft(world);
  });
});

describe("left alone are", { concurrency: 2 }, () => {
  it("rejected calls with accepted ones of their tool in between", async (t) => {
    const calls = times(4, (n) => [{ name: "bash", arguments: {} }, { name: "bash", arguments: {} }, other(n)]).flat();
    const world = await makeWorld(t, (_request, n) => {
      const call = calls[n];
      return call ? { toolCalls: [call] } : { text: "Finished." };
    });
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.equal((await world.ran()).length, 4);
    assert.ok(!world.model.last.raw.includes("Loopbreaker"));
    await assertNothingLeft(world);
  });

  it("calls that Pi gives up because the operator has ended the run", async (t) => {
    const batch = { toolCalls: [{ name: "test_wait", arguments: {} }, ...times(8, (n) => bash(`echo ${n}`))] };
    const world = await makeWorld(t, [batch, { toolCalls: [bash(RAN)] }, { text: "Finished." }]);
    const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("waiting")]);
    await rpc.send({ type: "prompt", message: "go" });
    await rpc.wait((message) => message.type === "tool_execution_start");
    await rpc.send({ type: "abort" });
    await rpc.send({ type: "prompt", message: "/test-continue" });
    await rpc.wait((message) => message.type === "message_end" && JSON.stringify(message).includes("Finished."));
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr, notices: rpc.notices }, { code: 0, stderr: "", notices: [] });
    assert.ok(!world.model.last.raw.includes("Loopbreaker"));
    const results = world.model.results().map(({ text }) => text);
    assert.deepEqual(results.slice(1), [...times(8, () => "Operation aborted"), "(no output)"]);
    await assertNothingLeft(world);
  });
});

/**
 * @param {string} tool
 * @param {number} calls
 */
const ended = (tool, calls) => new RegExp(`^Loopbreaker ended the run: calls of ${tool} were rejected before they ran in ${calls} responses .*\\.$`, "m");

/**
 * The third rejection carried a note, the fourth and fifth were followed by a
 * message, the sixth by the question what is known; none cost a request of its own.
 *
 * @param {import("./model.js").Model} model
 * @param {string} tool
 * @param {RegExp} error how each of the six begins
 */
function assertSpokenTo(model, tool, error) {
  assert.equal(model.requests.length, 7, "six calls, and the last word");
  const results = model.results();
  assert.deepEqual(results.map(({ id }) => id), times(6, (n) => `call_${n + 1}_1`));
  for (const { text } of results) assert.match(text, error);
  const noted = results.map(({ text }) => /\n\[Loopbreaker\] Calls of (\w+) were rejected before they ran in (\d) of your responses/.exec(text)?.slice(1));
  assert.deepEqual(noted, [undefined, undefined, [tool, "3"], undefined, undefined, undefined]);

  // Each request added one message at its end, and repeats those before it.
  const messages = model.requests.map((request) => {
    const last = request.messages.at(-1);
    return last?.role === "user" ? JSON.stringify(last.content) : "";
  });
  assert.deepEqual(messages.slice(1, 4), ["", "", ""]);
  for (const n of [4, 5]) assert.match(messages[n] ?? "", new RegExp(`\\[Loopbreaker\\] Calls of ${tool} were rejected before they ran in ${n} of your responses`));
  assert.match(messages[6] ?? "", new RegExp(`Loopbreaker ended your run: calls of ${tool} were rejected before they ran in 6 responses.*Call no tools now`));
}
