import { LONG_RESULT_OVER, encode } from "./input.js";

// What happens in Pi, as the guard is told it: the params of the protocol's
// methods (bridge/PROTOCOL.md), as JSON text.

/** How much of a session's past is told after a restart, in entries and characters. */
const PAST_ENTRIES = 400;
const PAST_LENGTH = 1 << 20;
/** How much of an error's text is told; the guard quotes a line of it. */
const ERROR_TEXT = 1000;

/**
 * @typedef {{ type: string, text?: string, data?: string, mimeType?: string }} Block
 * @typedef {import("@earendil-works/pi-coding-agent").SessionEntry} SessionEntry
 */

/**
 * `tool/call`. The input is the raw one, as the model wrote it and as a session
 * file keeps it, so that a restored call is known again.
 *
 * @param {{ toolCallId: string, toolName: string, parentToolCallId?: string }} event
 * @param {unknown} input
 */
export function toolCall({ toolCallId, toolName, parentToolCallId }, input) {
  return withValue({ toolCallId, toolName, parentToolCallId }, "input", encode(input));
}

/** `tool/result`. @param {{ toolCallId: string, isError: boolean, content: Block[] }} event */
export function toolResult({ toolCallId, isError, content }) {
  return withContent({ toolCallId, isError }, content);
}

/** `tool/rejected`. @param {{ toolCallId: string, toolName: string, result: { content?: Block[] } }} event @param {unknown} input */
export function toolRejected({ toolCallId, toolName, result }, input) {
  return withValue({ toolCallId, toolName, text: beginning(result?.content) }, "input", encode(input));
}

/** `message/end` of a result that Pi wrote by itself. @param {string} toolCallId @param {string} toolName @param {Block[]} content */
export function resultWritten(toolCallId, toolName, content) {
  return JSON.stringify({ role: "toolResult", toolCallId, toolName, text: beginning(content) });
}

/**
 * `session/restore`: the tail of a branch, or undefined where nothing has
 * happened on it.
 *
 * @param {SessionEntry[]} branch oldest entry first
 */
export function past(branch) {
  /** @type {string[]} */
  const events = [];
  let length = 0;
  for (const entry of branch.slice(-PAST_ENTRIES).reverse()) {
    const told = pastEvents(entry);
    length += told.join().length;
    if (length > PAST_LENGTH) break;
    events.unshift(...told);
  }
  return events.length > 0 ? `{"events":[${events.join()}]}` : undefined;
}

/** @param {SessionEntry} entry @returns {string[]} */
function pastEvents(entry) {
  if (entry.type === "compaction") return ['{"type":"compact"}'];
  if (entry.type !== "message") return []; // a custom message is no prompt
  const { message } = entry;
  switch (message.role) {
    case "user":
      return ['{"type":"prompt"}'];
    case "assistant": {
      const calls = message.content.filter((part) => part.type === "toolCall");
      // Without a name and an id a call is nothing the guard can know again.
      const known = calls.filter(({ id, name }) => id && name);
      return ['{"type":"turn"}', ...known.map(({ id, name, arguments: input }) => withValue({ type: "call", toolCallId: id, toolName: name }, "input", encode(input)))];
    }
    case "toolResult": {
      const { toolCallId, isError, content, details } = message;
      const refused = /** @type {any} */ (details)?.loopbreaker ? true : undefined;
      return [withContent({ type: "result", toolCallId, isError, refused }, content)];
    }
    default:
      return [];
  }
}

/** The text of an error, as far as it is told. @param {Block[]} [content] */
const beginning = (content) => String(content?.[0]?.text ?? "").slice(0, ERROR_TEXT);

/** An object with a result's content. @param {object} members @param {Block[]} content */
function withContent(members, content) {
  const told = content.map(({ type, text, data, mimeType }) => (type === "text" ? { type, text } : { type, data, mimeType }));
  return withValue(members, "content", encode(told, LONG_RESULT_OVER));
}

/**
 * An object with one more member, whose value is JSON text already.
 *
 * @param {object} members
 * @param {string} name
 * @param {import("./input.js").Encoded} value
 */
function withValue(members, name, value) {
  if ("uncountable" in value) return JSON.stringify({ ...members, ...value });
  const elided = value.elided.length > 0 ? value.elided : undefined;
  return `${JSON.stringify({ ...members, elided }).slice(0, -1)},"${name}":${value.json}}`;
}
