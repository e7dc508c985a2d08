// The real guard, with somebody in between who does it harm. What, and when, is
// in a file beside the folder that the session is in. Whoever finds it takes it, so
// that the guard which follows is well.
//
//   middleman.js PROGRAM ARGS   (PROGRAM: the real guard)

import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { eachLine } from "./lines.js";

/**
 * @typedef {object} Fault
 * @property {string} at the method of the message it comes with
 * @property {number} [nth] which message of that method, from 1
 * @property {"before" | "during" | "after"} when before the guard has the message, before its answer is passed on, or after that
 * @property {Harm} harm
 *
 * @typedef {object} Harm one of these
 * @property {NodeJS.Signals} [signal] to the middleman; the guard ends with it
 * @property {number} [stopMs] stops it for so long, as by SIGSTOP and SIGCONT
 * @property {number} [lateMs] passes on nothing for so long
 * @property {number} [exit]
 * @property {string} [write] text, with $ID for the id and $ANSWER for the answer
 * @property {string} [bytes] in hexadecimal
 * @property {number} [flood] so many letters x
 * @property {string} [log] to stderr
 * @property {true} [deaf] hears nothing from now on
 * @property {true} [tell] the host, which watches a file
 */

const guard = spawn(/** @type {string} */ (process.argv[2]), process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
guard.on("exit", (code) => process.exit(code ?? 1));
process.stdout.on("error", () => process.exit(0));
guard.stdin.on("error", () => {}); // it ends, which is seen above

/** @type {Fault | undefined} */
let fault;
let folder = "";
/** Messages of the method, since the fault was taken. */
let seen = 0;
/** The message that the fault comes with, while its answer is awaited. @type {{ id: number, fault: Fault } | undefined} */
let struck;
/** Lines go on in order, whatever one of them waits for. @type {Promise<unknown>} */
let down = Promise.resolve();
/** @type {Promise<unknown>} */
let up = Promise.resolve();

eachLine((line) => (down = down.then(() => fromHost(line))))
  .then(() => down)
  .then(() => guard.stdin.end())
  .catch(() => {}); // it is deaf

let rest = "";
guard.stdout.setEncoding("utf8").on("data", (text) => {
  const pieces = (rest + text).split("\n");
  rest = pieces.pop() ?? "";
  for (const piece of pieces) up = up.then(() => fromGuard(piece));
});

/** @param {string} line */
async function fromHost(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") begin(params.cwd);
  if (!fault) take();
  if (!fault || method !== fault.at || ++seen !== (fault.nth ?? 1)) return void guard.stdin.write(`${line}\n`);
  if (fault.when === "before") await strike(id);
  else struck = { id, fault };
  guard.stdin.write(`${line}\n`);
  if (id === undefined && struck) await strike(id); // nothing is answered
}

/** @param {string} line */
async function fromGuard(line) {
  const { id } = JSON.parse(line);
  const now = struck && id === struck.id ? struck.fault.when : undefined;
  if (now === "during" && (await strike(id, line))) return;
  await new Promise((done) => process.stdout.write(`${line}\n`, done));
  if (now === "after") await strike(id, line);
}

/** @param {string} cwd */
function begin(cwd) {
  folder = cwd;
  appendFileSync(`${cwd}.pids`, `${process.pid}\n`);
}

function take() {
  const taken = `${folder}.taken-${process.pid}`;
  try {
    renameSync(`${folder}.fault`, taken);
    fault = JSON.parse(readFileSync(taken, "utf8"));
    seen = 0;
  } catch {
    // There is none, or another has taken it.
  }
}

/** Does the harm of the fault, which then is over. @param {number} id @param {string} [answer] */
function strike(id, answer) {
  const { harm: done } = /** @type {Fault} */ (fault ?? struck?.fault);
  fault = struck = undefined;
  return harm(done, id, answer);
}

/**
 * @param {Harm} harm @param {number} id @param {string} answer
 * @returns {Promise<boolean>} whether the answer was written, or is not to be
 */
async function harm({ signal, stopMs, lateMs, exit, write, bytes, flood, log, deaf, tell }, id, answer = "") {
  appendFileSync(`${folder}.struck`, "1");
  if (signal) process.kill(process.pid, signal);
  if (stopMs) {
    spawn("/bin/sh", ["-c", `sleep ${stopMs / 1000}; kill -CONT ${process.pid}`], { stdio: "ignore", detached: true });
    process.kill(process.pid, "SIGSTOP");
  }
  if (lateMs) await pause(lateMs);
  if (exit !== undefined) process.exit(exit);
  if (log) process.stderr.write(log);
  if (bytes) process.stdout.write(Buffer.from(bytes, "hex"));
  if (flood) for (let left = flood; left > 0; left -= 1 << 20) await new Promise((done) => process.stdout.write("x".repeat(1 << 20), done));
  if (deaf) process.stdin.destroy();
  if (tell) appendFileSync(`${folder}.told`, "1");
  if (tell) await pause(200);
  if (write === undefined) return false;
  process.stdout.write(write.replaceAll("$ID", String(id)).replaceAll("$ANSWER", answer));
  return write.includes("$ANSWER");
}
