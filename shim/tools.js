import * as sentences from "./sentences.js";

// Tools that the guard offers and runs; Pi only learns of them here.

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ToolDefinition<any, any>} ToolDefinition
 * @typedef {import("./client.js").Answer} Answer
 * @typedef {(params: { toolCallId: string, toolName: string, input: unknown }, signal: AbortSignal | undefined) => Promise<{ result?: Answer, error?: unknown }>} Run
 */

/**
 * The definitions for Pi of what `initialize` lists.
 *
 * @param {unknown} tools
 * @param {Run} run
 * @returns {ToolDefinition[]}
 */
export function definitions(tools, run) {
  if (!Array.isArray(tools)) return [];
  return tools.map(({ name, label, description, promptSnippet, promptGuidelines, parameters, outputSchema }) => ({
    name,
    label,
    description,
    promptSnippet,
    promptGuidelines,
    parameters,
    outputSchema,
    async execute(toolCallId, input, signal) {
      const { result, error } = await run({ toolCallId, toolName: name, input }, signal);
      if (!Array.isArray(result?.content)) return failed(signal?.aborted ? sentences.toolCancelled(name) : sentences.toolFailed(name, error));
      const { content, isError, structuredContent } = /** @type {any} */ (result);
      // Pi keeps details in the session file, structuredContent it does not.
      return { content, isError: isError === true, structuredContent, details: structuredContent };
    },
  }));
}

/** @param {string} text */
const failed = (text) => ({ content: [{ type: /** @type {const} */ ("text"), text }], isError: true, details: undefined });
