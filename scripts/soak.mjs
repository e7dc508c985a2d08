// The soak: the long form of the tests, and then real Pi in rpc mode, a scripted
// model that works and gets stuck at random, and something that goes wrong with the
// guard every few seconds. Beside it another Pi does the same work with no guard and
// no faults: what that one grows by is not ours.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assertNothingLeft, marked } from "../shim/test/processes.js";
import { Random } from "../shim/test/random.js";
import { Rpc } from "../shim/test/rpc.js";
import { binary, extension, makeWorld } from "../shim/test/world.js";

const USAGE = `Usage: scripts/soak [MINUTES] [--seed N] [--work]

Runs the long form of the tests (with other versions of Pi, which npm fetches) and
a million events under each preset, then real Pi for so many MINUTES (default 10)
with random healthy work, random loops, and a fault of the guard every few seconds,
and beside it Pi without the guard. Prints what happened, the last line in short.
Ends by itself.

  --seed N  the same work and the same faults as before, as far as time allows
  --work    only the last part

Exit code: 0 fine, 1 something was lost, left or has grown, 2 wrong usage.
`;
const DEADLINE_MS = 1000;
/** How much more than without us the memory of Pi may grow from the second quarter of the time to the last, and how long it is new, and grows. */
const GROWTH = 1.25;
const NEW_MINUTES = 4;
/** How long each part of the long form may take. */
const PART_MS = 60 * 60_000;

/** @typedef {import("../shim/test/children/middleman.js").Fault} Fault */

const METHODS = [
  "initialize", "session/restore", "prompt", "turn/start", "turn/end", "tool/call", "tool/call", "tool/call", "tool/result", "tool/result",
  "tool/rejected", "message/end", "stream/delta", "command",
];

/** @param {Random} random @returns {Fault} */
function someFault(random) {
  /** @type {(() => Fault["harm"])[]} */
  const harms = [
    () => ({ signal: random.pick(/** @type {NodeJS.Signals[]} */ (["SIGKILL", "SIGKILL", "SIGTERM", "SIGSTOP", "SIGSEGV"])) }),
    () => ({ stopMs: 1 + random.below(3000) }),
    () => ({ lateMs: random.pick([1, 10, 100, 500, 1500, 3000, 10_000]) }),
    () => ({ exit: random.below(4) }),
    () => ({ write: random.pick(['{"jsonrpc":"2.0","id":$ID,"resu', "$ANSWER\n$ANSWER\n", "$ANSWER\nrubbish\n", "rubbish\n", '{"jsonrpc":"2.0","id":987654321,"result":{"block":true,"reason":"x"}}\n']) }),
    () => ({ bytes: "fffec3280a" }),
    () => ({ flood: random.pick([1 << 20, 20 << 20]) }),
    () => ({ log: "all is well\n".repeat(random.below(20_000)) }),
    () => ({ deaf: true }),
    () => ({ tell: true }),
  ];
  return { at: random.pick(METHODS), nth: 1 + random.below(3), when: random.pick(["before", "during", "after"]), harm: random.pick(harms)() };
}

/** What is counted. Those of `never` must stay 0. */
class Tally {
  seen = { sessions: 0, prompts: 0, requests: 0, calls: 0, refused: 0, endedRuns: 0, faults: 0, struck: 0, aborts: 0, guards: 0, troubles: 0, events: 0 };
  never = { lost: 0, wronglyRefused: 0, toldTwice: 0, promptsThatFailed: 0 };
  /** @type {string[]} */
  remarks = [];
}

/**
 * What the model does: one plan after another, of work where each call is another,
 * or of one call again and again.
 */
class Work {
  /** What was asked for and not yet seen to be answered, by id of the call. @type {Map<string, { token: RegExp, loop: boolean }>} */
  #open = new Map();
  #calls = 0;
  #left = 0;
  #loop = false;
  #stuckAt = 0;
  /** How long the longest turn of this and earlier prompts took, from a reply of the model to its next request. */
  longestMs = 0;
  #repliedAt = NaN;
  /** Whether the run was ended by us, so that calls of it may have no result. */
  aborted = false;

  /** @param {Random} random @param {Tally} tally */
  constructor(random, tally) {
    this.random = random;
    this.tally = tally;
  }

  /** A new prompt: what it will be. */
  begin() {
    this.#loop = this.random.chance(0.4);
    this.#left = this.#loop ? 4 + this.random.below(10) : 2 + this.random.below(8);
    this.#stuckAt = this.random.below(1000);
    this.aborted = false;
    this.#repliedAt = NaN;
    this.#open.clear();
  }

  /** @param {import("../shim/test/model.js").ChatRequest} request @returns {import("../shim/test/model.js").Reply} */
  reply({ messages }) {
    this.tally.seen.requests++;
    const now = performance.now();
    if (now - this.#repliedAt > this.longestMs) this.longestMs = now - this.#repliedAt;
    this.#repliedAt = now;
    this.check(messages);
    const last = JSON.stringify(messages.at(-1)?.content ?? "");
    if (this.#left-- <= 0 || last.includes("Call no tools now")) return { text: "Finished." };
    if (!this.#loop && this.random.chance(0.03)) {
      this.#left = 0; // it is cut off, and asked to go on without it
      return { text: "Let me see. ", endless: { as: "text", unit: "I will look at the file once more. ", times: 400 } };
    }
    const many = this.#loop ? 1 : 1 + this.random.below(3);
    return { text: this.random.pick([undefined, "I will look at it now."]), toolCalls: Array.from({ length: many }, () => this.#call()) };
  }

  #call() {
    const n = ++this.#calls;
    const id = `call-${n}`;
    this.tally.seen.calls++;
    const kind = this.#loop ? this.#stuckAt % 4 : this.random.below(6);
    const of = this.#loop ? `stuck${this.#stuckAt}` : `n${n}`;
    /** @type {[string, object, RegExp][]} */
    const kinds = [
      ["bash", { command: `echo token-${of}` }, new RegExp(`token-${of}\\b`)],
      ["write", { path: `${of}.txt`, content: `token-${of}` }, /Successfully wrote|Wrote|wrote/],
      ["bash", { command: `ls ./${of}` }, new RegExp(`${of}.*exited with code`, "s")],
      ["codemode", { code: `await tools.write({ path: "${of}.txt", content: "x" }); text("token-${of}")` }, new RegExp(`token-${of}\\b`)],
      [`nosuch_${of}`, {}, /not found/],
      ["read", { path: `${of}.txt` }, /ENOENT/],
    ];
    const [name, input, token] = /** @type {[string, object, RegExp]} */ (kinds[kind]);
    this.#open.set(id, { token, loop: this.#loop });
    return { id, name, arguments: input };
  }

  /** Each call of the last response has its result. @param {import("../shim/test/model.js").ChatMessage[]} messages */
  check(messages) {
    const { seen, never, remarks } = this.tally;
    const results = new Map(messages.filter(({ role }) => role === "tool").map(({ tool_call_id, content }) => [tool_call_id, typeof content === "string" ? content : JSON.stringify(content)]));
    for (const [id, { token, loop }] of this.#open) {
      const result = results.get(id);
      const refused = result !== undefined && /^(\[\{"type":"text","text":")?Loopbreaker (refused|has ended)/.test(result);
      if (refused) seen.refused++;
      if (refused && loop) continue;
      if (refused) never.wronglyRefused++, remarks.push(`refused: ${id}: ${result}`);
      else if (result === undefined || !token.test(result)) {
        if (this.aborted && (result === undefined || /abort/i.test(result))) continue;
        never.lost++, remarks.push(`lost: ${id}, ${token}: ${result}`);
      }
    }
    this.#open.clear();
  }
}

/** The memory of a process in KiB and how many files it has open. @param {number} pid */
function held(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { kib: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN), handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return undefined;
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const long = values.work || longForm();
  process.exitCode = await soak(Number(positionals[0] ?? "10"), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)));
  if (!long) {
    console.error("Not fine: the long form of the tests, above, was not passed");
    process.exitCode = 1;
  }
}

/** Passes the long form of the tests, and says whether all of it has. */
function longForm() {
  const run = (/** @type {string} */ program, /** @type {string[]} */ args, /** @type {Record<string, string>} */ env) => {
    console.log(`\n== ${args.join(" ")}`);
    return spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env }, timeout: PART_MS, killSignal: "SIGKILL" }).status === 0;
  };
  const tests = ["kinds", "nested", "ends", "many", "versions"].map((name) => `shim/test/pi-${name}.test.js`);
  const passed = [
    run(process.execPath, ["--test", "--test-reporter=spec", ...tests], { LOOPBREAKER_TEST_LONG: "1" }),
    run("go", ["test", "./bridge", "-v", "-run", "TestALongSession", "-timeout", "60m"], { LOOPBREAKER_TEST_EVENTS: "1000000" }),
  ];
  console.log("\n== random work, random faults");
  return passed.every(Boolean);
}

/** @param {number} minutes @param {number} seed */
async function soak(minutes, seed) {
  console.log(`seed ${seed}, ${minutes} minutes`);
  try {
    const [guarded, alone] = await Promise.all([work(minutes, seed, true), work(minutes, seed, false)]);
    const { seen, never, remarks } = guarded;
    for (const [name, n] of Object.entries({ ...seen, ...never })) console.log(`${name.padEnd(20)}${String(n).padStart(8)}`);
    console.log(`without the guard   ${alone.seen.prompts} prompts, ${alone.seen.calls} calls, ${alone.seen.events} events`);
    for (const [i, quarter] of guarded.quarters.entries()) {
      const other = alone.quarters[i] ?? [];
      console.log(`Pi, quarter ${i + 1}       ${middle(quarter).kib} KiB as a rule, ${most(quarter).kib} at most, ${most(quarter).handles} handles at most; without the guard ${middle(other).kib}, ${most(other).kib}, ${most(other).handles}`);
    }
    console.log(`guards              ${most(guarded.guards).kib} KiB at most, ${most(guarded.guards).handles} handles at most`);
    console.log(`longest turn        ${Math.round(guarded.longestMs)} ms, of which the guard may take ${DEADLINE_MS}; without it ${Math.round(alone.longestMs)}`);
    for (const remark of [...remarks, ...alone.remarks].slice(0, 20)) console.log(remark.slice(0, 500));

    const [ours, theirs] = [guarded, alone].map(({ quarters }) => [middle(quarters[1] ?? []), middle(quarters[3] ?? [])]);
    const [[early, late], [early2, late2]] = /** @type {[[Held, Held], [Held, Held]]} */ ([ours, theirs]);
    console.log(
      `In ${minutes} minutes: ${seen.events} events, ${seen.calls} calls, ${seen.struck} faults injected, ${seen.refused} refused, lost calls: ${never.lost}; ` +
        `Pi ${mib(early)} MiB early, ${mib(late)} at the end; without the guard ${mib(early2)}, ${mib(late2)}`,
    );
    for (const { code, stderr } of [guarded, alone]) assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    for (const counts of [never, alone.never]) assert.deepEqual(Object.values(counts), Object.values(counts).map(() => 0), "what must be 0 is not");
    assert.ok(late.handles <= early.handles + 2, "Pi has more handles open");
    if (minutes > NEW_MINUTES) assert.ok(late.kib / early.kib < (GROWTH * late2.kib) / early2.kib, "Pi's memory has grown");
    assert.ok(seen.struck > 0 && seen.refused > 0, "nothing went wrong or nothing was refused, so nothing is shown");
  } catch (error) {
    console.error(`Not fine: ${/** @type {Error} */ (error).message.slice(0, 5000)}`);
    return 1;
  }
  return 0;
}

/** @typedef {NonNullable<ReturnType<typeof held>>} Held */

/** @param {Held[]} held */
function most(held) {
  return { kib: Math.max(...held.map(({ kib }) => kib)), handles: Math.max(...held.map(({ handles }) => handles)) };
}

/** What is held as a rule. @param {Held[]} held */
function middle(held) {
  return { ...most(held), kib: held.map(({ kib }) => kib).sort((a, b) => a - b)[held.length >> 1] ?? NaN };
}

/** @param {Held} held */
function mib({ kib }) {
  return Math.round(kib / 1024);
}

/**
 * Has Pi at work until the time is over, with a guard that things go wrong with, or
 * with none.
 *
 * @param {number} minutes @param {number} seed @param {boolean} guarded
 */
async function work(minutes, seed, guarded) {
  const tally = new Tally();
  const { seen, never, remarks } = tally;
  const [random, fate] = [new Random(seed), new Random(seed + 1)];
  const work = new Work(random, tally);
  /** @type {(() => unknown)[]} */
  const closing = [];
  const world = await makeWorld({ after: (close) => closing.push(close) }, (request) => work.reply(request));
  const place = world.project;
  try {
    const middleman = await world.child(process.execPath, fileURLToPath(new URL("../shim/test/children/middleman.js", import.meta.url)), binary);
    const env = { LOOPBREAKER_BINARY: middleman, LOOPBREAKER_DEADLINE_MS: String(DEADLINE_MS) };
    const rpc = new Rpc(world, [...(guarded ? ["-e", extension] : []), "--tools", "+codemode"], { boundMs: minutes * 60_000 + 120_000, env });
    const pi = /** @type {number} */ (rpc.process.child.pid);
    const begun = performance.now();
    const end = begun + minutes * 60_000;
    const timers = guarded ? [
      setInterval(() => {
        if (!existsSync(`${place}.fault`)) seen.faults++;
        void writeFile(`${place}.fault`, JSON.stringify(someFault(fate)));
      }, 3000),
      setInterval(() => {
        if (!existsSync(`${place}.told`)) return;
        rmSync(`${place}.told`);
        seen.aborts++;
        work.aborted = true;
        void rpc.send({ type: "abort" }).catch(() => {});
      }, 10),
      setInterval(() => {
        console.log(`after ${Math.round((performance.now() - begun) / 60_000)} minutes: ${seen.prompts} prompts, ${seen.calls} calls, ${seen.refused} refused, ${seen.faults} faults, ${never.lost} lost`);
      }, 60_000),
    ] : [];
    closing.unshift(() => timers.forEach(clearInterval));
    /** @type {Held[]} */
    const guards = [];
    /** What Pi held between sessions, in each quarter of the time. @type {Held[][]} */
    const quarters = [[], [], [], []];
    while (performance.now() < end) {
      seen.sessions++;
      for (let prompts = 1 + random.below(4); prompts > 0; prompts--) {
        seen.prompts++;
        work.begin();
        await prompt(rpc, `Prompt ${seen.prompts}.`, tally);
        const command = random.chance(0.2) && random.pick(["/loopbreaker status", "/loopbreaker why", "/loopbreaker measures"]);
        if (guarded && command) await prompt(rpc, command, tally);
      }
      for (const { pid, command } of await marked(world.mark)) {
        const now = command.startsWith(binary) ? held(pid) : undefined;
        if (now) guards.push(now);
      }
      seen.endedRuns += rpc.notices.filter((notice) => notice.startsWith("Loopbreaker ended the run")).length;
      const troubles = rpc.notices.filter((notice) => /^Loopbreaker's guard (stopped|did not answer)/.test(notice)).length;
      seen.troubles += troubles;
      if (troubles > 1) never.toldTwice++, remarks.push(rpc.notices.join("\n"));
      const now = held(pi);
      if (now) quarters[Math.min(3, Math.floor((4 * (performance.now() - begun)) / (end - begun)))]?.push(now);
      seen.events += rpc.messages.length;
      rpc.messages = [];
      await rpc.send({ type: "new_session" });
    }
    const { code, stderr } = await rpc.end();
    await assertNothingLeft(world);
    seen.guards = (await world.childPids()).length;
    seen.struck = existsSync(`${place}.struck`) ? statSync(`${place}.struck`).size : 0;
    return { ...tally, guards, quarters, code, stderr, longestMs: work.longestMs };
  } finally {
    for (const close of closing) await close();
  }
}

/** Sends a prompt and waits until Pi has nothing left to do. @param {Rpc} rpc @param {string} message @param {Tally} tally */
async function prompt(rpc, message, { never, remarks }) {
  try {
    await rpc.prompt(message);
  } catch (error) {
    never.promptsThatFailed++;
    remarks.push(String(error).slice(0, 300));
  }
  for (let quiet = 0; quiet < 2; ) {
    const { data } = await rpc.send({ type: "get_state" });
    quiet = data.isStreaming ? 0 : quiet + 1;
    await pause(15);
  }
}

function readArguments() {
  try {
    const read = parseArgs({ allowPositionals: true, options: { seed: { type: "string" }, help: { type: "boolean", short: "h" }, work: { type: "boolean" } } });
    if (read.positionals.length > 1 || !(Number(read.positionals[0] ?? "1") > 0)) throw new Error("MINUTES is a number above 0");
    if (read.values.seed !== undefined && !Number.isInteger(Number(read.values.seed))) throw new Error("--seed is an integer");
    return read;
  } catch (error) {
    console.error(`scripts/soak: ${/** @type {Error} */ (error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
