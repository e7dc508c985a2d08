// One thing goes wrong, at each kind of message between Pi and the guard, and in
// every way. In real Pi, with the real guard: every call has its right result, the
// user is told at most once, and nothing is left, open or unhandled. The short form
// takes one moment of each kind, and one kind for each way.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEADLINE_MS, LONG, NO_FETCH, RESULTS, visitAll } from "./faults.js";
import { noAnswer } from "../sentences.js";

/**
 * @typedef {import("./faults.js").Case} Case
 * @typedef {import("./children/middleman.js").Fault} Fault
 * @typedef {import("./children/middleman.js").Harm} Harm
 */

/** Each kind of message that the shim sends, and which of that method stands for it. */
const REQUESTS = /** @type {[string, number][]} */ ([
  ["initialize", 1],
  ["session/restore", 1],
  ["tool/call", 2],
  ["tool/result", 1],
  ["tool/rejected", 1],
  ["message/end", 1], // of a response
  ["message/end", 2], // of a result that Pi wrote
  ["turn/end", 1],
  ["tool/run", 1],
  ["approval", 1],
  ["command", 1],
  ["settings", 1],
  ["settings/set", 1],
]);
const NOTIFICATIONS = /** @type {[string, number][]} */ ([
  ["prompt", 1],
  ["turn/start", 1],
  ["stream/delta", 1],
  ["tool/cancel", 1],
  ["compact", 1],
]);

/** @type {Fault["when"][]} */
const MOMENTS = LONG ? ["before", "during", "after"] : ["during"];
const KINDS = LONG ? ["tool/call", "tool/result", "turn/end"] : ["tool/call"];

/** The moments of a message. @param {Harm} harm @param {Omit<Case, "name" | "fault">} rest @returns {Case[]} */
const everywhere = (harm, rest) => [
  ...REQUESTS.flatMap(([at, nth]) => MOMENTS.map((when) => ({ at, nth, when, harm }))),
  ...NOTIFICATIONS.flatMap(([at, nth]) => MOMENTS.filter((when) => when !== "after").map((when) => ({ at, nth, when, harm }))),
].map((fault) => ({ name: `${fault.when} ${fault.at} ${fault.nth}`, fault, ...rest }));

/** @param {string} name @param {Harm} harm @param {Omit<Case, "name" | "fault">} rest @returns {Case[]} */
const anywhere = (name, harm, rest) => KINDS.map((at) => ({ name: `${name}, at ${at}`, fault: { at, when: "during", harm }, ...rest }));

const told = { notices: 1, replaced: true };
const nothing = { notices: 0 };
const LATE_MS = DEADLINE_MS + 500;
/** A request that nobody made has this id. */
const NOBODY = '{"jsonrpc":"2.0","id":987654321,"result":{"block":true,"reason":"nobody asked"}}\n';

/** @type {Record<string, Case[]>} */
const groups = {
  "killed": everywhere({ signal: "SIGKILL" }, told),
  "ended, slow or stopped": [
    ...anywhere("exits", { exit: 0 }, told),
    ...anywhere("exits with an error", { exit: 3 }, told),
    ...anywhere("terminated", { signal: "SIGTERM" }, told),
    ...[1, 10, 100, 1000].flatMap((ms) => anywhere(`slow by ${ms} ms`, { lateMs: ms }, nothing)),
    ...anywhere("slow by more than the deadline", { lateMs: LATE_MS }, { notices: 1 }),
    ...anywhere("stopped and soon continued", { stopMs: 500 }, nothing),
    ...anywhere("stopped and continued after the deadline", { stopMs: LATE_MS }, { notices: 1 }),
    ...anywhere("deaf", { deaf: true }, told),
  ],
  "writing what it should not": [
    ...anywhere("half a line, and gone", { write: '{"jsonrpc":"2.0","id":$ID,"resu', exit: 0 }, told),
    ...anywhere("half a line, and then its answer", { write: '{"jsonrpc":"2.0","id":$ID,"resu' }, told),
    ...anywhere("two lines of which one is rubbish", { write: "$ANSWER\nand more\n" }, told),
    ...anywhere("rubbish", { write: "rubbish\n" }, told),
    ...anywhere("invalid UTF-8", { bytes: "fffec3280a" }, told),
    ...anywhere("a line of 100 MB", { flood: 100 << 20 }, told),
    ...anywhere("an answer to nothing", { write: NOBODY }, nothing),
    ...anywhere("its answer twice", { write: "$ANSWER\n$ANSWER\n" }, nothing),
    ...anywhere("another answer after its own", { write: '$ANSWER\n{"jsonrpc":"2.0","id":$ID,"result":{"block":true,"reason":"no"}}\n' }, nothing),
    ...anywhere("much on stderr", { log: "all is well\n".repeat(100_000) }, nothing),
    ...anywhere("a blank line", { write: "\n" }, told),
  ],
  "the run is ended by the user": everywhere({ tell: true }, nothing).filter(({ fault }) => fault.when !== "after"),
};

describe("one thing goes wrong with the guard:", { concurrency: 2 }, () => {
  for (const [name, cases] of Object.entries(groups)) {
    it(`${name} (${cases.length} ways)`, async (t) => {
      const visits = await visitAll(t, cases);
      const wrong = cases.flatMap((one, i) => faultsOf(one, /** @type {import("./faults.js").Visit} */ (visits[i])));
      assert.deepEqual(wrong, []);
    });
  }
});

/**
 * What is not as it should be.
 *
 * @param {Case} one
 * @param {import("./faults.js").Visit} visit
 */
function faultsOf({ name, fault, notices, replaced = false }, visit) {
  /** @type {string[]} */
  const wrong = [];
  /** @param {boolean} right @param {string} what */
  const check = (right, what) => void (right || wrong.push(`${name}: ${what}`));
  if (visit.failed) return [`${name}: ${visit.failed}`];
  check(visit.struck, "nothing went wrong, so nothing is shown");
  check(visit.errors.length === 0, visit.errors.join("\n"));
  const warnings = visit.warnings.filter((sentence) => sentence !== noAnswer); // to a person who has just asked
  check(warnings.length === notices && warnings.every((sentence) => sentence.startsWith("Loopbreaker")), `told: ${JSON.stringify(warnings)}`);
  check(visit.pids.length === (replaced ? 2 : 1), `${visit.pids.length} guards`);
  const ended = fault.harm.tell === true;
  check(ended || visit.compacted === true, String(visit.compacted));
  const results = new Map(visit.results);
  for (const [id, expected] of Object.entries(RESULTS)) {
    const result = results.get(id);
    if (ended && id !== "again-0-0" && (result === undefined || /^(Operation|Command) aborted|cancelled|The run was ended/.test(result))) continue;
    const fetch = /^(go-1|wait)/.test(id) && notices > 0;
    check(result !== undefined && (expected.test(result) || (fetch && NO_FETCH.test(result))), `${id}: ${result?.slice(0, 300)}`);
  }
  check(ended || visit.results.length === Object.keys(RESULTS).length, `${visit.results.length} results`);
  return wrong;
}
