// The story of the picture in the README: a scripted model lists one folder again
// and again, in real Pi with the guard on.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bash } from "../../shim/test/calls.js";
import { makeWorld } from "../../shim/test/world.js";

export const PROMPT = "The cart ignores discounts. Fix it.";
export const COMMAND = "ls src";
/** What the model says when it is asked to call no tools. */
export const ANSWER =
  "I listed src again and again, and changed nothing. All I know is that there is src/cart.js; " +
  "I have not read it. Where does a discount come from: the item, or the customer?";

/**
 * A world with the project ~/shop and the model that is stuck.
 *
 * @param {{ after(close: () => unknown): void }} t
 */
export async function makeShop(t) {
  const world = await makeWorld(t, ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes("Call no tools now") ? { text: ANSWER } : { toolCalls: [bash(COMMAND)] },
  );
  world.project = join(world.home, "shop");
  await mkdir(join(world.project, "src"), { recursive: true });
  await writeFile(join(world.project, "src", "cart.js"), "");
  return world;
}
