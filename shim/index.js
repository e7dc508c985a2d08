import * as approval from "./approval.js";
import { findBinary } from "./binary.js";
import { Client } from "./client.js";
import * as events from "./events.js";
import { NAME, attempt, block, deadline, gone, hello, list, mayOfferTools, show, tell, text } from "./host.js";
import * as sentences from "./sentences.js";
import { Stream, cutMessage } from "./stream.js";
import { wrapped } from "./text.js";
import { definitions } from "./tools.js";

// The Pi extension. It tells the guard what happens and does what it says; all
// policy is in the guard. One registration has one guard: nothing is shared.
// It imports nothing of Pi: from a clone that would load a second Pi.

const TRACE_FLAG = "loop-trace";
/** How often a guard's session is looked for. */
const LOOK_MS = 5000;

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionAPI} ExtensionAPI
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 * @typedef {import("./client.js").Answer} Answer
 *
 * @typedef {object} Call a call of the model, until its result is written
 * @property {unknown} [input] as the model wrote it
 * @property {boolean} [asked] whether the guard was asked about it
 * @property {unknown} [refused] the guard's finding, if it refused it
 * @property {string} [unasked] the tool's name, if Pi answered by itself
 * @property {string} [note] the guard's remark on that
 * @property {boolean} [over] whether it will not run any more
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
  /** What may follow /loopbreaker. @type {string[]} */
  let completions = [];
  /** What the operator chose in this session, for a guard that takes over. @type {unknown} */
  let chosen;
  /** @type {Map<string, Call>} */
  const calls = new Map();
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
    else if ("sources" in found) building = buildFrom(ctx, found.sources).catch((error) => lack(ctx, sentences.buildFailed(found.sources.root, String(error))));
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
    const { build } = await import("./build.js");
    const failure = await build(sources, () => lack(ctx, sentences.building(sources.root)), closing.signal);
    if (closing.signal.aborted) return;
    if (failure) return lack(ctx, failure);
    client = connect(ctx, sources.target);
    tell(ctx, sentences.built, "info");
    client.prepare();
  };

  /** @param {ExtensionContext} ctx @param {string} path */
  const connect = (ctx, path) => {
    const trace = text(api.getFlag(TRACE_FLAG));
    // A host that embeds Pi may dispose of a session without telling its extensions.
    looking = setInterval(() => gone(ctx) && shutdown(), LOOK_MS).unref();
    return new Client({
      path,
      args: ["serve", ...(trace ? ["--trace", trace] : [])],
      deadline: deadline(ctx),
      hello: () => ({ ...hello(ctx), chosen }),
      past: () => attempt(() => events.past(ctx.sessionManager.getBranch())),
      greet: (answer) => {
        if (answer.commands) completions = list(answer.commands);
        for (const tool of definitions(answer.tools, run)) attempt(() => api.registerTool(tool));
        show(ctx, answer);
      },
      trouble: (sentence) => tell(ctx, sentence),
      abort: (decision) => {
        if (!writing) return;
        show(writing, decision);
        end(writing, decision);
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
      const decision = await ask(ctx, "approval", JSON.stringify({ id: question.id, answer }), null);
      if (decision) return decision;
    }
    // A guard that has gone refuses nothing; but a no is a no, and what has ended begins nothing.
    const reason = { declined: sentences.declined, aborted: sentences.unanswered }[String(answer)];
    return reason ? { block: true, reason } : undefined;
  };

  /** Ends the run if the guard's answer says so. @param {ExtensionContext} ctx @param {Answer | undefined} answer */
  const end = (ctx, answer) => {
    const abort = /** @type {{ told?: unknown, recovery?: unknown } | undefined} */ (answer?.abort);
    if (!abort) return false;
    if (typeof abort.told === "string") tell(ctx, abort.told);
    recovery = text(abort.recovery);
    ending = true;
    attempt(() => ctx.abort());
    return true;
  };

  api.registerFlag(TRACE_FLAG, { type: "string", description: sentences.traceFlag });

  api.on("session_start", unfailing((_event, ctx) => void guard(ctx)?.prepare()));
  api.on("session_tree", unfailing((_event, ctx) => guard(ctx)?.restore()));
  api.on("session_compact", unfailing((_event, ctx) => guard(ctx)?.tell("compact")));
  api.on("session_shutdown", unfailing(shutdown));

  // The only sign of a real user; messages of extensions have another source.
  api.on("input", unfailing(async ({ source }, ctx) => {
    if (source !== "extension") guard(ctx)?.tell("prompt", JSON.stringify({ source }));
    // Tools that are registered later than this are missing in the first system prompt.
    if (mayOfferTools(ctx)) await guard(ctx)?.ready();
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

  api.on("tool_execution_start", unfailing(({ toolCallId, args }) => void calls.set(toolCallId, { input: args })));

  api.on("tool_call", unfailing(async (event, ctx) => {
    const call = calls.get(event.toolCallId) ?? { input: event.input };
    calls.set(event.toolCallId, call);
    call.asked = true;
    let decision = await ask(ctx, "tool/call", events.toolCall(event, call.input));
    const question = approval.question(decision?.ask);
    if (question) decision = await settle(ctx, question);
    if (decision?.block !== true || typeof decision.reason !== "string") return undefined;
    Object.assign(call, { refused: decision.why, over: true });
    // A record that cannot be kept does not undo the refusal.
    for (const entry of list(decision.entries)) attempt(() => api.appendEntry(entry.customType, entry.data));
    return { block: true, reason: decision.reason, terminate: decision.terminate === true };
  }));

  api.on("tool_result", unfailing(async (event, ctx) => {
    const { content, structuredContent, parentToolCallId } = event;
    const note = text((await ask(ctx, "tool/result", events.toolResult(event)))?.note);
    // Text added to the result of a call within a call would break its script.
    return note === undefined || parentToolCallId ? undefined : { content: [...content, block(note)], structuredContent };
  }));

  api.on("tool_execution_end", unfailing(async (event, ctx) => {
    const call = calls.get(event.toolCallId);
    if (!call) return;
    call.over = true;
    if (call.asked || !event.isError) return;
    call.unasked = event.toolName;
    call.note = text((await ask(ctx, "tool/rejected", events.toolRejected(event, call.input)))?.note);
  }));

  api.on("message_end", unfailing(({ message }, ctx) => {
    if (message.role === "assistant") return written(ctx, message);
    if (message.role === "toolResult") return resulted(ctx, message);
    return undefined;
  }));

  /** A response that repeated itself is kept up to there. @type {MessageEnd} */
  const written = async (ctx, message) => {
    if (!stream.end()) return undefined;
    // Whoever ends the run meanwhile: what the message is to look like is still asked.
    const answer = await ask(ctx, "message/end", '{"role":"assistant"}', null);
    writing = undefined;
    end(ctx, answer);
    return answer?.cut ? { message: cutMessage(message, /** @type {any} */ (answer.cut)) } : undefined;
  };

  /** A session file shows a refused call as any failed one; the finding tells it apart. @type {MessageEnd} */
  const resulted = async (ctx, message) => {
    const { toolCallId, content, details } = message;
    const { refused, unasked, note } = calls.get(toolCallId) ?? {};
    calls.delete(toolCallId);
    // A model may call a tool of no name.
    const better = unasked === undefined ? undefined : text((await ask(ctx, "message/end", events.resultWritten(toolCallId, unasked, content)))?.text);
    if (refused === undefined && note === undefined && better === undefined) return undefined;
    return {
      message: {
        ...message,
        content: [...(better === undefined ? content : [block(better)]), ...(note === undefined ? [] : [block(note)])],
        details: refused === undefined ? details : { ...details, loopbreaker: refused },
      },
    };
  };

  api.on("turn_end", unfailing(async (_event, ctx) => {
    for (const [id, { over }] of calls) if (over) calls.delete(id); // calls within calls have no message
    const decision = await ask(ctx, "turn/end");
    if (end(ctx, decision) || typeof decision?.steer !== "string") return undefined;
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
      // Enter only takes what is offered, so it would not run what is typed in full.
      if (completions.includes(prefix)) return null;
      return completions.filter((value) => value.startsWith(prefix)).map((value) => ({ value, label: value }));
    },
    handler: async (args, ctx) => {
      /** @param {string} method @param {string} params */
      const choose = async (method, params) => {
        const answer = await ask(ctx, method, params);
        chosen = answer?.chosen ?? chosen;
        return answer;
      };
      if (args.trim() === "settings" && ctx.mode === "tui") {
        // Where the package has been replaced or removed meanwhile, the guard lists them as text.
        const view = await import("./settings.js").catch((error) => tell(ctx, sentences.noView(String(error))));
        if (view) return view.show(ctx, choose);
      }
      const answer = await choose("command", JSON.stringify({ args }));
      tell(ctx, text(answer?.text) ?? (client ? undefined : unguarded) ?? sentences.noAnswer, "info");
    },
  });

  api.registerEntryRenderer("loop_broken", ({ data }, _options, theme) => {
    const { tool, repeats, blockedSoFar } = /** @type {Record<string, any>} */ (data ?? {});
    const said = sentences.refusal(tool, repeats, blockedSoFar);
    return { render: (width) => wrapped(said, width).map((line) => theme.fg("warning", line)), invalidate() {} };
  });
}

/** @typedef {(ctx: ExtensionContext, message: any) => Promise<import("@earendil-works/pi-coding-agent").MessageEndEventResult | undefined>} MessageEnd */

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
