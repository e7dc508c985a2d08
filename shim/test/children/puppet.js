// A guard that does what each call tells it to (params.do, or params.input.do),
// so that a test says in its own place what goes wrong.

import { setImmediate as turn } from "node:timers/promises";
import { eachLine, hello, say } from "./lines.js";

/**
 * @typedef {object} Step one of these
 * @property {unknown} [answer]
 * @property {string} [write] text, with $ID for the id of the call
 * @property {string} [bytes] in hexadecimal
 * @property {number} [flood] so many letters x
 * @property {string} [log] to stderr
 * @property {true} [hold] answers when a SIGUSR2 comes
 * @property {true} [stop] as if by SIGSTOP
 * @property {number} [exit]
 * @property {true} [deaf] ends neither with its input nor by SIGTERM
 */

/** @type {number[]} */
const held = [];
process.on("SIGUSR2", () => {
  for (const id of held.splice(0)) say({ id, result: { late: true } });
});

/** The ids of the requests to run tools, which are answered by `write` or as they are cancelled. @type {Map<string, number>} */
const runs = new Map();

/** @type {Promise<unknown>} */
let busy = Promise.resolve();

await eachLine((line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { ...hello(1), pid: process.pid, params } });
  else if (method === "tool/run") runs.set(params.toolCallId, id);
  else if (method === "tool/cancel") say({ id: runs.get(params.toolCallId), result: { cancelled: params.toolCallId } });
  else if (method === "tool/call") busy = busy.then(() => perform(id, params.do ?? params.input.do));
  else if (id !== undefined) say({ id, result: {} });
});

/** @param {number} id @param {Step[]} steps */
async function perform(id, steps) {
  for (const step of steps) {
    const { answer, write, bytes, flood, log, hold, stop, exit, deaf } = step;
    if (answer !== undefined) say({ id, result: answer });
    if (write !== undefined) process.stdout.write(write.replaceAll("$ID", String(id)));
    if (bytes !== undefined) process.stdout.write(Buffer.from(bytes, "hex"));
    if (flood !== undefined) process.stdout.write("x".repeat(flood));
    if (log !== undefined) process.stderr.write(log);
    if (hold) held.push(id);
    if (stop) process.kill(process.pid, "SIGSTOP");
    if (exit !== undefined) process.exit(exit);
    if (deaf) {
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 60_000);
    }
    await turn();
  }
}
