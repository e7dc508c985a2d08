import * as buffer from "node:buffer";
import * as crypto from "node:crypto";

// A value on its way to the guard. What JSON cannot say is told apart
// here, before JSON.stringify can hide it; what is long is replaced by a digest,
// which costs a quarter of stringifying it. Both sides of the wire share these
// numbers (canonical.LongTextOver and canonical.MaxDepth).

/** Strings of an input of more UTF-16 units than this travel as a digest. */
export const LONG_TEXT_OVER = 4096;
/** So do those of a result; the guard looks for noise in all that are shorter. */
export const LONG_RESULT_OVER = 65_536;
const EDGE = 256;
/** Far below where V8's stack ends: at 2,300 for JSON.stringify with a replacer. */
const MAX_DEPTH = 1000;
/** A bound on the time spent on a value that refers to itself in many ways. */
const MAX_VALUES = 1_000_000;

/**
 * @typedef {{ at: string, sha256: string, length: number, head: string, tail: string }} LongText
 * @typedef {{ json: string, elided: LongText[] } | { uncountable: string }} Encoded
 */

/**
 * Writes a value as JSON, or says why that cannot be done faithfully. Never
 * throws.
 *
 * @param {unknown} value
 * @param {number} [longOver] strings of more UTF-16 units are replaced
 * @returns {Encoded}
 */
export function encode(value, longOver = LONG_TEXT_OVER) {
  try {
    const survey = new Survey(longOver);
    survey.look(value);
    const { elided, texts } = survey;
    if (elided.length === 0) return { json: JSON.stringify(value), elided };
    let met = 0; // they are met again in the same order
    const json = JSON.stringify(value, (_key, part) => (typeof part === "string" && part === texts[met] ? (met++, null) : part));
    return { json, elided };
  } catch (error) {
    return { uncountable: error instanceof NotJson ? error.message : "it cannot be read" };
  }
}

class NotJson extends Error {}

/** Walks a value once: is it JSON, and where are its long texts? */
class Survey {
  /** @type {LongText[]} */
  elided = [];
  /** The texts themselves. @type {string[]} */
  texts = [];
  /** Where the walk is; what lies beyond #depth is of the past. @type {(string | number)[]} */
  #path = [];
  #depth = 0;
  #values = 0;
  #longOver;

  /** @param {number} longOver */
  constructor(longOver) {
    this.#longOver = longOver;
  }

  /** @param {unknown} value */
  look(value) {
    if (++this.#values > MAX_VALUES) throw new NotJson("it has too many values, or refers to itself");
    switch (typeof value) {
      case "string":
        if (value.length > this.#longOver) this.#elide(value);
        return;
      case "boolean":
        return;
      case "number":
        if (!Number.isFinite(value)) throw new NotJson(`${value} is no JSON number`);
        return;
      case "object":
        if (value !== null) this.#lookInto(value);
        return;
      default:
        throw new NotJson(`JSON has no ${typeof value}`);
    }
  }

  /** @param {object} value */
  #lookInto(value) {
    const depth = this.#depth;
    if (depth >= MAX_DEPTH) throw new NotJson("it nests too deeply, or refers to itself");
    if (!isPlain(value)) throw new NotJson(`a ${value.constructor?.name ?? "special"} object is no plain JSON`);
    const names = Object.keys(value);
    if (Array.isArray(value) && names.length !== value.length) throw new NotJson("an array has holes or names");
    this.#depth = depth + 1;
    for (const key of Array.isArray(value) ? value.keys() : names) {
      this.#path[depth] = key;
      this.look(/** @type {Record<string | number, unknown>} */ (value)[key]);
    }
    this.#depth = depth;
  }

  /** @param {string} text */
  #elide(text) {
    const sha256 = digest(text);
    if (sha256 === undefined) return;
    const path = this.#path.slice(0, this.#depth);
    this.texts.push(text);
    this.elided.push({
      at: path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
      sha256,
      length: text.length,
      head: text.slice(0, EDGE).toWellFormed(),
      tail: text.slice(-EDGE).toWellFormed(),
    });
  }
}

/** What long texts are hashed in: to have it made anew for each costs half as much again. @type {Buffer | undefined} */
let scratch;
/** The longest text that is, in UTF-16 units, each up to three bytes. */
const SCRATCH = 1 << 20;

/**
 * The SHA-256 of a text in UTF-8. Ill-formed ones have none, and travel whole: hashing
 * would make different ones equal.
 *
 * @param {string} text
 */
function digest(text) {
  const recoded = isWide(text) ? recode(text) : undefined;
  if (recoded) return crypto.hash("sha256", recoded);
  if (!text.isWellFormed()) return undefined;
  if (text.length > SCRATCH) return crypto.hash("sha256", text);
  return crypto.hash("sha256", written(text, "utf8"));
}

/** Whether a text shows at its ends that it is beyond Latin-1. @param {string} text */
const isWide = (text) => WIDE.test(text.slice(0, EDGE)) || WIDE.test(text.slice(-EDGE));
const WIDE = /[^\0-\xff]/;

/**
 * Such a text in UTF-8, by way of UTF-16, as which the engine has it: that is twice to
 * six times as fast, and finds what is ill-formed on the way. Undefined where that, or
 * a Node without it, leaves a doubt.
 *
 * @param {string} text
 */
function recode(text) {
  try {
    const utf16 = text.length > SCRATCH ? Buffer.from(text, "utf16le") : written(text, "utf16le");
    const utf8 = buffer.transcode(utf16, "utf16le", "utf8");
    return utf8.includes("\ufffd") ? undefined : utf8;
  } catch {
    return undefined;
  }
}

/** A text in an encoding, until the next one is. @param {string} text @param {"utf8" | "utf16le"} encoding */
function written(text, encoding) {
  if (!scratch || scratch.length < 3 * text.length) scratch = Buffer.allocUnsafeSlow(3 * Math.max(text.length, SCRATCH >> 3));
  return scratch.subarray(0, scratch.write(text, encoding));
}

/** An array, or an object of no class, of any realm, that stringifies as it is. @param {object} value */
function isPlain(value) {
  if (typeof (/** @type {{ toJSON?: unknown }} */ (value).toJSON) === "function") return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
