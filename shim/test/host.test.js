// What is looked at before the guard is waited for.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { folder } from "./guard.js";
import { shimFolder } from "./world.js";

it("a project's pipe in the place of its settings holds up nothing", { skip: process.platform === "win32" && "no pipes in folders" }, (t) => {
  const cwd = folder(t);
  const file = join(cwd, ".pi", "extensions", "loopbreaker.json");
  mkdirSync(join(file, ".."), { recursive: true });
  const waits = () => {
    const code = `import { mayOfferTools } from ${JSON.stringify(join(shimFolder, "host.js"))}; process.exitCode = mayOfferTools({ cwd: ${JSON.stringify(cwd)} }) ? 10 : 11;`;
    const env = { PI_CODING_AGENT_DIR: join(cwd, "agent") };
    // In a process of its own: one that reads a pipe sees no time run out.
    return spawnSync(process.execPath, ["--input-type=module", "-e", code], { env, timeout: 60_000 }).status;
  };
  writeFileSync(file, '{"fetch":{"enabled":true}}');
  assert.equal(waits(), 10);
  truncateSync(file, (1 << 20) + 1); // more than the guard reads
  assert.equal(waits(), 11);
  rmSync(file);
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  symlinkSync(join(cwd, "pipe"), file);
  assert.equal(waits(), 11);
});
