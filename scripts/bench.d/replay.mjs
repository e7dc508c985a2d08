// Playing recorded Pi sessions, against a Node that only parses their lines.

import { execFileSync, spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { high, worked } from "./system.mjs";
import { median } from "./table.mjs";
import { code, letters, words } from "./text.mjs";

const MB = 1e6;

/** @param {import("./table.mjs").Setup} setup @returns {Promise<import("./table.mjs").Row[]>} */
export async function replay({ peers, quick, sessions }) {
  const root = mkdtempSync(join(tmpdir(), "loopbreaker-bench-"));
  try {
    const original = sessions ?? made(join(root, "made"));
    const [few, many] = [copies(original, join(root, "few"), (quick ? 4 : 50) * MB), copies(original, join(root, "many"), (quick ? 20 : 500) * MB)];
    const program = join(peers, "loopbreaker");
    /** @type {number[]} */
    const ours = [];
    /** @type {number[]} */
    const nodes = [];
    /** @type {number[]} */
    const peaks = [];
    const small = (await play(program, few.folder)).peak;
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      nodes.push(parse(many.folder));
      const { seconds, peak } = await play(program, many.folder);
      ours.push(seconds);
      peaks.push(peak);
    }
    const [a, b] = [median(nodes), median(ours)];
    const speed = (/** @type {number} */ seconds) => (many.bytes / MB / seconds).toFixed(0);
    return [
      { what: `replay of ${(many.bytes / MB).toFixed(0)} MB of Pi sessions, one core`, than: "Node, JSON.parse a line", ratio: a / b, goal: 3.5, least: true, unit: "× as fast", detail: `${speed(b)} and ${speed(a)} MB/s` },
      { what: "  its memory", than: `for ${(few.bytes / MB).toFixed(0)} MB`, ratio: median(peaks) / small, goal: 1.1, unit: "×", detail: `${(median(peaks) / 1024).toFixed(0)} and ${(small / 1024).toFixed(0)} MiB at most` },
      { what: "  decisions that a slow plain reader does not make", than: "", ratio: differing(original), goal: 0 },
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Plays a folder on one core. The seconds are those of the processor, where the system tells. @param {string} program @param {string} folder @returns {Promise<{ seconds: number, peak: number }>} */
function play(program, folder) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, ["replay", "--json", folder], { env: { ...process.env, GOMAXPROCS: "1" }, stdio: ["ignore", "ignore", "inherit"] });
    let [peak, busy] = [0, 0];
    const look = setInterval(() => {
      [peak, busy] = [Math.max(peak, high(child.pid)), Math.max(busy, worked(child.pid))];
    }, 20);
    child.once("error", reject);
    child.once("exit", (status) => {
      clearInterval(look);
      if (status !== 0) reject(new Error(`replay ended with ${status}`));
      resolve({ seconds: busy || (performance.now() - started) / 1000, peak });
    });
  });
}

/** Parses each line of a folder's files, and does nothing with it. Returns the seconds. @param {string} folder */
function parse(folder) {
  const before = process.cpuUsage();
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (const name of readdirSync(folder)) {
    const file = openSync(join(folder, name), "r");
    let rest = Buffer.alloc(0);
    for (let n = readSync(file, chunk); n > 0; n = readSync(file, chunk)) {
      const text = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, n)]) : chunk.subarray(0, n);
      let start = 0;
      for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
        if (end > start) JSON.parse(text.toString("utf8", start, end));
        start = end + 1;
      }
      rest = Buffer.from(text.subarray(start));
    }
    closeSync(file);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** How many sessions a plain reader, of the Go tests, finds decided otherwise. @param {string} folder */
function differing(folder) {
  try {
    execFileSync("go", ["test", "-count=1", "-run", "^TestTheLabDecidesAsAPlainReaderDoes$", "./bridge/replay"], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { ...process.env, LOOPBREAKER_SESSIONS: folder },
      encoding: "utf8",
    });
    return 0;
  } catch (error) {
    process.stderr.write(/** @type {any} */ (error).stdout ?? String(error));
    return 1;
  }
}

/** Copies the sessions of a folder until there are so many bytes. @param {string} from @param {string} folder @param {number} wanted */
function copies(from, folder, wanted) {
  mkdirSync(folder);
  const names = readdirSync(from).filter((name) => name.endsWith(".jsonl")).sort();
  if (names.length === 0) throw new Error(`no sessions in ${from}`);
  let bytes = 0;
  for (let n = 0; bytes < wanted; n++) {
    const name = names[n % names.length] ?? "";
    copyFileSync(join(from, name), join(folder, `${n}-${name}`));
    bytes += statSync(join(from, name)).size;
  }
  return { folder, bytes };
}

/** Makes sessions up: calls of many kinds, results from a line to 50 KB. @param {string} folder */
function made(folder) {
  mkdirSync(folder);
  for (let session = 0; session < 4; session++) {
    const lines = [JSON.stringify({ type: "session", version: 3, id: `s${session}`, timestamp: "2026-01-01T00:00:00.000Z", cwd: "/project" })];
    let parentId = /** @type {string | null} */ (null);
    const add = (/** @type {object} */ message) => {
      const id = `e${lines.length}`;
      lines.push(JSON.stringify({ type: "message", id, parentId, timestamp: new Date(lines.length * 1000).toISOString(), message }));
      parentId = id;
    };
    for (let n = 0; n < 250; n++) {
      if (n % 25 === 0) add({ role: "user", content: [{ type: "text", text: `Now look into part ${n}.` }] });
      const id = `call_${n}`;
      const [name, args, text] = call(session * 1000 + n);
      const usage = { input: 1000 + n, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200 + n, cost: { input: 0.01, output: 0.02, total: 0.03 } };
      const content = [{ type: "thinking", thinking: words(300, n) }, { type: "text", text: "Let me look." }, { type: "toolCall", id, name, arguments: args }];
      add({ role: "assistant", content, provider: "local", model: "made-up", usage, stopReason: "toolUse", timestamp: n });
      add({ role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text }], isError: n % 17 === 0, timestamp: n });
    }
    writeFileSync(join(folder, `${session}.jsonl`), `${lines.join("\n")}\n`);
  }
  return folder;
}

/** @param {number} n @returns {[string, object, string]} */
function call(n) {
  const file = `src/parser/file${n % 40}.js`;
  switch (n % 5) {
    case 0:
      return ["bash", { command: `grep -rn "token${n}" src | head -${n % 50}` }, words(200 + ((n * 37) % 3000), n)];
    case 1:
      return ["read", { path: file, offset: n, limit: 200 }, code(2000 + ((n * 613) % 20_000), n)];
    case 2:
      return ["edit", { path: file, oldText: code(600, n), newText: code(700, n + 1) }, `Successfully replaced text in ${file}.`];
    case 3:
      return ["bash", { command: `npm test -- --grep "part ${n}" 2>&1 | tail -40` }, code(500 + ((n * 911) % 50_000), n)];
    default:
      return ["read", { path: `docs/${n}.md` }, letters(1000 + ((n * 271) % 8000), n)];
  }
}
