// However Pi ends, in whatever mode and in the middle of a run, the guard ends with
// it, and Pi ends as it does without a guard.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { RAN, bash, said } from "./calls.js";
import { LONG } from "./faults.js";
import { Process, piCommand } from "./pi.js";
import { assertNothingLeft, canLook } from "./processes.js";
import { Terminal, noTmux } from "./terminal.js";
import { binary, extension, makeWorld } from "./world.js";

/**
 * What the short form of the tests runs; the long form runs all.
 *
 * @type {Record<string, NodeJS.Signals[]>}
 */
const SHORT = { print: ["SIGINT", "SIGTERM"], json: ["SIGHUP"], rpc: ["SIGTERM", "SIGKILL"], tui: ["SIGHUP", "SIGKILL"] };
/** @param {string} mode @param {NodeJS.Signals} name */
const skip = (mode, name) => !LONG && !SHORT[mode]?.includes(name) && "it is of the long form: scripts/soak";

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} End */

/** What Pi does by itself with a signal in each mode. */
const by = (/** @type {number} */ code) => ({ code, signal: null });
const of = (/** @type {NodeJS.Signals} */ signal) => ({ code: null, signal });
/** @type {Record<string, Partial<Record<NodeJS.Signals, End>>>} */
const MODES = {
  print: { SIGINT: of("SIGINT"), SIGTERM: by(143), SIGHUP: by(129), SIGKILL: of("SIGKILL") },
  json: { SIGINT: of("SIGINT"), SIGTERM: by(143), SIGHUP: by(129), SIGKILL: of("SIGKILL") },
  rpc: { SIGINT: of("SIGINT"), SIGTERM: by(143), SIGHUP: by(129), SIGKILL: of("SIGKILL") },
};
const ARGUMENTS = { print: ["-p", "go"], json: ["--mode", "json", "go"], rpc: ["--mode", "rpc"] };

describe("no guard is left when Pi is ended", { concurrency: 2 }, () => {
  for (const [mode, ends] of Object.entries(MODES)) {
    for (const [name, expected] of /** @type {[NodeJS.Signals, End][]} */ (Object.entries(ends))) {
      it(`in mode ${mode} by ${name}`, { skip: skip(mode, name) }, async (t) => {
        const { world, asked } = await holding(t);
        const args = ARGUMENTS[/** @type {keyof typeof ARGUMENTS} */ (mode)];
        const [, ...pi] = piCommand(...args, "-e", extension);
        const run = new Process(world, /** @type {string[]} */ (pi), { input: true, env: { LOOPBREAKER_BINARY: await world.child(binary) } });
        if (mode === "rpc") run.child.stdin?.write(`${JSON.stringify({ type: "prompt", message: "go" })}\n`);
        else run.child.stdin?.end();
        await asked;
        assert.equal((await world.childPids()).length, 1, "a guard was there");
        run.child.kill(name);
        const { code, signal, stderr } = await run.ended;
        assert.deepEqual({ code, signal, said: said(stderr) }, { ...expected, said: [] });
        await assertNothingLeft(world);
      });
    }
  }
});

describe("no guard is left when Pi is ended in a terminal", { skip: noTmux || (!canLook && "there is no /proc"), concurrency: 2 }, () => {
  for (const name of /** @type {NodeJS.Signals[]} */ (["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])) {
    it(`by ${name}`, { skip: skip("tui", name) }, async (t) => {
      const { world, asked } = await holding(t);
      const terminal = await Terminal.open(world, { LOOPBREAKER_BINARY: await world.child(binary) });
      await terminal.type("go");
      await asked;
      const [guard] = await world.childPids();
      process.kill(await parent(guard), name);
      await assertNothingLeft(world);
    });
  }
});

/** The process that started this one. @param {number | undefined} pid */
async function parent(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]);
}

/**
 * A world whose model makes a call and then never answers; `asked` is when it has
 * been asked that second time.
 *
 * @param {import("node:test").TestContext} t
 */
async function holding(t) {
  let begun = () => {};
  const asked = new Promise((resolve) => (begun = () => resolve(undefined)));
  const world = await makeWorld(t, (_request, n) => {
    if (n === 0) return { toolCalls: [bash(RAN)] };
    begun();
    return new Promise(() => {});
  });
  return { world, asked };
}
