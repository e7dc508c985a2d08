// Other extensions beside ours, loaded before and after it, and none of them good.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, said, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { extension, makeWorld, testExtension } from "./world.js";

/** How many calls the model makes if nobody stops it. */
const ENDURANCE = 25;
const REFUSED = /^Loopbreaker (refused|has ended)/;
const ORDERS = {
  "before ours": ["-e", testExtension("neighbour"), "-e", extension],
  "after ours": ["-e", extension, "-e", testExtension("neighbour")],
};

/**
 * @typedef {object} Seen
 * @property {string} order
 * @property {number} ran
 * @property {string[]} results what the model read, call by call
 * @property {string[]} told what Loopbreaker said
 * @property {number} requests
 */

/** @type {Record<string, (seen: Seen) => void>} */
const neighbours = {
  // To Pi both are a refusal: no call runs, and a model that goes on regardless is stopped.
  "refuses": (seen) => refused(seen, /^Not on a Monday\./),
  "throws on calls": (seen) => refused(seen, /^broken \d+/),
  "throws on all else": loops,
  // What the model wrote is the same, whatever another makes of it.
  "changes calls": loops,
  // A result with a counter in it shows something new, to whoever sees it so.
  "changes results": (seen) => (seen.order === "after ours" ? loops(seen) : assert.equal(seen.ran, ENDURANCE)),
  // An answer that has come meanwhile is not late.
  "holds Pi up": loops,
  "wakes the agent": (seen) => {
    loops(seen);
    assert.ok(seen.requests < 40, `${seen.requests} requests`);
  },
};

/** @param {Seen} seen @param {RegExp} byOther */
function refused({ ran, results, told }, byOther) {
  assert.equal(ran, 0);
  assert.match(results[0] ?? "", byOther);
  assert.ok(results.every((text) => byOther.test(text) || REFUSED.test(text)), results.join("\n"));
  assert.match(told.at(-1) ?? "", /^Loopbreaker ended the run/);
}

/** The loop is refused from the fifth call on, and its run ended. @param {Seen} seen */
function loops({ ran, results }) {
  assert.equal(ran, 4);
  assert.ok(results.slice(4).every((text) => REFUSED.test(text)) && results.length > 5, results.join("\n"));
}

describe("a loop beside another extension that", { concurrency: 2 }, () => {
  for (const [name, assertSeen] of Object.entries(neighbours)) {
    for (const [order, args] of Object.entries(ORDERS)) {
      it(`${name}, loaded ${order}`, async (t) => {
        const world = await makeWorld(t, ({ messages }, n) => {
          const asked = JSON.stringify(messages.at(-1)?.content ?? "").includes("Call no tools now");
          return asked || n >= ENDURANCE ? { text: "I am stuck." } : { toolCalls: [bash(RAN)] };
        });
        const { code, stderr } = await runPi(world, ["--mode", "json", "go", ...args], { env: { NEIGHBOUR: name, LOOPBREAKER_DEADLINE_MS: name === "holds Pi up" ? "1500" : "5000" } });
        assert.equal(code, 0, stderr);
        const results = toolResults(await world.session()).map(({ content }) => content.map((/** @type {any} */ part) => part.text).join("\n"));
        assertSeen({ order, ran: (await world.ran()).length, results, told: said(stderr), requests: world.model.requests.length });
        assert.ok(!/unhandled|Loopbreaker's guard/i.test(stderr), stderr);
        await assertNothingLeft(world);
      });
    }
  }
});
