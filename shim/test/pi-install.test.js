// `pi install` of a folder is all a person does: afterwards Pi is guarded without any
// option. (From npm and git: pi-release.test.js.)

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { assertGuarded, assertUnguarded, ok, six } from "./installed.js";
import { binary, makeWorld, repoFolder, shimFolder, shippedBinary } from "./world.js";

// In a clone with its own binary the installed extension has to find that by itself.
const env = binary === shippedBinary ? { LOOPBREAKER_BINARY: undefined } : {};

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
      await ok(world, env, "install", folder);
      assert.deepEqual(await packages(settings), [resolve(folder)]);
      assert.ok(listed(await ok(world, env, "list")).includes(resolve(folder)));
      await assertGuarded(world, [], env);

      await ok(world, env, "remove", folder);
      assert.deepEqual(await packages(settings), []);
      await assertUnguarded(world, [], env);
      assert.ok(!existsSync(join(world.project, ".pi")), "the project was left alone");
    });
  }

  it("--local guards one project, and pi remove undoes it", async (t) => {
    const world = await makeWorld(t, six);
    const users = join(world.agentDir, "settings.json");
    const before = await readFile(users, "utf8");
    const settings = join(world.project, ".pi", "settings.json");
    await ok(world, env, "install", "--local", shimFolder);
    assert.deepEqual(await packages(settings), [resolve(shimFolder)]);
    assert.ok(listed(await ok(world, env, "list", "--approve")).includes(resolve(shimFolder)));
    await assertGuarded(world, ["--approve"], env);

    await ok(world, env, "remove", "--local", "--approve", shimFolder);
    assert.deepEqual(await packages(settings), []);
    await assertUnguarded(world, ["--approve"], env);
    assert.equal(await readFile(users, "utf8"), before, "the user's settings were left alone");
  });
});

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

/** @param {string} path */
async function state(path) {
  if (!existsSync(path)) return "there is none";
  return { text: await readFile(path, "utf8"), changed: (await stat(path)).mtimeMs };
}
