// Calls within calls: what a script of codemode calls comes to the guard as any
// call does. What json mode prints has all of it, and replays to the same refusals.
// A session file keeps a record of such calls with the result of the script, but
// not their results: there a rule that goes by results finds less to refuse.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { RAN, bash, loopBroken, oneByOne, said, toolResults } from "./calls.js";
import { LONG } from "./faults.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, extension, lines, makeWorld } from "./world.js";

/**
 * A call of codemode. Its script goes on after a call that is refused or fails.
 *
 * @param {string[]} calls
 */
function script(...calls) {
  const code = calls.map((call) => `try { await ${call} } catch (error) { text(String(error)) }`).join("\n");
  return { name: "codemode", arguments: { code } };
}

const ran = `tools.bash(${JSON.stringify({ command: RAN })})`;
const all = oneByOne([
  script(ran, `tools.bash({ command: "exit 3" })`, ran),
  bash(RAN),
  script(`tools.nosuch({})`, `tools.bash({ comand: "ls" })`, `Promise.allSettled([${ran}, ${ran}])`),
  script(ran, `tools.write({ path: "long.txt", content: "x".repeat(9000) })`, `tools.bash({ command: "echo other >> ran.txt" })`, ran),
  bash(RAN),
]);

describe("a session with calls within calls replays to the same refusals", { concurrency: 2 }, () => {
  for (const { preset, ran, byResults } of [
    { preset: "window", ran: 5, byResults: false },
    { preset: "turns", ran: 3, byResults: true },
  ]) {
    it(preset, async (t) => {
      const world = await makeWorld(t, all, { preset });
      const trace = join(world.root, "trace.jsonl");
      const run = await runPi(world, ["--mode", "json", "go", "--tools", "+codemode", "-e", extension, `--loop-trace=${trace}`]);
      assert.equal(run.code, 0, run.stderr);
      assert.equal((await world.ran()).filter((line) => line === "ran").length, ran);

      const { refused, asked, nested } = await live(trace);
      assert.ok(nested > 8, `${nested} calls within calls`);
      assert.ok(refused.length > 1, "some are refused");
      const [session] = await world.sessions();
      const entries = session?.entries ?? [];
      assert.equal(toolResults(entries).filter((result) => result.nestedCalls).length, 3, "the file has the record");
      assert.equal(loopBroken(entries).length, refused.length);

      const stream = join(world.root, "stream.jsonl");
      await writeFile(stream, run.stdout);
      const whole = await replay(preset, stream);
      assert.deepEqual(whole, { calls: asked, refused, entries: refused.length, lost: 0 });

      const kept = await replay(preset, session?.path ?? "");
      assert.ok(kept.lost > 3, `${kept.lost} inputs and results are not in the file`);
      assert.deepEqual([kept.calls, kept.entries], [asked, kept.refused.length]);
      if (byResults) assert.deepEqual(kept.refused, refused.filter((call) => kept.refused.includes(call)), "no other refusals");
      else assert.deepEqual(kept.refused, refused);
      assert.equal(kept.refused[0], refused[0]);
      await assertNothingLeft(world);
    });
  }
});

describe("while calls within a call are open", { concurrency: 2 }, () => {
  // Three run at once; each waits for the others, so that none is done before all are admitted.
  const wait = (/** @type {number} */ n) => `echo ${n} >> ran.txt; for i in $(seq 200); do [ "$(wc -l < ran.txt)" -ge 3 ] && break; sleep 0.05; done; echo saw ${n}`;
  const calls = [1, 2, 3].map((n) => `tools.bash(${JSON.stringify({ command: wait(n) })})`);
  const code = `const all = await Promise.all([${calls}]); return all.map(({ output }) => output.trim()).join();`;

  for (const [name, harm] of /** @type {[string, import("./children/middleman.js").Harm][]} */ ([
    ["killed", { signal: "SIGKILL" }],
    ["stopped", { signal: "SIGSTOP" }],
  ])) {
    for (const [at, nth] of /** @type {[string, number][]} */ ([["tool/call", 1], ["tool/call", 3], ["tool/result", 1], ["tool/result", 3]])) {
      for (const when of /** @type {const} */ (["before", "during", "after"])) {
        const skip = !LONG && (when !== "during" || nth === 1) && "it is of the long form: scripts/soak";
        it(`the guard is ${name} ${when} ${at} ${nth}`, { skip }, async (t) => {
          const world = await makeWorld(t, oneByOne([{ name: "codemode", arguments: { code } }]));
          await writeFile(`${world.project}.fault`, JSON.stringify({ at, nth: nth + (at === "tool/call" ? 1 : 0), when, harm })); // the first call is the script's
          const middleman = await world.child(process.execPath, fileURLToPath(new URL("children/middleman.js", import.meta.url)), binary);
          const env = { LOOPBREAKER_BINARY: middleman, LOOPBREAKER_DEADLINE_MS: "1500" };
          const run = await runPi(world, ["-p", "go", "--tools", "+codemode", "-e", extension], { env });
          assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" }, run.stderr);
          assert.ok(existsSync(`${world.project}.struck`), "something went wrong");
          assert.ok(said(run.stderr).length <= 1 && said(run.stderr).every((line) => /^Loopbreaker's guard (stopped|did not answer)/.test(line)), run.stderr);
          assert.match(world.model.results()[0]?.text ?? "", /saw 1,saw 2,saw 3/);
          assert.deepEqual((await world.ran()).sort(), ["1", "2", "3"], "each ran once");
          await assertNothingLeft(world);
        });
      }
    }
  }
});

/**
 * What the live session's guard was asked, and which calls it refused, counted
 * from 1 in the order in which they came.
 *
 * @param {string} trace
 */
async function live(trace) {
  const messages = (await lines(trace)).map((line) => JSON.parse(line).message);
  const answers = new Map(messages.filter(({ method }) => !method).map(({ id, result }) => [id, result]));
  const calls = messages.filter(({ method }) => method === "tool/call" || method === "tool/rejected");
  return {
    asked: calls.length,
    nested: calls.filter(({ params }) => params.toolCallId.includes("/")).length,
    refused: calls.flatMap(({ id }, i) => (answers.get(id).block ? [i + 1] : [])),
  };
}

/** What a replay comes to. @param {string} preset @param {string} path */
async function replay(preset, path) {
  const { calls, entries, lost = 0 } = JSON.parse(await output("replay", "--json", "--preset", preset, path));
  const explained = await output("replay", "--explain", "--preset", preset, path);
  return { calls, refused: [...explained.matchAll(/^ *(\d+) +refused /gm)].map(([, number]) => Number(number)), entries, lost };
}

/** @param {string[]} args @returns {Promise<string>} */
function output(...args) {
  return new Promise((resolve, reject) => {
    execFile(binary, args, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
