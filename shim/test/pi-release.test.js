// What scripts/release builds, and every way to get it into real Pi: npm (from a
// registry on this machine), git, a folder, -e; upgrades, removal, and what is said
// of an install that is not whole.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import { loopBroken } from "./calls.js";
import { until } from "./guard.js";
import { assertGuarded, assertUnguarded, ok, six } from "./installed.js";
import { piCommand } from "./pi.js";
import { assertNothingLeft, kill, marked } from "./processes.js";
import { startRegistry } from "./registry.js";
import { clone, platform, release } from "./release.js";
import { Rpc } from "./rpc.js";
import { makeWorld, repoFolder, shimFolder } from "./world.js";

/** @typedef {import("./world.js").World} World */

const execute = promisify(execFile);

const VERSION = JSON.parse(readFileSync(join(shimFolder, "package.json"), "utf8")).version;
const NEXT = VERSION.replace(/\d+$/, (/** @type {string} */ patch) => String(Number(patch) + 1));
const PROGRAM = process.platform === "win32" ? "loopbreaker.exe" : "loopbreaker";
const GITHUB = "github.com/loopbreaker/loopbreaker";

/** Where the program is found is what is tested; nothing else of the caller's gets in but Go's caches. */
const { GOCACHE, GOMODCACHE } = JSON.parse(execFileSync("go", ["env", "-json", "GOCACHE", "GOMODCACHE"], { encoding: "utf8" }));
const env = { LOOPBREAKER_BINARY: undefined, GOCACHE, GOMODCACHE, GOTOOLCHAIN: "local" };
/** What is installed from a registry needs to reach one, but no other host. */
const online = { ...env, PI_OFFLINE: undefined, PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };

const root = mkdtempSync(join(tmpdir(), "loopbreaker-release-test-"));
after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
/** Two builds of one version, made in two folders, and one of the next. */
const [dist, again, newer] = ["a/dist", "again", "b/c/dist"].map((name) => join(root, name));

before(async () => {
  const [a, b] = [await clone(join(root, "a")), await clone(join(root, "b", "c"))];
  await Promise.all([release(a, VERSION), release(b, VERSION)]);
  renameSync(newer, again);
  const changelog = join(b, "CHANGELOG.md");
  writeFileSync(changelog, readFileSync(changelog, "utf8").replace("\n## ", "\n## Unreleased\n\n- More.\n\n## "));
  await release(b, NEXT);
});

describe("a release", () => {
  it("has the same bytes wherever it is built", () => {
    const names = readdirSync(dist).sort();
    assert.deepEqual(names, ["SHA256SUMS", `loopbreaker-${platform}-${VERSION}.tgz`, "packages", `pi-loopbreaker-${VERSION}.tgz`, "sbom.cdx.json"]);
    for (const name of names.filter((name) => name !== "packages")) {
      assert.ok(readFileSync(join(dist, name)).equals(readFileSync(join(again, name))), `${name} differs`);
    }
  });

  it("has a checksum for everything in it", () => {
    for (const line of readFileSync(join(dist, "SHA256SUMS"), "utf8").trimEnd().split("\n")) {
      const [sum, name = ""] = line.split("  ");
      assert.equal(sum, createHash("sha256").update(readFileSync(join(dist, name))).digest("hex"), name);
    }
  });

  it("says in its SBOM what is linked into the program, and the hash of each tarball", async () => {
    const sbom = JSON.parse(readFileSync(join(dist, "sbom.cdx.json"), "utf8"));
    const program = join(dist, "packages", platform, "bin", PROGRAM);
    const { stdout } = await execute("go", ["version", "-m", program]);
    const linked = [...stdout.matchAll(/\tdep\t(\S+)\t(\S+)/g)].map(([, path, version]) => `pkg:golang/${path}@${version}`);
    assert.ok(linked.length > 5, stdout);
    const purl = `pkg:npm/%40loopbreaker/${platform}@${VERSION}`;
    const of = sbom.dependencies.find((/** @type {any} */ { ref }) => ref === purl);
    assert.deepEqual(of.dependsOn.filter((/** @type {string} */ ref) => !ref.startsWith("pkg:golang/std@")), linked.sort());
    const named = new Set([sbom.metadata.component, ...sbom.components].map((component) => component["bom-ref"]));
    for (const { ref, dependsOn } of sbom.dependencies) for (const each of [ref, ...dependsOn]) assert.ok(named.has(each), `${each} is no component`);
    const sums = readFileSync(join(dist, "SHA256SUMS"), "utf8");
    for (const { name, hashes } of [sbom.metadata.component, ...sbom.components.filter((/** @type {any} */ { type }) => type === "application")]) {
      assert.ok(sums.includes(hashes[0].content), `the hash of ${name}`);
    }
  });

  it("has one version everywhere", async () => {
    const { stdout } = await execute(join(newer, "packages", platform, "bin", PROGRAM), ["version"]);
    assert.match(stdout, new RegExp(`^loopbreaker ${NEXT.replaceAll(".", "\\.")} `));
    const manifest = JSON.parse(readFileSync(join(newer, "packages", "pi-loopbreaker", "package.json"), "utf8"));
    assert.deepEqual([...new Set([manifest.version, ...Object.values(manifest.optionalDependencies)])], [NEXT]);
    assert.equal(Object.keys(manifest.optionalDependencies).length, 6);
    assert.match(readFileSync(join(newer, "packages", "pi-loopbreaker", "CHANGELOG.md"), "utf8"), new RegExp(`^## ${NEXT}$`, "m"));
    const sources = join(newer, "..");
    assert.equal(JSON.parse(readFileSync(join(sources, "shim", "package-lock.json"), "utf8")).packages[""].version, NEXT);
  });

  it("needs no C library of the system", { skip: process.platform === "linux" ? false : "an ELF file is looked into" }, () => {
    const elf = readFileSync(join(dist, "packages", platform, "bin", PROGRAM));
    const [at, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)];
    const kinds = Array.from({ length: count }, (_, n) => elf.readUInt32LE(at + n * size));
    assert.ok(kinds.includes(1), "no program headers were read");
    assert.ok(!kinds.includes(3), "it asks for a dynamic linker");
  });

  it("is refused for a version that the changelog does not know, and nothing is written", async () => {
    const folder = join(root, "b", "c");
    const stamped = readFileSync(join(folder, "main.go"), "utf8");
    await assert.rejects(release(folder, "99.0.0"), /CHANGELOG\.md: no place for 99\.0\.0/);
    assert.ok(readFileSync(join(folder, "main.go"), "utf8") === stamped);
  });

  it("is published by hand only, from a workflow that tests first and says where it was built", () => {
    const { on, jobs, permissions } = parse(readFileSync(join(repoFolder, ".github", "workflows", "publish.yml"), "utf8"));
    assert.deepEqual(Object.keys(on), ["workflow_dispatch"]);
    assert.deepEqual(permissions, { contents: "read", "id-token": "write" });
    const steps = Object.values(jobs).flatMap((job) => job.steps.map((/** @type {any} */ step) => String(step.run ?? "")));
    const order = [/^scripts\/test$/m, /^scripts\/release /m, /npm publish .*--provenance/].map((wanted) => steps.findIndex((run) => wanted.test(run)));
    assert.ok(order.every((at, n) => at >= 0 && at > (order[n - 1] ?? -1)), `${order}`);
    for (const name of ["release", "release.mjs"]) assert.doesNotMatch(readFileSync(join(repoFolder, "scripts", name), "utf8"), /npm\W+publish/);
  });
});

describe("pi install npm:", { concurrency: 2 }, () => {
  it("guards, and pi remove leaves nothing behind", async (t) => {
    const { world, registry } = await npmWorld(t);
    const before = files(world);
    await ok(world, online, "install", "npm:pi-loopbreaker");
    assert.deepEqual(readdirSync(join(modules(world), "@loopbreaker")), [platform]);
    assert.deepEqual(registry.requests.filter((path) => path.endsWith(".tgz")).length, 2, "only this platform's program was fetched");
    await assertGuarded(world, [], env);
    const { stdout } = await execute(join(modules(world), ".bin", "pi-loopbreaker"), ["replay"], { env: world.env(env) });
    assert.match(stdout, /^(\{"name":"[a-z-]+",.*\}\n){6}$/, "the command line is installed with it");
    await ok(world, online, "remove", "npm:pi-loopbreaker");
    await assertUnguarded(world, [], env);
    assert.deepEqual(files(world), before);
  });

  it("--local guards one project, and pi remove leaves nothing behind", async (t) => {
    const { world } = await npmWorld(t);
    const before = files(world);
    await ok(world, online, "install", "--local", "--approve", "npm:pi-loopbreaker");
    await assertGuarded(world, ["--approve"], env);
    await ok(world, online, "remove", "--local", "--approve", "npm:pi-loopbreaker");
    assert.deepEqual(files(world), before);
  });

  it("is not needed for one run with pi -e npm:", async (t) => {
    const { world } = await npmWorld(t);
    await ok(world, online, "-e", "npm:pi-loopbreaker", "-p", "go");
    assert.equal(await refusals(world), 2);
    await assertUnguarded(world, [], env);
  });

  it("upgrades while a session is open, which stays guarded; the next has the new version", async (t) => {
    const { world, registry } = await npmWorld(t);
    await ok(world, online, "install", "npm:pi-loopbreaker");
    const trace = join(world.temp, "trace.jsonl");
    const rpc = new Rpc(world, [`--loop-trace=${trace}`], { env });
    await rpc.prompt("go");
    assert.equal(await refusals(world), 2);

    registry.publish(newer);
    await ok(world, online, "update", "--extensions");
    assert.equal(JSON.parse(readFileSync(join(modules(world), "pi-loopbreaker", "package.json"), "utf8")).version, NEXT);
    world.model.restart(six);
    await rpc.prompt("again");
    assert.equal(await refusals(world), 4, "the guard of then goes on");

    for (const { pid, command } of await marked(world.mark)) if (command.includes(" serve")) kill(pid);
    world.model.restart(six);
    await rpc.prompt("once more");
    await until(() => servers(trace).length > 1);
    world.model.restart(six);
    await rpc.prompt("and again");
    assert.deepEqual(servers(trace), [VERSION, NEXT], "a guard that takes over is the new one");
    assert.ok((await refusals(world)) >= 6);
    await rpc.end();

    world.model.restart(six);
    await assertGuarded(world, [`--loop-trace=${trace}`], env);
    assert.equal(servers(trace).at(-1), NEXT);
  });

  it("with --omit=optional says what is missing", async (t) => {
    const { world } = await npmWorld(t, "omit=optional\n");
    await ok(world, online, "install", "npm:pi-loopbreaker");
    await assertUnguarded(world, [], env,
      `Loopbreaker is not guarding: its program, the package @loopbreaker/${platform}, was not installed, as npm does with --omit=optional. Install again without that (see "npm config get omit"). Pi works on without it.`);
  });

  it("copied from another platform says so, and guards when installed again", async (t) => {
    const { world } = await npmWorld(t);
    await ok(world, online, "install", "npm:pi-loopbreaker");
    const other = platform === "darwin-arm64" ? "linux-x64" : "darwin-arm64";
    const scope = join(modules(world), "@loopbreaker");
    renameSync(join(scope, platform), join(scope, other)); // as npm would have it there
    await assertUnguarded(world, [], env,
      `Loopbreaker is not guarding: it was installed for ${other}, and this is ${platform}. On this machine remove it and install it again (pi remove, pi install). Pi works on without it.`);
    await ok(world, online, "remove", "npm:pi-loopbreaker");
    await ok(world, online, "install", "npm:pi-loopbreaker");
    await assertGuarded(world, [], env);
  });

  it("guards where nothing may be written, and says where a program may not be run", async (t) => {
    const { world } = await npmWorld(t);
    await ok(world, online, "install", "npm:pi-loopbreaker");
    const program = join(modules(world), "@loopbreaker", platform, "bin", PROGRAM);
    await readOnly(join(world.agentDir, "npm"), () => plainly(world, {}, async (run) => {
      assert.deepEqual([run.stderr, (await world.ran()).length], ["", 4]);
    }));
    chmodSync(program, 0o644);
    await assertUnguarded(world, [], env,
      `Loopbreaker is not guarding: ${program} may not be executed. Allow it (chmod +x), or install again where programs may run. Pi works on without it.`);
  });
});

describe("a clone", { concurrency: 2 }, () => {
  it("installed from git builds its program once, while Pi works, and pi remove leaves nothing behind", async (t) => {
    const world = await makeWorld(t, six);
    const before = files(world);
    await publishToGit(world);
    await ok(world, online, "install", `git:${GITHUB}`);
    const folder = join(world.agentDir, "git", GITHUB);
    const { gate, path } = gatedGo(world);

    const told = `Loopbreaker is building its program, once, with "go build" in ${folder}. Calls run unguarded until it is ready.`;
    const rpc = new Rpc(world, [], { env: { ...env, PATH: path } });
    await rpc.prompt("go");
    assert.deepEqual([(await world.ran()).length, rpc.notices], [6, [told]]);
    await rpc.prompt("/loopbreaker status");
    assert.equal(rpc.notices.at(-1), told);

    writeFileSync(gate, "");
    await rpc.wait((message) => message.message === "Loopbreaker is built, and guards from now on.");
    world.model.restart(six);
    await rpc.prompt("go");
    assert.equal(await refusals(world), 2);
    await rpc.end();
    assert.deepEqual(readdirSync(join(folder, "shim", "bin")), [PROGRAM]);
    await assertGuarded(world, [], env);

    await ok(world, online, "remove", `git:${GITHUB}`);
    assert.deepEqual(files(world), before);
  });

  it("installed as a folder stops building when the session ends", async (t) => {
    const world = await makeWorld(t, six);
    const folder = await clone(join(world.root, "clone"));
    await ok(world, env, "install", folder);
    const { path } = gatedGo(world);
    await assertUnguarded(world, [], { ...env, PATH: path },
      `Loopbreaker is building its program, once, with "go build" in ${folder}. Calls run unguarded until it is ready.`);
    assert.deepEqual(readdirSync(join(folder, "shim", "bin")), []);
  });

  it("says what is wrong where it cannot be built: no Go, no way to write, no sound sources", async (t) => {
    const world = await makeWorld(t, six);
    const folder = await clone(join(world.root, "clone"));
    await assertUnguarded(world, ["-e", folder], { ...env, PATH: only(world, "bash", "sh") },
      `Loopbreaker is not guarding: its program is not built yet, and there is no Go to build it with in ${folder}. Install Go 1.26 or later and start Pi again, or set LOOPBREAKER_BINARY. Pi works on without it.`);

    const bin = join(folder, "shim", "bin");
    await readOnly(folder, () => plainly(world, { args: ["-e", folder] }, (run) => {
      assert.match(run.stderr, /^Loopbreaker is not guarding: its program is not built yet, and (.*) cannot be written to \(EACCES\)\. Build it elsewhere \("go build -o FILE \." in (.*)\) and set LOOPBREAKER_BINARY to that file\. Pi works on without it\.\n$/);
      assert.ok(run.stderr.includes(` ${bin} cannot`) && run.stderr.includes(` in ${folder})`), run.stderr);
    }));

    writeFileSync(join(folder, "main.go"), "package main\n\nfunc main() { nothing() }\n");
    const rpc = new Rpc(world, ["-e", folder], { env });
    await rpc.wait((message) => message.message === `Loopbreaker is not guarding: its program could not be built with "go build" in ${folder}: ./main.go:3:15: undefined: nothing. Correct that and start Pi again. Pi works on without it.`);
    await rpc.end();
    assert.deepEqual(readdirSync(bin), []);
  });
});

/**
 * A world whose npm knows one registry, which has one release.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} [npmrc]
 */
async function npmWorld(t, npmrc = "") {
  const world = await makeWorld(t, six);
  const registry = await startRegistry(t);
  registry.publish(dist);
  writeFileSync(join(world.home, ".npmrc"), `registry=${registry.url}/\nupdate-notifier=false\n${npmrc}`);
  return { world, registry };
}

/** @param {World} world */
const modules = (world) => join(world.agentDir, "npm", "node_modules");

/**
 * The files in a world's folders that are this project's or speak of it, and its
 * folders, but for that of a scope, which npm leaves behind empty. Sessions are the
 * user's, and Node's cache of code is Pi's.
 *
 * @param {World} world
 */
function files(world) {
  const [sessions, cache] = [join(world.agentDir, "sessions"), join(world.temp, "node-compile-cache")];
  return [world.agentDir, world.project, world.temp].flatMap((folder) => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => {
      if (path.startsWith(sessions) || path.startsWith(cache) || path.endsWith(join("node_modules", "@loopbreaker"))) return false;
      return /loopbreaker/i.test(path.slice(world.root.length)) || (statSync(path).isFile() && /loopbreaker/i.test(readFileSync(path, "latin1")));
    });
  });
}

/** @param {World} world */
async function refusals(world) {
  return loopBroken((await world.sessions()).at(-1)?.entries ?? []).length;
}

/** The versions that guards gave, oldest first. @param {string} trace */
function servers(trace) {
  const lines = readFileSync(trace, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  return lines.filter(({ message }) => message.result?.server).map(({ message }) => message.result.server.version);
}

/** This tree as the repository that a git address leads to. @param {World} world */
async function publishToGit(world) {
  const folder = await clone(join(world.root, "origin"));
  const git = (/** @type {string[]} */ ...args) => execute("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: folder, env: world.env() });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=All");
  writeFileSync(join(world.home, ".gitconfig"), `[url "file://${folder}"]\n\tinsteadOf = https://${GITHUB}\n`);
}

/** A Go that waits until its gate is there. @param {World} world */
function gatedGo(world) {
  const [folder, gate] = [join(world.root, "path"), join(world.root, "gate")];
  mkdirSync(folder);
  const go = execFileSync("which", ["go"], { encoding: "utf8" }).trim();
  writeFileSync(join(folder, "go"), `#!/bin/sh\nwhile [ ! -e '${gate}' ]; do sleep 0.05; done\nexec '${go}' "$@"\n`, { mode: 0o755 });
  return { gate, path: [folder, process.env.PATH].join(delimiter) };
}

/** A search path with these programs and no others. @param {World} world @param {string[]} names */
function only(world, ...names) {
  const folder = join(world.root, "only");
  mkdirSync(folder);
  for (const name of names) symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  return folder;
}

/**
 * Lets nobody write below a folder for the time of something.
 *
 * @param {string} folder @param {() => Promise<unknown>} something
 */
async function readOnly(folder, something) {
  const paths = [folder, ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name))];
  for (const path of paths) chmodSync(path, statSync(path).mode & ~0o222);
  try {
    await something();
  } finally {
    for (const path of paths) chmodSync(path, statSync(path).mode | 0o200);
  }
}

/**
 * Runs Pi as one for whom the modes of files count, as they do not for root.
 *
 * @param {World} world @param {{ args?: string[] }} options
 * @param {(run: { stdout: string, stderr: string }) => unknown} check
 */
async function plainly(world, { args = [] }, check) {
  world.model.restart(six);
  const without = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  const [command = "", ...rest] = [...without, ...piCommand("-p", "go", ...args)];
  const run = execute(command, rest, { cwd: world.project, env: world.env(env) });
  run.child.stdin?.end();
  const { stdout, stderr } = await run;
  assert.equal(stdout, "Finished.\n", stderr);
  await assertNothingLeft(world);
  await check({ stdout, stderr });
}
