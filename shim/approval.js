// Asks the operator what the guard wants to know before it decides on a call.

/** Node takes a longer time for none at all. */
const LONGEST_MS = 2 ** 31 - 1;
/** Timers of two clocks need not agree: an answer so close to the end is none. */
const SLACK_MS = 50;

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 * @typedef {{ id: string, title: string, message: string, timeoutMs?: number }} Question
 * @typedef {"approved" | "declined" | "timeout" | "aborted" | "unattended"} Verdict
 */

/** The question in a decision, if it holds one. @param {unknown} ask @returns {Question | undefined} */
export function question(ask) {
  const { id, title, message, timeoutMs } = /** @type {Record<string, unknown>} */ (ask ?? {});
  if (typeof id !== "string" || typeof title !== "string" || typeof message !== "string") return undefined;
  // Without a time the question stands until somebody answers, or the run ends.
  const limited = typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs < LONGEST_MS;
  return { id, title, message, timeoutMs: limited ? timeoutMs : undefined };
}

/**
 * Puts a question and waits for the answer. To Pi all is a no but a yes, and it
 * waits on where a host does not keep the time: so what a no was is told by our
 * own clock and signals.
 *
 * @param {ExtensionContext} ctx
 * @param {Question} question
 * @param {AbortSignal} closing ends the question, with the session
 * @returns {Promise<Verdict>}
 */
export async function put(ctx, { title, message, timeoutMs }, closing) {
  if (!ctx.hasUI) return "unattended";
  const ended = AbortSignal.any([closing, ...(ctx.signal ? [ctx.signal] : [])]);
  const late = new AbortController();
  // Not unref'd: while somebody thinks, Pi may have nothing else that keeps it going.
  const timer = setTimeout(() => late.abort(), timeoutMs ?? LONGEST_MS);
  const until = performance.now() + (timeoutMs ?? Infinity) - SLACK_MS;
  try {
    const yes = await ctx.ui.confirm(title, message, { timeout: timeoutMs, signal: AbortSignal.any([ended, late.signal]) });
    if (yes) return "approved";
    if (ended.aborted) return "aborted";
    return performance.now() >= until ? "timeout" : "declined";
  } catch {
    return "unattended"; // there is nothing to ask with
  } finally {
    clearTimeout(timer);
  }
}
