// web_fetch_file in the real Pi: offered where it is switched on, and run by the guard.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { bash, oneByOne, times, toolResults } from "./calls.js";
import { fetched, serveFiles } from "./files.js";
import { until } from "./guard.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { extension, makeWorld } from "./world.js";

const ON = { LOOPBREAKER_FETCH_ENABLED: "true", LOOPBREAKER_FETCH_ALLOW_PRIVATE_HOSTS: "127.0.0.1" };
const TOOL = "web_fetch_file";

/** @param {string} url @param {string} [id] */
const get = (url, id) => ({ name: TOOL, arguments: { url }, id });

/**
 * The names of the tools that a request offered to the model.
 *
 * @param {import("./model.js").ChatRequest | undefined} request
 */
const offered = (request) => /** @type {any[]} */ (request?.tools ?? []).map((tool) => tool.function.name);

describe("web_fetch_file", { concurrency: 2 }, () => {
  it("fetches a file into the workspace, and is offered from the first request on", async (t) => {
    const server = await serveFiles(t, (_request, response) => response.setHeader("content-type", "text/plain").end("hello"));
    const world = await makeWorld(t, oneByOne([get(`${server.url}/a/note.txt`), get(`${server.url}/a/note.txt`), bash("cat fetched/note.txt")]));
    const { code, stdout, stderr } = await runPi(world, ["-p", "go", "-e", extension], { env: ON });
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "Finished.\n", stderr: "" });

    const [first] = world.model.requests;
    assert.ok(offered(first).includes(TOOL), first?.raw);
    // The system prompt has the tool's line and its rules.
    assert.ok(first?.raw.includes("Fetch an http(s) address into a file of the workspace"), first?.raw);
    assert.ok(first?.raw.includes("Use web_fetch_file instead of curl or wget"), first?.raw);

    const text = (/** @type {string} */ name) => `HTTP 200 OK, text/plain, 5 bytes from ${server.url}/a/note.txt saved as fetched/${name}`;
    assert.deepEqual(world.model.results().map((result) => result.text.trimEnd()), [text("note.txt"), text("note-2.txt"), "hello"]);
    assert.deepEqual(await fetched(world), ["note-2.txt", "note.txt"]);
    const [result] = toolResults(await world.session());
    assert.equal(result.isError, false);
    assert.deepEqual(result.details, { statusCode: 200, contentType: "text/plain", bytes: 5, finalUrl: `${server.url}/a/note.txt`, path: "fetched/note.txt" });
    await assertNothingLeft(world);
  });

  for (const [whose, folder, args] of /** @type {const} */ ([["the user's", "agentDir", []], ["the project's", "project", ["--approve"]]])) {
    it(`is offered from the first request on where ${whose} file switches it on`, async (t) => {
      const world = await makeWorld(t, []);
      const extensions = join(world[folder], ...(folder === "project" ? [".pi"] : []), "extensions");
      await mkdir(extensions, { recursive: true });
      await writeFile(join(extensions, "loopbreaker.json"), '{"fetch": {"enabled": true}}');
      const { code, stderr } = await runPi(world, ["-p", "go", ...args, "-e", extension]);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
      assert.ok(offered(world.model.requests[0]).includes(TOOL), world.model.requests[0]?.raw);
      await assertNothingLeft(world);
    });
  }

  it("takes what commands would fetch from far away, and leaves other commands alone", async (t) => {
    // The far one is refused before it runs; were it not, .invalid leads nowhere.
    const commands = ["curl -s https://data.invalid/a.csv", "echo see https://data.invalid/a.csv", "curl -s http://127.0.0.1:9/ || echo near"];
    const world = await makeWorld(t, oneByOne(commands.map((command) => bash(command))));
    await runPi(world, ["-p", "go", "-e", extension], { env: ON });
    const [far, text, near] = world.model.results().map((result) => result.text.trimEnd());
    assert.match(far ?? "", /^Loopbreaker refused this call: this bash call fetches from the web with curl \(https:\/\/data\.invalid\/a\.csv\)\. Use the tool web_fetch_file /);
    assert.deepEqual([text, near], ["see https://data.invalid/a.csv", "near"]);
    const [result] = toolResults(await world.session());
    assert.equal(result.details.loopbreaker.rule, "steering");
    await assertNothingLeft(world);
  });

  it("is not there unless it is switched on", async (t) => {
    const world = await makeWorld(t, oneByOne([get("http://127.0.0.1/")]));
    await runPi(world, ["-p", "go", "-e", extension]);
    for (const request of world.model.requests) assert.ok(!request.raw.includes('"name":"web_fetch_file","description"'));
    assert.ok(!offered(world.model.requests[0]).includes(TOOL));
    assert.match(world.model.results()[0]?.text ?? "", /Tool web_fetch_file not found/);
    await assertNothingLeft(world);
  });

  it("refuses what is within, what is too large and what is no address, and leaves nothing", async (t) => {
    const chunk = Buffer.alloc(1 << 20, "x");
    const server = await serveFiles(t, (request, response) => {
      if (request.url === "/away") return response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
      if (request.url === "/stated") response.setHeader("content-length", 20 << 20);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) continue;
      };
      response.on("drain", more);
      more();
    });
    const world = await makeWorld(t, [
      { toolCalls: ["/stated", "/endless", "/away"].map((path) => get(server.url + path)) },
      { toolCalls: [get("http://10.0.0.1/"), get("file:///etc/passwd"), get("http://[::1]/")] },
      { text: "Finished." },
    ]);
    await runPi(world, ["-p", "go", "-e", extension], { env: ON });
    assert.deepEqual(world.model.results().map(({ text }) => text), [
      "Nothing was fetched: it is 20971520 bytes long, more than the 8388608 that are allowed.",
      "Nothing was fetched: it is longer than the 8388608 bytes that are allowed.",
      "Nothing was fetched: 169.254.169.254 is not an address of the public internet. Only the operator can allow it (fetch.allowPrivateHosts).",
      "Nothing was fetched: 10.0.0.1 is not an address of the public internet. Only the operator can allow it (fetch.allowPrivateHosts).",
      "Nothing was fetched: the address must be a whole one that begins with http:// or https://.",
      "Nothing was fetched: ::1 is not an address of the public internet. Only the operator can allow it (fetch.allowPrivateHosts).",
    ]);
    assert.ok(toolResults(await world.session()).every((result) => result.isError));
    assert.deepEqual(await fetched(world), []);
    await assertNothingLeft(world);
  });

  it("is guarded as any tool", async (t) => {
    const server = await serveFiles(t, (_request, response) => response.end("x"));
    const world = await makeWorld(t, oneByOne(times(6, () => get(`${server.url}/x`))), { preset: "window" });
    await runPi(world, ["-p", "go", "-e", extension], { env: ON });
    assert.equal(server.requests.length, 5);
    assert.match(world.model.results()[5]?.text ?? "", /^Loopbreaker refused this call: the identical web_fetch_file call/);
    await assertNothingLeft(world);
  });

  it("takes as long as it takes, while other calls go on", async (t) => {
    /** @type {import("node:http").ServerResponse | undefined} */
    let waiting;
    const server = await serveFiles(t, (_request, response) => {
      response.write("slow ");
      waiting = response;
    });
    const world = await makeWorld(t, (_request, n) => {
      if (n === 0) return { toolCalls: [get(`${server.url}/slow`), bash("echo quick > quick.txt")] };
      return { text: "Finished." };
    });
    const running = runPi(world, ["-p", "go", "-e", extension], { env: { ...ON, LOOPBREAKER_DEADLINE_MS: "1000" } });
    // Four times the guard's deadline; the sibling was judged, and ran, meanwhile.
    await until(async () => (await readFile(join(world.project, "quick.txt"), "utf8").catch(() => "")) !== "");
    await new Promise((resolve) => setTimeout(resolve, 4000));
    waiting?.end("but sure");
    const { code, stderr } = await running;
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.deepEqual(await fetched(world), ["slow"]);
    assert.equal(await readFile(join(world.project, "fetched", "slow"), "utf8"), "slow but sure");
    await assertNothingLeft(world);
  });

  it("is cancelled with the run, and its part of a file is gone", async (t) => {
    const server = await serveFiles(t, (_request, response) => void response.write("half"));
    const world = await makeWorld(t, oneByOne([get(`${server.url}/slow`)]));
    const rpc = new Rpc(world, ["-e", extension], { env: ON });
    await rpc.send({ type: "prompt", message: "go" });
    await until(async () => (await fetched(world)).some((name) => name.endsWith(".part")));
    await rpc.send({ type: "abort" });
    await rpc.wait((message) => message.type === "agent_settled");
    await until(() => server.broken.length === 1);
    await until(async () => (await fetched(world)).length === 0);
    await rpc.end();
    const [result] = toolResults(await world.session());
    assert.equal(result?.isError, true);
    assert.match(result?.content[0].text, /^web_fetch_file was cancelled\. Nothing was saved\.$|aborted/);
    await assertNothingLeft(world);
  });

  it("gives an error when the guard dies on the way, and works again with the next call", async (t) => {
    let killed = false;
    const server = await serveFiles(t, async (request, response) => {
      response.write("half");
      if (request.url !== "/dies") return response.end(" and half");
      const pid = (await world.childPids()).at(-1);
      if (pid) process.kill(pid, "SIGKILL");
      killed = true;
    });
    const world = await makeWorld(t, oneByOne([get(`${server.url}/dies`), get(`${server.url}/lives`)]));
    const child = await world.child(world.env().LOOPBREAKER_BINARY ?? "");
    const { code } = await runPi(world, ["-p", "go", "-e", extension], { env: { ...ON, LOOPBREAKER_BINARY: child } });
    assert.equal(code, 0);
    assert.ok(killed);
    const [dies, lives] = world.model.results();
    assert.match(dies?.text ?? "", /^web_fetch_file gave no result: Loopbreaker's guard stopped/);
    assert.match(lives?.text ?? "", /^HTTP 200 OK, /);
    await assertNothingLeft(world);
  });
});
