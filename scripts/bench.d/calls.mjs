// What a call and a result cost the host, through the shipped extension and its
// guard: small ones against the bare pipe, large ones against a guard in JavaScript.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import loopbreaker from "../../shim/index.js";
import * as events from "../../shim/events.js";
import { Double } from "../../shim/test/double.js";
import { Pipe } from "./pipe.mjs";
import { median, quantile, us } from "./table.mjs";
import { code, keys, letters, words } from "./text.mjs";

/**
 * @typedef {object} Payload
 * @property {string} name
 * @property {"call" | "result"} event
 * @property {(n: number) => any} make an input, or a content
 * @property {number} goal
 */

/** What calls are mostly like. @type {Payload[]} */
const SMALL = [
  { name: "a command of 100 B", event: "call", goal: 1.7, make: (n) => ({ command: `cd /src && grep -rn 'func Parse${n}' --include='*.go' . | head -20`, timeout: 30 }) },
  { name: "an edit of 2 KB", event: "call", goal: 1.7, make: (n) => ({ path: `src/file${n}.js`, oldText: code(900, n), newText: code(1000, n + 1) }) },
  { name: "a result of 1.5 KB", event: "result", goal: 1.7, make: (n) => [{ type: "text", text: words(1500, n) }] },
  { name: "2 KB of many small keys", event: "call", goal: 2.3, make: (n) => keys(2000, n) },
];

const LARGE = [
  { name: "text", goals: [0.5, 0.3], make: code },
  { name: "text beyond Latin-1", goals: [0.5, 0.5], make: letters },
];

/** @param {import("./table.mjs").Setup} setup @returns {Promise<import("./table.mjs").Row[]>} */
export async function calls(setup) {
  const agentDir = mkdtempSync(join(tmpdir(), "loopbreaker-bench-"));
  process.env.LOOPBREAKER_BINARY = join(setup.peers, "loopbreaker");
  process.env.LOOPBREAKER_DEADLINE_MS = "60000";
  process.env.PI_CODING_AGENT_DIR = agentDir; // nobody's settings
  const pi = new Double(loopbreaker);
  const echo = new Pipe(join(setup.peers, "echo"));
  try {
    await pi.start();
    const session = new Session(pi);
    const rows = await small(session, echo, setup.quick ? 100 : 3000);
    rows.push(...(await large(session, setup.quick ? 5 : 40)));
    if (pi.notices.length + pi.errors.length > 0) throw new Error(`the guard did not just watch: ${JSON.stringify([pi.notices, pi.errors])}`);
    return rows;
  } finally {
    await pi.shutdown();
    await echo.close();
    rmSync(agentDir, { recursive: true });
  }
}

/** One session: calls and results follow each other as they do in life. */
class Session {
  #pi;
  #n = 0;

  /** @param {Double} pi */
  constructor(pi) {
    this.#pi = pi;
  }

  /** A number that makes the next payload another one. */
  get next() {
    return this.#n + 1;
  }

  /**
   * A turn with one call. Returns how long its call, or its result, was waited for.
   *
   * @param {"call" | "result"} event that carries the payload
   * @param {any} payload
   */
  async turn(event, payload) {
    const toolCallId = `call_${++this.#n}`;
    const toolName = event === "call" && payload.command ? "bash" : "lookup";
    const call = { toolCallId, toolName, input: event === "call" ? payload : { number: this.#n } };
    const result = { toolCallId, toolName, isError: false, content: event === "result" ? payload : [{ type: "text", text: `${this.#n} done` }] };
    await this.#pi.startTurn();
    await this.#pi.writeDelta("Let me look.");
    const [asked, ran] = [await this.#time("tool_call", call), await this.#time("tool_result", result)];
    await this.#pi.endTurn();
    return event === "call" ? asked : ran;
  }

  /** @param {string} type @param {object} event */
  async #time(type, event) {
    const [handler] = this.#pi.handlers(type);
    if (!handler) throw new Error(`no handler of ${type}`);
    const started = performance.now();
    const answer = await handler({ type, ...event }, this.#pi.ctx);
    const took = performance.now() - started;
    if (answer !== undefined) throw new Error(`not just watched: ${JSON.stringify(answer).slice(0, 300)}`);
    return took;
  }
}

/** @param {Session} session @param {Pipe} echo @param {number} rounds */
async function small(session, echo, rounds) {
  const times = SMALL.map(() => /** @type {{ guard: number[], echo: number[] }} */ ({ guard: [], echo: [] }));
  for (let round = -50; round < rounds; round++) {
    for (const [i, { event, make }] of SMALL.entries()) {
      const payload = make(session.next);
      const message = line(event, payload, session.next);
      const bare = round % 2 ? await awakeEcho(echo, message) : undefined;
      const guarded = await session.turn(event, payload);
      const floor = bare ?? (await awakeEcho(echo, message));
      if (round < 0) continue; // both warm up
      times[i]?.guard.push(guarded);
      times[i]?.echo.push(floor);
    }
  }
  return SMALL.flatMap(({ name, goal }, i) => {
    const { guard, echo: bare } = times[i] ?? { guard: [], echo: [] };
    return [
      [0.5, "p50", goal],
      [0.99, "p99", 1.75],
    ].map(([share, label, most]) => {
      const [a, b] = [quantile(guard, Number(share)), quantile(bare, Number(share))];
      return { what: `${name}, ${label}`, than: "echo of the same bytes", ratio: a / b, goal: Number(most), unit: "×", detail: `${us(a)} and ${us(b)}` };
    });
  });
}

/** Of a process that has just been spoken to, as a guard has when a call comes. @param {Pipe} echo @param {string} message */
async function awakeEcho(echo, message) {
  await echo.ask("{}\n");
  return echo.echo(message);
}

/** The line that the extension sends. @param {"call" | "result"} event @param {any} payload @param {number} n */
function line(event, payload, n) {
  const toolCallId = `call_${n}`;
  const params =
    event === "call" ? events.toolCall({ toolCallId, toolName: "lookup" }, payload) : events.toolResult({ toolCallId, isError: false, content: payload });
  return `{"jsonrpc":"2.0","id":${n},"method":"tool/${event}","params":${params}}\n`;
}

/** @param {Session} session @param {number} rounds */
async function large(session, rounds) {
  const rows = [];
  for (const [size, bytes] of /** @type {const} */ ([["100 KB", 100_000], ["1 MB", 1_000_000]])) {
    for (const { name, goals, make } of LARGE) {
      const goal = goals[size === "1 MB" ? 1 : 0] ?? NaN;
      rows.push(await against(session, `a call with ${size} of ${name}`, "call", (n) => ({ path: "a", content: make(bytes, n) }), rounds, goal));
      rows.push(await against(session, `a result of ${size} of ${name}`, "result", (n) => [{ type: "text", text: make(bytes, n) }], rounds, goal));
    }
  }
  rows.push(await against(session, "a call with 1 MB of many small keys", "call", (n) => keys(1_000_000, n), rounds, 1));
  return rows;
}

/**
 * @param {Session} session @param {string} what @param {"call" | "result"} event
 * @param {(n: number) => any} make @param {number} rounds @param {number} goal
 */
async function against(session, what, event, make, rounds, goal) {
  const inProcess = new InProcess();
  /** @type {number[]} */
  const guarded = [];
  /** @type {number[]} */
  const bare = [];
  for (let round = -2; round < rounds; round++) {
    // Each has its own copy, so that none finds the text flattened by the other.
    const [ours, theirs] = [make(session.next), make(session.next)];
    const first = round % 2 ? inProcess.time(theirs) : undefined;
    const a = await session.turn(event, ours);
    const b = first ?? inProcess.time(theirs);
    if (round < 0) continue;
    guarded.push(a);
    bare.push(b);
  }
  const [a, b] = [median(guarded), median(bare)];
  return { what, than: "a guard in JavaScript", ratio: a / b, goal, unit: "×", detail: `${us(a)} and ${us(b)}` };
}

/** What a guard within Pi does at the least: canonical JSON and its SHA-256. */
class InProcess {
  /** @type {string[]} */
  #window = [];

  /** @param {unknown} value */
  time(value) {
    const started = performance.now();
    const key = createHash("sha256").update(JSON.stringify(sorted(value))).digest("hex");
    const repeats = this.#window.filter((other) => other === key).length;
    this.#window = [...this.#window.slice(-19), key];
    if (repeats > 5) throw new Error("a loop");
    return performance.now() - started;
  }
}

/** @param {any} value @returns {unknown} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
