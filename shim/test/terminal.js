// Pi in a real terminal, inside a tmux of its own.

import { execFile, execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { BOUND_MS, piCommand } from "./pi.js";
import { extension } from "./world.js";

const run = promisify(execFile);

/** Whether there is a tmux at all; why not, as a reason to skip, when there is none. */
export const noTmux = (() => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return false;
  } catch {
    return "tmux is not installed";
  }
})();

export class Terminal {
  #world;
  #env;
  #columns;
  #rows;
  /** Where the shell in the terminal writes Pi's exit code. */
  #codeFile;

  /**
   * @param {import("./world.js").World} world
   * @param {NodeJS.ProcessEnv} [env]
   * @param {number} [columns]
   * @param {number} [rows]
   */
  constructor(world, env = {}, columns = 140, rows = 100) {
    this.#world = world;
    this.#columns = columns;
    this.#rows = rows;
    this.#env = world.env({ TERM: "xterm-256color", ...env });
    this.#codeFile = join(world.root, "exit-code");
    // It has ended by itself when Pi has quit.
    world.beforeDispose(() => this.#tmux("kill-server").catch(() => {}));
  }

  /**
   * One in which Pi waits for its first prompt, with the extension loaded.
   *
   * @param {import("./world.js").World} world
   * @param {NodeJS.ProcessEnv} [env]
   * @param {{ args?: string[], columns?: number, rows?: number }} [options] `args`: for Pi, beside the extension
   */
  static async open(world, env, { args = [], columns, rows } = {}) {
    const terminal = new Terminal(world, env, columns, rows);
    await terminal.start("-e", extension, ...args);
    await terminal.until("Pi's prompt", (screen) => screen.includes("[Extensions]") && screen.includes("scripted"));
    return terminal;
  }

  /** @param {string[]} args for Pi */
  async start(...args) {
    // Through a script: tmux would put the words together and split them again.
    const script = join(this.#world.root, "start.sh");
    const words = piCommand(...args).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    await writeFile(script, `${words.join(" ")}\necho $? > '${this.#codeFile}'\n`);
    // Pi looks at this option, and would warn of it.
    const option = ["start-server", ";", "set-option", "-g", "extended-keys", "on", ";"];
    await this.#tmux(...option, "new-session", "-d", "-x", String(this.#columns), "-y", String(this.#rows), "-c", this.#world.project, "/bin/sh", script);
  }

  /**
   * Types something, and no Enter.
   *
   * @param {string} text
   */
  keys(text) {
    return this.#tmux("send-keys", "-l", text);
  }

  /**
   * Presses a key, by the name that tmux has for it.
   *
   * @param {string} name
   */
  press(name) {
    return this.#tmux("send-keys", name);
  }

  /**
   * Types a line and presses Enter.
   *
   * @param {string} line
   */
  async type(line) {
    await this.keys(line);
    await this.press("Enter");
  }

  /**
   * Types a command with arguments and presses Enter, which would only complete
   * them as long as something is offered.
   *
   * @param {string} line
   */
  async command(line) {
    await this.keys(line);
    await this.until(`${line}, and nothing offered`, (screen) => screen.includes(line) && !screen.includes("→"));
    await this.type("");
  }

  screen() {
    return this.#tmux("capture-pane", "-p");
  }

  /** The screen with its colours (SGR sequences, which last from row to row) and all its blanks. */
  coloured() {
    return this.#tmux("capture-pane", "-p", "-e", "-N");
  }

  /**
   * Looks at the screen until it is as wanted. A terminal tells nobody that it
   * has changed, so this has to look again and again.
   *
   * @param {string} what is awaited, for the message when it does not come
   * @param {(screen: string) => boolean | Promise<boolean>} wanted
   */
  async until(what, wanted) {
    const end = performance.now() + BOUND_MS;
    for (;;) {
      const screen = await this.screen();
      if (await wanted(screen)) return screen;
      if (performance.now() > end) throw new Error(`not within ${BOUND_MS} ms: ${what}\n--- screen\n${screen}`);
      await pause(40);
    }
  }

  /**
   * The model has said its last word and Pi has stopped working on it.
   *
   * @param {string} lastWord
   */
  settled(lastWord) {
    return this.until(lastWord, (screen) => screen.includes(lastWord) && !screen.includes("Working"));
  }

  /** Asks Pi to quit and waits for its exit code. */
  async quit() {
    await this.type("/quit");
    const end = performance.now() + BOUND_MS;
    for (;;) {
      const code = await readFile(this.#codeFile, "utf8").catch(() => "");
      if (code.endsWith("\n")) return Number(code);
      if (performance.now() > end) throw new Error(`Pi did not quit\n--- screen\n${await this.screen()}`);
      await pause(40);
    }
  }

  /** @param {string[]} args */
  async #tmux(...args) {
    const socket = join(this.#world.root, "tmux");
    const { stdout } = await run("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: this.#env });
    return stdout;
  }
}
