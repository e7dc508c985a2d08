#!/usr/bin/env node
// Runs the guard's program, wherever it is, with what is on the command line:
// npx pi-loopbreaker replay.

import { spawnSync } from "node:child_process";
import { findBinary } from "./binary.js";
import * as sentences from "./sentences.js";

const found = findBinary();
if ("path" in found) {
  const { status, error } = spawnSync(found.path, process.argv.slice(2), { stdio: "inherit" });
  if (error) console.error(sentences.programFailed(found.path, error.message));
  process.exitCode = status ?? 1;
} else {
  console.error("missing" in found ? found.missing : sentences.notBuilt(found.sources.root));
  process.exitCode = 1;
}
