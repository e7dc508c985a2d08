// Where the guard's settings come from, and who may change them. The preset is
// `window`, where a single number says how many equal calls run.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { binary, extension, makeWorld, shimFolder } from "./world.js";

const nine = oneByOne(times(9, () => bash(RAN)));

describe("settings", { concurrency: 2 }, () => {
  it("come from the user's file, which the environment is stronger than", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    await save(world.agentDir, { window: { block: 2 } });
    await assertRuns(world, 2);
    await assertRuns(world, 4, { env: { LOOPBREAKER_WINDOW_BLOCK: "4" } });
    await assertNothingLeft(world);
  });

  it("come from the project's file, if the project is trusted", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    await assertRuns(world, 5, { project: { enabled: false } });
    await assertRuns(world, 5, { project: { window: { block: 8 } }, args: ["--no-approve"] });
    await assertRuns(world, 9, { project: { enabled: false }, args: ["--approve"] });
    await assertNothingLeft(world);
  });

  it("hold from the next call on when they are saved", async (t) => {
    const world = await makeWorld(t, [], { replays: false });
    const path = await save(world.agentDir, { preset: "window" });
    /** @param {object} settings */
    const saving = (settings) => bash(`echo ran >> ran.txt; echo '${JSON.stringify(settings)}' > '${path}'`);
    world.model.restart(oneByOne([
      bash(RAN),
      bash(RAN),
      saving({ preset: "window", window: { block: 2 } }),
      bash(RAN), // refused
      saving({ enabled: false }),
      ...times(6, () => bash(RAN)),
      saving({ enabled: true, preset: "turns" }),
      ...times(4, () => bash(RAN)), // the last one refused
    ]));
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    const refused = world.model.results().flatMap(({ text }, n) => (text.startsWith("Loopbreaker refused") ? [n] : []));
    assert.deepEqual(refused, [3, 15]);
    assert.deepEqual(rpc.statuses, ["loopbreaker: 1 refused", "loopbreaker OFF", "loopbreaker: 1 refused", "loopbreaker: 2 refused"]);
    await assertNothingLeft(world);
  });

  it("that are wrong are told of once, and the others in the file hold", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    const path = await save(world.agentDir, { window: { block: "two", calls: 7 }, ladder: { refusals: 1, recover: false } });
    const rpc = new Rpc(world, ["-e", extension]);
    await rpc.prompt("go");
    const run = await rpc.end();
    assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: "" });
    const [problem, refused, ended, ...others] = rpc.notices;
    assert.ok(problem?.includes(path), problem);
    assert.match(problem ?? "", /window\.block is "two" but must be .*0.*1000/);
    assert.match(refused ?? "", /^Loopbreaker refused .* 5 times among the last 7/);
    assert.match(ended ?? "", /^Loopbreaker ended the run: .* after 1 refusal\.$/);
    assert.deepEqual(others, []);
    assert.equal((await world.ran()).length, 5);
    await assertNothingLeft(world);
  });

  it("in a file that is no JSON are told of with the place, in print mode on stderr", async (t) => {
    const world = await makeWorld(t, nine, { preset: "window" });
    const path = await save(world.agentDir, '{\n  "window": { "block": 2 },\n}\n');
    const run = await runPi(world, ["-p", "go", "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    const [problem, ...others] = run.stderr.trimEnd().split("\n");
    assert.ok(problem?.includes(path), problem);
    assert.match(problem ?? "", /not valid JSON at line 3, column 1/);
    assert.deepEqual(others, []);
    assert.equal((await world.ran()).length, 5, "the guard goes by the preset");
    await assertNothingLeft(world);
  });
});

describe("a project, even a trusted one,", () => {
  it("cannot have the guard be another program", async (t) => {
    const world = await makeWorld(t, oneByOne([bash(RAN)]));
    const copy = join(world.root, "copy"); // of the package, without a program of its own
    await mkdir(copy);
    for (const name of await readdir(shimFolder)) {
      if (/\.(js|json)$/.test(name)) await cp(join(shimFolder, name), join(copy, name));
    }
    const started = join(world.root, "started");
    const theirs = join(world.project, "loopbreaker");
    for (const path of [theirs, join(world.project, "bin", "loopbreaker"), join(world.project, "node_modules", ".bin", "loopbreaker")]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `#!/bin/sh\n: > '${started}'\n`, { mode: 0o755 });
    }
    const named = { binary: theirs, program: theirs, LOOPBREAKER_BINARY: theirs };
    const file = await save(join(world.project, ".pi"), { ...named, env: named });
    await writeFile(join(world.project, ".pi", "settings.json"), JSON.stringify({ ...named, env: named, loopbreaker: named }));
    await writeFile(join(world.project, ".env"), `LOOPBREAKER_BINARY=${theirs}\n`);

    /** @param {NodeJS.ProcessEnv} env */
    const run = (env) => runPi(world, ["-p", "go", "--approve", "-e", join(copy, "index.js")], { env: { LOOPBREAKER_BINARY: undefined, ...env } });
    const none = await run({ PATH: [".", "bin", "./node_modules/.bin", copy].join(delimiter) });
    assert.deepEqual({ code: none.code, stdout: none.stdout }, { code: 0, stdout: "Finished.\n" });
    assert.match(none.stderr, /its program was not found/);

    world.model.restart(oneByOne([bash(RAN)]));
    const relative = await run({ LOOPBREAKER_BINARY: "./loopbreaker" });
    assert.match(relative.stderr, /LOOPBREAKER_BINARY names \.\/loopbreaker, which is not an absolute path/);

    world.model.restart(oneByOne([bash(RAN)]));
    const ours = await run({ LOOPBREAKER_BINARY: binary });
    for (const name of ["env", ...Object.keys(named)]) assert.ok(ours.stderr.includes(`${file}: ${name} is not a setting`), ours.stderr);
    assert.equal(existsSync(started), false, "the project's program was started");

    world.model.restart(oneByOne([bash(RAN)]));
    await run({ PATH: world.project }); // the user's word, so this shows that it would be seen
    assert.equal(existsSync(started), true);
    await assertNothingLeft(world);
  });
});

/**
 * Saves the guard's file below a folder of Pi's, and returns its path.
 *
 * @param {string} folder
 * @param {object | string} settings
 */
async function save(folder, settings) {
  const path = join(folder, "extensions", "loopbreaker.json");
  await mkdir(join(folder, "extensions"), { recursive: true });
  await writeFile(path, typeof settings === "string" ? settings : JSON.stringify(settings));
  return path;
}

/**
 * So many of the nine calls run, in a Pi of its own that says nothing about it.
 *
 * @param {import("./world.js").World} world
 * @param {number} calls
 * @param {{ env?: NodeJS.ProcessEnv, args?: string[], project?: object }} [options] `project`: its file
 */
async function assertRuns(world, calls, { env, args = [], project } = {}) {
  await world.resetProject();
  if (project) await save(join(world.project, ".pi"), project);
  world.model.restart(nine);
  const run = await runPi(world, ["-p", "go", "-e", extension, ...args], { env });
  assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
  assert.equal((await world.ran()).length, calls);
  assert.equal(loopBroken((await world.sessions()).at(-1)?.entries ?? []).length, 9 - calls);
}
