// Whatever happens to the guard, Pi works on: every call runs, the operator is
// told once, Pi ends by itself with its normal exit code, and nothing is left.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, other, said, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { binary, extension, lines, makeWorld, shimFolder } from "./world.js";

/** Long enough for a Node child on a busy machine to start, short enough to wait for. */
const DEADLINE = { LOOPBREAKER_DEADLINE_MS: "1000" };

/** With a guard that works, and goes by this preset, the last four of `same` would be refused. */
const window = { preset: "window" };
const same = times(9, () => bash(RAN));

/**
 * Other calls all the time, so that they run whether or not a new guard has
 * taken over by then; the third does something to the guard.
 *
 * @param {string} signal
 */
const signalled = (signal) => times(9, (n) => (n === 2 ? bash(`echo ran >> ran.txt; kill -${signal} $(tail -n 1 ../pids)`) : other(n)));

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {import("./model.js").ScriptedCall[]} calls
 * @property {(world: import("./world.js").World) => Promise<{env: NodeJS.ProcessEnv, entry?: string}>} prepare
 * @property {RegExp} [says] what the operator has to learn
 */

/** @type {Fault[]} */
const faults = [
  {
    name: "LOOPBREAKER_BINARY that points to nothing",
    calls: same,
    says: /LOOPBREAKER_BINARY/,
    prepare: async (world) => ({ env: { LOOPBREAKER_BINARY: join(world.root, "nothing-here") } }),
  },
  {
    name: "LOOPBREAKER_BINARY that points to a file that is not a program",
    calls: same,
    says: /LOOPBREAKER_BINARY/,
    prepare: async (world) => {
      const path = join(world.root, "not-a-program");
      await writeFile(path, "text");
      return { env: { LOOPBREAKER_BINARY: path } };
    },
  },
  {
    name: "no binary anywhere",
    calls: same,
    says: /[Ii]nstall.*LOOPBREAKER_BINARY/,
    prepare: async (world) => {
      // A copy of the package without its binary, and a search path that leads
      // nowhere: these calls need no more than the shell, which Pi knows where to find.
      const copy = join(world.root, "copy");
      await mkdir(copy);
      for (const name of await readdir(shimFolder)) {
        if (/\.(js|json)$/.test(name)) await cp(join(shimFolder, name), join(copy, name));
      }
      return { env: { LOOPBREAKER_BINARY: undefined, PATH: copy }, entry: join(copy, "index.js") };
    },
  },
  {
    name: "a guard built for another machine",
    calls: same,
    says: /guard stopped/,
    prepare: async (world) => {
      const path = join(world.root, "foreign");
      const program = await readFile(binary);
      program.writeUInt16LE(0xffff, 18); // the machine, in the head of an ELF file
      await writeFile(path, program, { mode: 0o755 });
      return { env: { LOOPBREAKER_BINARY: path, ...DEADLINE } };
    },
  },
  {
    name: "a guard deleted while it runs, and then killed",
    calls: times(9, (n) => (n === 2 ? bash("echo ran >> ran.txt; rm ../child-*; kill -KILL $(tail -n 1 ../pids)") : other(n))),
    prepare: async (world) => ({ env: { LOOPBREAKER_BINARY: await world.child(binary) } }),
  },
  ...(existsSync("/dev/full") ? [{
    name: "a full disk for the trace",
    calls: times(9, other),
    says: /trace/,
    /** @type {Fault["prepare"]} */
    prepare: async () => ({ env: { LOOPBREAKER_TRACE: "/dev/full" } }),
  }] : []),
  {
    name: "a guard killed between two calls",
    calls: signalled("KILL"),
    prepare: async (world) => ({ env: { LOOPBREAKER_BINARY: await world.child(binary) } }),
  },
  {
    name: "a guard stopped between two calls",
    calls: signalled("STOP"),
    prepare: async (world) => ({ env: { LOOPBREAKER_BINARY: await world.child(binary), ...DEADLINE } }),
  },
  ...[
    { name: "a guard stopped during a call", child: "stops-itself" },
    { name: "a guard of another protocol version", child: "other-version", says: /version/ },
    { name: "a guard that prints rubbish", child: "rubbish" },
    { name: "a guard that exits at once", child: "exits" },
    { name: "a guard that never answers", child: "silent" },
  ].map(({ name, child, says = /./ }) => ({
    name,
    calls: same,
    says,
    /** @type {Fault["prepare"]} */
    prepare: async (world) => ({ env: { LOOPBREAKER_BINARY: await world.fakeChild(child), ...DEADLINE } }),
  })),
];

describe("Pi works on and says so once, in print mode, with", { concurrency: 2 }, () => {
  for (const fault of faults) {
    it(fault.name, async (t) => {
      const world = await makeWorld(t, oneByOne(fault.calls), window);
      const { env, entry = extension } = await fault.prepare(world);
      const run = await runPi(world, ["-p", "go", "-e", entry], { env });
      assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
      assert.equal(said(run.stderr).length, 1, run.stderr);
      assert.match(run.stderr, /^Loopbreaker[^\n]*\n$/, "one line, and no other");
      assert.match(run.stderr, fault.says ?? /./);
      await assertAllRan(world, fault.calls.length);
      await assertNothingLeft(world);
    });
  }
});

describe("Pi works on and says so once, in rpc mode, with", { concurrency: 2 }, () => {
  for (const fault of faults) {
    it(fault.name, async (t) => {
      // A second prompt: still nothing more is said.
      const more = oneByOne([other(100), other(101)]);
      const world = await makeWorld(t, [...oneByOne(fault.calls), ...more], window);
      const { env, entry = extension } = await fault.prepare(world);
      const rpc = new Rpc(world, ["-e", entry], { env });
      await rpc.prompt("go");
      await rpc.prompt("go on");
      const run = await rpc.end();
      assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
      assert.equal(rpc.notices.length, 1, JSON.stringify(rpc.notices));
      assert.match(rpc.notices[0] ?? "", /^Loopbreaker/);
      assert.match(rpc.notices[0] ?? "", fault.says ?? /./);
      await assertAllRan(world, fault.calls.length + 2);
      await assertNothingLeft(world);
    });
  }
});

it("a guard that was killed is replaced, and the new one refuses", async (t) => {
  // The two other calls in between give Pi the time to notice: the first of
  // them may still be asked of the guard that is dying.
  const calls = [...signalled("KILL").slice(2, 5), ...times(6, () => bash(RAN))];
  const world = await makeWorld(t, oneByOne(calls), window);
  const env = { LOOPBREAKER_BINARY: await world.child(binary) };
  const run = await runPi(world, ["-p", "go", "-e", extension], { env });
  assert.deepEqual({ code: run.code, said: said(run.stderr).length }, { code: 0, said: 1 }, run.stderr);
  assert.equal((await world.childPids()).length, 2);
  assert.equal((await world.ran()).length, 8);
  assert.equal(loopBroken(await world.session()).length, 1);
  await assertNothingLeft(world);
});

it("a guard that is replaced by an upgrade while it runs stays, and when it is killed the new one refuses", async (t) => {
  const calls = [bash("mv ../new ../guard; echo ran >> ran.txt"), other(1), ...signalled("KILL").slice(2, 5), ...times(6, () => bash(RAN))];
  const world = await makeWorld(t, oneByOne(calls), window);
  const guard = join(world.root, "guard");
  await copyFile(binary, guard);
  // What it does when it is called shows that it is the new one.
  await writeFile(join(world.root, "new"), `#!/bin/sh\necho upgraded >> '${guard}.log'\nexec '${binary}' "$@"\n`, { mode: 0o755 });
  const run = await runPi(world, ["-p", "go", "-e", extension], { env: { LOOPBREAKER_BINARY: await world.child(guard) } });
  assert.deepEqual({ code: run.code, said: said(run.stderr).length }, { code: 0, said: 1 }, run.stderr);
  assert.deepEqual(await lines(`${guard}.log`), ["upgraded"]);
  assert.equal((await world.childPids()).length, 2);
  assert.equal(loopBroken(await world.session()).length, 1);
  await assertNothingLeft(world);
});

/**
 * @param {import("./world.js").World} world
 * @param {number} calls
 */
async function assertAllRan(world, calls) {
  assert.equal((await world.ran()).length, calls);
  assert.deepEqual(loopBroken(await world.session()), []);
  for (const result of world.model.results()) assert.equal(result.text, "(no output)");
}
