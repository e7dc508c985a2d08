// Commands that speak to the model as extensions can: none of it is the user.

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function (pi) {
  pi.registerCommand("test-message", {
    description: "Sends a message that has the model answer",
    handler: async () => pi.sendMessage({ customType: "test", content: "Go on.", display: true }, { triggerTurn: true }),
  });
  pi.registerCommand("test-user-message", {
    description: "Sends a message in the user's name",
    handler: async () => pi.sendUserMessage("Go on."),
  });
}
