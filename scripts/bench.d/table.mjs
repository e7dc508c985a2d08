// What all parts of the benchmark share: rows, medians, and the table.

/**
 * @typedef {object} Setup
 * @property {string} peers the folder of the programs that are measured
 * @property {boolean} quick
 * @property {string} [sessions] the folder of Pi sessions to play
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} than what it is held against
 * @property {number} ratio
 * @property {number} goal the most that the ratio may be, or the least, with `least`
 * @property {boolean} [least]
 * @property {string} [unit] "×" where ratio is one
 * @property {string} [detail]
 */

/** @param {number[]} values @param {number} share of the values that are below, 0.5 for the median */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/** @param {number} ms */
export const us = (ms) => `${(ms * 1000).toFixed(0)} µs`;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Prints the table. @param {Row[]} rows @returns {number} how many goals are missed */
export function printTable(rows) {
  let missed = 0;
  const cells = rows.map(({ what, than, ratio, goal, least = false, unit = "", detail = "" }) => {
    const met = least ? ratio >= goal : ratio <= goal;
    if (!met) missed++;
    const sign = least ? "≥" : "≤";
    return [what, than, `${figure(ratio)} ${unit}`.trim(), `${sign} ${goal} ${unit}`.trim(), met ? "met" : "MISSED", detail];
  });
  const head = ["what", "against", "measured", "goal", "", "in detail"];
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...cells]) {
    console.log(row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ").trimEnd());
  }
  console.log(`\n${rows.length - missed} of ${rows.length} goals met.`);
  return missed;
}

/** @param {number} value */
function figure(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
