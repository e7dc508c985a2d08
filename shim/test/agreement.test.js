// The shim and the guard agree on when two inputs are the same: elided or whole,
// in any spelling. Asked is the real guard: after five calls the sixth is
// refused if it is the same, and only then.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { encode } from "../input.js";
import { real } from "./guard.js";
import { Random } from "./random.js";

/**
 * One question: five calls, then another. The five are JSON texts, sent as they
 * are; the sixth goes the shim's way.
 *
 * @typedef {{ five: string[], sixth: unknown }} Question
 */

/**
 * Asks one guard all questions, and tells for each whether the sixth call was
 * refused.
 *
 * @param {Question[]} questions
 */
async function refusals(questions) {
  /** @type {string[]} */
  const lines = [];
  const send = (/** @type {string} */ method, /** @type {string} */ params) =>
    void lines.push(`{"jsonrpc":"2.0","id":${lines.length},"method":"${method}","params":${params}}\n`);
  send("initialize", '{"protocol":1}');
  for (const [i, { five, sixth }] of questions.entries()) {
    const call = `"toolCallId":"1","toolName":"tool ${i}"`; // a tool of its own: no other's repeats
    assert.equal(five.length, 5);
    for (const json of five) send("tool/call", `{${call},"input":${json}}`);
    const input = encode(sixth);
    assert.ok("json" in input);
    send("tool/call", `{${call},"elided":${JSON.stringify(input.elided)},"input":${input.json}}`);
  }
  const child = spawn(real.path, real.args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.end(lines.join(""));
  const answers = (await text(child.stdout)).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(await ended, [0, null]);
  assert.equal(answers.length, lines.length);
  return questions.map((_, i) => {
    const [sixth, ...five] = answers.slice(1 + 6 * i, 1 + 6 * i + 6).reverse();
    for (const { result } of five) assert.deepEqual(result, {}, `one of the first five calls of question ${i}`);
    assert.ok(sixth.result, `the sixth call of question ${i}: ${JSON.stringify(sixth.error)}`);
    return sixth.result.block === true;
  });
}

/** @param {unknown} value */
const whole = (value) => Array.from({ length: 5 }, () => JSON.stringify(value));

const long = "x".repeat(5000);
const emoji = "😀".repeat(3000);
const code = 'if (a < b && c > "d") {\n\treturn `\\u0041/é\u2028\u007f`;\n}\n\u0000'.repeat(200);
const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i % 3 ? long + i : null]));

describe("a text that is elided and the same one sent whole are one:", () => {
  /** @type {Record<string, unknown>} */
  const inputs = {
    "the input itself": long,
    "a member": { path: "f", content: long },
    "an element": [null, long, null],
    "one beside nulls": { a: null, b: long, c: [null, { d: null }], e: null },
    "names out of order": { z: long, a: { y: emoji, b: [code] } },
    "several equal ones": [long, long, { long }],
    "many, among nulls": twenty,
    "characters of two units": { content: emoji },
    "one more unit than is sent whole": { content: "é".repeat(4097) },
    "escapes and control characters": { content: code },
    "names that a pointer escapes": { "a/b": { "c~d": { "~1": { "/": long } } } },
    "the empty name": { "": { "": long } },
    "names like numbers": { 10: long, 2: [long], "-1": long, "01": null },
    "names that JSON escapes": { '"\\\n\u0001é😀': long },
    "an own __proto__": JSON.parse(`{"__proto__":"${long}"}`),
    "a thousand levels down": JSON.parse(`${'{"a":['.repeat(500)}"${long}"${"]}".repeat(500)}`),
  };
  const answers = refusals(Object.values(inputs).map((input) => ({ five: whole(input), sixth: input })));
  for (const [i, name] of Object.keys(inputs).entries()) it(name, async () => assert.equal((await answers)[i], true));
});

describe("two different inputs stay two:", () => {
  const middle = `${"x".repeat(2500)}y${"x".repeat(2499)}`; // same length, same ends
  const encoded = encode({ content: long });
  assert.ok("elided" in encoded);
  const digest = encoded.elided[0];
  /** @type {[name: string, five: unknown, sixth: unknown][]} */
  const pairs = [
    ["texts that differ in one letter in the middle", { content: long }, { content: middle }],
    ["a text and the same with one letter more", { content: long }, { content: `${long}x` }],
    ["composed and decomposed letters", { content: "é".repeat(5000) }, { content: "e\u0301".repeat(5000) }],
    ["a text and null", { content: null }, { content: long }],
    ["a text and what stands for it on the wire", { content: digest }, { content: long }],
    ["what stands for a text on the wire, and the text", { content: long }, { content: digest }],
    ["a text and its canonical form", { content: `#${digest?.sha256}:${digest?.length}` }, { content: long }],
    ["an input with a member called elided", { content: null, elided: [digest] }, { content: long }],
    ["a text in another place", { a: long, b: null }, { a: null, b: long }],
    ["a text under another name", { a: long }, { b: long }],
    ["a text in an array", [long], long],
    ["an object and an array with the same pointer", { a: { 0: long } }, { a: [long] }],
    ["one text too many", [long], [long, long]],
    ["two texts in another order", [long, emoji], [emoji, long]],
  ];
  const answers = refusals(pairs.map(([, five, sixth]) => ({ five: whole(five), sixth })));
  for (const [i, [name]] of pairs.entries()) it(name, async () => assert.equal((await answers)[i], false));
});

it("a call with an ill-formed text is never counted, however long the text", async () => {
  const inputs = ["\ud800", `${long}\udc00`, [long, "\ud800"], { [`${long}\ud800`]: 1 }];
  assert.deepEqual(await refusals(inputs.map((input) => ({ five: whole(input), sixth: input }))), [false, false, false, false]);
});

describe("random values are the same exactly when JavaScript says so", () => {
  // Another seed can be tried with LOOPBREAKER_TEST_SEED.
  const seed = Number(process.env.LOOPBREAKER_TEST_SEED ?? 20);
  it(`in any spelling (seed ${seed})`, async () => {
    const random = new Random(seed);
    const values = Array.from({ length: 1200 }, () => {
      const value = random.value();
      return { value, other: random.chance(0.5) ? random.copy(value) : random.mutant(value) };
    });
    const answers = await refusals(
      values.map(({ value, other }) => ({ five: Array.from({ length: 5 }, () => random.spell(value)), sixth: other })),
    );
    const same = values.map(({ value, other }) => canonical(value) === canonical(other));
    for (const [i, { value, other }] of values.entries()) {
      assert.equal(answers[i], same[i], `${canonical(value)}\nand\n${canonical(other)}`);
    }
    const count = same.filter(Boolean).length;
    assert.ok(count > 400 && count < 800, `${count} of 1200 pairs were the same`);
  });
});

/**
 * What the guard's canonical form means, said in JavaScript.
 *
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  if (typeof value === "number") return String(value); // -0 is "0"
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
