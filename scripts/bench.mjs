// The benchmark: one table of ratios against peers that do less. Machines are
// noisy, so what is compared runs in turns, and medians of many rounds count.

import { parseArgs } from "node:util";
import { calls } from "./bench.d/calls.mjs";
import { guard } from "./bench.d/guard.mjs";
import { startUp, stream } from "./bench.d/pi.mjs";
import { binarySize, memory, spawning } from "./bench.d/process.mjs";
import { replay } from "./bench.d/replay.mjs";
import { printRuntime } from "./bench.d/runtime.mjs";
import { printSizes } from "./bench.d/sizes.mjs";
import { printTable } from "./bench.d/table.mjs";

const USAGE = `Usage: scripts/bench [--quick] [--strict] [--only PART]... [--sessions FOLDER]
       scripts/bench --runtime [--quick]

Measures what the guard costs, each time against a peer that does less, in turns,
and prints a table: what, against what, the ratio, the goal, and whether it is met.

  --quick            few rounds and little data: a look at whether all of it works
  --strict           exit 1 where a goal is missed
  --only PART        ${"calls, guard, stream, process, pi, replay"} (repeatable)
  --sessions FOLDER  play these Pi sessions, not ones that are made up
  --runtime          compare settings of Go's runtime instead: the evidence for those
                     in main.go

Example:
  scripts/bench --only calls --only process
`;

/** @type {Record<string, (setup: import("./bench.d/table.mjs").Setup) => Promise<import("./bench.d/table.mjs").Row[]>>} */
const PARTS = {
  calls,
  stream,
  guard,
  process: async (setup) => [...(await spawning(setup)), ...(await memory(setup)), ...(await binarySize(setup))],
  pi: startUp,
  replay,
};

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: "boolean", default: false },
        strict: { type: "boolean", default: false },
        only: { type: "string", multiple: true, default: Object.keys(PARTS) },
        sessions: { type: "string" },
        runtime: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const unknown = values.only.find((part) => !(part in PARTS));
    if (unknown !== undefined) throw new Error(`there is no part ${unknown}`);
    return values;
  } catch (error) {
    console.error(`scripts/bench: ${/** @type {Error} */ (error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { quick, strict, only, sessions, runtime, help } = readArguments();
if (help) {
  process.stdout.write(USAGE);
} else {
  const peers = process.env.BENCH_PEERS;
  if (!peers) throw new Error("BENCH_PEERS is missing: start this with scripts/bench");
  if (runtime) {
    await printRuntime({ peers, quick });
    process.exit();
  }
  const rows = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!only.includes(name)) continue;
    process.stderr.write(`measuring: ${name}\n`);
    rows.push(...(await measure({ peers, quick, sessions })));
  }
  const missed = printTable(rows);
  if (only.includes("process")) printSizes({ peers, quick, sessions });
  if (strict && missed > 0) process.exitCode = 1;
}
