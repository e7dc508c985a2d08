// A command that does what /reload does in the terminal; rpc mode has none of its own.

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function (pi) {
  pi.registerCommand("test-reload", {
    description: "Reloads the extensions",
    handler: (_args, ctx) => ctx.reload(),
  });
}
