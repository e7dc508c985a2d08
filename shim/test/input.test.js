// Inputs that JSON cannot say are told apart, long texts are replaced, and
// everything else travels as JSON.stringify writes it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { LONG_TEXT_OVER, encode } from "../input.js";

/** @param {unknown} input */
function countable(input) {
  const encoded = encode(input);
  assert.ok("json" in encoded, JSON.stringify(encoded));
  return encoded;
}

/** @param {unknown} input */
function uncountable(input) {
  const encoded = encode(input);
  assert.ok("uncountable" in encoded, JSON.stringify(encoded).slice(0, 200));
  return encoded.uncountable;
}

/** @param {number} depth @param {(inner: unknown) => unknown} wrap */
function nested(depth, wrap) {
  let value = wrap(1);
  for (let i = 1; i < depth; i++) value = wrap(value);
  return value;
}

describe("what is JSON travels as JSON.stringify writes it:", () => {
  /** @type {Record<string, unknown>} */
  const values = {
    "scalars and null": [null, true, false, 0, -0, 1.5, 1e300, 5e-324, "", "text"],
    "an empty object": {},
    "an empty array": [],
    "names out of order": { b: 1, a: { d: 2, c: 3 } },
    "the empty name": { "": 1 },
    "a prototype-less object": Object.assign(Object.create(null), { a: 1 }),
    "objects of another realm": runInNewContext("({ a: [1, { b: null }], c: 'text' })"),
    "the same object twice": ((twice) => [twice, { twice }])({ a: 1 }),
    "a name called constructor, toString or toJSON, if no function": { constructor: 1, toString: null, toJSON: "text" },
    "a lone surrogate": "\ud800",
    "a getter that gives JSON": { get a() { return 1; } },
    "names that are not enumerable, which nobody sees": Object.defineProperty({ a: 1 }, "b", { value: 2n }),
    "a proxy that hides nothing": new Proxy({ a: [1] }, {}),
  };
  for (const [name, value] of Object.entries(values)) {
    it(name, () => assert.deepEqual(encode(value), { json: JSON.stringify(value), elided: [] }));
  }

  it("an own __proto__, as JSON.parse makes one", () => {
    const json = '{"__proto__":{"a":1},"b":2}';
    assert.equal(countable(JSON.parse(json)).json, json);
  });

  it("a thousand levels of nesting, and not one more", () => {
    for (const wrap of [(/** @type {unknown} */ inner) => [inner], (/** @type {unknown} */ inner) => ({ inner })]) {
      const deepest = nested(1000, wrap);
      assert.equal(countable(deepest).json, JSON.stringify(deepest));
      assert.match(uncountable(nested(1001, wrap)), /nests too deeply/);
    }
  });

  it("a long text a thousand levels down", () => {
    const { elided } = countable(nested(999, (inner) => [inner === 1 ? ["x".repeat(5000)] : inner]));
    assert.equal(elided[0]?.at, "/0".repeat(1000));
  });
});

describe("what is not JSON is uncountable:", () => {
  class Point {
    x = 1;
  }
  const cycle = /** @type {Record<string, unknown>} */ ({});
  cycle.self = cycle;
  const ring = /** @type {unknown[]} */ ([]);
  ring.push([ring]);
  const tangle = /** @type {unknown[]} */ ([]);
  tangle.push(tangle, tangle, { tangle });
  let doubling = /** @type {unknown[]} */ ([]);
  for (let i = 0; i < 100; i++) doubling = [doubling, doubling];

  /** @type {[string, unknown, RegExp][]} */
  const values = [
    ["an object in itself", cycle, /refers to itself/],
    ["an array in itself", ring, /refers to itself/],
    ["a value in itself in many ways", tangle, /refers to itself/],
    ["shared references that stand for 2^100 values", doubling, /too many values/],
    ["undefined", undefined, /undefined/],
    ["a member that is undefined", { a: undefined }, /undefined/],
    ["an element that is undefined", [undefined], /undefined/],
    ["a bigint", { a: [1n] }, /bigint/],
    ["NaN", { a: NaN }, /NaN/],
    ["Infinity", [Infinity], /Infinity/],
    ["-Infinity", [-Infinity], /-Infinity/],
    ["a date", { at: new Date(0) }, /./],
    ["a map", new Map([["a", 1]]), /Map/],
    ["a set", new Set([1]), /Set/],
    ["a regular expression", /a/, /RegExp/],
    ["bytes", new Uint8Array(3), /Uint8Array/],
    ["a buffer", Buffer.from("text"), /./],
    ["an error", new Error("text"), /Error/],
    ["a promise", Promise.resolve(1), /Promise/],
    ["a boxed string", new String("text"), /String/],
    ["an object of a class", new Point(), /Point/],
    ["an object that inherits from another", Object.create({ a: 1 }), /./],
    ["a map of another realm", runInNewContext("new Map()"), /Map/],
    ["an object of a class of another realm", runInNewContext("new (class Far {})()"), /Far/],
    ["a function", { f() {} }, /function/],
    ["a class", Point, /function/],
    ["a symbol", [Symbol("s")], /symbol/],
    ["a member named by a symbol", { a: 1, [Symbol("s")]: 2 }, /./],
    ["an array with a hole", [1, , 3], /holes/],
    ["an array of holes only", new Array(4_000_000_000), /holes/],
    ["an array with a name", Object.assign([1], { name: 2 }), /names/],
    ["an array with a hole and a name", Object.assign([, 1], { name: 2 }), /./],
    ["a toJSON of its own", { toJSON: () => ({}) }, /./],
    ["a toJSON that is inherited", Object.create(Object.create(null, { toJSON: { value: () => 1 } })), /./],
    ["a getter that throws", { get a() { throw new Error("no"); } }, /cannot be read/],
    ["a getter that throws no error", { get a() { throw undefined; } }, /cannot be read/],
    ["a proxy that throws", new Proxy({}, { ownKeys() { throw new Error("no"); } }), /cannot be read/],
    ["a revoked proxy", ((p) => (p.revoke(), p.proxy))(Proxy.revocable({}, {})), /cannot be read/],
    ["a constructor that throws", Object.create({ get constructor() { throw new Error("no"); } }), /cannot be read/],
    ["nesting that no stack can hold", nested(100_000, (inner) => [inner]), /nests too deeply/],
  ];
  for (const [name, value, why] of values) it(name, () => assert.match(uncountable(value), why));

  it("anything, when someone gave all objects a toJSON", (t) => {
    const everything = /** @type {{ toJSON?: unknown }} */ (Object.prototype);
    t.after(() => delete everything.toJSON);
    Object.defineProperty(everything, "toJSON", { value: () => "same", configurable: true });
    uncountable({ a: 1 });
  });
});

describe("a long text", () => {
  const long = "y".repeat(LONG_TEXT_OVER + 1);
  const sha256 = (/** @type {string} */ text) => createHash("sha256").update(text, "utf8").digest("hex");
  const places = (/** @type {unknown} */ input) => countable(input).elided.map(({ at }) => at);

  it("is one of over 4096 UTF-16 units", () => {
    assert.equal(LONG_TEXT_OVER, 4096);
    assert.deepEqual(places("y".repeat(4096)), []);
    assert.deepEqual(places("y".repeat(4097)), [""]);
    assert.deepEqual(places("é".repeat(4096)), [], "units, not bytes");
    assert.deepEqual(places("😀".repeat(2048)), []);
    assert.deepEqual(places("😀".repeat(2049)), [""], "units, not characters");
  });

  it("is replaced by null and listed with its digest, length and ends", () => {
    const text = `${"a".repeat(300)}é😀${"z".repeat(5000)}`;
    assert.deepEqual(encode({ path: "f", content: text, nothing: null }), {
      json: '{"path":"f","content":null,"nothing":null}',
      elided: [{ at: "/content", sha256: sha256(text), length: 5303, head: "a".repeat(256), tail: "z".repeat(256) }],
    });
  });

  it("is one of several", () => {
    const other = "z".repeat(9000);
    const { json, elided } = countable({ edits: [{ oldText: long, newText: other }, { oldText: other, newText: "" }], last: long });
    assert.equal(json, '{"edits":[{"oldText":null,"newText":null},{"oldText":null,"newText":""}],"last":null}');
    assert.deepEqual(
      elided.map(({ at, sha256: sum, length }) => [at, sum, length]),
      [
        ["/edits/0/oldText", sha256(long), 4097],
        ["/edits/0/newText", sha256(other), 9000],
        ["/edits/1/oldText", sha256(other), 9000],
        ["/last", sha256(long), 4097],
      ],
    );
  });

  it("has a JSON Pointer for its place", () => {
    assert.deepEqual(places({ "a/b": { "c~d": [0, { "": { "~1/~0": long } }] } }), ["/a~1b/c~0d/1//~01~1~00"]);
    assert.deepEqual(places({ "": long }), ["/"]);
    assert.deepEqual(places({ "0": [long, [long]] }), ["/0/0", "/0/1/0"]);
    assert.deepEqual(places(JSON.parse(`{"__proto__":"${long}"}`)), ["/__proto__"]);
  });

  it("travels whole if it is ill-formed, for hashing would make different ones equal", () => {
    for (const text of [`${long}\ud800`, `\udc00${long}`, `${long}\udc00\ud800${long}`]) {
      assert.deepEqual(places([text, long]), ["/1"]);
      assert.equal(countable([text, long]).json, JSON.stringify([text, null]));
    }
  });

  it("has the digest of its UTF-8, whatever it is written in", () => {
    for (const text of ["文".repeat(5000), `文${"a".repeat(5000)}`, `${long}文${long}`, `${"é".repeat(5000)}Я`, "😀".repeat(5000), `Я${long}\ufffd${long}`, "Я".repeat(1_100_000)]) {
      assert.equal(countable(text).elided[0]?.sha256, sha256(text), text.slice(0, 20));
    }
  });

  it("travels whole if it is ill-formed in whatever place", () => {
    for (const text of [`文\ud800${long}`, `文${long}\udc00${long}`, `文\ufffd${long}\ud800`, `${"Я".repeat(1_100_000)}\udc00`]) {
      assert.deepEqual(places([text, "文".repeat(5000)]), ["/1"]);
    }
  });

  it("has well-formed ends wherever it is cut", () => {
    for (const shift of [0, 1]) {
      const text = "x".repeat(shift) + "😀".repeat(4000);
      const [{ head, tail } = { head: "", tail: "" }] = countable(text).elided;
      assert.ok(head.isWellFormed() && tail.isWellFormed());
      assert.ok(text.startsWith(head.replace(/\ufffd$/, "")) && text.endsWith(tail.replace(/^\ufffd/, "")));
    }
  });

  it("as the name of a member stays where it is", () => {
    assert.deepEqual(encode({ [long]: 1 }), { json: JSON.stringify({ [long]: 1 }), elided: [] });
  });

  it("does not keep a value that is no JSON from being told apart", () => {
    assert.match(uncountable({ long, when: 1n }), /bigint/);
  });
});
