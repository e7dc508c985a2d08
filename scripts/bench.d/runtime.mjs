// What the settings of Go's runtime cost and give the guard: the evidence for those
// that main.go chooses. Each has a guard of its own, which are asked in turns.

import { join } from "node:path";
import { Pipe } from "./pipe.mjs";
import { HELLO, turn } from "./process.mjs";
import { resident, worked } from "./system.mjs";
import { median, pause, quantile } from "./table.mjs";
import { code, words } from "./text.mjs";

/** @type {[name: string, env: Record<string, string>][]} */
const SETTINGS = [
  ["as it is", {}],
  ["GOGC=100", { GOGC: "100" }],
  ["GOGC=50", { GOGC: "50" }],
  ["GOGC=25", { GOGC: "25" }],
  ["GOMEMLIMIT=16MiB", { GOMEMLIMIT: "16MiB" }],
  ["GOMEMLIMIT=3MiB", { GOMEMLIMIT: "3MiB" }],
  ["GOMAXPROCS=1", { GOMAXPROCS: "1" }],
];

/** @param {import("./table.mjs").Setup} setup */
export async function printRuntime({ peers, quick }) {
  const guards = SETTINGS.map(([name, env]) => ({
    name,
    pipe: new Pipe(join(peers, "loopbreaker"), ["serve"], { ...process.env, GOGC: undefined, ...env }),
    /** @type {number[]} */
    times: [],
    /** @type {number[]} */
    held: [],
    busy: 0,
  }));
  try {
    const ask = async (/** @type {number} */ from, /** @type {number} */ until) => {
      for (let n = from; n < until; n += 2) {
        const text = turn(n, { command: `make test NUMBER=${n}` }, words(1500, n));
        for (let i = 0; i < guards.length; i++) {
          const guard = guards[(i + n / 2) % guards.length];
          if (guard) guard.times.push(await guard.pipe.echo(text));
        }
      }
      await look();
    };
    const look = async () => {
      await pause(300);
      for (const guard of guards) guard.held.push(resident(guard.pipe.child.pid));
    };
    for (const { pipe } of guards) await pipe.ask(HELLO);
    await look();
    await ask(0, 1000);
    for (const guard of guards) [guard.times, guard.busy] = [[], worked(guard.pipe.child.pid)];
    await ask(1000, quick ? 2000 : 30_000);
    for (const guard of guards) guard.busy = (worked(guard.pipe.child.pid) - guard.busy) / guard.times.length;
    for (let n = 0; n < 4; n++) {
      const text = turn(1e6 + n, { path: "a", content: code(5_000_000, n) }, code(5_000_000, n));
      for (const { pipe } of guards) await pipe.ask(text);
    }
    await look();
  } finally {
    for (const { pipe } of guards) await pipe.close();
  }
  const mib = (/** @type {number} */ kib) => (kib / 1024).toFixed(1);
  console.log("\nSettings of Go's runtime: a turn with a call and a result, and MiB held idle,\nafter 1,000 and all events, and after calls of 5 MB:\n");
  console.log("                    p50 µs  p99 µs  processor µs    idle   1,000     all    5 MB");
  for (const { name, times, busy, held } of guards) {
    const figures = [median(times) * 1000, quantile(times, 0.99) * 1000, busy * 1e6].map((x, i) => x.toFixed(0).padStart([8, 8, 14][i] ?? 0));
    console.log(`${name.padEnd(18)}${figures.join("")}${held.map((kib) => mib(kib).padStart(8)).join("")}`);
  }
}
