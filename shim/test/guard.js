// Guards for the unit tests: programs to be started, and a client that starts
// one and keeps what it says.

import { EventEmitter, once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "../client.js";

/** @typedef {import("node:test").TestContext} TestContext */

/** Generous: these tests are not about deadlines, unless they say so. */
export const PATIENT = 60_000;

/** The guard as built from this tree. */
export const real = { path: fileURLToPath(new URL("../bin/loopbreaker", import.meta.url)), args: ["serve"] };

/**
 * A fake guard from children/.
 *
 * @param {string} name
 */
export const fake = (name) => ({
  path: process.execPath,
  args: [fileURLToPath(new URL(`children/${name}.js`, import.meta.url))],
});

/**
 * A temporary folder that is gone after the test.
 *
 * @param {TestContext} t
 */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "loopbreaker-unit-"));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * Sets variables of the environment for the time of the test.
 *
 * @param {TestContext} t
 * @param {Record<string, string | undefined>} values
 */
export function environment(t, values) {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    setVariable(name, value);
    t.after(() => setVariable(name, before));
  }
}

/** @param {string} name @param {string | undefined} value */
function setVariable(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/**
 * The path of an executable that becomes this program, for LOOPBREAKER_BINARY.
 *
 * @param {TestContext} t
 * @param {{ path: string, args: string[] }} program
 */
export function executable(t, { path, args }) {
  const file = join(folder(t), "loopbreaker");
  writeFileSync(file, `#!/bin/sh\nexec ${[path, ...args].map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/**
 * A client of a program, closed after the test.
 *
 * @param {TestContext} t
 * @param {{ path: string, args: string[], deadline?: number, hello?: () => Record<string, unknown>, past?: () => string | undefined }} setup
 */
export function start(t, { path, args, deadline = PATIENT, hello = () => ({ protocol: 1 }), past = () => undefined }) {
  /** @type {string[]} */
  const told = [];
  /** @type {any[]} the answers to `initialize`, one for each guard that came up */
  const greetings = [];
  const events = new EventEmitter();
  const client = new Client({
    path,
    args,
    deadline,
    hello,
    past,
    greet: (answer) => {
      if (answer.protocol === undefined) return; // the answer to session/restore
      greetings.push(answer);
      events.emit("greeted");
    },
    trouble: (sentence) => {
      told.push(sentence);
      events.emit("told");
    },
    abort: () => {},
  });
  t.after(() => client.close());
  return {
    client,
    told,
    greetings,
    /** Starts the guard and waits until it has come up. */
    async up() {
      const greeted = once(events, "greeted");
      client.open();
      await held(greeted);
      return greetings.at(-1);
    },
    /** Waits until the user is told something. */
    async trouble() {
      if (told.length === 0) await held(once(events, "told"));
      return told[0] ?? "";
    },
    /**
     * Has the puppet do something.
     *
     * @param {import("./children/puppet.js").Step[]} steps
     * @param {AbortSignal} [signal]
     */
    act: (steps, signal) => client.call("tool/call", JSON.stringify({ do: steps }), signal),
    /** @param {string} toolName @param {unknown} input */
    ask: (toolName, input) => client.call("tool/call", JSON.stringify({ toolCallId: "1", toolName, input }), undefined),
  };
}

/**
 * Keeps this process going while it waits, which a client takes care not to do.
 *
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function held(promise) {
  return new Promise((resolve, reject) => {
    // An interval, for a test may have mocked the other timer.
    const timer = setInterval(() => reject(new Error("waited in vain")), PATIENT);
    promise.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/**
 * Waits for what no event tells, without a timer, which a test may have mocked.
 *
 * @template T
 * @param {() => T | Promise<T>} look
 * @returns {Promise<T>}
 */
export async function until(look) {
  const patience = performance.now() + PATIENT;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > patience) throw new Error(`never came true: ${look}`);
    await turn();
  }
}

/** @param {number} pid */
export function alive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // An orphan that has ended stays listed until the system has taken note.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return !existsSync("/proc/self/stat"); // it ended while we looked, or there is no /proc
  }
}
