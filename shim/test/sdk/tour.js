// A host that embeds Pi and has many sessions in one process, some at a time. In
// each everything happens that a guard is told of. Started by faults.js; takes
// the extension's path, a folder with the sessions' folders, how many there are,
// and how many are open at a time. Writes one JSON object a session, and one at
// the end with what the process holds.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  SessionManager,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  getAgentDir,
} from "@earendil-works/pi-coding-agent";
import { held } from "./held.js";

const [extension = "", root = "", count = "", atOnce = ""] = process.argv.slice(2);

/** Pi keeps so many handles of its own, once it has had a session. */
const KEPT = 3;

/** @type {string[]} */
const stray = [];
process.on("unhandledRejection", (reason) => stray.push(String(reason)));

const before = held();
let next = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, async () => {
  while (next < Number(count)) {
    const name = `s${next++}`;
    let told;
    try {
      told = await visit(name);
    } catch (error) {
      told = { failed: String(/** @type {Error} */ (error).stack) };
    }
    say({ name, ...told });
  }
}));
// Connections to the model are kept for some seconds.
for (let patience = 150; patience > 0 && held().handles > before.handles + KEPT; patience--) await pause(100);
say({ before, after: held(), stray });

/** @param {object} value */
function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** One session, from its start to its end. @param {string} name */
async function visit(name) {
  const cwd = join(root, name);
  const runtime = await createAgentSessionRuntime(
    async ({ cwd, agentDir, sessionManager, sessionStartEvent }) => {
      const services = await createAgentSessionServices({ cwd, agentDir, resourceLoaderOptions: { additionalExtensionPaths: [extension] } });
      return { ...(await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent })), services, diagnostics: services.diagnostics };
    },
    { cwd, agentDir: getAgentDir(), sessionManager: SessionManager.create(cwd) },
  );
  const { session } = runtime;
  /** @type {string[]} */
  const warnings = [];
  /** @type {string[]} */
  const errors = [];
  /** @type {[string, string][]} */
  const results = [];
  let asked = 0;
  let settings = 0;
  const ui = {
    notify: (/** @type {string} */ sentence, /** @type {string} */ kind) => void (kind === "warning" && warnings.push(sentence)),
    setStatus() {},
    confirm: async () => (asked++, true),
    input: async () => "100",
    select: async () => undefined,
    // The view of the settings: goes down to one of them, changes it, and is closed.
    custom: (/** @type {any} */ make) => new Promise((done) => {
      const same = (/** @type {string} */ _colour, /** @type {string} */ text) => text;
      const keys = { matches: (/** @type {string} */ data, /** @type {string} */ key) => data === key };
      const view = make({ requestRender() {} }, { fg: same, bold: (/** @type {string} */ text) => text }, keys, done);
      if (++settings > 1) return view.handleInput("tui.select.cancel");
      while (!view.render(200).some((/** @type {string} */ line) => line.startsWith("→ ladder.refusals"))) view.handleInput("tui.select.down");
      view.handleInput("tui.select.confirm");
    }),
  };
  await session.bindExtensions({ uiContext: /** @type {any} */ (ui), mode: "tui", onError: (error) => void errors.push(`${error.event}: ${error.error}`) });
  session.subscribe((event) => {
    if (event.type === "message_end" && event.message.role === "toolResult") {
      results.push([event.message.toolCallId, event.message.content.map((part) => ("text" in part ? part.text : "")).join("\n")]);
    }
  });
  // The file that a middleman writes has the run ended in the middle of something.
  let ended = false;
  const watch = setInterval(() => {
    if (ended || !existsSync(`${cwd}.told`)) return;
    ended = true;
    void session.abort();
  }, 5);

  await session.prompt(`${name}: go`);
  await session.prompt("/loopbreaker status");
  await session.prompt("/loopbreaker settings");
  // The server that it fetches from keeps it waiting, and tells so by a file.
  const waiting = setInterval(() => existsSync(`${cwd}.waits`) && void session.abort(), 5);
  await session.prompt(`${name}: wait`);
  clearInterval(waiting);
  const compacted = await session.compact().then(() => true, (error) => String(error));
  const leaf = session.sessionManager.getLeafId();
  const first = session.sessionManager.getBranch().find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  await session.navigateTree(first?.id ?? "");
  await session.navigateTree(leaf ?? "");
  await session.prompt(`${name}: end`);
  while (!ended && existsSync(`${cwd}.told`)) await pause(5);
  await session.prompt(`${name}: again`);
  clearInterval(watch);
  await runtime.dispose();
  return { warnings, errors, results, asked, settings, compacted, ended };
}
