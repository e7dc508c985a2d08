import { spawn } from "node:child_process";
import { attempt } from "./host.js";
import * as sentences from "./sentences.js";
import { lastLine } from "./text.js";

// One process of the guard, and what it was asked: JSON-RPC 2.0, one message a line.

/** The protocol this package speaks. */
const PROTOCOL = 1;

/** When to start a guard that nobody waits for: to start a process holds up one as large as Pi. */
const SOON_MS = 250;
/** A guard that owes an answer for so long is taken for hung, and replaced. */
const HUNG_MS = 5000;
/** How long an ending guard may take before it is killed; an export may take a second of it. */
const GRACE_MS = 1500;
/** The longest line taken from the guard; its answers are a few KB. */
const MAX_LINE = 8 << 20;
const LAST_WORDS = 2048;

/**
 * @typedef {Record<string, unknown>} Answer the `result` of an answer
 * @typedef {(result?: Answer, error?: { message?: unknown }) => void} Settle
 * @typedef {object} Setup
 * @property {string} path the guard's program
 * @property {string[]} args its arguments
 * @property {() => Record<string, unknown>} hello the params of `initialize`, but for the protocol
 * @property {() => string | undefined} past the params of `session/restore`, if there is a past
 * @property {(result: Answer) => void} greet takes what the guard says unasked: the answers to the two
 * @property {(decision: Answer) => void} abort ends the run, as the guard demands unasked
 */

export class Connection {
  /** Whether an answer is overdue, and whether the guard was not asked for that reason. */
  behind = false;
  missed = false;
  /** Resolves when `initialize` was answered, or will not be. */
  greeted;

  #setup;
  #onFailure;
  /** @type {import("node:child_process").ChildProcessWithoutNullStreams | undefined} */
  #child;
  /** Resolves when the process is gone. @type {Promise<void> | undefined} */
  #gone;
  /** What was said before there was a process. */
  #unsent = "";
  #unread = "";
  #lastWords = "";
  #lastId = 0;
  /** @type {Map<number, Settle>} */
  #pending = new Map();
  /** Requests whose answers are due at once; the others are tools on their way. @type {Set<number>} */
  #due = new Set();
  #over = false;
  /** @type {NodeJS.Timeout | undefined} */
  #hungTimer;
  #startTimer;

  /**
   * @param {Setup} setup
   * @param {(sentence: string, forGood: boolean) => void} onFailure called once, if it does not end by end()
   */
  constructor(setup, onFailure) {
    this.#setup = setup;
    this.#onFailure = onFailure;
    const hello = JSON.stringify({ protocol: PROTOCOL, ...setup.hello() });
    const past = setup.past();
    this.greeted = new Promise((/** @type {(value: void) => void} */ resolve) => {
      this.request("initialize", hello, (result, error) => {
        resolve();
        this.#introduced(result, error);
      });
    });
    if (past) this.restore(past);
    this.#startTimer = setTimeout(() => this.start(), SOON_MS).unref();
  }

  /** Starts the process, if that has not been done. */
  start() {
    if (this.#child || this.#over) return;
    clearTimeout(this.#startTimer);
    try {
      // stderr is read and kept off the terminal, which it would paint over.
      this.#attend(spawn(this.#setup.path, this.#setup.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true }));
    } catch (error) {
      this.#fail(sentences.cannotStart(String(error)));
    }
  }

  /** @param {import("node:child_process").ChildProcessWithoutNullStreams} child */
  #attend(child) {
    const { stdin, stdout, stderr } = (this.#child = child);
    this.#gone = new Promise((resolve) => {
      child.on("exit", () => {
        stdin.destroy(); // whoever inherited the other end sees it end
        resolve();
      });
      child.on("error", (error) => {
        this.#fail(sentences.cannotStart(error.message));
        resolve();
      });
    });
    // "close" comes after "exit", when all that was written has been read.
    child.on("close", (code, signal) => this.#fail(sentences.ended(code, signal, lastLine(this.#lastWords))));
    stdin.on("error", () => {}); // the process is gone, which "close" tells
    stdout.setEncoding("utf8").on("data", (text) => this.#read(text));
    stderr.setEncoding("utf8").on("data", (text) => (this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)));
    // Nothing of the guard keeps Pi alive; the timer around each wait does.
    child.unref();
    for (const pipe of [stdin, stdout, stderr]) /** @type {import("node:net").Socket} */ (pipe).unref?.();
    stdin.write(this.#unsent);
    this.#unsent = "";
  }

  /** Tells the guard of the past anew. @param {string} [past] */
  restore(past = this.#setup.past() ?? '{"events":[]}') {
    this.request("session/restore", past, (result) => result && this.#setup.greet(result));
  }

  /**
   * Sends a request. Those that follow `initialize` need not wait for its
   * answer: the guard answers in order, and refuses all if it refuses that.
   *
   * @param {string} method
   * @param {string} params as JSON text
   * @param {Settle} settle called once, without a result where there will be none
   * @param {boolean} [due] whether the guard is late if it does not answer soon
   */
  request(method, params, settle, due = true) {
    if (this.#over) return settle();
    const id = ++this.#lastId;
    this.#pending.set(id, settle);
    if (due) this.#due.add(id);
    this.#write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
  }

  /** @param {string} method @param {string} params as JSON text */
  notify(method, params) {
    if (!this.#over) this.#write(`{"jsonrpc":"2.0","method":"${method}","params":${params}}\n`);
  }

  /** @param {string} line */
  #write(line) {
    if (this.#child) this.#child.stdin.write(line);
    else this.#unsent += line;
  }

  /** An answer is overdue. */
  fallBehind() {
    this.behind = true;
    this.#hungTimer ??= setTimeout(() => this.#fail(sentences.hung(HUNG_MS)), HUNG_MS).unref();
  }

  /** Ends the guard. Resolves when its process is gone. */
  async end() {
    if (this.#over) return;
    this.#abandon();
    const child = this.#child;
    if (!child) return;
    if (this.behind) child.kill("SIGKILL"); // it would not see its input end
    else child.stdin.end();
    child.ref(); // for this much it may keep Pi alive: what follows in Pi waits for it
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  /** @param {Answer | undefined} result @param {{ message?: unknown }} [error] */
  #introduced(result, error) {
    if (this.#over) return;
    if (result?.protocol === PROTOCOL) this.#setup.greet(result);
    else this.#fail(sentences.wrongProtocol(this.#setup.path, PROTOCOL, error?.message, result?.protocol), true);
  }

  /** @param {string} text */
  #read(text) {
    const lines = text.split("\n");
    lines[0] = this.#unread + lines[0];
    this.#unread = lines.pop() ?? "";
    for (const line of lines) if (!this.#over) this.#answered(line);
    if (this.#unread.length > MAX_LINE) this.#fail(sentences.wroteRubbish(this.#unread));
  }

  /** @param {string} line */
  #answered(line) {
    const message = attempt(() => JSON.parse(line));
    if (message?.jsonrpc !== "2.0") return this.#fail(sentences.wroteRubbish(line));
    if (message.method === "host/abort") return this.#setup.abort(message.params ?? {});
    const { id, result, error } = message;
    const settle = this.#pending.get(id);
    if (!settle) return; // an answer given twice, or one to nobody
    this.#pending.delete(id);
    if (this.#due.delete(id) && this.#due.size === 0) this.#caughtUp();
    settle(typeof result === "object" && result !== null ? result : undefined, error ?? undefined);
  }

  #caughtUp() {
    this.behind = false;
    clearTimeout(this.#hungTimer);
    this.#hungTimer = undefined;
    if (this.missed) this.restore();
    this.missed = false;
  }

  /** Nothing more is said, and every answer that is due given up. */
  #abandon() {
    this.#over = true;
    clearTimeout(this.#startTimer);
    clearTimeout(this.#hungTimer);
    for (const settle of this.#pending.values()) settle();
    this.#pending.clear();
  }

  /** @param {string} why @param {boolean} [forGood] */
  #fail(why, forGood = false) {
    if (this.#over) return;
    this.#abandon();
    this.#child?.kill("SIGKILL");
    this.#onFailure(forGood ? why : sentences.notRunning(why), forGood);
  }
}
