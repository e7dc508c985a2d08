// /loopbreaker: what a person can ask of the guard, and tell it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, said, times } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

const PRESETS = ["default", "window", "streak", "turns", "measures", "risk"];

describe("/loopbreaker in print mode", { concurrency: 2 }, () => {
  it("answers on stderr, without asking the model", async (t) => {
    const world = await makeWorld(t, []);
    const commands = ["status", "", "why", "help", "nonsense", "status quo", "preset", "preset nonsense", "reset"];
    const run = await runPi(world, ["-p", ...commands.map((args) => `/loopbreaker ${args}`.trimEnd()), "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout, asked: world.model.requests.length }, { code: 0, stdout: "", asked: 0 });
    const status = "Loopbreaker is on, preset default. Refused: 0 in this prompt, 0 in this session.";
    const help = ["/loopbreaker status ", "/loopbreaker why ", "/loopbreaker measures ", "/loopbreaker off ", "/loopbreaker on ", "/loopbreaker reset ", "/loopbreaker preset P ", "/loopbreaker settings ", "/loopbreaker set S V ", "/loopbreaker help "];
    /** @type {string[]} what each line begins with */
    const expected = [
      status,
      status,
      "Loopbreaker has done nothing in this session.",
      ...help,
      ...["nonsense", "status quo", "preset"].flatMap((args) => [`Loopbreaker does not know "${args}".`, ...help]),
      'There is no preset "nonsense".',
      ...help,
      "Loopbreaker has forgotten all calls and counts.",
    ];
    const told = run.stderr.trimEnd().split("\n");
    assert.deepEqual(told.map((line, n) => line.slice(0, expected[n]?.length)), expected);
    const presets = told.find((line) => line.startsWith("/loopbreaker preset")) ?? "";
    for (const name of PRESETS) assert.ok(presets.includes(name), presets);
    await assertNothingLeft(world);
  });

  it("off lets a loop run, on guards again, and why tells what was done", async (t) => {
    const seven = oneByOne(times(7, () => bash(RAN)));
    const world = await makeWorld(t, [...seven, ...seven]);
    const words = ["/loopbreaker off", "go", "/loopbreaker status", "/loopbreaker on", "go", "/loopbreaker", "/loopbreaker why"];
    const run = await runPi(world, ["-p", ...words, "-e", extension]);
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "Finished.\n" });
    const told = run.stderr.trimEnd().split("\n");
    const off = "Loopbreaker is OFF: every call runs. /loopbreaker on switches it on.";
    assert.match(told.splice(3, 1)[0] ?? "", /^Loopbreaker ended the run: .* after 3 refusals\.$/);
    assert.deepEqual(told.slice(0, 5), [
      off,
      off,
      "Loopbreaker is on, preset default. Refused: 0 in this prompt, 0 in this session.",
      "Loopbreaker is on, preset default. Refused: 3 in this prompt, 3 in this session.",
      "What Loopbreaker did, the latest first:",
    ]);
    const [end, ...before] = told.slice(5);
    assert.match(end ?? "", /^- ended the run: 3 refusals in one prompt, the last of bash /);
    assert.deepEqual(before.map((line) => /^- (.*?): .*bash.* \(rule \w+, due from \d\)$/.exec(line)?.[1]), [...times(3, () => "refused a call"), ...times(2, () => "put a remark at a result")]);
    assert.equal((await world.ran()).length, 7 + 4);
    await assertNothingLeft(world);
  });

  it("says so when there is no guard", async (t) => {
    const world = await makeWorld(t, []);
    const env = { LOOPBREAKER_BINARY: join(world.root, "nothing-here") };
    const run = await runPi(world, ["-p", "/loopbreaker status", "-e", extension], { env });
    assert.deepEqual({ code: run.code, stdout: run.stdout }, { code: 0, stdout: "" });
    const [missing, answer, ...others] = said(run.stderr);
    assert.match(missing ?? "", /LOOPBREAKER_BINARY/);
    assert.equal(answer, missing); // which is why
    assert.deepEqual(others, []);
    await assertNothingLeft(world);
  });
});

describe("/loopbreaker while a loop runs", { concurrency: 2 }, () => {
  it("off lets it run and shows so in the footer, and on guards again with an empty memory", async (t) => {
    const { rpc, world } = await loop(t, 17, { 5: "off", 10: "on" });
    await rpc.prompt("go");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 5 + 5 + 5);
    assert.deepEqual(rpc.statuses, ["loopbreaker OFF", "", "loopbreaker: 1 refused", "loopbreaker: 2 refused"]);
    assert.deepEqual(loopBroken(await world.session()).map(({ data }) => data.blockedSoFar), [1, 2]);
    await assertNothingLeft(world);
  });

  it("reset starts afresh, footer included", async (t) => {
    const { rpc, world } = await loop(t, 12, { 6: "reset" });
    await rpc.prompt("go");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 5 + 5);
    assert.deepEqual(rpc.statuses, ["loopbreaker: 1 refused", "", "loopbreaker: 1 refused"]);
    assert.deepEqual(loopBroken(await world.session()).map(({ data }) => data.blockedSoFar), [1, 1]);
    await assertNothingLeft(world);
  });

  it("preset goes by other rules from the next call on, with what is remembered", async (t) => {
    const { rpc, world } = await loop(t, 20, { 4: "preset streak" });
    await rpc.prompt("go");
    const asked = world.model.requests.length;
    await rpc.prompt("/loopbreaker why");
    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 4, "the fifth in a row is refused");
    assert.equal(asked, 4 + 3, "the third refusal has ended the run");
    assert.ok(rpc.notices.includes("Loopbreaker is on, preset streak. Refused: 0 in this prompt, 0 in this session."), rpc.notices.join("\n"));
    const why = rpc.notices.at(-1)?.split("\n") ?? [];
    assert.equal(why.length, 1 + 4, why.join("\n"));
    assert.match(why[1] ?? "", /^- ended the run: 3 refusals in one prompt, the last of bash \(rule refusals, due from 3\)$/);
    for (const line of why.slice(2)) assert.match(line, /^- refused a call: .* \(rule streak, due from 4\)$/);
    await assertNothingLeft(world);
  });
});

/**
 * A model that makes the same call so often, under the preset `window`, and an
 * operator who types a command while it thinks about the call of that number,
 * counted from 0.
 *
 * @param {import("node:test").TestContext} t
 * @param {number} calls
 * @param {Record<number, string>} commands
 */
async function loop(t, calls, commands) {
  /** @type {Rpc | undefined} */
  let rpc;
  const world = await makeWorld(t, async (_request, n) => {
    const args = commands[n];
    if (args) await rpc?.send({ type: "prompt", message: `/loopbreaker ${args}` });
    return n < calls ? { toolCalls: [bash(RAN)] } : { text: "Finished." };
  }, { preset: "window" });
  rpc = new Rpc(world, ["-e", extension]);
  return { rpc, world };
}
