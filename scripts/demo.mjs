// The demo: a scripted model runs one command for ever, in real Pi with the
// extension loaded. Everything is real but the model.

import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { records, startPi } from "../shim/test/pi.js";
import { binary, extension, makeWorld } from "../shim/test/world.js";

const COMMAND = "ls -R";
/** The model gives up after so many refusals; many a real one does not. */
const PATIENCE = 3;

const colour = (/** @type {number} */ code) => (/** @type {string} */ text) =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\x1b[${code}m${text}\x1b[0m` : text;
const [red, green, dim, bold] = [31, 32, 2, 1].map(colour);

let refusals = 0;
/** @type {(() => unknown)[]} */
const closing = [];
const world = await makeWorld({ after: (close) => closing.push(close) }, () =>
  refusals < PATIENCE
    ? { toolCalls: [{ name: "bash", arguments: { command: COMMAND } }] }
    : { text: "I have listed the folder five times and it does not change. It is empty, so there is nothing to fix." },
);

try {
  console.log(`${bold("Pi is asked to fix a bug; the model can think of nothing but")} ${COMMAND}\n`);
  const trace = join(world.temp, "demo.jsonl");
  const pi = startPi(world, ["--mode", "json", `--loop-trace=${trace}`, "-e", extension, "Fix the bug."]);
  pi.child.stdin?.end();
  follow(pi.child.stdout);
  const run = await pi.ended;

  const messages = records(run.stdout).filter((record) => record.type === "message_end").map((record) => record.message);
  const results = messages.filter((message) => message.role === "toolResult");
  const first = results.findIndex((result) => result.details?.loopbreaker) + 1;
  console.log(`\n${bold("The model then says:")} ${text(messages.at(-1))}`);
  console.log(`\n${bold("What it read at call")} ${first}${bold(":")} ${text(results[first - 1])}`);

  const replay = spawnSync(binary, ["replay", trace], { encoding: "utf8" });
  console.log(`\n${bold("The trace of this session, replayed:")} ${replay.stdout.trim()}${replay.stderr}`);
  const kept = join(await mkdtemp(join(tmpdir(), "loopbreaker-demo-")), "demo.jsonl");
  await copyFile(trace, kept);
  console.log(dim(`It is kept in ${kept}; try: shim/bin/loopbreaker replay ${kept}`));

  const ran = results.filter((result) => !result.isError).length;
  const broken = run.code === 0 && first === 6 && ran === 5 && replay.status === 0;
  console.log(
    broken
      ? green(`\nLoop began at call 1 and was broken at call ${first}: ${ran} calls ran, ${results.length - ran} were refused.`)
      : red(`\nThe loop was not broken as it should be: first refusal at call ${first}, ${ran} ran, Pi's exit code ${run.code}.\n${run.stderr}`),
  );
  process.exitCode = broken ? 0 : 1;
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
    for (const event of lines.filter(Boolean).map((line) => JSON.parse(line))) {
      if (event.type !== "tool_execution_end") continue;
      if (event.isError) refusals++;
      console.log(`  call ${String(++calls).padStart(2)}  bash ${COMMAND}  ${event.isError ? red("refused") : green("ran")}`);
    }
  });
}

/** @param {{ content: { type: string, text: string }[] }} message */
function text(message) {
  return message.content.map((part) => part.text ?? "").join("");
}
