// Releases made from copies of this tree, which itself stays as it is.

import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repoFolder, shimFolder } from "./world.js";

const execute = promisify(execFile);

export const platform = `${process.platform}-${process.arch}`;

/**
 * A clone as git would make it of this tree: the sources, and nothing built or installed.
 *
 * @param {string} to
 */
export async function clone(to) {
  const [dist, built] = [join(repoFolder, "dist"), join(shimFolder, "bin")];
  const strange = (/** @type {string} */ path) => ["node_modules", ".git"].includes(basename(path)) || path === dist || path === built;
  await cp(repoFolder, to, { recursive: true, filter: (path) => !strange(path) });
  return to;
}

/**
 * Runs scripts/release in a clone, for this platform only.
 *
 * @param {string} folder
 * @param {string} version
 * @returns {Promise<string>} where it wrote
 */
export async function release(folder, version) {
  await execute(process.execPath, ["scripts/release.mjs", version, "--only", platform], {
    cwd: folder,
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
  });
  return join(folder, "dist");
}

/** @param {string} path @param {(text: string) => string} change */
export async function edit(path, change) {
  await writeFile(path, change(await readFile(path, "utf8")));
}
