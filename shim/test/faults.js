// Sessions in which everything happens that a guard is told of (sdk/tour.js), and
// in each of them one thing goes wrong (children/middleman.js).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveFiles } from "./files.js";
import { BOUND_MS, Process } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { binary, extension, lines, makeWorld } from "./world.js";

/**
 * @typedef {import("./children/middleman.js").Fault} Fault
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {Fault} fault
 * @property {number} notices how many the user is shown
 * @property {boolean} [replaced] whether another guard takes over
 *
 * @typedef {object} Visit what became of a session
 * @property {string[]} warnings
 * @property {string[]} errors
 * @property {[string, string][]} results by call
 * @property {number} asked
 * @property {number} settings
 * @property {true | string} compacted
 * @property {boolean} ended
 * @property {string} [failed]
 * @property {number[]} pids the guards it had
 * @property {boolean} struck whether the fault was met
 */

/** Long enough for a busy machine; what is late is later than this. */
export const DEADLINE_MS = 4000;
/** The long form of the tests: scripts/soak. */
export const LONG = process.env.LOOPBREAKER_TEST_LONG === "1";
/** How many sessions are open at a time. */
const AT_ONCE = 6;

const ENV = {
  LOOPBREAKER_PRESET: "measures",
  LOOPBREAKER_MEASURES_LIMITS: "exact=2,cmd=null,net=null,sink=null,host=null",
  LOOPBREAKER_FETCH_ENABLED: "true",
  LOOPBREAKER_FETCH_ALLOW_PRIVATE_HOSTS: "127.0.0.1",
  LOOPBREAKER_DEADLINE_MS: String(DEADLINE_MS),
};

/**
 * Runs a session for each case, all in one process, and asserts what holds of all
 * of them: nothing is left, open or unhandled, and every trace replays.
 *
 * @param {{ after(close: () => unknown): void }} t
 * @param {Case[]} cases
 * @returns {Promise<Visit[]>}
 */
export async function visitAll(t, cases) {
  const server = await serveFiles(t, (request, response) => {
    const [, name = "", ...rest] = (request.url ?? "").split("/");
    if (rest[0] === "wait") return void writeFile(join(world.root, "tour", `${name}.waits`), "");
    response.setHeader("content-type", "text/plain").end("hello");
  });
  /** Requests so far, by session and prompt. @type {Map<string, number>} */
  const steps = new Map();
  const world = await makeWorld(t, ({ raw, tools }) => {
    if (!tools) return { text: "Summary." };
    const [name = "", prompt = ""] = [...raw.matchAll(/\b(s\d+): (go|wait|end|again)\b/g)].at(-1)?.slice(1) ?? [];
    const step = steps.get(name + prompt) ?? 0;
    steps.set(name + prompt, step + 1);
    const reply = script(`${server.url}/${name}`)[prompt]?.[step] ?? { text: "Finished." };
    return { ...reply, toolCalls: reply.toolCalls?.map((call, i) => ({ ...call, id: `${prompt}-${step}-${i}` })) };
  });
  await settings(world);
  const root = join(world.root, "tour");
  for (const [i, { fault }] of cases.entries()) {
    await mkdir(join(root, `s${i}`), { recursive: true });
    for (const name of ["one", "two", "three", "four"]) await writeFile(join(root, `s${i}`, `${name}.txt`), `${name}\n`);
    await writeFile(join(root, `s${i}.fault`), JSON.stringify(fault));
  }

  const middleman = await world.child(process.execPath, fileURLToPath(new URL("children/middleman.js", import.meta.url)), binary);
  const trace = join(world.root, "trace.jsonl");
  const host = fileURLToPath(new URL("sdk/tour.js", import.meta.url));
  const args = ["--expose-gc", host, extension, root, String(cases.length), String(Math.min(AT_ONCE, cases.length))];
  const boundMs = BOUND_MS + 5000 * cases.length;
  const run = await new Process(world, args, { boundMs, env: { ...ENV, LOOPBREAKER_BINARY: middleman, LOOPBREAKER_TRACE: trace } }).ended;
  assert.equal(run.code, 0, run.stderr);
  const said = run.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const { before, after, stray } = said.pop();
  assert.deepEqual(stray, [], "unhandled rejections");
  assert.equal(after.processes, 0, "guards are left");
  assert.ok(after.handles <= before.handles + 3, `${before.handles} handles became ${after.handles}`);
  assert.equal(run.stderr, "");
  await assertNothingLeft(world);
  const replay = spawnSync(binary, ["replay", "--json", trace], { encoding: "utf8" });
  assert.equal(replay.status, 0, replay.stdout.slice(0, 3000) + replay.stderr.slice(0, 3000));

  return Promise.all(cases.map(async (_, i) => ({
    ...said.find(({ name }) => name === `s${i}`),
    pids: (await lines(join(root, `s${i}.pids`))).map(Number),
    struck: existsSync(join(root, `s${i}.struck`)),
  })));
}

/**
 * What the model does after each prompt.
 *
 * @param {string} url
 * @returns {Record<string, import("./model.js").Reply[]>}
 */
const script = (url) => ({
  go: [
    { text: "I will look at it.", toolCalls: [read("one"), { name: "nosuch", arguments: {} }] },
    { toolCalls: [{ name: "web_fetch_file", arguments: { url: `${url}/note.txt` } }] },
    { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "long" } }], finish: "length" },
    { toolCalls: [read("two")] },
    { toolCalls: [read("two")] },
  ],
  wait: [{ toolCalls: [{ name: "web_fetch_file", arguments: { url: `${url}/wait` } }] }],
  end: [{ toolCalls: [read("three")] }],
  again: [{ toolCalls: [read("four")] }],
});

/** @param {string} name */
const read = (name) => ({ name: "read", arguments: { path: `${name}.txt` } });

/** What the model reads of each call, if the guard is well; of a fetch also if it is not. */
export const RESULTS = {
  "go-0-0": /^one\n?$/,
  "go-0-1": /^Tool nosuch not found/,
  "go-1-0": /^HTTP 200 OK/,
  "go-2-0": /hit the output (token )?limit/,
  "go-3-0": /^two\n?$/,
  "go-4-0": /^two\n?$/,
  "wait-0-0": /^(Nothing was fetched|web_fetch_file was cancelled)/,
  "end-0-0": /^three\n?$/,
  "again-0-0": /^four\n?$/,
};
/** What the model may read of a tool of the guard while that is away. */
export const NO_FETCH = /^(Tool web_fetch_file not found|web_fetch_file gave no result: Loopbreaker's guard stopped or does not answer|Operation aborted)/;

/** Compaction has something to leave out. @param {import("./world.js").World} world */
async function settings(world) {
  const path = join(world.agentDir, "settings.json");
  const had = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...had, compaction: { keepRecentTokens: 1 } }));
}
