// The demo: a scripted model runs one command for ever, in real Pi with the
// extension loaded. Everything is real but the model.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { said, toolResults } from "../shim/test/calls.js";
import { records, startPi } from "../shim/test/pi.js";
import { binary, extension, makeWorld } from "../shim/test/world.js";

const COMMAND = "ls -R";
/** So long would the model go on; it answers only when it is asked to call no tools. */
const ENDURANCE = 245;

const colour = (/** @type {number} */ code) => (/** @type {string} */ text) =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\x1b[${code}m${text}\x1b[0m` : text;
const [red, green, yellow, dim, bold] = [31, 32, 33, 2, 1].map(colour);

/** @type {(() => unknown)[]} */
const closing = [];
const world = await makeWorld({ after: (close) => closing.push(close) }, ({ messages }, n) => {
  return n >= ENDURANCE || text(messages.at(-1)?.content).includes("Call no tools now")
    ? { text: "I have listed the folder four times. There are two empty files and no code: where is the bug?" }
    : { toolCalls: [{ name: "bash", arguments: { command: COMMAND } }] };
});

try {
  console.log(`${bold("Pi is asked to fix a bug; the model can think of nothing but")} ${COMMAND}\n`);
  const trace = join(world.temp, "demo.jsonl");
  for (const name of ["notes.txt", "todo.txt"]) await writeFile(join(world.project, name), "");
  const pi = startPi(world, ["--mode", "json", `--loop-trace=${trace}`, "-e", extension, "Fix the bug."]);
  pi.child.stdin?.end();
  follow(pi.child.stdout);
  const run = await pi.ended;

  const results = toolResults(await world.session());
  const stages = results.map(stage);
  const told = said(run.stderr);
  const answer = records(run.stdout).findLast((record) => record.type === "message_end" && record.message.role === "assistant");
  const recovery = world.model.last.messages.at(-1);

  console.log(`\n${bold("The model read at call")} 3${bold(":")} ${read(results[2]).split("\n").at(-1)}`);
  console.log(`${bold("at call")} 5${bold(":")} ${read(results[4])}`);
  console.log(`${bold("and at call")} 6${bold(", after the same:")} ${read(results[5]).slice(read(results[4]).length).trim()}`);
  console.log(`\n${bold("You are told:")} ${told.join("\n")}`);
  console.log(`${bold("The model is told why, and asked:")} ${/Call no tools now.*/.exec(text(recovery?.content))}`);
  console.log(`${bold("It says:")} ${text(answer?.message.content)}`);

  const replay = spawnSync(binary, ["replay", trace], { encoding: "utf8" });
  console.log(`\n${bold("The trace of this session, replayed:")} ${replay.stdout.trim()}${replay.stderr}`);
  const kept = join(await mkdtemp(join(tmpdir(), "loopbreaker-demo-")), "demo.jsonl");
  await copyFile(trace, kept);
  console.log(dim(`It is kept in ${kept}; try: shim/bin/loopbreaker replay --explain ${kept}`));

  assert.deepEqual(stages, ["ran", "ran", "noted", "noted", "refused", "refused", "refused"]);
  assert.match(read(results[5]), /one more ends your run/);
  assert.equal(told.length, 1, run.stderr);
  assert.match(told[0] ?? "", /^Loopbreaker ended the run: .* after 3 refusals\.$/);
  assert.equal(world.model.requests.length, results.length + 1, "one request more, for the answer");
  assert.match(text(answer?.message.content), /where is the bug/);
  assert.deepEqual({ pi: run.code, replay: replay.status }, { pi: 0, replay: 0 });
  console.log(green("\nThe loop began at call 1, was noted at 3, refused from 5 on, and the run was ended at 7, with an answer."));
} catch (error) {
  console.log(red(`\nThe loop was not broken as it should be: ${/** @type {Error} */ (error).message}`));
  process.exitCode = 1;
} finally {
  for (const close of closing) await close();
}

/**
 * Prints each call as it ends.
 *
 * @param {import("node:stream").Readable | null} stdout
 */
function follow(stdout) {
  let calls = 0;
  let unread = "";
  stdout?.on("data", (chunk) => {
    const lines = (unread + chunk).split("\n");
    unread = lines.pop() ?? "";
    for (const { type, message } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
      if (type !== "message_end" || message.role !== "toolResult") continue;
      const became = stage(message);
      const paint = { ran: green, noted: yellow, refused: red }[became];
      console.log(`  call ${String(++calls).padStart(2)}  bash ${COMMAND}  ${paint(became)}`);
    }
  });
}

/** What became of the call with this result. @param {any} result @returns {"ran" | "noted" | "refused"} */
function stage(result) {
  if (result.details?.loopbreaker) return "refused";
  return read(result).includes("[Loopbreaker]") ? "noted" : "ran";
}

/** @param {any} result */
function read(result) {
  return text(result?.content);
}

/** @param {unknown} content a string, or a list of parts */
function text(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("\n") : "";
}
