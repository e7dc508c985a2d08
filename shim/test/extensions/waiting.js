// A tool that runs until it is ended, and whose siblings wait for it to end; and a
// command that has the model asked again as no user does: by a message.

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function (pi) {
  pi.registerTool({
    name: "test_wait",
    label: "Wait",
    description: "Waits until it is ended",
    parameters: /** @type {any} */ ({ type: "object", properties: {} }),
    executionMode: "sequential",
    execute: (_id, _params, signal) =>
      new Promise((_resolve, reject) => {
        const end = () => reject(new Error("ended"));
        if (signal?.aborted) end();
        else signal?.addEventListener("abort", end);
      }),
  });
  pi.registerCommand("test-continue", {
    description: "Has the model asked again",
    handler: async () => pi.sendMessage({ customType: "test", content: "Go on.", display: false }, { triggerTurn: true }),
  });
}
