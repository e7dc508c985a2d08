// The picture in the README shows what Pi, the shim and the guard say today.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { ANSWER, COMMAND, PROMPT, makeShop } from "../../scripts/capture.d/story.mjs";
import { refusal } from "../sentences.js";
import { toolResults } from "./calls.js";
import { Rpc } from "./rpc.js";
import { extension, repoFolder } from "./world.js";

it("the picture in the README says what is said today; if not, run scripts/capture", async (t) => {
  const svg = await readFile(join(repoFolder, ".github", "loop.svg"), "utf8");
  const shown = svg.match(/(?<=<text [^>]*>)[^<]*/g)?.join(" ").replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

  const world = await makeShop(t);
  const rpc = new Rpc(world, ["-e", extension]);
  await rpc.prompt(PROMPT);
  await rpc.wait((message) => message.type === "message_end" && JSON.stringify(message).includes(ANSWER));
  assert.equal((await rpc.end()).code, 0);
  const entries = await world.session();
  const results = toolResults(entries).map(({ content }) => content.map((/** @type {any} */ part) => part.text).join("\n"));
  assert.equal(results.length, 7);
  const told = rpc.messages.filter(({ method }) => method === "notify").map(({ message }) => message);
  assert.equal(told.length, 2, told.join("\n"));
  const status = rpc.messages.findLast(({ method }) => method === "setStatus")?.statusText;
  const asked = JSON.stringify(world.model.last.messages.at(-1)?.content).match(/Loopbreaker ended your run: .* to go on\./)?.[0];
  assert.ok(asked, "the model was asked for an answer");

  for (const sentence of [PROMPT, `$ ${COMMAND}`, results[2], results[4], ...told, refusal("bash", 4, 1), asked, ANSWER, status]) {
    const flowing = String(sentence).replace(/\s+/g, " ").trim();
    assert.ok(shown?.includes(flowing), `not in the picture: ${flowing}\n--- it shows\n${shown}`);
  }
});
