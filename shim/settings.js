import * as sentences from "./sentences.js";
import { cut, wrapped } from "./text.js";

// The settings to change while a session runs, as a view in Pi's terminal. What
// there is to set, what is allowed and what it says come from the guard, which
// also saves. It draws with what Pi hands in and imports no component of Pi's:
// from a clone that would be another copy of it, and from an installed package
// none at all.

/** How many rows are shown at once. */
const ROWS = 12;

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 * @typedef {import("@earendil-works/pi-coding-agent").Theme} Theme
 * @typedef {import("@earendil-works/pi-coding-agent").KeybindingsManager} Keys
 * @typedef {import("./client.js").Answer} Answer
 * @typedef {{ path: string, shown: string, from: string, value: unknown, choices?: unknown[], allowed: string, help: string }} Setting
 * @typedef {{ at: number, setting: Setting, reset: boolean }} Picked the setting of a row, which is to be changed or taken back
 */

/**
 * Shows the settings until the person has had enough.
 *
 * @param {ExtensionContext} ctx
 * @param {(method: string, params: string) => Promise<Answer | undefined>} ask
 */
export async function show(ctx, ask) {
  for (let at = 0, said = ""; ; ) {
    const answer = await ask("settings", "{}");
    if (!Array.isArray(answer?.settings)) return ctx.ui.notify(sentences.noAnswer, "warning");
    /** @type {Setting[]} */
    const settings = answer.settings;
    const picked = await ctx.ui.custom(
      /** @returns {import("@earendil-works/pi-tui").Component} */
      (tui, theme, keys, /** @type {(picked?: Picked) => void} */ done) => new List({ tui, theme, keys, settings, at, said, done }),
    );
    if (!picked) return;
    at = picked.at;
    const { setting } = picked;
    const change = picked.reset ? {} : await changed(ctx, setting);
    if (!change) continue;
    const saved = await ask("settings/set", JSON.stringify({ path: setting.path, ...change }));
    said = typeof saved?.text === "string" ? saved.text : sentences.noAnswer;
  }
}

/**
 * What a person wants a setting to be, if anything else: the other of two values,
 * or what is picked or typed.
 *
 * @param {ExtensionContext} ctx
 * @param {Setting} setting
 */
async function changed(ctx, { path, shown, value, choices, allowed, help }) {
  if (choices?.length === 2) return { value: choices[(choices.indexOf(value) + 1) % 2] };
  const title = sentences.settingTitle(path, shown, help);
  const wanted = choices
    ? await ctx.ui.select(title, choices.map(String))
    : await ctx.ui.input(`${title}\n${sentences.settingAllowed(allowed)}`);
  return wanted ? { value: wanted } : undefined;
}

/** A list of settings with one of them selected, for as long as none is picked. */
class List {
  #said;
  #at;
  #in;

  /** @param {{ tui: { requestRender(): void }, theme: Theme, keys: Keys, settings: Setting[], at: number, said: string, done: (picked?: Picked) => void }} given */
  constructor(given) {
    this.#in = given;
    this.#at = Math.min(given.at, given.settings.length - 1);
    this.#said = given.said;
  }

  /** @param {number} width */
  render(width) {
    const { theme, settings } = this.#in;
    const first = Math.max(0, Math.min(this.#at - (ROWS >> 1), settings.length - ROWS));
    const widest = (/** @type {"path" | "shown"} */ column) => Math.min(32, Math.max(...settings.map((setting) => setting[column].length)));
    const [paths, values] = [widest("path"), widest("shown")];
    const rows = settings.slice(first, first + ROWS).map(({ path, shown, from }, n) => {
      const selected = first + n === this.#at;
      const text = cut(`${path.padEnd(paths)}  ${cut(shown, values).padEnd(values)}  ${from}`, width - 2);
      return selected ? theme.fg("accent", `→ ${text}`) : `  ${text}`;
    });
    const { help = "", allowed = "" } = settings[this.#at] ?? {};
    const rest = settings.length > ROWS ? ` (${this.#at + 1}/${settings.length})` : "";
    return [
      theme.fg("accent", theme.bold(cut(sentences.settingsTitle + rest, width))),
      "",
      ...rows,
      "",
      ...[help, sentences.settingAllowed(allowed)].map((text) => theme.fg("muted", cut(text, width))),
      ...(this.#said ? ["", ...wrapped(this.#said, width).map((line) => theme.fg("warning", line))] : []),
      "",
      theme.fg("dim", cut(sentences.settingsKeys, width)),
    ];
  }

  /** @param {string} data */
  handleInput(data) {
    const { tui, keys, settings, done } = this.#in;
    const pressed = (/** @type {Parameters<Keys["matches"]>[1]} */ key) => keys.matches(data, key);
    const last = settings.length - 1;
    const setting = settings[this.#at];
    const reset = pressed("tui.editor.deleteCharBackward") || pressed("tui.editor.deleteCharForward");
    if (pressed("tui.select.cancel")) return done();
    if (setting && (reset || data === " " || pressed("tui.select.confirm"))) return done({ at: this.#at, setting, reset });
    if (pressed("tui.select.up")) this.#at = this.#at === 0 ? last : this.#at - 1;
    else if (pressed("tui.select.down")) this.#at = this.#at === last ? 0 : this.#at + 1;
    else if (pressed("tui.select.pageUp")) this.#at = Math.max(0, this.#at - ROWS);
    else if (pressed("tui.select.pageDown")) this.#at = Math.min(last, this.#at + ROWS);
    else return;
    this.#said = "";
    tui.requestRender();
  }

  invalidate() {}
}
