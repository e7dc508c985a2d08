import { Connection } from "./connection.js";
import * as sentences from "./sentences.js";

// The guard of one session: started when needed, restarted when it fails. Nothing
// here throws or waits without end: whatever becomes of the guard, a call to it
// ends within its deadline, with an answer or without.

/** Pauses before restarts after failures in a row; the last one stays. */
const BACKOFF_MS = [0, 250, 1000, 5000, 30_000];
/** A guard that ran for so long did not fail in a row with the one before. */
const STEADY_MS = 60_000;
/** A tool that runs for so long is given up; the guard's own limits are far below. */
const RUN_MS = 900_000;

/**
 * @typedef {import("./connection.js").Answer} Answer
 * @typedef {import("./connection.js").Settle} Settle
 * @typedef {import("./connection.js").Setup & Own} Setup
 * @typedef {object} Own
 * @property {number} deadline how long a call may wait, in milliseconds
 * @property {(sentence: string) => void} trouble tells the user, at most once
 */

export class Client {
  #setup;
  /** @type {Connection | undefined} */
  #connection;
  #startedAt = 0;
  #failures = 0;
  #retryAt = 0;
  #closed = false;
  #told = false;

  /** @param {Setup} setup */
  constructor(setup) {
    this.#setup = setup;
  }

  /** Sees to it that there is a guard soon, if there may be one. */
  prepare() {
    if (this.#connection || this.#closed || Date.now() < this.#retryAt) return this.#connection;
    this.#startedAt = Date.now();
    try {
      this.#connection = new Connection(this.#setup, (sentence, forGood) => this.#failed(sentence, forGood));
    } catch (error) {
      this.#failed(sentences.notRunning(sentences.cannotStart(String(error))), false);
    }
    return this.#connection;
  }

  /** The same, at once. */
  open() {
    this.prepare()?.start();
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
    if (!connection || signal?.aborted) return undefined;
    // One late answer has cost one deadline; until it comes no call waits again.
    if (connection.behind) {
      connection.missed = true;
      return undefined;
    }
    const { deadline } = this.#setup;
    const { result } = await wait(deadline, signal, (settle) => connection.request(method, params, settle), (late) => {
      if (!late) return;
      connection.fallBehind();
      this.#tell(sentences.late(deadline));
    });
    return result;
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
    const begin = (/** @type {Settle} */ settle) => connection.request("tool/run", JSON.stringify(params), settle, false);
    const cancel = () => connection.notify("tool/cancel", JSON.stringify({ toolCallId: params.toolCallId }));
    const { result, error } = await wait(RUN_MS, signal, begin, cancel);
    return { result, error: error?.message };
  }

  /** Waits, at most as long as a call may, until the guard has said who it is. */
  async ready() {
    const connection = this.open();
    if (connection) await wait(this.#setup.deadline, undefined, (settle) => void connection.greeted.then(() => settle()));
  }

  /** Tells the guard, which answers nothing. @param {string} method @param {string} [params] as JSON text */
  tell(method, params = "{}") {
    this.prepare()?.notify(method, params);
  }

  /** Tells the guard of the past anew, for another branch of it is the present now. */
  restore() {
    if (this.#connection) this.#connection.restore();
    else this.prepare();
  }

  /** Ends the guard. Resolves when its process is gone. */
  async close() {
    this.#closed = true;
    await this.#connection?.end();
  }

  /** @param {string} sentence @param {boolean} forGood */
  #failed(sentence, forGood) {
    this.#connection = undefined;
    if (this.#closed) return;
    if (Date.now() - this.#startedAt > STEADY_MS) this.#failures = 0;
    this.#retryAt = forGood ? Infinity : Date.now() + (BACKOFF_MS[this.#failures] ?? BACKOFF_MS.at(-1) ?? 0);
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

/**
 * Waits for what `begin` settles, but no longer than the time and the signal allow.
 *
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @param {(settle: Settle) => void} begin
 * @param {(late: boolean) => void} [giveUp] called where it was not settled
 * @returns {Promise<{ result?: Answer, error?: { message?: unknown } }>}
 */
function wait(ms, signal, begin, giveUp) {
  return new Promise((resolve) => {
    let over = false;
    /** @type {Settle} */
    const settle = (result, error) => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      resolve({ result, error });
    };
    const stop = (/** @type {boolean} */ late) => {
      if (over) return;
      giveUp?.(late);
      settle();
    };
    const aborted = () => stop(false);
    signal?.addEventListener("abort", aborted, { once: true });
    // After a look at what has come: if Pi itself was busy, the answer is there.
    // Not unref'd: Pi in print mode would end while nothing else is awaited.
    const timer = setTimeout(() => setImmediate(stop, true), ms);
    begin(settle);
  });
}
