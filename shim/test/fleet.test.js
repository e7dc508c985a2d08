// What `replay --json` prints loads into DuckDB, and the README's queries say of it what
// they claim to.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { bash, oneByOne, times } from "./calls.js";
import { runPi } from "./pi.js";
import { binary, extension, makeWorld, repoFolder } from "./world.js";

/** The columns and their types, where a session has all of them. */
const COLUMNS = {
  name: "VARCHAR", preset: "VARCHAR", calls: "BIGINT", blocked: "BIGINT", entries: "BIGINT", saved: "BIGINT", noted: "BIGINT", looped: "BOOLEAN",
  firstBlock: "BIGINT", firstNote: "BIGINT", endedAt: "BIGINT", session: "UUID", started: "TIMESTAMP", project: "VARCHAR", model: "VARCHAR",
  tools: "STRUCT(tool VARCHAR, calls BIGINT, blocked BIGINT, noted BIGINT, saved BIGINT)[]",
};

/** @param {string} folder where relative names of files lead */
async function database(folder) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  /** @param {string} sql @returns {Promise<Record<string, any>[]>} */
  const query = async (sql) => {
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, /^\d+$/.test(String(value)) ? Number(value) : value])));
  };
  await query(`SET file_search_path = '${folder}'`);
  return query;
}

/** The README's queries. */
async function queries() {
  const readme = await readFile(join(repoFolder, "README.md"), "utf8");
  const sql = /```sql\n(-- what each preset [^]*?)```/.exec(readme)?.[1] ?? "";
  return sql.split(";").map((text) => text.trim()).filter((text) => text !== "");
}

/** @param {string[]} args */
const replay = async (...args) => (await promisify(execFile)(binary, ["replay", "--json", ...args], { maxBuffer: 1 << 24 })).stdout;

it("the README's queries tell of real sessions", async (t) => {
  const loop = times(12, () => bash("ls"));
  const world = await makeWorld(t, oneByOne(loop));
  const run = () => runPi(world, ["-p", "go", "-e", extension], { env: { LOOPBREAKER_ENABLED: "false", LOOPBREAKER_TRACE: undefined } });
  assert.equal((await run()).code, 0);
  world.model.restart(oneByOne(times(3, (n) => bash(`echo ${n}`))));
  assert.equal((await run()).code, 0);
  const text = await replay("--preset", "all", join(world.agentDir, "sessions"));
  await writeFile(join(world.root, "replay.jsonl"), text);
  /** @type {Record<string, any>[]} */
  const rows = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const query = await database(world.root);

  const types = Object.fromEntries((await query("DESCRIBE FROM 'replay.jsonl'")).map((row) => [row.column_name, row.column_type]));
  for (const [name, type] of Object.entries(COLUMNS)) assert.equal(types[name], type, name);
  for (const row of rows) assert.deepEqual(Object.keys(row), Object.keys(rows[0] ?? {}));

  const [byPreset = [], byDay = [], byTool = []] = await Promise.all((await queries()).map(query));
  const of = (/** @type {string} */ preset) => rows.filter((row) => row.preset === preset);
  const sum = (/** @type {Record<string, any>[]} */ all, /** @type {string} */ name) => all.reduce((n, row) => n + row[name], 0);
  assert.deepEqual(byPreset.map(({ preset }) => preset).sort(), [...new Set(rows.map(({ preset }) => preset))].sort());
  for (const row of byPreset) {
    const mine = of(row.preset);
    assert.deepEqual([row.sessions, row.looped, row.calls, row.tokens], [2, mine.filter(({ looped }) => looped).length, sum(mine, "saved"), sum(mine, "savedTokens")], row.preset);
  }
  const [looped] = of("default").filter((row) => row.looped);
  assert.equal(looped?.calls, 12);
  assert.equal(looped?.saved, looped?.blocked + 12 - looped?.endedAt);
  assert.ok(looped?.saved > 5);
  assert.deepEqual(byDay.map(({ project, sessions, looped }) => ({ project, sessions, looped })), [{ project: world.project, sessions: 2, looped: 1 }]);
  assert.match(byDay[0]?.day, /^\d{4}-\d\d-\d\d$/);
  const { noted, blocked: refused, saved } = looped?.tools[0] ?? {};
  assert.deepEqual(byTool, [{ tool: "bash", calls: 15, noted, refused, saved }]);
  assert.equal(looped?.model, "scripted");
});

it("they can be asked of recordings that tell less, and of one without a loop", async (t) => {
  const world = await makeWorld(t, []);
  const events = ["user", "turn"].map((ev) => ({ ev })).concat(/** @type {any} */ ([{ ev: "call", id: "1", tool: "ls", input: {} }]));
  const recording = join(world.root, "recording.jsonl");
  await writeFile(recording, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  await writeFile(join(world.root, "replay.jsonl"), await replay(recording));
  const query = await database(world.root);
  const [byPreset, byDay, byTool] = await Promise.all((await queries()).map(query));
  assert.deepEqual(byPreset, [{ preset: "default", sessions: 1, looped: 0, calls: 0, tokens: 0, cost: 0 }]);
  assert.deepEqual(byDay, [{ day: null, project: null, sessions: 1, looped: 0 }]);
  assert.deepEqual(byTool, [{ tool: "ls", calls: 1, noted: 0, refused: 0, saved: 0 }]);
});
