import { accessSync, constants, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "./host.js";
import * as sentences from "./sentences.js";

const EXE = process.platform === "win32" ? ".exe" : "";
const PLATFORM = `${process.platform}-${process.arch}`;
const PROGRAM = `loopbreaker${EXE}`;
const SCOPE = "@loopbreaker";

const here = dirname(fileURLToPath(import.meta.url));
const { paths: pathsOf } = createRequire(import.meta.url).resolve;

/** @typedef {{ root: string, target: string }} Sources a clone, and where the program built from it belongs */

/**
 * Finds the guard's program: LOOPBREAKER_BINARY, then the package for this
 * platform, then bin/ beside this file, then PATH. Only absolute paths count: a
 * relative one would lead into the project, which has no say in what is started.
 *
 * @returns {{ path: string } | { sources: Sources } | { missing: string }} its path;
 *   or, in a clone, what it can be built from; or the sentence that tells the user
 *   what is missing and how to mend it
 */
export function findBinary() {
  const configured = process.env.LOOPBREAKER_BINARY;
  if (configured) {
    // Falling back to another would guard with something the user did not choose.
    if (!isAbsolute(configured)) return { missing: sentences.configuredBinaryRelative(configured) };
    return canRun(configured) ? { path: configured } : { missing: sentences.configuredBinaryMissing(configured) };
  }
  const [installed, bundled] = [fromPlatformPackage(), join(here, "bin", PROGRAM)];
  const path = [installed, bundled].find((path) => path && canRun(path)) ?? onPath("loopbreaker");
  if (path) return { path };
  if (isClone(dirname(here))) return { sources: { root: dirname(here), target: bundled } };
  return { missing: installed ? sentences.notExecutable(installed) : whatIsMissing(bundled) };
}

/** A program in PATH. @param {string} name without .exe */
export function onPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name + EXE)).find((path) => isAbsolute(path) && canRun(path));
}

/** Where a package may be that this file could import; NODE_PATH has a say in it. */
function fromPlatformPackage() {
  const name = `${SCOPE}/${PLATFORM}`;
  const folders = pathsOf(name) ?? [];
  return folders.map((folder) => join(folder, name, "bin", PROGRAM)).find((path) => isAbsolute(path) && existsSync(path));
}

/** An installed package has no sources beside it. @param {string} folder */
const isClone = (folder) => attempt(() => readFileSync(join(folder, "go.mod"), "utf8").startsWith("module github.com/loopbreaker/loopbreaker\n"));

/** Why npm has not brought the program. @param {string} bundled */
function whatIsMissing(bundled) {
  const offered = Object.keys(JSON.parse(readFileSync(join(here, "package.json"), "utf8")).optionalDependencies ?? {});
  if (offered.length === 0) return sentences.binaryMissing(`${SCOPE}/${PLATFORM}`, bundled); // never published
  if (!offered.includes(`${SCOPE}/${PLATFORM}`)) return sentences.notForThisPlatform(PLATFORM);
  const folders = (pathsOf(SCOPE) ?? []).map((folder) => join(folder, SCOPE)).filter(existsSync);
  const others = folders.flatMap((folder) => readdirSync(folder)).filter((name) => offered.includes(`${SCOPE}/${name}`));
  return others.length > 0 ? sentences.forAnotherPlatform(others.join(" and "), PLATFORM) : sentences.optionalOmitted(`${SCOPE}/${PLATFORM}`);
}

/** @param {string} path */
const canRun = (path) => attempt(() => accessSync(path, constants.X_OK) ?? statSync(path).isFile()) ?? false;
