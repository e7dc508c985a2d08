// Draws .github/loop.svg: the story of capture.d/story.mjs in Pi's dark and in its
// light theme, on one picture that is either.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Terminal } from "../shim/test/terminal.js";
import { parse, textOf } from "./capture.d/cells.mjs";
import { draw } from "./capture.d/draw.mjs";
import { ANSWER, COMMAND, PROMPT, makeShop } from "./capture.d/story.mjs";

const COLUMNS = 104;
/** So many that nothing scrolls out of sight. */
const ROWS = 150;
/** The most that the picture may weigh, in bytes. */
const BUDGET = 60 << 10;
const picture = fileURLToPath(new URL("../.github/loop.svg", import.meta.url));

const [dark, light] = [await capture("dark"), await capture("light")];
const rows = dark.map((row, n) => ({ dark: row, light: light[n] ?? [] }));
const svg = draw(chosen(rows), COLUMNS, "Pi in a terminal: a model runs one command again and again; Loopbreaker remarks on it, refuses it, ends the run and has the model answer.");
assert.ok(svg.length <= BUDGET, `the picture has ${svg.length} bytes`);
await writeFile(picture, svg);
console.log(`${picture}: ${(await readFile(picture)).length} bytes`);

/** The screen when all is over. @param {"dark" | "light"} theme */
async function capture(theme) {
  /** @type {(() => unknown)[]} */
  const closing = [];
  try {
    const world = await makeShop({ after: (close) => closing.push(close) });
    const terminal = await Terminal.open(world, { COLORTERM: "truecolor" }, { args: ["--use-theme", theme], columns: COLUMNS, rows: ROWS });
    await terminal.type(PROMPT);
    await terminal.settled(ANSWER.slice(0, 40));
    const screen = await terminal.coloured();
    assert.equal(await terminal.quit(), 0);
    return parse(screen.replace(/Took \d\.\ds/g, "Took 0.0s")); // the only thing that is not the same each time
  } finally {
    for (const close of closing) await close();
  }
}

/**
 * The rows that tell the story, and where some are left out, what those were.
 *
 * @param {{ dark: import("./capture.d/cells.mjs").Run[], light: import("./capture.d/cells.mjs").Run[] }[]} rows
 */
function chosen(rows) {
  const texts = rows.map(({ dark }) => textOf(dark).trim());
  const row = (/** @type {string} */ text) => {
    const n = texts.findIndex((t) => t.includes(text));
    assert.ok(n >= 0, `not on the screen: ${text}\n${texts.join("\n")}`);
    return n;
  };
  // Each begins with a row of its colour, and an empty one before that.
  const calls = texts.flatMap((text, n) => (text === `$ ${COMMAND}` ? [n - 1] : []));
  assert.equal(calls.length, 7, texts.join("\n"));
  const [, second = 0, third, fourth = 0, fifth, sixth = 0] = calls;
  const bottom = texts.findLastIndex((text) => text !== "");
  const editor = texts.findLastIndex((text, n) => n < bottom - 4 && text.startsWith("───"));
  return [
    ...rows.slice(row(PROMPT) - 1, second - 1),
    { gap: "call 2: the same" },
    ...rows.slice(third, fourth - 1),
    { gap: "call 4: the same, with another remark" },
    ...rows.slice(fifth, sixth - 1),
    { gap: "calls 6 and 7: refused too, the first with a last warning" },
    ...rows.slice(row("Loopbreaker ended the run"), row(ANSWER.slice(-30)) + 2),
    ...rows.slice(editor, bottom + 1),
  ];
}
