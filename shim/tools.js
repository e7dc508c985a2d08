import { block, list } from "./host.js";
import * as sentences from "./sentences.js";

// Tools that the guard offers and runs; Pi only learns of them here.

/**
 * @typedef {import("@earendil-works/pi-coding-agent").ToolDefinition<any, any>} ToolDefinition
 * @typedef {(params: { toolCallId: string, toolName: string, input: unknown }, signal: AbortSignal | undefined) => Promise<{ result?: any, error?: unknown }>} Run
 */

/** The definitions for Pi of what `initialize` lists. @param {unknown} tools @param {Run} run @returns {ToolDefinition[]} */
export function definitions(tools, run) {
  return list(tools).map((tool) => ({
    ...tool,
    async execute(toolCallId, input, signal) {
      const { result, error } = await run({ toolCallId, toolName: tool.name, input }, signal);
      if (Array.isArray(result?.content)) {
        const { content, isError, structuredContent } = result;
        // Pi keeps details in the session file, structuredContent it does not.
        return { content, isError: isError === true, structuredContent, details: structuredContent };
      }
      const said = signal?.aborted ? sentences.toolCancelled(tool.name) : sentences.toolFailed(tool.name, error);
      return { content: [block(said)], isError: true, details: undefined };
    },
  }));
}
