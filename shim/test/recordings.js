// Recorded sessions, where they are at hand.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = process.env.LOOPBREAKER_RECORDINGS || fileURLToPath(new URL("../../../shared/recordings", import.meta.url));
const archive = join(folder, "recordings.tar.xz");

/** Why tests that need them are skipped; false where they are there. */
export const noRecordings = existsSync(archive) ? false : `no recordings in ${folder}; LOOPBREAKER_RECORDINGS can name another folder`;

/**
 * @typedef {object} Event of a recorded session
 * @property {"user" | "turn" | "call" | "result"} ev
 * @property {string} id of the call
 * @property {string} tool
 * @property {any} input
 * @property {boolean} isError
 * @property {string} text
 */

/**
 * The events of a recorded session.
 *
 * @param {string} name
 * @returns {Promise<Event[]>}
 */
export async function recorded(name) {
  const { stdout } = await promisify(execFile)("tar", ["-xOf", archive, `sessions/${name}.jsonl`], { maxBuffer: 1 << 26 });
  return stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}
