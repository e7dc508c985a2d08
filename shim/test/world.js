// A world of its own for every run of Pi: home, agent folder, project and temp
// folder, all below one temporary folder, and an environment that leads nowhere else.

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModel } from "./model.js";
import { kill, marked } from "./processes.js";

export const shimFolder = fileURLToPath(new URL("..", import.meta.url));
export const repoFolder = fileURLToPath(new URL("../..", import.meta.url));
export const extension = join(shimFolder, "index.js");

/**
 * The path of one of the extensions in extensions/.
 *
 * @param {string} name
 */
export const testExtension = (name) => fileURLToPath(new URL(`extensions/${name}.js`, import.meta.url));

/** Where the shim looks for the binary by itself in a clone. */
export const shippedBinary = join(shimFolder, "bin", "loopbreaker");
export const binary = process.env.LOOPBREAKER_TEST_BINARY ?? shippedBinary;

/**
 * @typedef {object} Entry one line of a session file
 * @property {string} type
 * @property {string} [id]
 * @property {string} [customType]
 * @property {any} [data]
 * @property {any} [message]
 *
 * @typedef {object} SessionFile
 * @property {string} path
 * @property {Entry[]} entries
 *
 * @typedef {object} WorldOptions
 * @property {string} [preset] that the guard goes by, where it is not its default
 * @property {boolean} [replays] whether its traces do, as all do unless a file with settings is changed behind the guard's back
 */

export class World {
  /** Every process started in this world carries this in its environment. */
  mark = randomUUID();
  /** @type {(() => unknown)[]} */
  #closing = [];

  /**
   * @param {string} root
   * @param {import("./model.js").Model} model
   * @param {WorldOptions} options
   */
  constructor(root, model, { preset, replays = true }) {
    this.root = root;
    this.model = model;
    this.preset = preset;
    this.replays = replays;
    this.home = join(root, "home");
    this.agentDir = join(root, "agent");
    this.project = join(root, "project");
    this.temp = join(root, "temp");
    /** What was said to every guard of this world, and what it answered. */
    this.trace = join(root, "trace.jsonl");
    /** One line for each start of a child made by `child()`. */
    this.pidFile = join(root, "pids");
  }

  /**
   * What Pi gets: nothing of the caller's environment but the search path and
   * the language, so that no key, proxy or setting of the developer leaks in.
   *
   * @param {NodeJS.ProcessEnv} [extra] a member that is undefined is left out
   * @returns {NodeJS.ProcessEnv}
   */
  env(extra = {}) {
    return {
      PATH: process.env.PATH,
      LANG: process.env.LANG,
      HOME: this.home,
      TMPDIR: this.temp,
      PI_OFFLINE: "1",
      PI_CODING_AGENT_DIR: this.agentDir,
      LOOPBREAKER_BINARY: binary,
      // A loaded machine must not turn a slow answer into a failed test; tests
      // about the deadline set their own.
      LOOPBREAKER_DEADLINE_MS: "5000",
      LOOPBREAKER_TEST_MARK: this.mark,
      LOOPBREAKER_PRESET: this.preset,
      LOOPBREAKER_TRACE: this.trace,
      ...extra,
    };
  }

  /** An empty project at the same path. */
  async resetProject() {
    await rm(this.project, { recursive: true, force: true });
    await mkdir(this.project);
  }

  /**
   * The lines that calls of `ran()` (see calls.js) have written: one for each
   * call that really ran.
   */
  async ran() {
    return lines(join(this.project, "ran.txt"));
  }

  /** Every session file, oldest first (their names begin with the time). */
  async sessions() {
    /** @type {SessionFile[]} */
    const files = [];
    const folder = join(this.agentDir, "sessions");
    const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
    for (const name of names.filter((name) => name.endsWith(".jsonl")).sort()) {
      const path = join(folder, name);
      files.push({ path, entries: (await lines(path)).map((line) => JSON.parse(line)) });
    }
    return files;
  }

  /** The entries of the only session there is. */
  async session() {
    const [only, ...others] = await this.sessions();
    if (!only || others.length > 0) throw new Error(`one session file expected, ${only ? others.length + 1 : 0} found`);
    return only.entries;
  }

  /**
   * A path that can be given as LOOPBREAKER_BINARY: it notes its process id and
   * then becomes the program named, which so keeps that id.
   *
   * @param {string} program
   * @param {string[]} args
   */
  async child(program, ...args) {
    const path = join(this.root, `child-${randomUUID()}`);
    const words = [program, ...args].map(quote).join(" ");
    await writeFile(path, `#!/bin/sh\necho $$ >> ${quote(this.pidFile)}\nexec ${words} "$@"\n`);
    await chmod(path, 0o755);
    return path;
  }

  /**
   * One of the fake children in children/, with this Node.
   *
   * @param {string} name
   */
  fakeChild(name) {
    return this.child(process.execPath, fileURLToPath(new URL(`children/${name}.js`, import.meta.url)));
  }

  /** The ids of the children started so far. */
  async childPids() {
    return (await lines(this.pidFile)).map(Number);
  }

  /**
   * Something to end before the world does; a failed test has not done it itself.
   *
   * @param {() => unknown} close
   */
  beforeDispose(close) {
    this.#closing.push(close);
  }

  async dispose() {
    for (const close of this.#closing) await close();
    for (const { pid } of await marked(this.mark)) kill(pid);
    await this.model.close();
    const replayed = this.replays ? await replay(this.trace) : "";
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
    if (replayed) throw new Error(`a trace of this test does not replay:\n${replayed}`);
  }
}

/** Replays a trace, if there is one: what differs now, or nothing. @param {string} path @returns {Promise<string>} */
function replay(path) {
  return new Promise((resolve) => {
    if (!existsSync(path)) return resolve("");
    execFile(binary, ["replay", "--json", path], { env: {} }, (error, _stdout, stderr) => resolve(error ? `${error.message}\n${stderr}` : ""));
  });
}

/**
 * A world that is gone, with its model, when the test has ended.
 *
 * @param {{ after(close: () => unknown): void }} t a test, or whatever else has an end
 * @param {import("./model.js").Script} script
 * @param {WorldOptions} [options]
 */
export async function makeWorld(t, script, options = {}) {
  // The real path: Pi shows its working folder resolved.
  const root = await realpath(await mkdtemp(join(tmpdir(), "loopbreaker-pi-")));
  const world = new World(root, await startModel(script), options);
  t.after(() => world.dispose());
  for (const folder of [world.home, world.agentDir, world.project, world.temp]) await mkdir(folder);
  const models = [{ id: "scripted", contextWindow: 1_000_000, maxTokens: 16_384 }];
  const local = { baseUrl: world.model.url, apiKey: "none", api: "openai-completions", models };
  await writeFile(join(world.agentDir, "models.json"), JSON.stringify({ providers: { local } }));
  const settings = { defaultProvider: "local", defaultModel: "scripted", retry: { enabled: false } };
  await writeFile(join(world.agentDir, "settings.json"), JSON.stringify(settings));
  return world;
}

/**
 * The lines of a file without the empty ones; none when there is no file.
 *
 * @param {string} path
 */
export async function lines(path) {
  if (!existsSync(path)) return [];
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
}

/** @param {string} word */
function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
