// Whatever stands between two calls of a loop (a restart of Pi, another branch,
// a reload, the death of the guard), it is still the same loop.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RAN, bash, loopBroken, oneByOne, said, times, toolResults } from "./calls.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { Rpc } from "./rpc.js";
import { binary, extension, makeWorld, testExtension } from "./world.js";

/** Pi turns the text into a number before the call runs; the session file keeps the text. */
const asText = { name: "bash", arguments: { command: RAN, timeout: "5" } };
const REFUSED = /^Loopbreaker refused/;

describe("the count goes on", { concurrency: 2 }, () => {
  it("with --continue and with --session, whatever Pi made of the arguments", async (t) => {
    const world = await makeWorld(t, oneByOne(times(3, () => asText)), { preset: "window" });
    assert.equal((await runPi(world, ["-p", "go", "-e", extension])).code, 0);
    const [first] = await world.sessions();
    assert.equal(first?.entries.find(({ message }) => message?.role === "assistant")?.message.content[0].arguments.timeout, "5");

    world.model.restart(oneByOne(times(2, () => asText)));
    assert.equal((await runPi(world, ["-p", "go on", "--continue", "-e", extension])).code, 0);
    assert.equal((await world.ran()).length, 5);

    world.model.restart(oneByOne(times(2, () => asText)));
    assert.equal((await runPi(world, ["-p", "go on", "--session", first?.path ?? "", "-e", extension])).code, 0);
    assert.equal((await world.ran()).length, 5);
    assert.deepEqual(loopBroken(await world.session()).map(({ data }) => data), times(2, (n) => ({ tool: "bash", repeats: 5, blockedSoFar: n + 1 })));
    await assertNothingLeft(world);
  });

  it("from one session to another and back, after a reload and in a copy, our own remarks left out of account", async (t) => {
    const world = await makeWorld(t, oneByOne(times(3, () => bash(RAN))), { preset: "streak" });
    const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("injecting"), "-e", testExtension("reload")]);
    await rpc.prompt("go");
    assert.match(world.model.resultOf("call_3_1") ?? "", /\n\[Loopbreaker\]/, "the remark is in the file");

    // The fourth runs, with no remark, for that has been made; the fifth does not.
    const [{ path }] = /** @type {[import("./world.js").SessionFile]} */ (await world.sessions());
    await rpc.send({ type: "new_session" });
    await rpc.send({ type: "switch_session", sessionPath: path });
    world.model.restart(oneByOne(times(2, () => bash(RAN))));
    await goOn(rpc);
    const [fourth, fifth] = world.model.results().slice(3);
    assert.equal(fourth?.text, "(no output)");
    assert.match(fifth?.text ?? "", REFUSED);

    await rpc.prompt("/test-reload");
    world.model.restart(oneByOne([bash(RAN)]));
    await goOn(rpc);
    assert.match(world.model.results().at(-1)?.text ?? "", REFUSED);

    // The third refusal ends the run, wherever the first two were.
    await rpc.send({ type: "clone" });
    world.model.restart(oneByOne(times(3, () => bash(RAN))));
    await goOn(rpc);
    assert.equal(world.model.requests.length, 1);
    assert.match(rpc.notices.at(-1) ?? "", /^Loopbreaker ended the run: .* after 3 refusals\.$/);

    assert.equal((await rpc.end()).code, 0);
    assert.equal((await world.ran()).length, 4);
    await assertNothingLeft(world);
  });

  it("in a fork, and on each branch of the tree for itself", async (t) => {
    const world = await makeWorld(t, [...oneByOne(times(4, () => bash(RAN))), ...oneByOne([bash(RAN)])], { preset: "window" });
    const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("injecting"), "-e", testExtension("tree")]);
    await rpc.prompt("go");
    await rpc.prompt("go on");
    assert.equal((await world.ran()).length, 5);

    // The fifth call came after the second prompt, so a fork from there does not know of it.
    const { data } = await rpc.send({ type: "get_fork_messages" });
    await rpc.send({ type: "fork", entryId: data.messages[1].entryId });
    world.model.restart([...oneByOne(times(2, () => bash(RAN)))]);
    await rpc.prompt("go on otherwise");
    assert.equal((await world.ran()).length, 6);
    assert.match(world.model.results().at(-1)?.text ?? "", REFUSED);

    // The first call's result, from where four more may run, and then the end of the branch again.
    const { data: tree } = await rpc.send({ type: "get_entries" });
    const [result] = tree.entries.filter((/** @type {any} */ entry) => entry.message?.role === "toolResult");
    await rpc.prompt(`/test-tree ${result.id}`);
    world.model.restart(oneByOne(times(5, () => bash(RAN))));
    await goOn(rpc);
    assert.equal((await world.ran()).length, 10);
    assert.deepEqual(world.model.results().map(({ text }) => REFUSED.test(text)), [false, false, false, false, false, true]);

    await rpc.prompt(`/test-tree ${tree.leafId}`);
    world.model.restart(oneByOne([bash(RAN)]));
    await goOn(rpc);
    assert.equal((await world.ran()).length, 10);
    assert.match(world.model.results().at(-1)?.text ?? "", REFUSED);
    assert.equal((await rpc.end()).code, 0);
    await assertNothingLeft(world);
  });

  it("for calls that Pi rejects", async (t) => {
    const edit = { name: "edit", arguments: { path: "a.txt" } };
    const world = await makeWorld(t, oneByOne(times(4, () => edit)));
    const rpc = new Rpc(world, ["-e", extension, "-e", testExtension("injecting"), "-e", testExtension("reload")]);
    await rpc.prompt("go");
    await rpc.prompt("/test-reload");
    world.model.restart((_request, n) => (n < 2 ? { toolCalls: [edit] } : { text: "Finished." }));
    const from = rpc.messages.length;
    await goOn(rpc);
    await rpc.wait((message) => message.type === "message_end" && JSON.stringify(message).includes("Finished."), from);
    assert.equal((await rpc.end()).code, 0);
    assert.deepEqual(rpc.notices.map((notice) => /^Loopbreaker ended the run: calls of edit/.test(notice)), [true]);
    assert.equal(world.model.requests.length, 3);
    await assertNothingLeft(world);
  });

  for (const [preset, ran] of /** @type {[string, number][]} */ ([["default", 4], ["streak", 4]])) {
    it(`after the guard was killed in the middle, with at most one call more (preset ${preset})`, async (t) => {
      const deadly = bash('echo ran >> ran.txt; if [ "$(wc -l < ran.txt)" -eq 3 ]; then kill -KILL $(tail -n 1 ../pids); fi');
      const world = await makeWorld(t, oneByOne(times(8, () => deadly)), { preset });
      const run = await runPi(world, ["-p", "go", "-e", extension], { env: { LOOPBREAKER_BINARY: await world.child(binary) } });
      assert.equal((await world.childPids()).length, 2, "it was killed, and replaced");
      assert.match(said(run.stderr)[0] ?? "", /^Loopbreaker's guard stopped/);
      const { length } = await world.ran();
      assert.ok(length === ran || length === ran + 1, `${length} ran`);
      const refused = toolResults(await world.session()).filter(({ details }) => details?.loopbreaker);
      assert.ok(refused.length >= 2, `${refused.length} were refused`);
      await assertNothingLeft(world);
    });
  }
});

/**
 * Has the model asked again without a word from the user, and waits until it is done.
 *
 * @param {Rpc} rpc
 */
async function goOn(rpc) {
  const from = rpc.messages.length;
  await rpc.prompt("/test-message");
  await rpc.wait((message) => message.type === "agent_settled", from);
}
