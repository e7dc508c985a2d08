// `pi install` is all a person does: afterwards Pi is guarded without any option.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { RAN, bash, loopBroken, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, makeWorld, repoFolder, shimFolder, shippedBinary } from "./world.js";

const six = oneByOne(times(6, () => bash(RAN)));

// In a clone with its own binary the installed extension has to find that by itself.
const env = binary === shippedBinary ? { LOOPBREAKER_BINARY: undefined } : {};

const execute = promisify(execFile);

const noNpm = (() => {
  try {
    execFileSync("npm", ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return "npm is not installed";
  }
})();

/** The settings of whoever runs the tests. */
const own = join(homedir(), ".pi", "agent", "settings.json");

describe("pi install", { concurrency: 2 }, () => {
  /** @type {unknown} */
  let untouched;
  before(async () => void (untouched = await state(own)));
  after(async () => assert.deepEqual(await state(own), untouched, "the user's own settings were touched"));

  for (const [name, folder] of /** @type {const} */ ([
    ["the package's folder", shimFolder],
    ["a clone of the repository", repoFolder],
  ])) {
    it(`of ${name} guards every project of the user, and pi remove undoes it`, async (t) => {
      const world = await makeWorld(t, six);
      const settings = join(world.agentDir, "settings.json");
      await ok(world, "install", folder);
      assert.deepEqual(await packages(settings), [resolve(folder)]);
      assert.ok(listed(await ok(world, "list")).includes(resolve(folder)));
      await assertGuarded(world, []);

      await ok(world, "remove", folder);
      assert.deepEqual(await packages(settings), []);
      await assertUnguarded(world, []);
      assert.ok(!existsSync(join(world.project, ".pi")), "the project was left alone");
    });
  }

  it("of what npm would publish guards, so nothing is missing from the package", { skip: noNpm }, async (t) => {
    const world = await makeWorld(t, six);
    const options = { cwd: world.root, env: world.env() };
    const packed = await execute("npm", ["pack", shimFolder, "--silent"], options);
    await execute("tar", ["xf", packed.stdout.trim()], options);
    await ok(world, "install", join(world.root, "package"));
    await assertGuarded(world, []);
  });

  it("--local guards one project, and pi remove undoes it", async (t) => {
    const world = await makeWorld(t, six);
    const users = join(world.agentDir, "settings.json");
    const before = await readFile(users, "utf8");
    const settings = join(world.project, ".pi", "settings.json");
    await ok(world, "install", "--local", shimFolder);
    assert.deepEqual(await packages(settings), [resolve(shimFolder)]);
    assert.ok(listed(await ok(world, "list", "--approve")).includes(resolve(shimFolder)));
    await assertGuarded(world, ["--approve"]);

    await ok(world, "remove", "--local", "--approve", shimFolder);
    assert.deepEqual(await packages(settings), []);
    await assertUnguarded(world, ["--approve"]);
    assert.equal(await readFile(users, "utf8"), before, "the user's settings were left alone");
  });
});

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 */
async function ok(world, ...args) {
  const run = await runPi(world, args, { env });
  assert.equal(run.code, 0, `pi ${args.join(" ")}\n${run.stdout}\n${run.stderr}`);
  return run.stdout;
}

/**
 * The packages a settings file lists; Pi writes them relative to its folder.
 *
 * @param {string} settings
 * @returns {Promise<string[]>}
 */
async function packages(settings) {
  const { packages } = JSON.parse(await readFile(settings, "utf8"));
  return packages.map((/** @type {string} */ path) => resolve(settings, "..", path));
}

/**
 * The lines of `pi list`, where a package's folder stands alone on one.
 *
 * @param {string} stdout
 */
const listed = (stdout) => stdout.split("\n").map((line) => line.trim());

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 */
async function assertGuarded(world, args) {
  assert.deepEqual(await sixCalls(world, args), { ran: 4, refused: 2 });
  assert.match(world.model.resultOf("call_5_1") ?? "", /^Loopbreaker refused this call: .*bash/);
}

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 */
async function assertUnguarded(world, args) {
  assert.deepEqual(await sixCalls(world, args), { ran: 6, refused: 0 });
}

/**
 * @param {import("./world.js").World} world
 * @param {string[]} args
 */
async function sixCalls(world, args) {
  const before = (await world.ran()).length;
  world.model.restart(six);
  const run = await runPi(world, ["-p", "go", ...args], { env });
  assert.deepEqual({ code: run.code, stdout: run.stdout, stderr: run.stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });
  await assertNothingLeft(world);
  const newest = (await world.sessions()).at(-1);
  return { ran: (await world.ran()).length - before, refused: loopBroken(newest?.entries ?? []).length };
}

/** @param {string} path */
async function state(path) {
  if (!existsSync(path)) return "there is none";
  return { text: await readFile(path, "utf8"), changed: (await stat(path)).mtimeMs };
}
