// The preset `default`, which goes by the results: what shows the same again and
// again is noted, then refused, and then the run is ended, with one answer asked
// for; what gets on, or waits, is left alone.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, said, times, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { noRecordings, recorded } from "./recordings.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

/** @typedef {import("./model.js").ScriptedCall} ScriptedCall */
/** @typedef {import("./world.js").World} World */
/** @typedef {import("./recordings.js").Event} Event */

const ANSWER = "I cannot get on: which of the two is it to be?";

/** @param {string} path @returns {ScriptedCall} */
const read = (path) => ({ name: "read", arguments: { path } });
/** @param {string} path @param {string} oldText @param {string} newText @returns {ScriptedCall} */
const edit = (path, oldText, newText) => ({ name: "edit", arguments: { path, edits: [{ oldText, newText }] } });

describe("a loop", { concurrency: 2 }, () => {
  it("is noted, refused and ended, and the model, the user and the session file have all of it", async (t) => {
    const world = await makeWorld(t, stubborn(times(40, () => [edit("f.txt", "three", "four")])));
    await save(world, { "f.txt": "one\ntwo\n" });
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    await rpc.wait((message) => message.type === "message_end" && JSON.stringify(message).includes(ANSWER));
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });

    // The model: what it reads at each result.
    const error = "Could not find the exact text in f.txt. The old text must match exactly including all whitespace and newlines.";
    const quoted = `Its last result: (${error}).`;
    const advice = "The text to replace is not in the file as you write it. Read the file again and copy the lines from there.";
    const [first, second, third, fourth, fifth, sixth, seventh, ...others] = world.model.results().map(({ text }) => text);
    assert.deepEqual([first, second, others], [error, error, []]);
    for (const noted of [third, fourth]) {
      const [result, remark, ...more] = noted?.split("\n") ?? [];
      assert.deepEqual([result, more], [error, []]);
      assert.match(remark ?? "", /^\[Loopbreaker\] .*\b[Tt]his edit call .*\. Its last result:/);
      assert.match(remark ?? "", /\b3 (times|of) .*\blast 24 calls\b/);
      assert.ok(remark?.endsWith(`${quoted} ${advice}`), remark);
    }
    assert.match(fifth ?? "", /^Loopbreaker refused this call: this edit call showed the same 4 times /);
    assert.ok(fifth?.endsWith(`${quoted} ${advice}`), fifth);
    assert.ok(sixth?.startsWith(`${fifth} `), sixth);
    assert.match(sixth?.slice(fifth?.length) ?? "", /one more ends your run/);
    assert.equal(seventh, fifth);

    // It is asked once for an answer, and for nothing more.
    assert.equal(world.model.requests.length, 8);
    assert.match(JSON.stringify(world.model.last.messages.at(-1)), /"role":"user".*Loopbreaker ended your run: this edit call showed the same 4 times .*Call no tools now\./);

    // The user: why, in two sentences, and the state in the footer.
    assert.equal(rpc.notices.length, 2, rpc.notices.join("\n"));
    assert.match(rpc.notices[0] ?? "", /^Loopbreaker refused a call of edit: this edit call showed the same 4 times /);
    assert.match(rpc.notices[1] ?? "", /^Loopbreaker ended the run: this edit call showed the same 4 times .*, after 3 refusals\.$/);
    assert.deepEqual(rpc.statuses, [...times(3, (n) => `loopbreaker: ${n + 1} refused`), "loopbreaker: ended the run, 3 refused"]);

    // The session file.
    const entries = await world.session();
    const why = toolResults(entries).map(({ details }) => details?.loopbreaker);
    assert.deepEqual(why.slice(0, 4), times(4, () => undefined));
    assert.deepEqual(why.slice(4), times(3, () => ({ rule: "repeat", stage: "block", tool: "edit", count: 4, limit: 4, window: 24 })));
    assert.deepEqual(loopBroken(entries).map(({ data: { tool, repeats } }) => ({ tool, repeats })), times(3, () => ({ tool: "edit", repeats: 4 })));
    await assertNothingLeft(world);
  });

  it("of two calls in turn is one", async (t) => {
    const world = await makeWorld(t, stubborn(times(40, (n) => [read(n % 2 === 0 ? "a.txt" : "b.txt")])));
    await save(world, { "a.txt": "This is a.\n", "b.txt": "This is b.\n" });
    await assertEnded(world, "rrrrnnbbb");
    const results = world.model.results().map(({ text }) => text);
    for (const [n, file] of [[6, "a"], [7, "b"], [8, "a"]]) assert.match(results[Number(n)] ?? "", new RegExp(`^Loopbreaker refused this call: .* this read call among them\\. Its last result: \\(This is ${file}\\.\\)\\.`));
    await assertNothingLeft(world);
  });

  it("of several hundred equal calls in one message runs twice, and is not the end of the run", async (t) => {
    const world = await makeWorld(t, [{ toolCalls: times(300, () => bash(RAN)) }, { toolCalls: [bash("echo other >> ran.txt")] }, { text: "Finished." }]);
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.deepEqual(await world.ran(), ["ran", "ran", "other"]);
    assert.equal(await outcome(world), `rr${"b".repeat(298)}r`);
    const refusals = world.model.results().slice(2, 300).map(({ text }) => text);
    for (const text of refusals) assert.match(text, /^Loopbreaker refused this call: the identical bash call is already in this batch\. .{0,40}$/);
    assert.equal(loopBroken(await world.session()).length, 298);
    await assertNothingLeft(world);
  });

  it("of such messages ends the run with the third", async (t) => {
    const world = await makeWorld(t, stubborn(times(9, () => times(10, () => bash(RAN)))));
    await assertEnded(world, `rr${"b".repeat(8)}nn${"b".repeat(8)}${"b".repeat(10)}`);
    assert.equal((await world.ran()).length, 4);
    await assertNothingLeft(world);
  });
});

describe("let run without a word is", { concurrency: 2 }, () => {
  it("an edit and a failing test, twelve times", async (t) => {
    const world = await makeWorld(t, oneByOne(times(12, (n) => [edit("f.txt", `try ${n}\n`, `try ${n + 1}\n`), bash("sh test.sh")]).flat()));
    await save(world, { "f.txt": "try 0\n", "test.sh": "grep -q 'try 99' f.txt && exit; echo '1 failed: it does not add up'; exit 1\n" });
    await assertLeftAlone(world, 24);
    assert.equal(world.model.results().filter(({ text }) => text.includes("1 failed")).length, 12);
    await assertNothingLeft(world);
  });

  it("a call that shows something else each time", async (t) => {
    const world = await makeWorld(t, oneByOne(times(30, () => bash('echo ran >> ran.txt; sed -n "$(wc -l < ran.txt)p" log.txt'))));
    await save(world, { "log.txt": times(30, (n) => `and ${"on and ".repeat(n)}on\n`).join("") });
    await assertLeftAlone(world, 30);
    assert.equal(new Set(world.model.results().map(({ text }) => text)).size, 30);
    await assertNothingLeft(world);
  });

  it("a call that waits, eleven times; then it is noted, and goes on", async (t) => {
    const world = await makeWorld(t, oneByOne(times(20, () => bash("sleep 30; cat state.txt"))));
    await save(world, { "state.txt": "still running\n" });
    // The guard goes by the command, and has no clock: this sleep is over at once.
    const bin = join(world.root, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "sleep"), "#!/bin/sh\n", { mode: 0o755 });
    const run = await runPi(world, ["-p", "go", "-e", extension], { env: { PATH: `${bin}:${process.env.PATH}` } });
    assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
    assert.equal(await outcome(world), `${"r".repeat(11)}n${"r".repeat(8)}`);
    assert.match(world.model.results()[11]?.text ?? "", /^still running\n\n?\[Loopbreaker\] This bash call has waited 12 times .* Wait once, for much longer/);
    await assertNothingLeft(world);
  });
});

/**
 * Recorded sessions that got stuck, the worst of each kind, played again on a
 * workspace of their own: which call is the first to be refused, and after which
 * the run is ended, counted from 1. Sessions of Pi are played as they are; of
 * others the loop is, with Pi's tools. `went` is how long it went on in truth.
 *
 * @type {{ kind: string, name: string, play: typeof asItWas, refused?: number, ended: number, went: number }[]}
 */
const worst = [
  { kind: "one read, over and over", name: "stuck-pi-qwen3-6-27b-overnight-drafts-flask-extensions", play: asItWas, refused: 34, ended: 36, went: 54 },
  { kind: "two reads in turn", name: "stuck-pi-qwen3-6-27b-overnight-drafts-fastapi-get-registry", play: asItWas, refused: 41, ended: 43, went: 68 },
  { kind: "an edit that Pi rejects", name: "stuck-pi-gemma-4-12b-it-guarded-registry-contract-registry-iter-r6", play: asItWas, ended: 7, went: 60 },
  { kind: "seven searches in a round", name: "stuck-sweagent-deepseek-coder-v2-fasterxml-jackson-databind-4360", play: searches, refused: 14, ended: 16, went: 44 },
  { kind: "an edit that succeeds, and makes the file grow", name: "stuck-sweagent-deepseek-coder-v2-fasterxml-jackson-databind-1650", play: growing, refused: 5, ended: 7, went: 33 },
];

describe("a recorded session is ended soon after its loop began:", { concurrency: 2, skip: noRecordings }, () => {
  for (const { kind, name, play, refused, ended, went } of worst) {
    it(kind, async (t) => {
      const world = await makeWorld(t, []);
      const { messages, files } = play(await recorded(name), world.project);
      assert.equal(messages.flat().length, went);
      await save(world, files);
      world.model.restart(stubborn(messages));
      await assertEnded(world);
      const became = await outcome(world);
      assert.equal(became.length, ended, became);
      assert.equal(became.search("b") + 1, refused ?? 0, became);
      assert.match(became.slice(0, refused), /n/, "it was spoken to before");
      await assertNothingLeft(world);
    });
  }
});

/**
 * A session of Pi, with the files that it has read.
 *
 * @param {Event[]} events
 * @param {string} project
 */
function asItWas(events, project) {
  const repository = /\/Users\/\w+\/[\w./-]*?\/repo(?=\/|$)/;
  /** @type {ScriptedCall[][]} */
  const messages = [];
  /** @type {Map<string, string>} the paths of whole files, by the id of the call */
  const reads = new Map();
  /** @type {Record<string, string>} */
  const files = {};
  for (const { ev, id, tool, input, isError, text } of events) {
    if (ev === "turn") messages.push([]);
    if (ev === "call") {
      messages.at(-1)?.push({ name: tool, arguments: input.path ? { ...input, path: input.path.replace(repository, project) } : input });
      if (tool === "read" && !input.offset && !input.limit) reads.set(id, input.path.replace(repository, "."));
    }
    const path = reads.get(id);
    if (ev === "result" && path && !isError) files[path] = text;
  }
  return { messages: messages.filter((calls) => calls.length > 0), files };
}

/**
 * The searches for names in a folder that has none of them.
 *
 * @param {Event[]} events
 */
function searches(events) {
  const names = events.flatMap(({ input }) => /^search_dir (\S+)$/.exec(input?.command ?? "")?.[1] ?? []);
  return { messages: names.map((name) => [bash(`grep -rn ${name} .`)]), files: { "README.md": "Nothing here.\n" } };
}

/**
 * The edit of a first line that puts this line, and more, in its place.
 *
 * @param {Event[]} events
 */
function growing(events) {
  const edits = events.flatMap(({ input }) => /^edit 1:1\n(import [^]*)\nend_of_edit$/.exec(input?.command ?? "")?.[1] ?? []);
  const [first] = (edits[0] ?? "").split("\n");
  return { messages: edits.map((text) => [edit("reproduce.java", `${first}\n`, `${text}\n`)]), files: { "reproduce.java": `${first}\n` } };
}

/**
 * A model that makes these calls, a message each time, and heeds nothing but the
 * request for an answer.
 *
 * @param {ScriptedCall[][]} messages
 * @returns {import("./model.js").Script}
 */
function stubborn(messages) {
  return (request, n) => {
    const asked = JSON.stringify(request.messages.at(-1)).includes("Call no tools now");
    const toolCalls = messages[n];
    return asked || !toolCalls ? { text: asked ? ANSWER : "Finished." } : { toolCalls };
  };
}

/**
 * @param {World} world
 * @param {Record<string, string>} files of the project
 */
async function save(world, files) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(world.project, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/**
 * A letter for each result of the session: r ran, n ran and was noted, b was refused.
 *
 * @param {World} world
 */
async function outcome(world) {
  return toolResults(await world.session())
    .map(({ content, details }) => (details?.loopbreaker ? "b" : content.some((/** @type {any} */ { text }) => text?.includes("[Loopbreaker]")) ? "n" : "r"))
    .join("");
}

/**
 * Runs Pi until the guard ends the run, which the model is asked about once.
 *
 * @param {World} world
 * @param {string} [expected] the outcome
 */
async function assertEnded(world, expected) {
  const run = await runPi(world, ["-p", "go", "-e", extension]);
  if (expected) assert.equal(await outcome(world), expected, run.stderr);
  assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: `${ANSWER}\n` });
  assert.match(run.stderr, /^Loopbreaker ended the run: [^\n]*\.\n$/);
  assert.equal(said(run.stderr).length, 1);
}

/**
 * @param {World} world
 * @param {number} calls of its script
 */
async function assertLeftAlone(world, calls) {
  const run = await runPi(world, ["-p", "go", "-e", extension]);
  assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
  assert.equal(await outcome(world), "r".repeat(calls));
  assert.ok(!world.model.last.raw.includes("Loopbreaker"));
}
