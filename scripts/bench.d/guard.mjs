// The guard alone, which a Go program measures.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** @param {import("./table.mjs").Setup} setup @returns {Promise<import("./table.mjs").Row[]>} */
export async function guard({ peers, quick }) {
  const args = quick ? ["-rounds=100", "-long=5000", `-most=${1 << 16}`] : [];
  return JSON.parse(execFileSync(join(peers, "guard"), args, { encoding: "utf8", maxBuffer: 1 << 24 }));
}
