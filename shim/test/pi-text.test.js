// A model that writes one thing again and again is cut off while it does, and what Pi
// says of calls that were cut off is said in another way.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { said, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Terminal, noTmux } from "./terminal.js";
import { extension, makeWorld } from "./world.js";

const SENTENCE = "I will now look at the file. ";
const PARAGRAPH = `${"The value is read, then it is checked, and where it is missing the default is taken, as the test expects. ".repeat(1)}${[
  "So the failure must come from somewhere else.",
  "I could look at the caller, but the caller only passes the value on.",
  "I could look at the loader, but the loader was not changed in the last commits.",
  "Perhaps the order of the two calls matters: the cache is filled before the file is read, and the value in it is the old one.",
  "If that is so, then clearing the cache before the call would make the test pass.",
  "But the cache is cleared in the set-up of every test, as the fixture shows.",
  "So the value cannot be an old one, whatever the order of the calls may be.",
  "Let me think about the environment: the variable is set in the shell, and the shell is started by the runner.",
  "The runner takes its environment from the configuration, and that is where I began.",
].join(" ")}\n\n`;
const ANSWER = "Here is the answer without it.";

/** What is written, in which way, and how often if nobody stops it. @type {[string, import("./model.js").Endless][]} */
const endless = [
  ["a sentence of 30 characters", { as: "text", before: "Fine. ", unit: SENTENCE, times: 3000 }],
  ["a paragraph of 900 characters", { as: "text", before: "Fine.\n\n", unit: PARAGRAPH, times: 300 }],
  ["a thinking block", { as: "thinking", before: "Fine. ", unit: SENTENCE, times: 3000 }],
  ["the argument of a call", { as: "arguments", before: '{"command":"echo ', unit: SENTENCE, times: 3000 }],
];

describe("a response that repeats itself is cut off", { concurrency: 2 }, () => {
  for (const [what, reply] of endless) {
    it(what, async (t) => {
      const world = await makeWorld(t, [{ endless: reply }, { text: ANSWER }]);
      const run = await runPi(world, ["-p", "go", "-e", extension]);
      assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: `${ANSWER}\n` }, run.stderr);

      // The model's connection is closed early.
      const [copies] = world.model.copies;
      assert.ok(copies !== undefined && copies < reply.times / 2, `${copies} of ${reply.times} copies were written`);

      // The user is told, once.
      assert.equal(said(run.stderr).length, 1, run.stderr);
      assert.match(said(run.stderr)[0] ?? "", /^Loopbreaker ended the run: .* repeated the same text \d+ times in a row/);

      // The session file holds one copy, and so does what the model sees next.
      const text = reply.unit.trim();
      assert.equal(occurrences(JSON.stringify(await world.session()), text), 1);
      assert.equal(world.model.requests.length, 2);
      const next = JSON.stringify(world.model.last.messages);
      assert.equal(occurrences(next, text), reply.as === "thinking" ? 0 : 1, next);
      assert.match(next, /Loopbreaker cut the response off here/);
      assert.match(next, /Give your answer in a few words of your own/);
      assert.match(next, reply.as === "text" ? /Fine\./ : /repeated the same text/);
      await assertNothingLeft(world);
    });
  }

  it("and when it does so again, the run ends and is not taken up once more", async (t) => {
    const reply = { endless: { .../** @type {any} */ (endless[0])[1] } };
    const world = await makeWorld(t, [reply, reply, { text: ANSWER }]);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 1, stdout: "" });
    assert.equal(world.model.requests.length, 2);
    assert.equal(said(run.stderr).length, 2, run.stderr);
    assert.equal(occurrences(JSON.stringify(await world.session()), SENTENCE.trim()), 2, "one of each response");
  });

  it("under the preset turns at its eighth copy, without another turn", async (t) => {
    const world = await makeWorld(t, [{ endless: { as: "text", before: "Fine. ", unit: SENTENCE, times: 3000 } }, { text: ANSWER }], { preset: "turns" });
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.equal(run.code, 1);
    assert.match(said(run.stderr)[0] ?? "", /the response repeated the same text (8|9|\d\d) times/);
    assert.equal(world.model.requests.length, 1);
    assert.equal(occurrences(JSON.stringify(await world.session()), SENTENCE.trim()), 1);
  });

  it("in a terminal", { skip: noTmux }, async (t) => {
    const world = await makeWorld(t, [{ endless: /** @type {any} */ (endless[0])[1] }, { text: ANSWER }]);
    const terminal = await Terminal.open(world);
    await terminal.type("go");
    const screen = await terminal.settled(ANSWER);
    assert.match(screen, /Loopbreaker ended the run: the response repeated/);
    assert.equal(await terminal.quit(), 0);
    assert.equal(occurrences(JSON.stringify(await world.session()), SENTENCE.trim()), 1);
    await assertNothingLeft(world);
  });

  it("but one that ends in a short repetition is not", async (t) => {
    const text = `Fine. ${SENTENCE.repeat(20)}`;
    const world = await makeWorld(t, [{ text }]);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: `${text}\n`, stderr: "" });
  });

  it("and one whose repetition comes all at once, at its end, is cut all the same", async (t) => {
    const world = await makeWorld(t, [{ text: `Fine. ${SENTENCE.repeat(500)}` }, { text: ANSWER }]);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: `${ANSWER}\n` }, run.stderr);
    assert.equal(occurrences(JSON.stringify(await world.session()), SENTENCE.trim()), 1);
  });
});

describe("calls that were cut off with their response", { concurrency: 2 }, () => {
  const batch = { toolCalls: [1, 2, 3].map((n) => ({ name: "write", arguments: { path: `${n}.txt`, content: "x" } })), finish: "length" };

  it("are told of in words that do not ask for the same batch again, each of them", async (t) => {
    const world = await makeWorld(t, [batch, { text: ANSWER }]);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.equal(run.code, 0, run.stderr);
    const seen = world.model.results().map(({ text }) => text);
    assert.equal(seen.length, 3);
    for (const text of seen) {
      assert.match(text, /^Loopbreaker: this call of write did not run\. Your response hit the output limit .*the last of its 3 calls.*none of the 3 ran\./);
      assert.doesNotMatch(text, /Re-issue/);
    }
    assert.match(seen[0] ?? "", /will be cut off again.*One call by itself, with smaller arguments, is fine/);
    assert.deepEqual(toolResults(await world.session()).map(({ content }) => content[0].text), seen);
  });

  it("and at the third such response of a prompt the run is ended", async (t) => {
    const world = await makeWorld(t, (_request, n) => (n === 3 ? { text: ANSWER } : batch));
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: `${ANSWER}\n` }, run.stderr);
    assert.equal(world.model.requests.length, 4);
    assert.match(said(run.stderr)[0] ?? "", /3 responses of one prompt hit the output limit/);
    assert.match(JSON.stringify(world.model.last.messages), /pieces that are small enough/);
  });
});

/** @param {string} text @param {string} part */
const occurrences = (text, part) => text.split(JSON.stringify(part).slice(1, -1)).length - 1;
