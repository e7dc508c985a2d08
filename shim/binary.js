import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as sentences from "./sentences.js";

const EXE = process.platform === "win32" ? "loopbreaker.exe" : "loopbreaker";
const PLATFORM_PACKAGE = `@loopbreaker/${process.platform}-${process.arch}`;

/**
 * Finds the guard's program: LOOPBREAKER_BINARY, then the package for this
 * platform, then bin/ beside this file, then PATH. Only absolute paths count: a
 * relative one would lead into the project, which has no say in what is started.
 *
 * @returns {{ path: string } | { missing: string }} its path, or the sentence
 *   that tells the user what is missing and how to mend it
 */
export function findBinary() {
  const configured = process.env.LOOPBREAKER_BINARY;
  if (configured) {
    // Falling back to another would guard with something the user did not choose.
    if (!isAbsolute(configured)) return { missing: sentences.configuredBinaryRelative(configured) };
    return canRun(configured) ? { path: configured } : { missing: sentences.configuredBinaryMissing(configured) };
  }
  const bundled = join(dirname(fileURLToPath(import.meta.url)), "bin", EXE);
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean).map((folder) => join(folder, EXE));
  const path = [...fromPlatformPackage(), bundled, ...onPath].find((path) => isAbsolute(path) && canRun(path));
  return path ? { path } : { missing: sentences.binaryMissing(PLATFORM_PACKAGE, bundled) };
}

/** Where a package may be that this file could import; NODE_PATH has a say in it. */
function fromPlatformPackage() {
  const folders = createRequire(import.meta.url).resolve.paths(PLATFORM_PACKAGE) ?? [];
  return folders.map((folder) => join(folder, PLATFORM_PACKAGE, "bin", EXE));
}

/** @param {string} path */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
