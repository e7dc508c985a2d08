// The command line that comes with the package.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { folder, real } from "./guard.js";
import { shimFolder } from "./world.js";

/** @param {string} cli @param {string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<{ code: unknown, stdout: string, stderr: string }>} */
function run(cli, args, env) {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
}

it("pi-loopbreaker runs the guard's program with all that it is given, and has its exit code", async () => {
  const cli = join(shimFolder, "cli.js");
  const env = { LOOPBREAKER_BINARY: real.path };
  assert.match((await run(cli, ["version"], env)).stdout, /^loopbreaker \d/);
  assert.equal((await run(cli, ["config", "--set", "streak.wran=1"], env)).code, 2);
  const missing = await run(cli, ["version"], { LOOPBREAKER_BINARY: "/nowhere" });
  assert.deepEqual({ code: missing.code, stdout: missing.stdout }, { code: 1, stdout: "" });
  assert.match(missing.stderr, /^Loopbreaker is not guarding: LOOPBREAKER_BINARY names \/nowhere, /);
});

it("pi-loopbreaker says in a clone how the program is built", async (t) => {
  const root = folder(t);
  cpSync(shimFolder, join(root, "shim"), { recursive: true, filter: (path) => !/node_modules|bin$|test$/.test(path) });
  writeFileSync(join(root, "go.mod"), "module github.com/loopbreaker/loopbreaker\n");
  const { code, stderr } = await run(join(root, "shim", "cli.js"), ["version"], {});
  assert.equal(code, 1);
  assert.ok(stderr.startsWith("Loopbreaker's program is not built yet: ") && stderr.includes(root), stderr);
});
