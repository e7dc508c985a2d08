// What the guard does in real Pi arrives where the environment of Pi says, and nothing
// of what the model wrote with it.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, it } from "node:test";
import { bash, loopBroken, oneByOne, times } from "./calls.js";
import { Receiver } from "./otlp.js";
import { runPi } from "./pi.js";
import { assertNothingLeft } from "./processes.js";
import { extension, makeWorld } from "./world.js";

const secret = "hunter2";
const loop = oneByOne(times(9, () => bash(`echo ${secret} >> ran.txt`)));
const window = { preset: "window" };

describe("an export over OTLP", () => {
  it("holds every refusal when Pi has ended, and no word of the model's", async (t) => {
    const receiver = await new Receiver().listen(t);
    const world = await makeWorld(t, loop, window);
    const { code, stderr } = await runPi(world, ["-p", `say ${secret}`, "-e", extension], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=ci" },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    const entries = await world.session();
    const broken = loopBroken(entries);
    assert.equal(broken.length, 4);
    assert.deepEqual(
      receiver.events.map((event) => [event.event, event["gen_ai.tool.name"], event["loopbreaker.repeats"], event["loopbreaker.blocked_so_far"], event["session.id"]]),
      broken.map(({ data }) => ["loopbreaker.loop_broken", data.tool, data.repeats, data.blockedSoFar, entries[0]?.id]),
    );
    assert.equal(receiver.sums["loopbreaker.tool.calls"], 9);
    assert.equal(receiver.sums["loopbreaker.refusals"], 4);
    assert.equal(receiver.resource["service.name"], "loopbreaker");
    assert.equal(receiver.resource["deployment.environment.name"], "ci");
    assert.equal(receiver.resource["session.id"], entries[0]?.id);
    assert.ok(JSON.stringify(entries).includes(secret));
    for (const word of [secret, world.root, "ran.txt"]) assert.ok(!receiver.raw.includes(word), word);
    await assertNothingLeft(world);
  });

  it("is not switched on by a project, trusted or not", async (t) => {
    const receiver = await new Receiver().listen(t);
    const world = await makeWorld(t, loop, window);
    await mkdir(join(world.project, ".pi", "extensions"), { recursive: true });
    await writeFile(join(world.project, ".pi", "extensions", "loopbreaker.json"), '{"export":{"enabled":true}}');
    await writeFile(join(world.project, ".env"), `OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}`);
    const { code } = await runPi(world, ["-p", "go", "--approve", "-e", extension]);
    assert.equal(code, 0);
    assert.equal(receiver.raw.length, 0);
    assert.equal(loopBroken(await world.session()).length, 4);
    await assertNothingLeft(world);
  });

  it("to somebody who does not answer holds up no call, and leaves nothing", async (t) => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    /** @type {import("node:net").Socket[]} */
    const sockets = [];
    silent.on("connection", (socket) => sockets.push(socket));
    await once(silent, "listening");
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = /** @type {import("node:net").AddressInfo} */ (silent.address());
    const world = await makeWorld(t, loop, window);
    const { code, stderr } = await runPi(world, ["-p", "go", "-e", extension], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRIC_EXPORT_INTERVAL: "20" },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.equal((await world.ran()).length, 5);
    assert.equal(loopBroken(await world.session()).length, 4);
    assert.ok(sockets.length > 0);
    await assertNothingLeft(world);
  });
});
