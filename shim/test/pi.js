// Runs real Pi, with the Node that runs the tests: that of node_modules, or the
// one whose package is in the folder LOOPBREAKER_TEST_PI.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kill, marked } from "./processes.js";

/** How long Pi may take to end by itself. */
export const BOUND_MS = 60_000;

/** The folder of Pi's package. */
export const piFolder = process.env.LOOPBREAKER_TEST_PI ?? fileURLToPath(new URL("..", import.meta.resolve("@earendil-works/pi-coding-agent")));
/** What Pi's package.json says. @type {{ version: string, bin: { pi: string } }} */
export const manifest = JSON.parse(readFileSync(join(piFolder, "package.json"), "utf8"));
const cli = join(piFolder, manifest.bin.pi);

/**
 * @typedef {object} Run how a run of Pi ended
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 * @property {number} ms
 *
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] on top of the world's
 * @property {number} [boundMs] how long it may take to end by itself
 */

/** A Pi that is running, or any other Node program in a world. */
export class Process {
  stdout = "";
  stderr = "";
  /** @type {Promise<Run>} Rejects, with all that was printed, when the bound is over. */
  ended;
  #started = performance.now();

  /**
   * @param {import("./world.js").World} world
   * @param {string[]} args for Node
   * @param {RunOptions & {input?: boolean}} [options] `input`: keep stdin open
   */
  constructor(world, args, { env, input = false, boundMs = BOUND_MS } = {}) {
    this.child = spawn(process.execPath, args, {
      cwd: world.project,
      env: world.env(env),
      stdio: [input ? "pipe" : "ignore", "pipe", "pipe"],
    });
    world.beforeDispose(() => this.child.kill("SIGKILL"));
    this.child.stdout?.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(async () => {
        late = true;
        // The children too: one that holds Pi's output open would keep us waiting.
        for (const { pid } of await marked(world.mark)) kill(pid);
        this.child.kill("SIGKILL");
      }, boundMs);
      this.child.once("error", reject);
      // "close" and not "exit": it waits for the output, and for whoever else holds it.
      this.child.once("close", (code, signal) => {
        clearTimeout(timer);
        if (late) reject(new Error(`Pi did not end by itself within ${boundMs} ms${this.printed()}`));
        else resolve({ code, signal, stdout: this.stdout, stderr: this.stderr, ms: performance.now() - this.#started });
      });
    });
    // Whoever waits for it sees the rejection; nobody waiting is no reason to crash.
    this.ended.catch(() => {});
  }

  printed() {
    return `\n--- stdout\n${this.stdout}\n--- stderr\n${this.stderr}`;
  }
}

/**
 * Runs Pi with these arguments until it ends by itself. Any command of it:
 * `-p …`, `--mode json …`, `install …`.
 *
 * @param {import("./world.js").World} world
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runPi(world, args, options) {
  return new Process(world, [cli, ...args], options).ended;
}

/**
 * A Pi that reads commands from its input, for rpc.js.
 *
 * @param {import("./world.js").World} world
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function startPi(world, args, options) {
  return new Process(world, [cli, ...args], { ...options, input: true });
}

/**
 * The command line of Pi, for those who start it in another way (a terminal).
 *
 * @param {string[]} args
 */
export function piCommand(...args) {
  return [process.execPath, cli, ...args];
}

/**
 * The records of json and rpc mode. Split at line feeds only, as Pi's
 * documentation asks: other line separators may stand inside strings.
 *
 * @param {string} stdout
 * @returns {any[]}
 */
export function records(stdout) {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
