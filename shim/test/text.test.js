// Pi ends where a line is wider than its terminal.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { visibleWidth } from "@earendil-works/pi-tui";
import { cut, lastLine, wrapped } from "../text.js";

const texts = ["", "a", "window.block is 4 now.", "/home/日本語/エージェント/extensions/loopbreaker.json", "ünï cödé", "👩‍👩‍👧‍👦 family 🇨🇭", "x".repeat(300), "日".repeat(100)];

describe("text", () => {
  it("fits into every width that a character fits in", () => {
    for (const text of texts) {
      for (let width = 2; width < 90; width++) {
        for (const line of [cut(text, width), ...wrapped(text, width)]) {
          assert.ok(visibleWidth(line) <= width, `${JSON.stringify(line)} is ${visibleWidth(line)} wide, not ${width}`);
        }
      }
    }
  });

  it("is cut only where it must be, and no word is lost in wrapping", () => {
    assert.equal(cut("window.block", 12), "window.block");
    assert.equal(cut("window.block", 11), "window.bloc");
    assert.deepEqual(wrapped("one two three", 7), ["one two", "three"]);
    for (const text of texts) {
      assert.equal(wrapped(text, 20).join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
    }
  });

  it("of a program says its last line, and steers no terminal", () => {
    assert.equal(lastLine("first\n\u001b[31mpanic: \u202eno\u0007\r\n\n"), "[31mpanic: no");
    assert.equal(lastLine(""), "");
  });
});
