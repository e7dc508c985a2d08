// `loopbreaker doctor` with real Pi: fine where Pi is guarded, and of use where it is not.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { piCommand, runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, makeWorld, shimFolder } from "./world.js";

describe("loopbreaker doctor", { concurrency: 2 }, () => {
  it("finds nothing wrong where the package is installed, asks no model and changes nothing", async (t) => {
    const world = await makeWorld(t, []);
    await installed(world);
    const before = await contents(world.root);
    const { code, checks, output } = await doctor(world, { LOOPBREAKER_TRACE: join(world.root, "trace"), API_KEY: "hunter2" });
    assert.equal(code, 0, output);
    assert.deepEqual(checks.map(({ name, status }) => [name, status]), [
      "program", "self-test", "node", "pi", "package", "extension", "guard", "configuration", "export", "access",
    ].map((name) => [name, "ok"]));
    const loaded = checks.find(({ name }) => name === "extension")?.found ?? [];
    assert.match(loaded[0] ?? "", /^Pi loads .*index\.js$/);
    assert.equal(loaded[1], "Loopbreaker is on, preset default. Refused: 0 in this prompt, 0 in this session.");
    assert.ok(!output.includes("hunter2") && !output.includes(world.home), output);
    assert.equal(world.model.requests.length, 0);
    assert.deepEqual(await contents(world.root), before);
    await assertNothingLeft(world);
  });

  it("names what Pi says when another extension keeps it from starting", async (t) => {
    const world = await makeWorld(t, []);
    await installed(world);
    await mkdir(join(world.agentDir, "extensions"), { recursive: true });
    await writeFile(join(world.agentDir, "extensions", "bad.js"), "export default () => { throw new Error('boom'); };");
    const { code, checks } = await doctor(world);
    assert.equal(code, 1);
    assert.deepEqual(failed(checks), ["extension"]);
    assert.match(checks.find(({ name }) => name === "extension")?.found.join() ?? "", /^pi does not start: .*bad\.js.*boom/);
    await assertNothingLeft(world);
  });

  it("names what keeps the extension from starting its guard", async (t) => {
    const world = await makeWorld(t, []);
    await installed(world);
    const { code, checks } = await doctor(world, { LOOPBREAKER_BINARY: "./loopbreaker" });
    assert.equal(code, 1);
    assert.deepEqual(failed(checks), ["extension", "guard"]);
    for (const name of failed(checks)) {
      assert.match(checks.find((check) => check.name === name)?.found.join() ?? "", /LOOPBREAKER_BINARY names \.\/loopbreaker, which is not an absolute path/);
    }
    await assertNothingLeft(world);
  });

  it("tells a package that is not installed, and one of another version", async (t) => {
    const world = await makeWorld(t, []);
    await onPath(world);
    const none = await doctor(world);
    assert.equal(none.code, 1);
    assert.deepEqual(failed(none.checks), ["package", "extension"]);

    const copy = join(world.root, "copy");
    await mkdir(copy);
    for (const name of await readdir(shimFolder)) {
      if (/\.(js|json)$/.test(name)) await cp(join(shimFolder, name), join(copy, name));
    }
    const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
    await writeFile(join(copy, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
    await installed(world, copy);
    const old = await doctor(world);
    assert.equal(old.code, 1);
    assert.deepEqual(failed(old.checks), ["package"]);
    await assertNothingLeft(world);
  });
});

/** @typedef {{ name: string, status: string, found: string[], advice?: string }} Finding */

/** @param {Finding[]} checks */
const failed = (checks) => checks.filter(({ status }) => status === "failed").map(({ name }) => name);

/**
 * Pi with the package, once started, so that what it makes for itself is there.
 *
 * @param {import("./world.js").World} world
 */
async function installed(world, folder = shimFolder) {
  await onPath(world);
  assert.equal((await runPi(world, ["install", folder])).code, 0);
  assert.equal((await runPi(world, ["--list-models"])).code, 0);
}

/** The folder of this world that has Pi and Node for the search path. @param {import("./world.js").World} world */
const path = (world) => join(world.root, "path");

/** @param {import("./world.js").World} world */
async function onPath(world) {
  await mkdir(path(world), { recursive: true });
  const file = join(path(world), "pi");
  await writeFile(file, `#!/bin/sh\nexec ${piCommand().map((word) => `'${word}'`).join(" ")} "$@"\n`);
  await chmod(file, 0o755);
}

/**
 * @param {import("./world.js").World} world
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number, output: string, checks: Finding[] }>}
 */
async function doctor(world, env) {
  const PATH = [path(world), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const { code, stdout, stderr } = await new Promise((resolve) => {
    const options = { cwd: world.project, env: world.env({ PATH, ...env }) };
    execFile(binary, ["doctor", "--json"], options, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
  assert.equal(stderr, "");
  return { code, output: stdout, checks: JSON.parse(stdout).checks };
}

/**
 * Every file below a folder, with its time.
 *
 * @param {string} folder
 */
async function contents(folder) {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(names.map(async (name) => {
    const info = await stat(join(folder, name));
    return [name, info.isDirectory() ? "" : info.mtimeMs];
  }));
}
