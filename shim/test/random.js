// Random JSON values, their copies and mutants, and texts that spell them: the
// same ones for the same seed.

/** Names that have gone wrong somewhere, once. */
const NAMES = ["a", "b", "ab", "", "__proto__", "constructor", "toJSON", "0", "10", "2", "a/b", "~0", "\ue000", "😀", "é", "e\u0301", "\n"];
const LETTERS = ["a", "b", " ", '"', "\\", "/", "\n", "\t", "\u0000", "\u001f", "\u007f", "é", "\u2028", "\ufffd", "\uffff", "😀", "<", "&"];

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1; mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} n */
  below(n) {
    return Math.floor(this.next() * n);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template T
   * @param {T[]} items
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[this.below(items.length)]);
  }

  /**
   * @template T
   * @param {T[]} items
   */
  shuffled(items) {
    const rest = [...items];
    return items.map(() => /** @type {T} */ (rest.splice(this.below(rest.length), 1)[0]));
  }

  /** @returns {any} */
  value(depth = 4) {
    switch (this.below(depth > 0 ? 7 : 4)) {
      case 0:
        return this.pick([null, true, false]);
      case 1:
        return this.number();
      case 2:
      case 3:
        return this.text();
      case 4:
        return Array.from({ length: this.below(4) }, () => this.value(depth - 1));
      default:
        return fromEntries(this.shuffled(NAMES).slice(0, this.below(5)).map((name) => [name, this.value(depth - 1)]));
    }
  }

  number() {
    switch (this.below(4)) {
      case 0:
        return this.below(10) - 5;
      case 1:
        return this.pick([-0, 2 ** 53, -(2 ** 53), 1e21, 1e-6, 1e-7, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 123456789012345680000]);
      case 2:
        return (this.next() - 0.5) * 10 ** (this.below(40) - 20);
      default: {
        // Any bits at all, but for those that JSON has no number for.
        const bits = new DataView(new ArrayBuffer(8));
        bits.setUint32(0, this.next() * 2 ** 32);
        bits.setUint32(4, this.next() * 2 ** 32);
        const number = bits.getFloat64(0);
        return Number.isFinite(number) ? number : 0;
      }
    }
  }

  text() {
    const letters = Array.from({ length: this.below(6) }, () => this.pick(LETTERS)).join("");
    // Some are long enough to be elided, and some just not.
    return this.chance(0.15) ? letters.padEnd(4090 + this.below(14), letters || "x").toWellFormed() : letters;
  }

  /**
   * An equal value that shares nothing, its names in another order.
   *
   * @param {any} value
   * @returns {any}
   */
  copy(value) {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    return fromEntries(this.shuffled(Object.keys(value)).map((name) => [name, this.copy(value[name])]));
  }

  /**
   * A value that differs in one place, as a rule.
   *
   * @param {any} value
   * @returns {any}
   */
  mutant(value) {
    if (typeof value === "string" && value.length > 0 && this.chance(0.8)) {
      const i = this.below(value.length);
      return `${value.slice(0, i)}c${value.slice(i + 1)}`.toWellFormed();
    }
    if (typeof value === "number" && this.chance(0.8)) return this.chance(0.5) ? -value : value * (1 - Number.EPSILON);
    if (typeof value !== "object" || value === null) return this.value(1);
    if (Array.isArray(value)) {
      if (value.length === 0 || this.chance(0.3)) return [...value, null];
      const i = this.below(value.length);
      return value.map((item, n) => (n === i ? this.mutant(item) : this.copy(item)));
    }
    const names = Object.keys(value);
    if (names.length === 0 || this.chance(0.3)) return fromEntries([...names.map((name) => [name, value[name]]), ["new", null]]);
    const chosen = this.pick(names);
    return fromEntries(names.map((name) => (name !== chosen ? [name, value[name]] : this.chance(0.3) ? [`${name}x`, value[name]] : [name, this.mutant(value[name])])));
  }

  /**
   * JSON text for a value, in one of its many spellings.
   *
   * @param {any} value
   * @returns {string}
   */
  spell(value) {
    const blank = () => (this.chance(0.1) ? this.pick([" ", "\t", "\r", "  "]) : "");
    /** @type {string} */
    let text;
    if (typeof value === "string") text = this.#spellText(value);
    else if (typeof value === "number") text = this.#spellNumber(value);
    else if (typeof value !== "object" || value === null) text = String(value);
    else if (Array.isArray(value)) text = `[${value.map((item) => this.spell(item)).join() || blank()}]`;
    else text = `{${this.shuffled(Object.keys(value)).map((name) => `${blank()}${this.#spellText(name)}${blank()}:${this.spell(value[name])}`).join() || blank()}}`;
    return blank() + text + blank();
  }

  /** @param {string} text */
  #spellText(text) {
    if (this.chance(0.5)) return JSON.stringify(text);
    const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const units = text.split("").map((unit) => {
      if (unit === "/" && this.chance(0.5)) return "\\/";
      // Half a pair can only be escaped together with the other half.
      return unit.isWellFormed() && this.chance(0.9) ? JSON.stringify(unit).slice(1, -1) : escaped(unit);
    });
    return `"${units.join("")}"`;
  }

  /** @param {number} number */
  #spellNumber(number) {
    const text = Object.is(number, -0) ? "-0" : String(number);
    switch (this.below(4)) {
      case 0:
        return number.toExponential().replace("e", this.pick(["e", "E"]));
      case 1:
        return /^-?\d+$/.test(text) ? `${text}.0` : text;
      case 2:
        return number.toPrecision(21);
      default:
        return text;
    }
  }
}

/**
 * An object with these own members, one called __proto__ included.
 *
 * @param {any[][]} entries
 */
function fromEntries(entries) {
  return Object.fromEntries(/** @type {[string, any][]} */ (entries));
}
