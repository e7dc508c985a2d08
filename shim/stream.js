// What the model writes, as the guard is told it: gathered, for models write in
// pieces of a few characters, and a message for each would cost more than all else.

/** What is gathered at most, in UTF-16 code units, and for how long. */
const BATCH_LENGTH = 2048;
const BATCH_MS = 40;

/** The channels of Pi's events. @type {Record<string, string>} */
const CHANNELS = { text_delta: "text", thinking_delta: "thinking", toolcall_delta: "arguments" };

/**
 * @typedef {{ type: string, contentIndex?: number, delta?: string }} Update
 * @typedef {{ content?: { name?: string }[] }} Partial
 */

export class Stream {
  #send;
  /** The beginning of the params. */
  #head = "";
  #text = "";
  #channel = "";
  #block = -1;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {(params: string) => void} send takes the params of a `stream/delta`, as JSON text */
  constructor(send) {
    this.#send = send;
  }

  /** Takes in an update. The message itself is never stringified: it grows. @param {Update} update @param {unknown} message */
  add({ type, contentIndex = 0, delta }, message) {
    const channel = CHANNELS[type];
    if (channel === undefined || typeof delta !== "string") return;
    if (channel !== this.#channel || contentIndex !== this.#block) {
      this.flush(true);
      [this.#channel, this.#block] = [channel, contentIndex];
      const toolName = channel === "arguments" ? /** @type {Partial} */ (message)?.content?.[contentIndex]?.name : undefined;
      this.#head = `${JSON.stringify({ channel, block: contentIndex, toolName }).slice(0, -1)},"text":`;
    }
    this.#text += delta;
    if (this.#text.length >= BATCH_LENGTH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  /** Sends what is gathered. @param {boolean} [all] even half a character */
  flush(all = false) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let text = this.#text;
    this.#text = "";
    if (!all && /[\uD800-\uDBFF]$/.test(text)) {
      this.#text = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text !== "") this.#send(`${this.#head}${JSON.stringify(text)}}`);
  }

  /** Sends the rest of a message, and reports whether there was anything in it. */
  end() {
    const wrote = this.#channel !== "";
    this.flush(true);
    [this.#channel, this.#block] = ["", -1];
    return wrote;
  }
}

/**
 * What is kept of a response that repeated itself.
 *
 * @template {{ content: any[], stopReason?: string, errorMessage?: string }} M
 * @param {M} message
 * @param {{ block: number, keep: number, mark: string, stopReason?: string }} cut
 * @returns {M}
 */
export function cutMessage(message, { block, keep, mark, stopReason }) {
  const content = message.content.slice(0, block).filter(({ type }) => type !== "toolCall");
  const { type, text, thinking } = message.content[block] ?? {};
  // Without its signature: that was given for all of it.
  if (type === "text") content.push({ type, text: head(text, keep) });
  if (type === "thinking") content.push({ type, thinking: head(thinking, keep) });
  content.push({ type: "text", text: mark });
  if (stopReason === undefined) return { ...message, content };
  const { errorMessage: _, ...rest } = message;
  return /** @type {M} */ ({ ...rest, content, stopReason });
}

/** @param {string} text @param {number} bytes */
const head = (text, bytes) => Buffer.from(text).subarray(0, bytes).toString();
