// A small client for Pi's rpc mode.

import { startPi } from "./pi.js";

/**
 * @typedef {{type: string, [member: string]: any}} Command
 * @typedef {{type: string, [member: string]: any}} Message anything Pi writes
 * @typedef {{value: string} | {confirmed: boolean} | {cancelled: true}} Answer
 */

export class Rpc {
  /** @type {Message[]} everything Pi has written so far */
  messages = [];
  /** @type {(request: Message) => Answer | undefined} what the operator says to a dialog, if anything */
  onDialog = () => ({ cancelled: true });
  #sent = 0;
  #rest = "";
  #over = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {import("./world.js").World} world
   * @param {string[]} args
   * @param {import("./pi.js").RunOptions} [options]
   */
  constructor(world, args, options) {
    this.process = startPi(world, ["--mode", "rpc", ...args], options);
    this.process.child.stdout?.on("data", (text) => this.#read(text));
    const over = () => {
      this.#over = true;
      this.#wake();
    };
    this.process.ended.then(over, over);
  }

  /**
   * @param {Command} command
   * @returns {Promise<Message>} its response
   */
  async send(command) {
    const id = `command-${++this.#sent}`;
    this.#write({ ...command, id });
    const response = await this.wait((message) => message.type === "response" && message.id === id);
    if (!response.success) throw new Error(`${command.type}: ${response.error}${this.process.printed()}`);
    return response;
  }

  /**
   * Sends what a person types and waits until Pi has nothing left to do about it.
   *
   * @param {string} message
   */
  async prompt(message) {
    const from = this.messages.length;
    const { data } = await this.send({ type: "prompt", message });
    const started = data ? data.disposition === "started" : !message.startsWith("/"); // a Pi before 1.0 does not say
    if (started) await this.wait((message) => message.type === "agent_settled", from);
  }

  /**
   * The first message like this, of those from the given position on.
   *
   * @param {(message: Message) => boolean} wanted
   * @param {number} [from]
   * @returns {Promise<Message>}
   */
  wait(wanted, from = 0) {
    return new Promise((resolve, reject) => {
      let next = from;
      const look = () => {
        while (next < this.messages.length) {
          const message = this.messages[next++];
          if (!message || !wanted(message)) continue;
          this.#waiting.delete(look);
          return resolve(message);
        }
        if (!this.#over) return;
        this.#waiting.delete(look);
        reject(new Error(`Pi ended before it wrote what was awaited${this.process.printed()}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** What Pi showed its operator. */
  get notices() {
    return this.messages
      .filter((message) => message.type === "extension_ui_request" && message.method === "notify")
      .map((message) => String(message.message));
  }

  /** Every line that the guard has put into the operator's footer; "" took it away. */
  get statuses() {
    return this.messages
      .filter((message) => message.type === "extension_ui_request" && message.method === "setStatus" && message.statusKey === "loopbreaker")
      .map((message) => String(message.statusText ?? ""));
  }

  /**
   * Answers a dialog, where `onDialog` has not.
   *
   * @param {Message} dialog
   * @param {Answer} answer
   */
  answer(dialog, answer) {
    this.#write({ type: "extension_ui_response", id: dialog.id, ...answer });
  }

  /** Closes Pi's input, which asks it to end, and waits until it has. */
  end() {
    this.process.child.stdin?.end();
    return this.process.ended;
  }

  /** @param {object} record */
  #write(record) {
    this.process.child.stdin?.write(`${JSON.stringify(record)}\n`);
  }

  /** @param {string} text */
  #read(text) {
    const pieces = (this.#rest + text).split("\n");
    this.#rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      if (piece === "") continue;
      const message = JSON.parse(piece);
      this.messages.push(message);
      if (message.type === "extension_ui_request" && DIALOGS.has(message.method)) {
        const answer = this.onDialog(message);
        if (answer) this.answer(message, answer);
      }
    }
    this.#wake();
  }

  #wake() {
    for (const look of [...this.#waiting]) look();
  }
}

const DIALOGS = new Set(["select", "confirm", "input", "editor"]);
