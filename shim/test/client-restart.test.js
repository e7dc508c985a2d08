// A guard that ends is started again with a later call: at once at first, then
// after growing pauses. One of another protocol version is not.

import assert from "node:assert/strict";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fake, folder, start } from "./guard.js";

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof start>[1]} program
 */
function dated(t, program) {
  const { timers } = t.mock;
  timers.enable({ apis: ["Date"], now: Date.now() });
  t.after(() => timers.reset());
  return { ...start(t, program), pass: (/** @type {number} */ ms) => timers.tick(ms) };
}

describe("a guard that ends", () => {
  it("answers what is waiting with nothing, and is told of with its last words", async (t) => {
    const { act, told, greetings } = dated(t, fake("puppet"));
    const calls = [act([{ hold: true }]), act([{ log: "noise\nand noise\n" }, { log: "the last words\n" }, { exit: 3 }])];
    assert.deepEqual(await Promise.all(calls), [undefined, undefined]);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /ended with code 3 \(the last words\)/);
    assert.equal(greetings.length, 1);
  });

  it("may be killed, which is told too", async (t) => {
    const { act, up, trouble } = dated(t, fake("puppet"));
    const { pid } = await up();
    process.kill(pid, "SIGKILL");
    assert.match(await trouble(), /ended by SIGKILL/);
    assert.deepEqual(await act([{ answer: { n: 1 } }]), { n: 1 });
  });

  it("is still heard when it ends right after its answer", async (t) => {
    const { act } = dated(t, fake("puppet"));
    assert.deepEqual(await act([{ answer: { n: 1 } }, { exit: 0 }]), { n: 1 });
  });

  it("is started again after pauses that grow while it fails in a row", async (t) => {
    const { act, pass, told, greetings } = dated(t, fake("puppet"));
    for (const [failures, pause] of [0, 250, 1000, 5000, 30_000, 30_000].entries()) {
      assert.equal(await act([{ exit: 1 }]), undefined);
      if (pause > 0) {
        pass(pause - 1);
        assert.equal(await act([{ answer: {} }]), undefined, `${pause - 1} ms after failure ${failures + 1}`);
        pass(1);
      }
      assert.equal(greetings.length, failures + 1);
      assert.deepEqual(await act([{ answer: {} }]), {}, `${pause} ms after failure ${failures + 1}`);
    }
    assert.equal(told.length, 1);
  });

  it("is started again at once when it had run for more than a minute", async (t) => {
    const { act, pass } = dated(t, fake("puppet"));
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(await act([{ answer: {} }]), {});
      pass(60_001);
      assert.equal(await act([{ exit: 1 }]), undefined);
    }
    assert.deepEqual(await act([{ answer: {} }]), {});
  });

  it("is not started without a call", async (t) => {
    const { act, pass, greetings } = dated(t, fake("puppet"));
    await act([{ exit: 1 }]);
    pass(1_000_000);
    assert.equal(greetings.length, 1);
  });

  it("is told of once, however often it ends", async (t) => {
    const { client, told, trouble, pass } = dated(t, fake("exits"));
    for (let i = 0; i < 4; i++) {
      assert.equal(await client.call("tool/call", "{}", undefined), undefined);
      pass(100_000);
    }
    assert.match(await trouble(), /ended with code 3 \(cannot start\)/);
    assert.equal(told.length, 1);
  });
});

describe("a guard of another protocol version", () => {
  it("is told of once, with its path, killed, and never started again", async (t) => {
    const { client, told, greetings, pass } = dated(t, fake("other-version"));
    assert.equal(await client.call("tool/call", "{}", undefined), undefined, "its refusals are not believed");
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /speaks protocol 1; the program speaks 999/);
    assert.ok(told[0]?.includes(process.execPath));
    pass(1_000_000_000);
    assert.equal(client.open(), undefined);
    assert.equal(await client.call("tool/call", "{}", undefined), undefined);
    assert.deepEqual(greetings, []);
    assert.equal(told.length, 1);
  });

  const greetings = {
    "says so itself": ['"error":{"code":-32001,"message":"protocol 1 is not spoken here"}', /it answers "protocol 1 is not spoken here"/],
    "gives no version": ['"result":{}', /speaks undefined/],
    "gives no result": ['"result":null', /speaks undefined/],
    "writes its version as a text": ['"result":{"protocol":"1"}', /speaks "1"/],
    "answers with something that cannot become a text": ['"result":{"protocol":{"toString":null}}', /speaks \{/],
    "fails with something that cannot become a text": ['"error":{"message":{"toString":null}}', /it answers \{/],
  };
  for (const [name, [answer, says]] of Object.entries(greetings)) {
    it(`may be one that ${name}`, async (t) => {
      const program = `process.stdout.write('{"jsonrpc":"2.0","id":1,${answer}}\\n'); process.stdin.resume()`;
      const { client, told } = dated(t, { path: process.execPath, args: ["-e", program] });
      assert.equal(await client.call("tool/call", "{}", undefined), undefined);
      assert.match(told[0] ?? "", /** @type {RegExp} */ (says));
    });
  }
});

describe("a program that cannot be started is told of, and calls go on:", () => {
  /** @type {Record<string, (folder: string) => string>} */
  const programs = {
    "one that is not there": (folder) => join(folder, "nothing"),
    "a folder": (folder) => folder,
    "a file that may not be run": (folder) => file(folder, "#!/bin/sh\n", 0o644),
    "a text": (folder) => file(folder, "Just a text.\n", 0o755),
    "an empty file": (folder) => file(folder, "", 0o755),
    "a script for a program that is not there": (folder) => file(folder, `#!${folder}/nothing\n`, 0o755),
    "a name with a NUL, which Node refuses at once": () => "/a\0b",
  };
  /** @param {string} folder @param {string} text @param {number} mode */
  function file(folder, text, mode) {
    const path = join(folder, "program");
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }
  for (const [name, make] of Object.entries(programs)) {
    it(name, async (t) => {
      const { client, told, pass } = dated(t, { path: make(folder(t)), args: ["serve"] });
      for (let i = 0; i < 3; i++) {
        assert.equal(await client.call("tool/call", "{}", undefined), undefined);
        pass(100_000);
      }
      assert.equal(told.length, 1);
      assert.match(told[0] ?? "", /guard stopped: it (cannot be started|ended)/);
    });
  }

  it("one that is there the next time", async (t) => {
    const place = folder(t);
    const { act, told } = dated(t, { path: join(place, "link"), args: fake("puppet").args });
    assert.equal(await act([{ answer: {} }]), undefined);
    symlinkSync(process.execPath, join(place, "link"));
    assert.deepEqual(await act([{ answer: {} }]), {});
    assert.equal(told.length, 1);
  });
});

it("a greeting that cannot be made leaves no process and throws nothing", async (t) => {
  const started = join(folder(t), "pid");
  const hello = () => {
    throw new Error("this session is over");
  };
  const { client, told } = dated(t, { path: "/bin/sh", args: ["-c", `echo $$ > '${started}'; cat`], hello });
  assert.equal(client.open(), undefined);
  assert.equal(await client.call("tool/call", "{}", undefined), undefined);
  assert.match(told[0] ?? "", /this session is over/);
  assert.ok(!existsSync(started));
});
