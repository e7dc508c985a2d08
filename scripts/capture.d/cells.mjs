// Reads what tmux says of a screen: rows of text with SGR sequences between, which
// hold until the next one says otherwise, also on the rows below.

/**
 * @typedef {object} Style
 * @property {string} [ink] the colour of the letters, as #rrggbb
 * @property {string} [paper] the colour behind them
 * @property {boolean} [bold]
 * @property {boolean} [italic]
 * @property {boolean} [underlined]
 * @property {boolean} [reversed] a cursor
 *
 * @typedef {Style & { text: string }} Run neighbours of one style
 */

/**
 * @param {string} screen
 * @returns {Run[][]} the rows
 */
export function parse(screen) {
  /** @type {Style} */
  let style = {};
  return screen.replace(/\n$/, "").split("\n").map((row) => {
    /** @type {Run[]} */
    const runs = [];
    for (const [, codes, text] of row.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+|\x1b)/g)) {
      if (text === undefined) style = apply(style, codes ?? "");
      else if (text === "\x1b") throw new Error(`not an SGR sequence: ${JSON.stringify(row)}`);
      else runs.push({ ...style, text });
    }
    return runs;
  });
}

/** @param {Run[]} row */
export const textOf = (row) => row.map(({ text }) => text).join("");

/** @param {Style} style @param {string} codes @returns {Style} */
function apply(style, codes) {
  const numbers = (codes || "0").split(";").map(Number);
  const next = { ...style };
  while (numbers.length > 0) {
    const code = numbers.shift();
    switch (code) {
      case 0: for (const name of /** @type {(keyof Style)[]} */ (Object.keys(next))) delete next[name]; break;
      case 1: next.bold = true; break;
      case 3: next.italic = true; break;
      case 4: next.underlined = true; break;
      case 7: next.reversed = true; break;
      case 22: delete next.bold; break;
      case 23: delete next.italic; break;
      case 24: delete next.underlined; break;
      case 27: delete next.reversed; break;
      case 38: next.ink = colour(numbers); break;
      case 39: delete next.ink; break;
      case 48: next.paper = colour(numbers); break;
      case 49: delete next.paper; break;
      default: throw new Error(`SGR ${code} is not known here`);
    }
  }
  return next;
}

/** Takes a colour from the head of the list. @param {number[]} numbers */
function colour(numbers) {
  const [kind, ...rgb] = numbers.splice(0, 4);
  if (kind !== 2) throw new Error("Pi shows colours of a palette; with COLORTERM=truecolor it should not");
  return `#${rgb.map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}
