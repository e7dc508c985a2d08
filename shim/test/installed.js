// Whether what is installed guards: six equal calls, of which the default lets four run.

import assert from "node:assert/strict";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";

export const six = oneByOne(times(6, () => bash(RAN)));

/**
 * Runs a command of Pi that has to end well.
 *
 * @param {import("./world.js").World} world
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 */
export async function ok(world, env, ...args) {
  const run = await runPi(world, args, { env });
  assert.equal(run.code, 0, `pi ${args.join(" ")}\n${run.stdout}\n${run.stderr}`);
  return run.stdout;
}

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export async function assertGuarded(world, args, env) {
  assert.deepEqual(await sixCalls(world, args, env), { ran: 4, refused: 2, stderr: "" });
  assert.match(world.model.resultOf("call_5_1") ?? "", /^Loopbreaker refused this call: .*bash/);
}

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [says] what the user is told
 */
export async function assertUnguarded(world, args, env, says) {
  assert.deepEqual(await sixCalls(world, args, env), { ran: 6, refused: 0, stderr: says === undefined ? "" : `${says}\n` });
}

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function sixCalls(world, args, env) {
  const before = (await world.ran()).length;
  world.model.restart(six);
  const run = await runPi(world, ["-p", "go", ...args], { env });
  assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" }, run.stderr);
  await assertNothingLeft(world);
  const newest = (await world.sessions()).at(-1);
  return { ran: (await world.ran()).length - before, refused: loopBroken(newest?.entries ?? []).length, stderr: run.stderr };
}
