// A guard that has the operator asked about each call whose command ends in
// `# ask`, or `# ask` and a time in milliseconds; what was answered it puts into
// the refusal. The answer about a call that ends in `# ask die` it does not live to see.

import { eachLine, hello, say } from "./lines.js";

/** @type {Set<string>} the questions that are open */
const open = new Set();
const unknown = { error: { code: -32602, message: "params/id: no such question is open" } };

const ASK = /# ask *(\d*)( die)?$/;

await eachLine((line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") return say({ id, result: hello(1) });
  if (id === undefined) return;
  if (method === "tool/call") return say({ id, result: asked(params) });
  if (method === "approval") return say({ id, ...(open.delete(params.id) ? settled(params) : unknown) });
  say({ id, result: {} });
});

/** @param {any} params */
function asked({ toolCallId, input }) {
  const [, ms, die] = ASK.exec(input.command ?? "") ?? [];
  if (ms === undefined) return {};
  if (die) setTimeout(() => process.exit(3), 100);
  open.add(toolCallId);
  return { ask: { id: toolCallId, title: "Let it?", message: `It makes ${toolCallId}.`, timeoutMs: ms === "" ? 30_000 : Number(ms) } };
}

/** @param {any} params */
function settled({ id, answer }) {
  return { result: answer === "approved" ? {} : { block: true, reason: `Refused: ${answer} ${id}` } };
}
