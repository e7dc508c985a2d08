// Plays fixtures through the shipped extension: it is registered against a
// double of Pi and asks the real guard. All fixtures are played in this one
// process, each on a fresh registration, so that state which leaks from one
// registration into the next changes a count and is seen.

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import loopbreaker from "../shim/index.js";
import { Double } from "../shim/test/double.js";
import { compare, loadFixture } from "../shim/test/fixture.js";

const USAGE = `Usage: scripts/replay [FILE...]

Plays fixtures through the shipped Pi extension, registered against a double of
Pi, and the guard built from this tree; all in one process, each fixture on a
fresh registration. Prints one JSON object a fixture: name, calls, blocked,
firstBlock, entries. What differs from its "expected" is said on stderr.
Without FILE it plays fixtures/*.json. (Traces are for \`loopbreaker replay\`.)

Exit code: 0 all as expected, 1 a mismatch or malformed evidence, 2 wrong usage.

Example:
  scripts/replay fixtures/runaway.json
`;

/**
 * @param {import("../shim/test/fixture.js").Fixture} fixture
 * @returns {Promise<{ outcome: import("../shim/test/fixture.js").Outcome, faults: string[] }>}
 */
async function play({ name, calls }) {
  const pi = new Double(loopbreaker);
  await pi.start();
  let blocked = 0;
  /** @type {number | null} */
  let firstBlock = null;
  for (const [i, { toolName, input }] of calls.entries()) {
    await pi.startTurn(); // a fixture does not say which calls came in one response
    if ((await pi.call(toolName, input)) === undefined) continue;
    blocked++;
    firstBlock ??= i + 1;
  }
  await pi.shutdown();
  // A guard that is late or fails would make any count right or wrong by chance.
  const troubles = pi.notices.map(({ sentence }) => sentence).filter((sentence) => !sentence.startsWith("Loopbreaker refused "));
  const faults = [...troubles, ...pi.errors];
  return { outcome: { name, calls: calls.length, blocked, firstBlock, entries: pi.entries.length }, faults };
}

/** @param {string} path */
async function replay(path) {
  /** @type {string[]} */
  let faults;
  try {
    const fixture = await loadFixture(path);
    const played = await play(fixture);
    console.log(JSON.stringify(played.outcome));
    faults = [...played.faults, ...compare(fixture, played.outcome)];
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  for (const fault of faults) console.error(`${path}: ${fault}`);
  return faults.length === 0;
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { help: { type: "boolean", short: "h" } } });
  } catch (error) {
    console.error(`scripts/replay: ${/** @type {Error} */ (error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** @param {string} path */
const inRepository = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(USAGE);
} else {
  process.env.LOOPBREAKER_BINARY = inRepository("shim/bin/loopbreaker");
  process.env.LOOPBREAKER_DEADLINE_MS = "60000"; // a busy machine is no reason to let a call pass
  process.env.PI_CODING_AGENT_DIR = inRepository("fixtures"); // nobody's settings
  const fixtures = relative("", inRepository("fixtures"));
  const paths = positionals.length > 0 ? positionals : readdirSync(fixtures).filter((name) => name.endsWith(".json")).sort().map((name) => join(fixtures, name));
  for (const path of paths) if (!(await replay(path))) process.exitCode = 1;
}
