// Reads a fixture as strictly as `loopbreaker replay` does: whatever is wrong is
// named with its field. What is expected may be incomplete; `compare` says so.

import { readFile } from "node:fs/promises";

/**
 * @typedef {object} Fixture
 * @property {string} name
 * @property {string} source
 * @property {{ toolName: string, input: Record<string, unknown> }[]} calls
 * @property {{ blocked?: unknown, entries?: unknown, firstBlock?: unknown }} expected
 *
 * @typedef {object} Outcome in the order of `loopbreaker replay`
 * @property {string} name
 * @property {number} calls
 * @property {number} blocked
 * @property {number | null} firstBlock
 * @property {number} entries
 */

/** Evidence that is not sound. */
export class Malformed extends Error {}

/**
 * @param {string} path
 * @returns {Promise<Fixture>}
 */
export async function loadFixture(path) {
  const text = decode(await readFile(path));
  const fixture = parse(text);
  rejectWhatParsingHides(text);
  object("the file", fixture, ["name", "source", "calls", "expected"]);
  filled("name", fixture.name);
  filled("source", fixture.source);
  if (!Array.isArray(fixture.calls ?? [])) throw new Malformed("calls: wrong type, must be an array");
  if (!fixture.calls?.length) throw new Malformed("calls: missing or empty");
  for (const [i, call] of fixture.calls.entries()) {
    object(`calls[${i}]`, call, ["toolName", "input"]);
    filled(`calls[${i}].toolName`, call.toolName);
    if (call.input === undefined) throw new Malformed(`calls[${i}].input: missing`);
    object(`calls[${i}].input`, call.input);
  }
  fixture.expected ??= {};
  object("expected", fixture.expected, ["blocked", "entries", "firstBlock"]);
  for (const field of ["blocked", "entries"]) {
    const count = fixture.expected[field] ?? 0;
    if (!Number.isInteger(count)) throw new Malformed(`expected.${field}: wrong type, must be a whole number`);
  }
  return fixture;
}

/**
 * What in the outcome is not as expected, or what the fixture should state and
 * does not; one sentence each.
 *
 * @param {Fixture} fixture
 * @param {Outcome} outcome
 */
export function compare({ expected }, outcome) {
  /** @type {string[]} */
  const faults = [];
  for (const field of /** @type {const} */ (["blocked", "entries"])) {
    const [want, got] = [expected[field] ?? undefined, outcome[field]];
    if (want === undefined) faults.push(`expected.${field}: missing; state a number (observed: ${got})`);
    else if (want !== got) faults.push(`expected.${field}: ${want}, observed: ${got}`);
  }
  const [want, got] = [expected.firstBlock, outcome.firstBlock];
  if (want === undefined) {
    faults.push(`expected.firstBlock: missing; state null or a positive integer (observed: ${got})`);
  } else if (want !== null && !(Number.isInteger(want) && Number(want) > 0)) {
    faults.push(`expected.firstBlock: ${JSON.stringify(want)} is neither null nor a positive integer`);
  } else if (want !== got) {
    faults.push(`expected.firstBlock: ${want}, observed: ${got}`);
  }
  return faults;
}

/** @param {Buffer} bytes */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Malformed("not valid UTF-8");
  }
}

/**
 * @param {string} text
 * @returns {any}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Malformed(`not valid JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * JSON.parse takes the last of two members of one name, and lone surrogates.
 *
 * @param {string} text valid JSON
 */
function rejectWhatParsingHides(text) {
  /** @type {(Set<string> | undefined)[]} the names seen in each open object; arrays have none */
  const open = [];
  for (const [token, string, isName] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    if (string === undefined) continue;
    const value = JSON.parse(string);
    if (!value.isWellFormed()) throw new Malformed(`a string with a lone surrogate: ${string}`);
    if (!isName) continue;
    const names = open.at(-1);
    if (names?.has(value)) throw new Malformed(`${value}: stated twice`);
    names?.add(value);
  }
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string[]} [known] its members, if not any
 */
function object(field, value, known) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed(`${field}: must be an object`);
  const stranger = Object.keys(value).find((name) => known && !known.includes(name));
  if (stranger !== undefined) throw new Malformed(`${field === "the file" ? "" : `${field}.`}${stranger}: unknown field`);
}

/** @param {string} field @param {unknown} value */
function filled(field, value) {
  if ((value ?? "") === "") throw new Malformed(`${field}: missing or empty`);
  if (typeof value !== "string") throw new Malformed(`${field}: wrong type, must be a string`);
}
