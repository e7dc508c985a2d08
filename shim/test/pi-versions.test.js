// Other versions of Pi than the one that is pinned: the oldest that package.json
// claims, the newest there is, and some before the oldest. They come from the
// registry, so all but what is claimed is of the long form.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RAN, bash, oneByOne, times } from "./calls.js";
import { LONG } from "./faults.js";
import { Process, manifest } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, extension, makeWorld, repoFolder, shimFolder } from "./world.js";
import { tooOld } from "../sentences.js";

const run = promisify(execFile);
const PI = "@earendil-works/pi-coding-agent";

/** What shows that the guard does its work: loops of every kind, and nothing else; restarts, ends and faults. */
const CORE = ["default", "ends", "faults", "healthy", "loop", "resume", "streak", "text", "turns"];

/** One lacks what there was later when the extension registers, the other only does not do what a later one does. */
const TOO_OLD = ["0.74.0", "0.87.1"];

it("one version is claimed to be the oldest, wherever it is said", async () => {
  const oldest = await claimed();
  assert.ok(tooOld.includes(` Pi ${oldest} or later`), tooOld);
  const readme = await readFile(join(repoFolder, "README.md"), "utf8");
  assert.deepEqual([...readme.matchAll(/\bPi (\d+\.\d+\.\d+) or later/g)].map(([, version]) => version), [oldest]);
});

describe("with another version of Pi:", { skip: !LONG && "it is of the long form: scripts/soak" }, () => {
  it("the oldest that is claimed does all that the pinned one does", async (t) => {
    await passesCore(await install(t, await claimed()));
  });

  it("the newest does, too", async (t) => {
    const newest = await install(t, "latest");
    const { version } = await about(newest);
    t.diagnostic(`the newest Pi is ${version}${version === manifest.version ? ", the pinned one" : ""}`);
    if (version !== manifest.version) await passesCore(newest);
  });

  for (const version of TOO_OLD) {
    it(`${version} is told of in one sentence, and is as it is without the extension`, async (t) => {
      const folder = await install(t, version);
      const { bin } = await about(folder);
      const world = await makeWorld(t, oneByOne(times(9, () => bash(RAN))), { preset: "window" });
      const env = { LOOPBREAKER_BINARY: await world.child(binary) };
      const { code, stdout, stderr } = await new Process(world, [join(folder, bin.pi), "-p", "go", "-e", extension], { env }).ended;
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "Finished.\n", stderr: `${tooOld}\n` });
      assert.equal((await world.ran()).length, 9);
      assert.deepEqual(await world.childPids(), [], "no guard was started");
      await assertNothingLeft(world);
    });
  }
});

/** The oldest version of Pi that the package says it works with. */
async function claimed() {
  const { peerDependencies } = JSON.parse(await readFile(join(shimFolder, "package.json"), "utf8"));
  return /^>=(\d+\.\d+\.\d+)$/.exec(peerDependencies[PI])?.[1] ?? "";
}

/**
 * The folder of Pi's package in a folder of its own, which is gone after the test.
 *
 * @param {import("node:test").TestContext} t @param {string} version
 */
async function install(t, version) {
  const folder = await mkdtemp(join(tmpdir(), "loopbreaker-version-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await run("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error", `${PI}@${version}`]);
  return join(folder, "node_modules", PI);
}

/** @param {string} folder @returns {Promise<typeof manifest>} */
const about = async (folder) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/** @param {string} folder of Pi's package */
async function passesCore(folder) {
  const files = CORE.map((name) => fileURLToPath(new URL(`pi-${name}.test.js`, import.meta.url)));
  const { NODE_TEST_CONTEXT, LOOPBREAKER_TEST_LONG, ...env } = process.env; // it is a run of its own, of the short form
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", ...files], { env: { ...env, LOOPBREAKER_TEST_PI: folder } }).catch((error) => {
    throw new Error(error.stdout.split("\n").filter((/** @type {string} */ line) => /not ok|error:/.test(line)).join("\n"), { cause: error });
  });
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(stdout) ?? [];
  assert.ok(Number(passed) > 3 * CORE.length, `only ${passed} tests passed`);
}
