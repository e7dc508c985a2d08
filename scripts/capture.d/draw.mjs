// Draws rows of a terminal as SVG: real text on a fixed grid, dark or light as the
// reader has it.

import { textOf } from "./cells.mjs";

/**
 * @typedef {import("./cells.mjs").Run} Run
 * @typedef {{ dark: Run[], light: Run[] } | { gap: string }} Line a row in both themes, or where rows were left out, and what they were
 */

/** Of a cell, and around all, in pixels. */
const [WIDTH, HEIGHT, SIZE, MARGIN] = [7.83, 16, 13, 18];
/** Where rows were left out. */
const GAP = 34;
const FONTS = "ui-monospace,SFMono-Regular,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";
/** Of the terminal itself, which a theme leaves alone: letters, background, frame, and what we say. */
const PLAIN = { ink: ["#dedfe2", "#24272e"], paper: ["#17181d", "#ffffff"], frame: ["#3a3d47", "#c9ccd3"], aside: ["#8b919d", "#6b717d"] };

/**
 * @param {Line[]} lines
 * @param {number} columns
 * @param {string} title what it shows, for those who do not see it
 */
export function draw(lines, columns, title) {
  const width = Math.round(columns * WIDTH + 2 * MARGIN);
  const names = new Map();
  /** The class for a pair of colours. @param {string} dark @param {string} light */
  const colour = (dark, light) => {
    const pair = `${dark} ${light}`;
    if (!names.has(pair)) names.set(pair, `c${names.size}`);
    return names.get(pair);
  };
  let y = MARGIN;
  const body = lines.flatMap((line) => {
    const above = y;
    y += "gap" in line ? GAP : HEIGHT;
    return "gap" in line ? gap(line.gap, above, width) : row(line, above, colour);
  });
  const height = y + MARGIN;
  const rules = (/** @type {0 | 1} */ which) => [
    `.ink{fill:${PLAIN.ink[which]}}.paper{fill:${PLAIN.paper[which]};stroke:${PLAIN.frame[which]}}.aside{fill:${PLAIN.aside[which]}}.cut{stroke:${PLAIN.aside[which]}}`,
    ...[...names].map(([pair, name]) => `.${name}{fill:${pair.split(" ")[which]}}`),
  ].join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escape(title)}</title>`,
    `<style>text{font:${SIZE}px ${FONTS};white-space:pre}.b{font-weight:bold}.i,.aside{font-style:italic}.u{text-decoration:underline}.cut{stroke-dasharray:1 4}`,
    `${rules(0)}`,
    `@media(prefers-color-scheme:light){${rules(1)}}</style>`,
    `<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9"/>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/**
 * A row: first what is behind, then the letters. Each word group is put at its
 * column and given its width, for whatever font there is.
 *
 * @param {{ dark: Run[], light: Run[] }} line @param {number} y @param {(dark: string, light: string) => string} colour
 */
function row({ dark, light }, y, colour) {
  if (dark.length !== light.length || textOf(dark) !== textOf(light)) throw new Error(`the themes differ in more than colours: ${textOf(dark)}`);
  const papers = [];
  const letters = [];
  let column = 0;
  for (const [i, run] of dark.entries()) {
    const other = light[i];
    const length = [...run.text].length;
    if (run.paper) papers.push(`<rect class="${colour(run.paper, other?.paper ?? "")}" x="${at(column)}" y="${y}" width="${round(length * WIDTH)}" height="${HEIGHT}"/>`);
    if (run.reversed) papers.push(`<rect class="ink" x="${at(column)}" y="${y}" width="${round(length * WIDTH)}" height="${HEIGHT}"/>`);
    const ink = run.ink ? colour(run.ink, other?.ink ?? "") : "ink";
    const classes = [ink, run.bold && "b", run.italic && "i", run.underlined && "u"].filter(Boolean).join(" ");
    for (const { 0: words, index } of run.text.matchAll(/\S+(?: \S+)*/g)) {
      const before = [...run.text.slice(0, index)].length;
      letters.push(/^─+$/.test(words)
        ? `<rect class="${ink}" x="${at(column + before)}" y="${y + HEIGHT / 2}" width="${round([...words].length * WIDTH)}" height="1"/>`
        : `<text class="${classes}" x="${at(column + before)}" y="${y + SIZE - 1}" textLength="${round([...words].length * WIDTH)}">${escape(words)}</text>`);
    }
    column += length;
  }
  return [...papers, ...letters];
}

/** @param {string} says @param {number} y @param {number} width */
function gap(says, y, width) {
  const length = round(says.length * WIDTH);
  const middle = y + GAP / 2;
  return [
    `<path class="cut" d="M${MARGIN} ${middle}h24M${round(MARGIN + 36 + length)} ${middle}H${width - MARGIN}"/>`,
    `<text class="aside" x="${MARGIN + 30}" y="${middle + SIZE / 3}" textLength="${length}">${escape(says)}</text>`,
  ];
}

const round = (/** @type {number} */ n) => Math.round(n * 100) / 100;
const at = (/** @type {number} */ column) => round(MARGIN + column * WIDTH);
const escape = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
