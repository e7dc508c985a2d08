// What the scripted model asks for, and what a refusal looks like afterwards.

/** Appends one line to the project's ran.txt: `world.ran()` counts the calls that ran. */
export const RAN = "echo ran >> ran.txt";

/**
 * @param {string} command
 * @returns {import("./model.js").ScriptedCall}
 */
export function bash(command) {
  return { name: "bash", arguments: { command } };
}

/**
 * Another call each time, each leaving its line.
 *
 * @param {number} n
 */
export function other(n) {
  return bash(`echo ${n} >> ran.txt`);
}

/**
 * One reply for each call, then a last word, so that the run ends by itself.
 *
 * @param {import("./model.js").ScriptedCall[]} calls
 * @returns {import("./model.js").Reply[]}
 */
export function oneByOne(calls) {
  return [...calls.map((call) => ({ toolCalls: [call] })), { text: "Finished." }];
}

/**
 * @template T
 * @param {number} n
 * @param {(n: number) => T} make
 */
export function times(n, make) {
  return Array.from({ length: n }, (_, index) => make(index));
}

/**
 * The telemetry entries of a session.
 *
 * @param {import("./world.js").Entry[]} entries
 */
export function loopBroken(entries) {
  return entries.filter((entry) => entry.type === "custom" && entry.customType === "loop_broken");
}

/**
 * The tool results of a session, in order.
 *
 * @param {import("./world.js").Entry[]} entries
 */
export function toolResults(entries) {
  return entries.filter((entry) => entry.message?.role === "toolResult").map((entry) => entry.message);
}

/** What the operator is told at the first refusal of a prompt. */
export const FIRST_REFUSAL = /^Loopbreaker refused a call of bash: /;

/**
 * What Loopbreaker said on stderr, where Pi has no other place to say it.
 *
 * @param {string} stderr
 */
export function said(stderr) {
  return stderr.split("\n").filter((line) => line.startsWith("Loopbreaker"));
}
