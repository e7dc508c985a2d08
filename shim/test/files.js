// A web server on this machine, for what the guard's tool is to fetch.

import { once } from "node:events";
import { createServer } from "node:http";
import { readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Serves until the test has ended. `requests` are the paths asked for, `broken`
 * those whose client went away before the end.
 *
 * @param {{ after(close: () => unknown): void }} t
 * @param {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} answer
 */
export async function serveFiles(t, answer) {
  /** @type {string[]} */
  const requests = [];
  /** @type {string[]} */
  const broken = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.on("close", () => response.writableFinished || broken.push(request.url ?? ""));
    answer(request, response);
  });
  server.listen(0, "127.0.0.1").unref(); // so that a test that fails ends, too
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, requests, broken };
}

/**
 * Every file below the project's fetched/, hidden ones included.
 *
 * @param {import("./world.js").World} world
 */
export async function fetched(world) {
  const folder = join(world.project, "fetched");
  return existsSync(folder) ? (await readdir(folder)).sort() : [];
}
