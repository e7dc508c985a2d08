// A program that answers lines with lines, spoken to without anything in between.

import { spawn } from "node:child_process";

export class Pipe {
  child;
  #answered = (/** @type {string} */ _line) => {};
  #unread = "";
  #gone;

  /** @param {string} path @param {string[]} args @param {NodeJS.ProcessEnv} env */
  constructor(path, args = [], env = process.env) {
    this.child = spawn(path, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#gone = new Promise((resolve) => this.child.once("close", resolve));
    this.child.stdout.setEncoding("utf8").on("data", (text) => {
      if (!text.endsWith("\n")) {
        this.#unread += text;
        return;
      }
      const line = this.#unread + text;
      this.#unread = "";
      this.#answered(line);
    });
  }

  /** Sends a line, or several, and waits until a line has ended. @param {string} text @returns {Promise<string>} */
  ask(text) {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.child.stdin.write(text);
    });
  }

  /** How long a line takes there and back, in milliseconds. @param {string} line */
  async echo(line) {
    const started = performance.now();
    await this.ask(line);
    return performance.now() - started;
  }

  async close() {
    this.child.stdin.end();
    await this.#gone;
  }
}
