// A command that does what /tree does in the terminal; rpc mode has none of its own.

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function (pi) {
  pi.registerCommand("test-tree", {
    description: "Goes to the entry with this id",
    handler: async (id, ctx) => void (await ctx.navigateTree(id)),
  });
}
