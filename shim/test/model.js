// A scripted model: an OpenAI-compatible chat-completions server on loopback.
//
// It stands in for the only part of a real session that cannot be had offline.
// Everything it says is deterministic (ids included), so that two runs of the
// same script can be compared byte for byte.

import { createServer } from "node:http";
import { once } from "node:events";

/**
 * @typedef {object} ScriptedCall
 * @property {string} name
 * @property {unknown} arguments a string goes over the wire as it is, anything else as JSON
 * @property {string} [id] default: `call_<request>_<position>`, both counted from 1
 *
 * @typedef {object} Reply
 * @property {string} [text]
 * @property {string} [thinking]
 * @property {ScriptedCall[]} [toolCalls]
 * @property {string} [finish] default: `tool_calls` or `stop`
 * @property {Endless} [endless] written piece by piece after all else
 *
 * @typedef {object} Endless a unit that is written again and again
 * @property {"text" | "thinking" | "arguments"} as
 * @property {string} [before]
 * @property {string} unit
 * @property {number} times how often, if nobody closes the connection
 *
 * @typedef {object} ChatMessage
 * @property {string} role
 * @property {unknown} [content]
 * @property {string} [tool_call_id]
 *
 * @typedef {object} ChatRequest one request, as the model saw it
 * @property {string} raw the body, byte for byte
 * @property {ChatMessage[]} messages
 * @property {unknown} tools
 *
 * @typedef {Reply[] | ((request: ChatRequest, n: number) => Reply | Promise<Reply>)} Script
 *   `n` counts requests from 0; an array that has ended goes on with a plain text,
 *   which ends Pi's run.
 *
 * @typedef {object} SeenResult what the model saw as the result of one of its calls
 * @property {string} id
 * @property {string} text
 */

export class Model {
  /** @type {ChatRequest[]} */
  requests = [];
  /** How many copies of an endless unit were written, by request. @type {number[]} */
  copies = [];
  /** @type {Script} */
  #script;
  #server = createServer((request, response) => void this.#answer(request, response));

  /** @param {Script} script */
  constructor(script) {
    this.#script = script;
  }

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url() {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the model is not listening");
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /**
   * Starts over with another script, forgetting what was asked so far. The
   * address stays, so a world that points here can be used for a second run.
   *
   * @param {Script} script
   */
  restart(script) {
    this.#script = script;
    this.requests = [];
  }

  /** The last request: it holds the whole conversation. */
  get last() {
    const request = this.requests.at(-1);
    if (!request) throw new Error("the model was never asked");
    return request;
  }

  /**
   * Every tool result the model saw, in the order of the conversation.
   *
   * @param {ChatRequest} [request]
   * @returns {SeenResult[]}
   */
  results(request = this.last) {
    return request.messages
      .filter((message) => message.role === "tool")
      .map((message) => ({ id: message.tool_call_id ?? "", text: textOf(message.content) }));
  }

  /**
   * @param {string} id of the tool call
   * @param {ChatRequest} [request]
   * @returns {string | undefined}
   */
  resultOf(id, request = this.last) {
    return this.results(request).find((result) => result.id === id)?.text;
  }

  async close() {
    // An aborted or killed Pi may have left its connection half open.
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #answer(request, response) {
    try {
      request.setEncoding("utf8");
      let raw = "";
      for await (const chunk of request) raw += chunk;
      const body = JSON.parse(raw);
      const n = this.requests.length;
      const seen = { raw, messages: body.messages, tools: body.tools };
      this.requests.push(seen);
      const script = this.#script;
      const reply = (typeof script === "function" ? await script(seen, n) : script[n]) ?? { text: "Done." };
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunksOf(reply, n)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      if (reply.endless) this.copies[n] = await writeEndless(response, reply.endless, n);
      response.end("data: [DONE]\n\n");
    } catch (error) {
      // A mistake in a script shows up in Pi's output, which a failing test prints.
      if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `scripted model: ${String(error)}` } }));
    }
  }
}

/** @param {Script} script */
export function startModel(script) {
  return new Model(script).listen();
}

/** @param {unknown} content a string, or a list of parts */
function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}

/**
 * Writes a unit as a model would, in pieces of four characters, until it has been
 * written so often or the connection is closed. Returns how often it was.
 *
 * @param {import("node:http").ServerResponse} response
 * @param {Endless} endless
 * @param {number} n
 */
async function writeEndless(response, { as, before = "", unit, times }, n) {
  const call = { index: 0, id: `call_${n + 1}_1`, type: "function", function: { name: "bash", arguments: "" } };
  /** @param {string} piece */
  const delta = (piece) =>
    as === "text" ? { content: piece } : as === "thinking" ? { reasoning_content: piece } : { tool_calls: [{ index: 0, function: { arguments: piece } }] };
  /** @param {object} value */
  const write = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  if (as === "arguments") write(chunk(n, { role: "assistant", tool_calls: [call] }));
  let pieces = 0;
  let copies = -1;
  for (let text = before; copies < times && !response.destroyed; text = unit, copies++) {
    for (const piece of text.match(/[^]{1,4}/g) ?? []) {
      write(chunk(n, delta(piece)));
      if (++pieces % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1)); // some 30,000 characters a second
    }
  }
  if (!response.destroyed) write(chunk(n, {}, as === "arguments" ? "tool_calls" : "stop"));
  return copies;
}

/**
 * @param {Reply} reply
 * @param {number} n
 */
function* chunksOf(reply, n) {
  const calls = reply.toolCalls ?? [];
  if (reply.thinking) yield chunk(n, { role: "assistant", reasoning_content: reply.thinking });
  if (reply.text) yield chunk(n, { role: "assistant", content: reply.text });
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? `call_${n + 1}_${index + 1}`;
    const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const half = args.length >> 1;
    // Two pieces, as real servers stream them: Pi has to put them together.
    const head = { index, id, type: "function", function: { name: call.name, arguments: args.slice(0, half) } };
    yield chunk(n, { role: "assistant", tool_calls: [head] });
    yield chunk(n, { tool_calls: [{ index, function: { arguments: args.slice(half) } }] });
  }
  if (reply.endless) return;
  yield chunk(n, {}, reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop"));
  yield { ...envelope(n), choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
}

/** @param {number} n */
function envelope(n) {
  return { id: `reply-${n + 1}`, object: "chat.completion.chunk", created: 0, model: "scripted" };
}

/**
 * @param {number} n
 * @param {object} delta
 * @param {string | null} finish
 */
function chunk(n, delta, finish = null) {
  return { ...envelope(n), choices: [{ index: 0, delta, finish_reason: finish }] };
}
