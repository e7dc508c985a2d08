// Which processes of a test are still there. Needs /proc; where there is none,
// nothing is ever found and `canLook` says so.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export const canLook = existsSync("/proc/self/environ");

/**
 * The processes that carry this mark in their environment, ours left out.
 *
 * @param {string} mark
 */
export async function marked(mark) {
  if (!canLook) return [];
  /** @type {{pid: number, command: string}[]} */
  const found = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1");
      if (!environment.includes(mark)) continue;
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
      found.push({ pid, command: command.replaceAll("\0", " ").trim() });
    } catch {
      // It ended while we looked, or it is not ours to read.
    }
  }
  return found;
}

/**
 * No process of this world is left. A child that learns of Pi's end from its
 * closed input needs a moment after it, so this looks more than once.
 *
 * @param {import("./world.js").World} world
 */
export async function assertNothingLeft(world) {
  const patience = performance.now() + 5_000;
  let left = await marked(world.mark);
  while (left.length > 0 && performance.now() < patience) {
    await pause(20);
    left = await marked(world.mark);
  }
  assert.deepEqual(left, [], "processes were left over");
}

/** @param {number} pid */
export function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
