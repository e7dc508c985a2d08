// A double of Pi, just large enough to register the shipped extension, tell it
// what happens, and keep what it does. Each fact about Pi that it copies says so
// in one line; that they are facts is shown with the real Pi, in pi-*.test.js.

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionAPI} ExtensionAPI
 * @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} ExtensionContext
 * @typedef {import("@earendil-works/pi-coding-agent").ToolCallEventResult} ToolCallEventResult
 * @typedef {(event: any, ctx: ExtensionContext) => any} Handler
 *
 * @typedef {object} Message what the model reads as the result of a call
 * @property {"toolResult"} role
 * @property {string} toolCallId
 * @property {string} toolName
 * @property {{ type: "text", text: string }[]} content
 * @property {any} details
 * @property {boolean} isError
 */

export class Double {
  /** @type {{ sentence: string, kind: string | undefined }[]} what the operator was shown */
  notices = [];
  /** @type {{ customType: string, data: any }[]} what the session file was given */
  entries = [];
  /** @type {(string | undefined)[]} what the footer was given */
  statuses = [];
  /** @type {Map<string, any>} the commands of the extension */
  commands = new Map();
  /** @type {string[]} errors that Pi would print as "Extension error" */
  errors = [];
  /** @type {Record<string, string | boolean>} */
  #flags;
  /** @type {Set<string>} */
  #registered = new Set();
  /** @type {Map<string, Handler[]>} */
  #handlers = new Map();
  #loading = true;
  #calls = 0;
  #run = new AbortController();

  /**
   * @param {(api: ExtensionAPI) => void} extension
   * @param {object} [options]
   * @param {Record<string, string | boolean>} [options.flags] as given on the command line
   * @param {boolean} [options.hasUI]
   * @param {Partial<ExtensionAPI>} [options.api] replaces parts of what the extension is given
   */
  constructor(extension, { flags = {}, hasUI = true, api = {} } = {}) {
    this.#flags = flags;
    /** What handlers are given beside the event; tests may replace parts of it. @type {any} */
    this.ctx = {
      hasUI,
      // Fact: without a UI the mode is print or json; rpc and tui have one.
      mode: hasUI ? "rpc" : "print",
      cwd: process.cwd(),
      signal: this.#run.signal,
      ui: {
        // Fact: without a UI, notify does nothing.
        notify: (/** @type {string} */ sentence, /** @type {string | undefined} */ kind) => {
          if (hasUI) this.notices.push({ sentence, kind });
        },
        setStatus: (/** @type {string} */ _key, /** @type {string | undefined} */ text) => void this.statuses.push(text),
      },
      isProjectTrusted: () => true,
      // Fact: a new session's branch is empty.
      sessionManager: { getSessionId: () => "double", getBranch: () => [] },
      abort: () => this.#run.abort(),
    };
    const given = {
      registerFlag: (/** @type {string} */ name) => void this.#registered.add(name),
      // Fact: a flag has no value while extensions load, and none for who did not register it.
      getFlag: (/** @type {string} */ name) => (this.#loading || !this.#registered.has(name) ? undefined : this.#flags[name]),
      on: (/** @type {string} */ type, /** @type {Handler} */ handler) => {
        this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
      },
      registerCommand: (/** @type {string} */ name, /** @type {any} */ command) => void this.commands.set(name, command),
      registerEntryRenderer: () => {},
      getSettings: () => ({}),
      appendEntry: (/** @type {string} */ customType, /** @type {unknown} */ data) => void this.entries.push({ customType, data }),
      ...api,
    };
    extension(/** @type {ExtensionAPI} */ (/** @type {unknown} */ (given)));
    this.#loading = false;
  }

  /** @param {string} type */
  handlers(type) {
    return this.#handlers.get(type) ?? [];
  }

  start() {
    return this.#emit({ type: "session_start", reason: "startup" });
  }

  startTurn() {
    return this.#emit({ type: "turn_start" });
  }

  /** A piece of text that the model writes, and the end of its message. @param {string} delta */
  async writeDelta(delta) {
    await this.#emit({ type: "message_update", message: {}, assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta } });
    await this.write({ role: "assistant", content: [{ type: "text", text: delta }] });
  }

  endTurn() {
    return this.#emit({ type: "turn_end" });
  }

  shutdown() {
    return this.#emit({ type: "session_shutdown", reason: "quit" });
  }

  /**
   * A call by the model: it is put to the extension, and if refused its result
   * is written. Tells what the model reads of a refused call, else undefined.
   *
   * @param {string} toolName
   * @param {unknown} input
   * @param {string} [toolCallId]
   * @returns {Promise<Message | undefined>}
   */
  async call(toolName, input, toolCallId = `call-${++this.#calls}`) {
    const decision = await this.decide(toolName, input, toolCallId);
    // Fact: what blocks is `block`; anything else lets the call run.
    if (!decision?.block) return undefined;
    // Fact: no tool_result comes for a refused call. Its message is an error with
    // the reason as its only text and empty details.
    const text = decision.reason ?? "Tool execution was blocked";
    /** @type {Message} */
    const message = { role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], details: {}, isError: true };
    return this.write(message);
  }

  /**
   * @param {string} toolName
   * @param {unknown} input
   * @param {string} toolCallId
   * @returns {Promise<ToolCallEventResult | undefined>}
   */
  async decide(toolName, input, toolCallId) {
    /** @type {ToolCallEventResult | undefined} */
    let result;
    // Fact: handlers run one after another, each awaited; the first that blocks
    // is the last that is asked.
    for (const handler of this.handlers("tool_call")) {
      try {
        result = (await handler({ type: "tool_call", toolCallId, toolName, input }, this.ctx)) ?? result;
      } catch (error) {
        // Fact: a handler that throws blocks the call, and its message is the reason.
        return { block: true, reason: error instanceof Error ? error.message : String(error) };
      }
      if (result?.block) break;
    }
    return result;
  }

  /**
   * Writes a message to the session, as the extension would have it.
   *
   * @template {{ role: string }} M
   * @param {M} message
   * @returns {Promise<M>}
   */
  async write(message) {
    for (const handler of this.handlers("message_end")) {
      // Fact: what a handler returns as `message` takes the message's place, if it has the same role.
      const result = await this.#report(() => handler({ type: "message_end", message }, this.ctx));
      if (result?.message?.role === message.role) message = result.message;
    }
    return message;
  }

  /** @param {{ type: string, [member: string]: unknown }} event */
  async #emit(event) {
    for (const handler of this.handlers(event.type)) await this.#report(() => handler(event, this.ctx));
  }

  /**
   * Fact: elsewhere than in tool_call an error is printed, and the run goes on.
   *
   * @param {() => any} handle
   */
  async #report(handle) {
    try {
      return await handle();
    } catch (error) {
      this.errors.push(String(error));
      return undefined;
    }
  }
}
