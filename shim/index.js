import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import * as approval from "./approval.js";
import { findBinary } from "./binary.js";
import { build } from "./build.js";
import { Client, PROTOCOL } from "./client.js";
import * as events from "./events.js";
import * as sentences from "./sentences.js";
import * as settings from "./settings.js";
import { wrapped } from "./text.js";
import { Stream, cutMessage } from "./stream.js";
import { definitions } from "./tools.js";

// The Pi extension. It tells the guard what happens and does what it says; all
// policy is in the guard. One registration has one guard: nothing is shared.
// It imports nothing of Pi: from a clone that would load a second Pi.

const NAME = "loopbreaker";
const TRACE_FLAG = "loop-trace";
const DEADLINE_MS = 250;
/** How often a guard's session is looked for. */
const LOOK_MS = 5000;
const COMMANDS = ["status", "why", "measures", "off", "on", "reset", "preset", "settings", "set", "unset", "help"];

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionAPI} ExtensionAPI
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 * @typedef {import("./client.js").Answer} Answer
 */

/** @param {ExtensionAPI} api */
export default function loopbreaker(api) {
  try {
    // The oldest Pi it works with has it; with one before 1.0 half of it would work.
    if (typeof api.getSettings === "function") register(api);
    else process.stderr.write(`${sentences.tooOld}\n`);
  } catch (error) {
    // Pi ends with an extension that throws as it is loaded.
    process.stderr.write(`${sentences.notRegistered(String(error))}\n`);
  }
}

/** @param {ExtensionAPI} api */
function register(api) {
  /** @type {Client | undefined} */
  let client;
  /** Why there is no guard, as the user was told. @type {string | undefined} */
  let unguarded;
  /** The guard's program being built. @type {Promise<void> | undefined} */
  let building;
  /** @type {string[]} */
  let presets = [];
  /** What the operator chose in this session, for a guard that takes over. @type {unknown} */
  let chosen;
  /** What the model wrote, by the id of a call on its way. @type {Map<string, unknown>} */
  const raw = new Map();
  /** Calls the guard was asked about; one that ends without was rejected by Pi. @type {Set<string>} */
  const asked = new Set();
  /** The guard's findings on refused calls, until their results are written. @type {Map<string, unknown>} */
  const refused = new Map();
  /** Its remarks on rejected calls, likewise. @type {Map<string, string>} */
  const notes = new Map();
  /** Calls that Pi answered by itself, until their results are written. @type {Map<string, string>} */
  const unasked = new Map();
  /** What the model is asked once the run that the guard ended has settled. @type {string | undefined} */
  let recovery;
  /** Ends the questions that are open when the session does. */
  const closing = new AbortController();
  /** Whether the guard has ended this run: Pi's signal then says nothing of the user's. */
  let ending = false;
  /** Where the response is being written. @type {ExtensionContext | undefined} */
  let writing;
  /** @type {NodeJS.Timeout | undefined} */
  let looking;
  const stream = new Stream((params) => client?.tell("stream/delta", params));

  /** @param {ExtensionContext} ctx */
  const guard = (ctx) => {
    if (client || unguarded) return client;
    const found = findBinary();
    if ("path" in found) client = connect(ctx, found.path);
    else if ("sources" in found) building = buildFrom(ctx, found.sources).catch(() => {});
    else lack(ctx, found.missing);
    return client;
  };

  /** @param {ExtensionContext} ctx @param {string} why */
  const lack = (ctx, why) => {
    unguarded = why;
    tell(ctx, why);
  };

  /**
   * In the background: until it is done, calls run unguarded.
   *
   * @param {ExtensionContext} ctx @param {import("./binary.js").Sources} sources
   */
  const buildFrom = async (ctx, sources) => {
    unguarded = sentences.building(sources.root);
    const failure = await build(sources, () => lack(ctx, sentences.building(sources.root)), closing.signal);
    if (closing.signal.aborted) return;
    if (failure) return lack(ctx, failure);
    client = connect(ctx, sources.target);
    tell(ctx, sentences.built, "info");
    client.open();
  };

  /** @param {ExtensionContext} ctx @param {string} path */
  const connect = (ctx, path) => {
    // A host that embeds Pi may dispose of a session without telling its extensions.
    looking = setInterval(() => stale(ctx) && shutdown(), LOOK_MS).unref();
    return new Client({
      path,
      args: ["serve", ...traceArguments(api, ctx)],
      deadline: deadline(ctx),
      hello: () => ({ ...hello(ctx), chosen }),
      past: () => events.past(ctx.sessionManager.getBranch()),
      greet: (answer) => {
        if (Array.isArray(answer.presets)) presets = answer.presets;
        registerAll(api, definitions(answer.tools, run));
        show(ctx, answer);
      },
      trouble: (sentence) => tell(ctx, sentence),
      abort: (decision) => {
        if (writing) show(writing, decision);
        if (writing) end(writing, decision);
      },
    });
  };

  const shutdown = async () => {
    clearInterval(looking);
    closing.abort();
    await Promise.all([client?.close(), building]);
  };

  /** @type {import("./tools.js").Run} */
  const run = async (params, signal) => (await client?.run(params, signal)) ?? {};

  /**
   * Asks the guard, and shows what it wants shown.
   *
   * @param {ExtensionContext} ctx @param {string} method @param {string} [params]
   * @param {AbortSignal | null} [signal] stops the waiting, but not where the guard has ended the run
   */
  const ask = async (ctx, method, params = "{}", signal = ctx.signal) => {
    const answer = await guard(ctx)?.call(method, params, (ending ? null : signal) ?? undefined);
    if (answer) show(ctx, answer);
    return answer;
  };

  /**
   * Asks the operator, and the guard what follows from the answer.
   *
   * @param {ExtensionContext} ctx @param {approval.Question} question
   * @returns {Promise<Answer | undefined>}
   */
  const settle = async (ctx, question) => {
    const asking = client?.current;
    const answer = await approval.put(ctx, question, closing.signal);
    if (client?.current === asking) {
      // Told also when the run has ended, for the guard remembers what was not approved.
      const decision = await client?.call("approval", JSON.stringify({ id: question.id, answer }), undefined);
      if (decision) show(ctx, decision);
      if (decision) return decision;
    }
    // A guard that has gone refuses nothing; but a no is a no, and what has ended begins nothing.
    const reason = { declined: sentences.declined, aborted: sentences.unanswered }[String(answer)];
    return reason ? { block: true, reason } : undefined;
  };

  /**
   * Ends the run if the guard's answer says so.
   *
   * @param {ExtensionContext} ctx @param {Answer | undefined} answer
   */
  const end = (ctx, answer) => {
    const abort = /** @type {{ told?: unknown, recovery?: unknown } | undefined} */ (answer?.abort);
    if (!abort) return false;
    if (typeof abort.told === "string") tell(ctx, abort.told);
    recovery = typeof abort.recovery === "string" ? abort.recovery : undefined;
    ending = true;
    ctx.abort();
    return true;
  };

  api.registerFlag(TRACE_FLAG, { type: "string", description: sentences.traceFlag });

  api.on("session_start", unfailing((_event, ctx) => void guard(ctx)?.open()));
  api.on("session_tree", unfailing((_event, ctx) => guard(ctx)?.restore()));
  api.on("session_compact", unfailing((_event, ctx) => guard(ctx)?.tell("compact")));
  api.on("session_shutdown", unfailing(shutdown));

  // The only sign of a real user; messages of extensions have another source.
  api.on("input", unfailing(async ({ source }, ctx) => {
    if (source !== "extension") guard(ctx)?.tell("prompt", JSON.stringify({ source }));
    // Tools that are registered later than this are missing in the first system prompt.
    await guard(ctx)?.ready();
    return undefined;
  }));

  api.on("turn_start", unfailing((_event, ctx) => {
    ending = false;
    guard(ctx)?.tell("turn/start");
  }));

  api.on("message_update", unfailing(({ message, assistantMessageEvent }, ctx) => {
    writing = ctx;
    stream.add(assistantMessageEvent, message);
  }));

  api.on("tool_execution_start", unfailing(({ toolCallId, args }) => void raw.set(toolCallId, args)));

  api.on("tool_call", unfailing(async (event, ctx) => {
    asked.add(event.toolCallId);
    const input = raw.has(event.toolCallId) ? raw.get(event.toolCallId) : event.input;
    let decision = await ask(ctx, "tool/call", events.toolCall(event, input));
    const question = approval.question(decision?.ask);
    if (question) decision = await settle(ctx, question);
    if (decision?.block !== true || typeof decision.reason !== "string") return undefined;
    refused.set(event.toolCallId, decision.why);
    appendAll(api, decision.entries);
    return { block: true, reason: decision.reason, terminate: decision.terminate === true };
  }));

  api.on("tool_result", unfailing(async (event, ctx) => {
    const { content, structuredContent, parentToolCallId } = event;
    const decision = await ask(ctx, "tool/result", events.toolResult(event));
    // Text added to the result of a call within a call would break its script.
    if (typeof decision?.note !== "string" || parentToolCallId) return undefined;
    return { content: [...content, { type: /** @type {const} */ ("text"), text: decision.note }], structuredContent };
  }));

  api.on("tool_execution_end", unfailing(async (event, ctx) => {
    const input = raw.get(event.toolCallId);
    raw.delete(event.toolCallId);
    if (asked.delete(event.toolCallId) || !event.isError) return;
    unasked.set(event.toolCallId, event.toolName);
    const decision = await ask(ctx, "tool/rejected", events.toolRejected(event, input));
    if (typeof decision?.note === "string") notes.set(event.toolCallId, decision.note);
  }));

  api.on("message_end", unfailing(({ message }, ctx) => {
    switch (message.role) {
      case "assistant":
        return written(ctx, message);
      case "toolResult":
        return resulted(ctx, message);
    }
    return undefined;
  }));

  /** A response that repeated itself is kept up to there. @type {MessageEnd} */
  const written = async (ctx, message) => {
    if (!stream.end()) return undefined;
    // Whoever ends the run meanwhile: what the message is to look like is still asked.
    const answer = await ask(ctx, "message/end", '{"role":"assistant"}', null);
    writing = undefined;
    end(ctx, answer);
    return answer?.cut ? replaced(cutMessage(message, /** @type {any} */ (answer.cut))) : undefined;
  };

  /** A session file shows a refused call as any failed one; the finding tells it apart. @type {MessageEnd} */
  const resulted = async (ctx, { content, ...message }) => {
    const { toolCallId } = message;
    const [why, note, toolName] = [refused.get(toolCallId), notes.get(toolCallId), unasked.get(toolCallId)];
    for (const memory of [refused, notes, unasked]) memory.delete(toolCallId);
    const text = toolName === undefined ? undefined : (await ask(ctx, "message/end", events.resultWritten(toolCallId, toolName, content)))?.text;
    if (why === undefined && note === undefined && typeof text !== "string") return undefined;
    const details = why === undefined ? message.details : { .../** @type {object | undefined} */ (message.details), loopbreaker: why };
    const written = typeof text === "string" ? [{ type: "text", text }] : content;
    return replaced({ ...message, content: [...written, ...(note === undefined ? [] : [{ type: "text", text: note }])], details });
  };

  api.on("turn_end", unfailing(async (_event, ctx) => {
    for (const memory of [refused, notes, unasked]) memory.clear(); // calls within calls have no message
    const decision = await ask(ctx, "turn/end");
    if (end(ctx, decision)) return undefined;
    if (typeof decision?.steer !== "string") return undefined;
    // An entry of the turn's end costs no request of its own, as a queued message would.
    return { entries: [{ type: /** @type {const} */ ("custom_message"), customType: NAME, content: decision.steer, display: true }] };
  }));

  api.on("agent_settled", unfailing(() => {
    const content = recovery;
    recovery = undefined;
    if (content) api.sendMessage({ customType: NAME, content, display: true }, { triggerTurn: true });
  }));

  api.registerCommand(NAME, {
    description: sentences.command,
    getArgumentCompletions: (prefix) => {
      const all = [...COMMANDS.filter((name) => name !== "preset"), ...presets.map((name) => `preset ${name}`)];
      // Enter only takes what is offered, so it would not run what is typed in full.
      if (all.includes(prefix)) return null;
      return all.filter((value) => value.startsWith(prefix)).map((value) => ({ value, label: value }));
    },
    handler: async (args, ctx) => {
      /** @param {string} method @param {string} params */
      const choose = async (method, params) => {
        const answer = await ask(ctx, method, params);
        chosen = answer?.chosen ?? chosen;
        return answer;
      };
      if (args.trim() === "settings" && ctx.mode === "tui") return settings.show(ctx, choose);
      const answer = await choose("command", JSON.stringify({ args }));
      tell(ctx, typeof answer?.text === "string" ? answer.text : (client ? undefined : unguarded) ?? sentences.noAnswer, "info");
    },
  });

  api.registerEntryRenderer("loop_broken", ({ data }, _options, theme) => {
    const { tool, repeats, blockedSoFar } = /** @type {Record<string, any>} */ (data ?? {});
    const text = sentences.refusal(tool, repeats, blockedSoFar);
    return { render: (width) => wrapped(text, width).map((line) => theme.fg("warning", line)), invalidate() {} };
  });
}

/** @typedef {(ctx: ExtensionContext, message: any) => Promise<import("@earendil-works/pi-coding-agent").MessageEndEventResult | undefined>} MessageEnd */

/** @param {any} message @returns {import("@earendil-works/pi-coding-agent").MessageEndEventResult} */
const replaced = (message) => ({ message });

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

/** Whether the session is over: Pi then lets nobody read its context. @param {ExtensionContext} ctx */
function stale(ctx) {
  try {
    void ctx.mode;
    return false;
  } catch {
    return true;
  }
}

/** The params of `initialize`. @param {ExtensionContext} ctx */
function hello(ctx) {
  return {
    protocol: PROTOCOL,
    host: { name: "pi" },
    mode: ctx.mode,
    hasUI: ctx.hasUI,
    cwd: ctx.cwd,
    agentDir: process.env.PI_CODING_AGENT_DIR?.replace(/^~(?=\/|$)/, homedir()) || join(homedir(), ".pi", "agent"),
    projectTrusted: ctx.isProjectTrusted(),
    sessionId: ctx.sessionManager.getSessionId(),
  };
}

/** @param {ExtensionAPI} api @param {ReturnType<typeof definitions>} tools */
function registerAll(api, tools) {
  for (const tool of tools) {
    try {
      api.registerTool(tool);
    } catch {
      // The session has gone; a throw here would end Pi.
    }
  }
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

/** Shows what an answer holds for the user. @param {ExtensionContext} ctx @param {Answer} answer */
function show(ctx, { notify, status }) {
  if (Array.isArray(notify)) for (const sentence of notify) if (typeof sentence === "string") tell(ctx, sentence);
  if (typeof status === "string" && ctx.hasUI) ctx.ui.setStatus(NAME, status || undefined);
}

/**
 * Tells the user. Without a UI Pi drops notifications, so stderr takes them.
 *
 * @param {ExtensionContext} ctx
 * @param {string} sentence
 * @param {"info" | "warning"} kind
 */
function tell(ctx, sentence, kind = "warning") {
  try {
    if (ctx.hasUI) ctx.ui.notify(sentence, kind);
    else process.stderr.write(`${sentence}\n`);
  } catch {
    // The session has gone, and its user with it.
  }
}

/** @param {ExtensionAPI} api @param {ExtensionContext} ctx */
function traceArguments(api, ctx) {
  const flag = api.getFlag(TRACE_FLAG) || process.env.LOOPBREAKER_TRACE;
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
