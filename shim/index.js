import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { findBinary } from "./binary.js";
import { Client, PROTOCOL } from "./client.js";
import { encodeInput } from "./input.js";
import * as sentences from "./sentences.js";

// The Pi extension. It tells the guard what happens and does what it says; all
// policy is in the guard. One registration has one guard: nothing is shared.

const TRACE_FLAG = "loop-trace";
const DEADLINE_MS = 250;

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionAPI} ExtensionAPI
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 */

/** @param {ExtensionAPI} api */
export default function loopbreaker(api) {
  /** @type {Client | undefined} */
  let client;
  let missing = false;
  /** The guard's findings on refused calls, until their results are written. @type {Map<string, unknown>} */
  const refused = new Map();

  api.registerFlag(TRACE_FLAG, {
    type: "string",
    description: "Write Loopbreaker's messages to a file; =true picks one in the temp folder",
  });

  /** @param {ExtensionContext} ctx */
  const guard = (ctx) => {
    if (client || missing) return client;
    const found = findBinary();
    if ("missing" in found) {
      missing = true;
      tell(ctx, found.missing);
      return undefined;
    }
    client = new Client({
      path: found.path,
      args: ["serve", ...traceArguments(api, ctx)],
      deadline: deadline(ctx),
      hello: () => ({
        protocol: PROTOCOL,
        host: { name: "pi" },
        mode: ctx.mode,
        hasUI: ctx.hasUI,
        cwd: ctx.cwd,
        agentDir: process.env.PI_CODING_AGENT_DIR || join(homedir(), ".pi", "agent"),
        projectTrusted: ctx.isProjectTrusted(),
        sessionId: ctx.sessionManager.getSessionId(),
      }),
      greet: (result) => tellAll(ctx, result.notify),
      trouble: (sentence) => tell(ctx, sentence),
    });
    return client;
  };

  api.on("session_start", unfailing((_event, ctx) => void guard(ctx)?.open()));

  api.on(
    "tool_call",
    unfailing(async (event, ctx) => {
      const decision = await guard(ctx)?.call("tool/call", toolCall(event), ctx.signal);
      tellAll(ctx, decision?.notify);
      if (decision?.block !== true || typeof decision.reason !== "string") return undefined;
      refused.set(event.toolCallId, decision.why);
      appendAll(api, decision.entries);
      return { block: true, reason: decision.reason };
    }),
  );

  // A session file shows a refused call as any failed one; the finding tells it apart.
  api.on(
    "message_end",
    unfailing(({ message }) => {
      if (message.role !== "toolResult" || !refused.has(message.toolCallId)) return undefined;
      const why = refused.get(message.toolCallId);
      refused.delete(message.toolCallId);
      const details = { .../** @type {object | undefined} */ (message.details), loopbreaker: why };
      return /** @type {import("@earendil-works/pi-coding-agent").MessageEndEventResult} */ ({ message: { ...message, details } });
    }),
  );
  api.on("turn_end", unfailing(() => refused.clear())); // nested calls have no message

  api.on("session_shutdown", unfailing(async () => client?.close()));
}

/**
 * A handler that throws would block the tool, or trouble the user.
 *
 * @template E, R
 * @param {(event: E, ctx: ExtensionContext) => R | Promise<R>} handler
 * @returns {(event: E, ctx: ExtensionContext) => Promise<R | undefined>}
 */
function unfailing(handler) {
  return async (event, ctx) => {
    try {
      return await handler(event, ctx);
    } catch {
      return undefined;
    }
  };
}

/**
 * The params of `tool/call`.
 *
 * @param {import("@earendil-works/pi-coding-agent").ToolCallEvent} event
 */
function toolCall(event) {
  const { toolCallId, toolName, parentToolCallId } = event;
  const input = encodeInput(event.input);
  const rest = "json" in input ? { elided: input.elided.length > 0 ? input.elided : undefined } : input;
  const params = JSON.stringify({ toolCallId, toolName, parentToolCallId, ...rest });
  return "json" in input ? `${params.slice(0, -1)},"input":${input.json}}` : params;
}

/** @param {ExtensionAPI} api @param {unknown} entries */
function appendAll(api, entries) {
  if (!Array.isArray(entries)) return;
  for (const entry of entries) {
    try {
      api.appendEntry(entry.customType, entry.data);
    } catch {
      // A record that cannot be kept does not undo the refusal.
    }
  }
}

/** @param {ExtensionContext} ctx @param {unknown} sentences */
function tellAll(ctx, sentences) {
  if (!Array.isArray(sentences)) return;
  for (const sentence of sentences) if (typeof sentence === "string") tell(ctx, sentence);
}

/**
 * Tells the user. Without a UI Pi drops notifications, so stderr takes them.
 *
 * @param {ExtensionContext} ctx
 * @param {string} sentence
 */
function tell(ctx, sentence) {
  try {
    if (ctx.hasUI) ctx.ui.notify(sentence, "warning");
    else process.stderr.write(`${sentence}\n`);
  } catch {
    // The session has gone, and its user with it.
  }
}

/** @param {ExtensionAPI} api @param {ExtensionContext} ctx */
function traceArguments(api, ctx) {
  const flag = api.getFlag(TRACE_FLAG);
  if (typeof flag !== "string" || flag === "") return [];
  if (flag !== "true") return ["--trace", flag];
  const path = join(tmpdir(), `loopbreaker-${randomUUID()}.jsonl`);
  tell(ctx, sentences.tracing(path));
  return ["--trace", path];
}

/** @param {ExtensionContext} ctx */
function deadline(ctx) {
  const value = process.env.LOOPBREAKER_DEADLINE_MS;
  if (!value) return DEADLINE_MS;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  tell(ctx, sentences.badDeadline(value, DEADLINE_MS));
  return DEADLINE_MS;
}
