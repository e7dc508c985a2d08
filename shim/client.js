import { spawn } from "node:child_process";
import * as sentences from "./sentences.js";

// The guard's process and the conversation with it: JSON-RPC 2.0, one message a
// line. Nothing here throws or waits without end: whatever becomes of the guard,
// a call to it ends within its deadline, with an answer or without.

/** The protocol this package speaks. */
export const PROTOCOL = 1;

/** A guard that owes an answer for so long is taken for hung, and replaced. */
const HUNG_MS = 5000;
/** How long an ending guard may take before it is killed; an export may take a second of it. */
const GRACE_MS = 1500;
/** Pauses before restarts after failures in a row; the last one stays. */
const BACKOFF_MS = [0, 250, 1000, 5000, 30_000];
/** A guard that ran for so long did not fail in a row with the one before. */
const STEADY_MS = 60_000;
/** The longest line taken from the guard; its answers are a few KB. */
const MAX_LINE = 8 << 20;
const LAST_WORDS = 2048;
/** A tool that runs for so long is given up; the guard's own limits are far below. */
const RUN_MS = 900_000;

/**
 * @typedef {Record<string, unknown>} Answer the `result` of an answer
 * @typedef {(result: Answer | undefined, error?: { message?: unknown }) => void} Settle
 * @typedef {object} Setup
 * @property {string} path the guard's program
 * @property {string[]} args its arguments
 * @property {() => Record<string, unknown>} hello the params of `initialize`
 * @property {() => string | undefined} past the params of `session/restore`, if there is a past
 * @property {number} deadline how long a call may wait, in milliseconds
 * @property {(result: Answer) => void} greet takes what the guard says unasked: the answers to the two
 * @property {(sentence: string) => void} trouble tells the user, at most once
 * @property {(decision: Answer) => void} abort ends the run, as the guard demands unasked
 */

/** One guard for one session: started when needed, restarted when it fails. */
export class Client {
  #setup;
  /** @type {Connection | undefined} */
  #connection;
  #failures = 0;
  #retryAt = 0;
  #closed = false;
  #told = false;

  /** @param {Setup} setup */
  constructor(setup) {
    this.#setup = setup;
  }

  /** Starts the guard if it does not run and may be started. */
  open() {
    if (this.#connection || this.#closed || Date.now() < this.#retryAt) return this.#connection;
    try {
      this.#connection = new Connection(this.#setup, (failure) => this.#failed(failure));
    } catch (error) {
      this.#failed({ sentence: sentences.notRunning(sentences.cannotStart(String(error))), forGood: false, ranMs: 0 });
    }
    return this.#connection;
  }

  /** The guard that answers now: another one after each start. */
  get current() {
    return this.#connection;
  }

  /**
   * Asks the guard.
   *
   * @param {string} method
   * @param {string} params as JSON text
   * @param {AbortSignal | undefined} signal stops the waiting
   * @returns {Promise<Answer | undefined>} the result, or undefined where there is none in time
   */
  async call(method, params, signal) {
    const connection = this.open();
    // One late answer has cost one deadline; until it comes no call waits again.
    if (!connection || signal?.aborted) return undefined;
    if (connection.behind) {
      connection.missed = true;
      return undefined;
    }
    const { deadline } = this.#setup;
    return new Promise((resolve) => {
      let settled = false;
      const settle = (/** @type {Answer | undefined} */ result) => {
        settled = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
        resolve(result);
      };
      const aborted = () => settle(undefined);
      signal?.addEventListener("abort", aborted, { once: true });
      // After a look at what has come: if Pi itself was busy, the answer is there.
      const giveUp = () => {
        if (settled) return;
        connection.fallBehind(HUNG_MS);
        this.#tell(sentences.late(deadline));
        settle(undefined);
      };
      // Not unref'd: Pi in print mode would end while nothing else is awaited.
      const timer = setTimeout(() => setImmediate(giveUp), deadline);
      connection.request(method, params, settle);
    });
  }

  /**
   * Runs a tool of the guard, for as long as it takes. No call waits for it.
   *
   * @param {{ toolCallId: string }} params of `tool/run`
   * @param {AbortSignal | undefined} signal cancels it
   * @returns {Promise<{ result?: Answer, error?: unknown }>} an error is the guard's, in words
   */
  async run(params, signal) {
    const connection = this.open();
    if (!connection || signal?.aborted) return {};
    return new Promise((resolve) => {
      /** @type {Settle} */
      const settle = (result, error) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        resolve({ result, error: error?.message });
      };
      const cancel = () => {
        connection.notify("tool/cancel", JSON.stringify({ toolCallId: params.toolCallId }));
        settle(undefined);
      };
      // Not unref'd, as above.
      const timer = setTimeout(cancel, RUN_MS);
      signal?.addEventListener("abort", cancel, { once: true });
      connection.run(JSON.stringify(params), settle);
    });
  }

  /** Waits, at most as long as a call may, until the guard has said who it is. */
  async ready() {
    const connection = this.open();
    if (!connection || connection.greeted) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#setup.deadline, undefined);
      connection.onGreeted = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** Tells the guard, which answers nothing. @param {string} method @param {string} [params] as JSON text */
  tell(method, params = "{}") {
    this.open()?.notify(method, params);
  }

  /** Tells the guard of the past anew, for another branch of it is the present now. */
  restore() {
    if (this.#connection) this.#connection.restore();
    else this.open();
  }

  /** Ends the guard. Resolves when its process is gone. */
  async close() {
    this.#closed = true;
    await this.#connection?.end(GRACE_MS);
  }

  /** @param {Failure} failure */
  #failed({ sentence, forGood, ranMs }) {
    this.#connection = undefined;
    if (this.#closed) return;
    if (ranMs > STEADY_MS) this.#failures = 0;
    this.#retryAt = forGood ? Infinity : Date.now() + BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)];
    this.#failures++;
    this.#tell(sentence);
  }

  /** @param {string} sentence */
  #tell(sentence) {
    if (this.#told) return;
    this.#told = true;
    this.#setup.trouble(sentence);
  }
}

/** @typedef {{ sentence: string, forGood: boolean, ranMs: number }} Failure */

/** One process and what it was asked. */
class Connection {
  /** Whether an answer is overdue, and whether the guard was not asked for that reason. */
  behind = false;
  missed = false;
  /** Whether `initialize` was answered, or will not be; and who waits for that. */
  greeted = false;
  onGreeted = () => {};

  #setup;
  #onFailure;
  #startedAt = Date.now();
  #child;
  #lastId = 0;
  /** @type {Map<number, Settle>} */
  #pending = new Map();
  /** Tools on their way, which are no sign of a guard that is late. @type {Map<number, Settle>} */
  #running = new Map();
  #unread = "";
  #lastWords = "";
  #over = false;
  /** @type {Promise<void>} */
  #gone;
  /** @type {NodeJS.Timeout | undefined} */
  #hungTimer;

  /** @param {Setup} setup @param {(failure: Failure) => void} onFailure */
  constructor(setup, onFailure) {
    this.#setup = setup;
    this.#onFailure = onFailure;
    // First: once there is a child, nothing may throw.
    const hello = JSON.stringify(setup.hello());
    const past = setup.past();
    // stderr is read and kept off the terminal, which it would paint over.
    this.#child = spawn(setup.path, setup.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const { stdin, stdout, stderr } = this.#child;
    this.#gone = new Promise((resolve) => {
      this.#child.on("exit", () => {
        stdin.destroy(); // whoever inherited the other end sees it end
        resolve();
      });
      this.#child.on("error", (error) => {
        this.#fail(sentences.cannotStart(error.message));
        resolve();
      });
    });
    // "close" comes after "exit", when all that was written has been read.
    this.#child.on("close", (code, signal) => {
      this.#fail(sentences.ended(code, signal, this.#lastWords.trimEnd().split("\n").at(-1) ?? ""));
    });
    stdin.on("error", () => {}); // the process is gone, which "close" tells
    stdout.setEncoding("utf8").on("data", (text) => this.#read(text));
    stderr.setEncoding("utf8").on("data", (text) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    // Nothing of the guard keeps Pi alive; the timer around each wait does.
    this.#child.unref();
    for (const pipe of [stdin, stdout, stderr]) /** @type {import("node:net").Socket} */ (pipe).unref?.();
    this.request("initialize", hello, (result, error) => this.#greeted(result, error));
    if (past) this.restore(past);
  }

  /** @param {string} [past] */
  restore(past = this.#setup.past() ?? '{"events":[]}') {
    this.request("session/restore", past, (result) => result && this.#setup.greet(result));
  }

  /**
   * Sends a request. Those that follow `initialize` need not wait for its
   * answer: the guard answers in order, and refuses all if it refuses that.
   *
   * @param {string} method
   * @param {string} params as JSON text
   * @param {Settle} settle
   */
  request(method, params, settle) {
    if (this.#over) return settle(undefined);
    const id = ++this.#lastId;
    this.#pending.set(id, settle);
    this.#send(id, method, params);
  }

  /** @param {string} params of `tool/run`, as JSON text @param {Settle} settle */
  run(params, settle) {
    if (this.#over) return settle(undefined);
    const id = ++this.#lastId;
    this.#running.set(id, settle);
    this.#send(id, "tool/run", params);
  }

  /** @param {number} id @param {string} method @param {string} params */
  #send(id, method, params) {
    this.#child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
  }

  /** @param {string} method @param {string} params */
  notify(method, params) {
    if (!this.#over) this.#child.stdin.write(`{"jsonrpc":"2.0","method":"${method}","params":${params}}\n`);
  }

  /** @param {number} ms when to take the guard for hung */
  fallBehind(ms) {
    this.behind = true;
    this.#hungTimer ??= setTimeout(() => this.#fail(sentences.hung(ms)), ms).unref();
  }

  /** @param {number} graceMs */
  async end(graceMs) {
    if (this.#over) return;
    this.#over = true;
    this.#abandon();
    if (this.behind) this.#child.kill("SIGKILL"); // it would not see its input end
    else this.#child.stdin.end();
    this.#child.ref(); // for this much it may keep Pi alive: what follows in Pi waits for it
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
    await this.#gone;
    clearTimeout(timer);
  }

  /** @param {Answer | undefined} result @param {{ message?: unknown }} [error] */
  #greeted(result, error) {
    this.greeted = true;
    try {
      this.#greet(result, error);
    } finally {
      this.onGreeted();
    }
  }

  /** @param {Answer | undefined} result @param {{ message?: unknown }} [error] */
  #greet(result, error) {
    if (this.#over) return;
    if (result?.protocol !== PROTOCOL) {
      return this.#fail(sentences.wrongProtocol(this.#setup.path, PROTOCOL, error?.message, result?.protocol), true);
    }
    this.#setup.greet(result);
  }

  /** @param {string} text */
  #read(text) {
    if (this.#over) return;
    const lines = text.split("\n");
    lines[0] = this.#unread + lines[0];
    this.#unread = lines.pop() ?? "";
    for (const line of lines) if (!this.#over) this.#answered(line);
    if (this.#unread.length > MAX_LINE) this.#fail(sentences.wroteRubbish(this.#unread));
  }

  /** @param {string} line */
  #answered(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      message = undefined;
    }
    if (message?.jsonrpc !== "2.0") return this.#fail(sentences.wroteRubbish(line));
    if (message.method === "host/abort") return this.#setup.abort(message.params ?? {});
    const settle = this.#pending.get(message.id) ?? this.#running.get(message.id);
    if (!settle) return; // an answer given twice, or one to nobody
    if (!this.#running.delete(message.id) && this.#pending.delete(message.id) && this.#pending.size === 0) {
      this.behind = false;
      clearTimeout(this.#hungTimer);
      this.#hungTimer = undefined;
      if (this.missed) this.restore();
      this.missed = false;
    }
    const { result, error } = message;
    settle(typeof result === "object" && result !== null ? result : undefined, error ?? undefined);
  }

  /** Gives up on every answer that is due. */
  #abandon() {
    clearTimeout(this.#hungTimer);
    for (const waiting of [this.#pending, this.#running]) {
      for (const settle of waiting.values()) settle(undefined);
      waiting.clear();
    }
  }

  /** @param {string} why @param {boolean} [forGood] */
  #fail(why, forGood = false) {
    if (this.#over) return;
    this.#over = true;
    this.#abandon();
    this.#child.kill("SIGKILL");
    this.#onFailure({
      sentence: forGood ? why : sentences.notRunning(why),
      forGood,
      ranMs: Date.now() - this.#startedAt,
    });
  }
}
