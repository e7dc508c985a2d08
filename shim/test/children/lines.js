// What the fake children share: lines in, lines out.

/**
 * Calls back with each line of standard input, until it is closed.
 *
 * @param {(line: string) => void} line
 */
export async function eachLine(line) {
  process.stdin.setEncoding("utf8");
  let rest = "";
  for await (const text of process.stdin) {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) line(piece);
  }
}

/** @param {object} message */
export function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/**
 * The answer to `initialize` of a guard that speaks this version.
 *
 * @param {number} protocol
 */
export function hello(protocol) {
  return { protocol, server: { name: "loopbreaker", version: "0.0.0-fake" }, preset: "window", forward: ["tool/call"] };
}
