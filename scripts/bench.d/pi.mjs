// Real Pi with the package installed, against Pi without it.

import { once } from "node:events";
import { createServer } from "node:http";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runPi, startPi } from "../../shim/test/pi.js";
import { makeWorld, shimFolder } from "../../shim/test/world.js";
import { median } from "./table.mjs";

/** @typedef {import("./table.mjs").Row} Row @typedef {import("./table.mjs").Setup} Setup */

/** @typedef {import("../../shim/test/world.js").World} World */

/**
 * Runs work in worlds, in each of which one package is installed, or none.
 *
 * @param {Setup} setup
 * @param {((world: World) => Promise<string> | string | undefined)[]} packages
 * @param {(worlds: World[], env: NodeJS.ProcessEnv) => Promise<Row[]>} work
 */
async function inWorlds({ peers }, packages, work) {
  const env = { LOOPBREAKER_BINARY: join(peers, "loopbreaker") };
  /** @type {(() => unknown)[]} */
  const closing = [];
  try {
    const worlds = await Promise.all(packages.map(() => makeWorld({ after: (close) => closing.push(close) }, () => ({ text: "Hello." }))));
    for (const [i, world] of worlds.entries()) {
      const folder = await packages[i]?.(world);
      const installed = folder && (await runPi(world, ["install", folder], { env }));
      if (installed && installed.code !== 0) throw new Error(`pi install: ${installed.stderr}`);
    }
    return await work(worlds, env);
  } finally {
    for (const close of closing) await close();
  }
}

const ours = () => shimFolder;
const none = () => undefined;

/** A package with nothing in it: what Pi takes for any. @param {World} world */
async function empty(world) {
  const folder = join(world.root, "empty");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"name":"empty","version":"0.1.0","type":"module","pi":{"extensions":["./index.js"]}}\n');
  await writeFile(join(folder, "index.js"), "export default function empty() {}\n");
  return folder;
}

/** From the start of Pi to its first request. @param {Setup} setup @returns {Promise<Row[]>} */
export function startUp(setup) {
  return inWorlds(setup, [ours, empty, none], async (worlds, env) => {
    const times = worlds.map(() => /** @type {number[]} */ ([]));
    for (let round = -1; round < (setup.quick ? 2 : 25); round++) {
      for (let turn = 0; turn < worlds.length; turn++) {
        const i = (round + 1 + turn) % worlds.length;
        const world = /** @type {World} */ (worlds[i]);
        let asked = 0;
        world.model.restart(() => ((asked = performance.now()), { text: "Hello." }));
        const started = performance.now();
        const run = await runPi(world, ["-p", "Hello?"], { env });
        if (run.code !== 0 || asked === 0) throw new Error(`pi: ${run.stderr}`);
        if (round >= 0) times[i]?.push(asked - started);
      }
    }
    const [guarded = NaN, floor = NaN, bare = NaN] = times.map(median);
    const row = (/** @type {string} */ what, /** @type {string} */ than, /** @type {number} */ other) =>
      ({ what, than, ratio: guarded / other, goal: 1.02, unit: "×", detail: `${guarded.toFixed(0)} and ${other.toFixed(0)} ms` });
    const all = row("Pi's start to its first request", "without the package", bare);
    all.detail += `, of which Pi takes ${(floor - bare).toFixed(0)} ms for any package`;
    return [all, row("  of it what is ours", "with an empty package", floor)];
  });
}

/** A slow model's answer in many pieces. @param {Setup} setup @returns {Promise<Row[]>} */
export function stream(setup) {
  const deltas = setup.quick ? 500 : 20_000;
  return inWorlds(setup, [ours, none], async (worlds, env) => {
    const model = await slowModel(deltas);
    try {
      for (const { agentDir } of worlds) {
        const file = join(agentDir, "models.json");
        await writeFile(file, (await readFile(file, "utf8")).replace(/http:[^"]*/, model.url));
      }
      const times = worlds.map(() => /** @type {number[]} */ ([]));
      const work = worlds.map(() => /** @type {number[]} */ ([]));
      for (let round = 0; round < (setup.quick ? 1 : 5); round++) {
        for (const i of round % 2 ? [0, 1] : [1, 0]) {
          const world = worlds[i];
          if (!world) continue;
          const pi = startPi(world, ["-p", "--no-session", "Tell me a story."], { env });
          pi.child.stdin?.end();
          const run = await pi.ended;
          if (run.code !== 0 || run.stdout.length < 4 * deltas) throw new Error(`pi: ${run.stdout.length} characters; ${run.stderr}`);
          times[i]?.push(performance.now() - model.began);
          work[i]?.push(run.ms);
        }
      }
      const [a = NaN, b = NaN] = times.map(median);
      return [{ what: `a slow model's stream of ${deltas} deltas`, than: "without the package", ratio: a / b, goal: 1.03, unit: "×", detail: `${a.toFixed(0)} and ${b.toFixed(0)} ms, request to the end of Pi` }];
    } finally {
      model.close();
    }
  });
}

/** A model that writes a word a millisecond, or as soon after as it can. @param {number} deltas */
async function slowModel(deltas) {
  const model = { url: "", began: 0, close: () => void server.close() };
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    model.began = performance.now();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) =>
      response.write(`data: ${JSON.stringify({ id: "reply", object: "chat.completion.chunk", created: 0, model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    for (let n = 0; n < deltas && !response.destroyed; ) {
      const due = performance.now() - model.began;
      while (n < deltas && n < due) write({ content: word(n++) });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    write({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the model is not listening");
  model.url = `http://127.0.0.1:${address.port}/v1`;
  return model;
}

/** The words of a story that never repeats itself. @param {number} n */
const word = (n) => `${((n * 2654435761) % 4294967291).toString(36)}${n % 12 === 11 ? ".\n" : " "}`;
