import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as sentences from "./sentences.js";

// Pi as we find it: what it says of itself and of how it was started, and how its
// user is told something.

export const NAME = "loopbreaker";
const DEADLINE_MS = 250;
/** The guard reads no larger file with settings. */
const MAX_FILE = 1 << 20;

/** @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext */

/**
 * What may fail, and is then as good as absent: every touch of a session that has
 * gone throws, and so does looking for a file.
 *
 * @template T
 * @param {() => T} act
 */
export function attempt(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Whether the session is over. @param {ExtensionContext} ctx */
export const gone = (ctx) => attempt(() => ctx.mode) === undefined;

/** @param {unknown} value @returns {any[]} */
export const list = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value */
export const text = (value) => (typeof value === "string" ? value : undefined);

/** A text as part of a message. @param {string} text */
export const block = (text) => ({ type: /** @type {const} */ ("text"), text });

/**
 * Tells the user. Without a UI Pi drops notifications, so stderr takes them.
 *
 * @param {ExtensionContext} ctx
 * @param {string} sentence
 * @param {"info" | "warning"} kind
 */
export function tell(ctx, sentence, kind = "warning") {
  attempt(() => (ctx.hasUI ? ctx.ui.notify(sentence, kind) : process.stderr.write(`${sentence}\n`)));
}

/** Shows what an answer holds for the user. @param {ExtensionContext} ctx @param {import("./client.js").Answer} answer */
export function show(ctx, { notify, status }) {
  for (const sentence of list(notify)) if (text(sentence)) tell(ctx, sentence);
  if (typeof status === "string") attempt(() => ctx.hasUI && ctx.ui.setStatus(NAME, status || undefined));
}

/** What `initialize` says of the host. @param {ExtensionContext} ctx */
export function hello(ctx) {
  return {
    host: { name: "pi" },
    mode: ctx.mode,
    hasUI: ctx.hasUI,
    cwd: ctx.cwd,
    agentDir: agentDir(),
    projectTrusted: ctx.isProjectTrusted(),
    sessionId: ctx.sessionManager.getSessionId(),
  };
}

/** Pi's own function for it is out of reach, see index.js. */
const agentDir = () => process.env.PI_CODING_AGENT_DIR?.replace(/^~(?=\/|$)/, homedir()) || join(homedir(), ".pi", "agent");

/**
 * Whether the guard may have tools to offer. The model's first request then waits
 * for it; else Pi need not, for what else the guard says is of no use before a call.
 *
 * @param {ExtensionContext} ctx
 */
export function mayOfferTools(ctx) {
  const files = [join(agentDir(), "extensions"), join(ctx.cwd, ".pi", "extensions")].map((folder) => join(folder, `${NAME}.json`));
  return "LOOPBREAKER_FETCH_ENABLED" in process.env || files.some((file) => attempt(() => isSmall(file) && readFileSync(file, "utf8").includes("fetch")));
}

/** A project may have a link to a pipe or a device in the place of a file: to read that need not end. @param {string} file */
function isSmall(file) {
  const found = statSync(file);
  return found.isFile() && found.size <= MAX_FILE;
}

/** How long a call may wait, in milliseconds. @param {ExtensionContext} ctx */
export function deadline(ctx) {
  const value = process.env.LOOPBREAKER_DEADLINE_MS;
  if (!value) return DEADLINE_MS;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  tell(ctx, sentences.badDeadline(value, DEADLINE_MS));
  return DEADLINE_MS;
}
