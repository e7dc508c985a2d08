// The guard as a process: how soon it is there, how much it holds, how large it is.

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import * as events from "../../shim/events.js";
import { Pipe } from "./pipe.mjs";
import { resident } from "./system.mjs";
import { median, pause } from "./table.mjs";
import { code, keys, words } from "./text.mjs";

/** @typedef {import("./table.mjs").Row} Row @typedef {import("./table.mjs").Setup} Setup */

/** The first line that a host sends. */
export const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"bench"},"cwd":"/","agentDir":"/nonexistent"}}\n';

/** @param {Setup} setup @returns {Promise<Row[]>} */
export async function spawning({ peers, quick }) {
  /** @type {number[]} */
  const guard = [];
  /** @type {number[]} */
  const empty = [];
  for (let round = -2; round < (quick ? 10 : 100); round++) {
    const started = performance.now();
    const pipe = new Pipe(join(peers, "loopbreaker"), ["serve"]);
    await pipe.ask(HELLO);
    const answered = performance.now() - started;
    await pipe.close();
    const again = performance.now();
    const child = spawn(join(peers, "empty"), { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve) => child.once("exit", resolve));
    const ended = performance.now() - again;
    if (round < 0) continue;
    guard.push(answered);
    empty.push(ended);
  }
  const [a, b] = [median(guard), median(empty)];
  return [{ what: "spawn to answered initialize", than: "an empty program, spawn to exit", ratio: a / b, goal: 2, unit: "×", detail: `${a.toFixed(1)} and ${b.toFixed(1)} ms` }];
}

/** @param {Setup} setup @returns {Promise<Row[]>} */
export async function memory({ peers, quick }) {
  const many = quick ? 5000 : 100_000;
  const idle = new Pipe(join(peers, "idle"));
  const libraries = new Pipe(join(peers, "libraries"));
  const guard = new Pipe(join(peers, "loopbreaker"), ["serve"]);
  try {
    await guard.ask(HELLO);
    await libraries.ask(HELLO);
    await pause(300);
    const [bare, resting, floor] = [idle, guard, libraries].map(({ child }) => resident(child.pid));

    let n = 0;
    const tell = async (/** @type {number} */ until) => {
      while (n < until) await guard.ask(turn((n += 2), { command: `make test NUMBER=${n}` }, words(1500, n)));
      await pause(300);
      return resident(guard.child.pid);
    };
    // By then what Go sets up for each collection is there: the first two come late.
    const [early, warm, late] = [await tell(1000), await tell(5000), await tell(many)];

    let most = 0;
    for (let i = 0; i < 4; i++) {
      n += 2;
      await guard.ask(turn(n, i % 2 ? { path: "a", content: code(5_000_000, n) } : keys(5_000_000, n), code(5_000_000, n)));
      await pause(50);
      most = Math.max(most, resident(guard.child.pid));
    }
    return [
      { what: "resident memory, idle", than: "an idle program", ratio: resting / bare, goal: 3.5, unit: "×", detail: `${mib(resting)} and ${mib(bare)}; the libraries alone ${mib(floor)}` },
      { what: `  after ${many} events`, than: "after 1000", ratio: late / early, goal: 1.05, unit: "×", detail: `${mib(late)} and ${mib(early)}; after 5000 ${mib(warm)}` },
      { what: "  after calls of 5 MB", than: "", ratio: most / 1024, goal: 16, unit: "MiB" },
    ];
  } finally {
    await idle.close();
    await libraries.close();
    await guard.close();
  }
}

/** A turn with one call, as the extension tells of it. @param {number} n @param {unknown} input @param {string} text */
export function turn(n, input, text) {
  const toolCallId = `call_${n}`;
  const call = events.toolCall({ toolCallId, toolName: "bash" }, input);
  const result = events.toolResult({ toolCallId, isError: false, content: [{ type: "text", text }] });
  return (
    `{"jsonrpc":"2.0","method":"turn/start","params":{}}\n` +
    `{"jsonrpc":"2.0","method":"tool/call","params":${call}}\n` +
    `{"jsonrpc":"2.0","method":"tool/result","params":${result}}\n` +
    `{"jsonrpc":"2.0","id":${n},"method":"turn/end","params":{}}\n`
  );
}

/** @param {number} kib */
const mib = (kib) => `${(kib / 1024).toFixed(1)} MiB`;

/** @param {Setup} setup @returns {Promise<Row[]>} */
export async function binarySize({ peers }) {
  const [whole, floor] = ["loopbreaker", "libraries"].map((name) => statSync(join(peers, name)).size / 1e6);
  return [{ what: "the program, stripped", than: "", ratio: whole ?? NaN, goal: 9, unit: "MB", detail: `the libraries alone ${floor?.toFixed(1)} MB` }];
}
