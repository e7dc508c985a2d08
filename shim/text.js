// Text in a terminal: Pi ends where a line is wider than it may be. How wide a
// character is only Pi knows; none is wider than two columns.

/** The last line of what a program wrote, with nothing in it that a terminal acts on. @param {string} text */
export const lastLine = (text) => (text.trim().split("\n").at(-1) ?? "").replace(/\p{C}/gu, "");

/** How many characters of a text surely fit. @param {string} text @param {number} width */
const fitting = (text, width) => Math.max(1, /[^ -~]/.test(text) ? width >> 1 : width);

/** The beginning of a text, as far as it fits. @param {string} text @param {number} width */
export const cut = (text, width) => text.slice(0, fitting(text, width));

/** Lines that fit, broken at spaces where that can be. @param {string} text @param {number} width */
export function wrapped(text, width) {
  const most = fitting(text, width);
  return text.match(new RegExp(`\\S.{0,${most - 1}}(?= |$)|\\S{1,${most}}`, "g")) ?? [];
}
