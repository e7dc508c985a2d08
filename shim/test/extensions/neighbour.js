// Another extension, and not a good one. NEIGHBOUR says what it does.

/** Every event in which it can throw without a call being refused for it. */
const EVENTS = /** @type {const} */ ([
  "session_start", "input", "before_agent_start", "agent_start", "turn_start", "message_start", "message_update", "message_end",
  "tool_execution_start", "tool_result", "tool_execution_end", "turn_end", "agent_end", "agent_settled", "session_shutdown",
]);
/** How often it wakes the agent. */
const WAKES = 5;

/** For longer than the deadline nothing else happens in Pi. */
function busy() {
  const end = performance.now() + 1.2 * Number(process.env.LOOPBREAKER_DEADLINE_MS);
  while (performance.now() < end);
}

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function (pi) {
  let n = 0;
  const broken = () => {
    throw new Error(`broken ${++n}`);
  };
  switch (process.env.NEIGHBOUR) {
    case "refuses":
      return pi.on("tool_call", () => ({ block: true, reason: "Not on a Monday." }));
    case "throws on calls":
      return pi.on("tool_call", broken);
    case "throws on all else":
      for (const event of EVENTS) pi.on(/** @type {any} */ (event), broken);
      return;
    case "changes calls":
      return pi.on("tool_call", (event) => {
        const input = /** @type {{ command: string }} */ (event.input);
        input.command = `true ${++n}; ${input.command}`;
      });
    case "changes results":
      return pi.on("tool_result", ({ content }) => ({ content: [...content, { type: "text", text: `Seen ${++n}.` }] }));
    case "holds Pi up":
      // While ours waits for an answer, if it comes after this one.
      return pi.on("tool_call", () => void (n++ < 2 && setImmediate(busy)));
    case "wakes the agent":
      return pi.on("agent_settled", () => {
        if (n++ < WAKES) pi.sendMessage({ customType: "neighbour", content: "Go on.", display: false }, { triggerTurn: true });
      });
    default:
      throw new Error("NEIGHBOUR is not set");
  }
}
