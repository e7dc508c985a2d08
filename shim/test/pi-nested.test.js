// Calls within calls: what a script of codemode calls comes to the guard as any
// call does. A session file keeps a record of such calls with the result of the
// script, though not their results, and json mode prints all of it; both replay to
// the same refusals.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, toolResults } from "./calls.js";
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
  script(`tools.nosuch({})`, `tools.bash({ comand: "ls" })`, `Promise.all([${ran}, ${ran}])`),
  script(ran, `tools.write({ path: "long.txt", content: "x".repeat(9000) })`, `tools.bash({ command: "echo other >> ran.txt" })`, ran),
  bash(RAN),
]);

describe("a session with calls within calls replays to the same refusals", { concurrency: 2 }, () => {
  for (const [preset, ran] of /** @type {const} */ ([["window", 5], ["turns", 4]])) {
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
      for (const [path, lost] of /** @type {const} */ ([[session?.path ?? "", true], [stream, false]])) {
        const outcome = JSON.parse(await replay("--json", "--preset", preset, path));
        assert.deepEqual(
          { calls: outcome.calls, blocked: outcome.blocked, first: outcome.firstBlock, entries: outcome.entries, lost: outcome.lost > 0 },
          { calls: asked, blocked: refused.length, first: refused[0], entries: refused.length, lost },
          path,
        );
        const explained = await replay("--explain", "--preset", preset, path);
        assert.deepEqual([...explained.matchAll(/^ *(\d+) +refused /gm)].map(([, number]) => Number(number)), refused, path);
      }
      await assertNothingLeft(world);
    });
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

/** @param {string[]} args @returns {Promise<string>} */
function replay(...args) {
  return new Promise((resolve, reject) => {
    execFile(binary, ["replay", ...args], (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
