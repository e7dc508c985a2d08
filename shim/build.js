import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { onPath } from "./binary.js";
import { attempt } from "./host.js";
import * as sentences from "./sentences.js";
import { lastLine } from "./text.js";

// A clone has no program yet, and is how git and a folder are installed. Where
// there is Go the program is built from it, once, while Pi works.

const LAST_WORDS = 2048;
/** How long Go may take to end before it is killed. */
const GRACE_MS = 500;

/**
 * Builds the guard's program. Ends with the session: what was compiled by then is
 * in Go's cache, so the next one goes on from there.
 *
 * @param {import("./binary.js").Sources} sources
 * @param {() => void} begun called if it can begin at all
 * @param {AbortSignal} signal ends it
 * @returns {Promise<string | undefined>} what to tell the user if there is no program
 */
export async function build({ root, target }, begun, signal) {
  const go = onPath("go");
  if (!go) return sentences.noGo(root);
  // Under a name of its own until it is whole: another session may look meanwhile.
  const fresh = `${target}.${process.pid}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(fresh, "");
  } catch (error) {
    return sentences.cannotWrite(dirname(target), root, /** @type {NodeJS.ErrnoException} */ (error).code ?? String(error));
  }
  begun();
  try {
    const failure = await compile(go, root, fresh, signal);
    if (failure !== undefined) return sentences.buildFailed(root, failure);
    renameSync(fresh, target);
    return undefined;
  } catch (error) {
    return sentences.buildFailed(root, String(error));
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * @param {string} go @param {string} root @param {string} output @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} why it failed
 */
function compile(go, root, output, signal) {
  const offline = /^(1|true|yes)$/i.test(process.env.PI_OFFLINE ?? "");
  const grouped = process.platform !== "win32";
  return new Promise((resolve) => {
    const child = spawn(go, ["build", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-ldflags=-s -w", "-o", output, "."], {
      cwd: root,
      // No C compiler is needed, and no workspace around the clone counts.
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", ...(offline && { GOPROXY: "off" }) },
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
      detached: grouped, // a group of its own, so that the compilers end with it
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-LAST_WORDS)));
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve(code === 0 ? undefined : lastLine(said) || sentences.ended(code, null, ""));
    });
    // It may have ended by itself.
    const kill = (/** @type {NodeJS.Signals} */ name) => attempt(() => (grouped && child.pid ? process.kill(-child.pid, name) : child.kill(name)));
    const end = () => {
      child.ref();
      kill("SIGINT"); // on which Go removes what it has in the temporary folder
      const timer = setTimeout(kill, GRACE_MS, "SIGKILL");
      child.on("close", () => clearTimeout(timer));
    };
    signal.addEventListener("abort", end, { once: true });
    // Nothing of it keeps Pi alive.
    child.unref();
    /** @type {import("node:net").Socket} */ (child.stderr).unref?.();
  });
}
