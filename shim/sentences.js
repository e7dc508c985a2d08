// Every sentence the shim itself shows to a person stands here. All others come
// from the guard, which cannot speak while it is missing or broken.

const UNGUARDED = "Pi works on without it";

/** @param {string} path */
export const configuredBinaryMissing = (path) =>
  `Loopbreaker is not guarding: LOOPBREAKER_BINARY names ${path}, which is no file that can be run. Correct or unset it. ${UNGUARDED}.`;

/** @param {string} path */
export const configuredBinaryRelative = (path) =>
  `Loopbreaker is not guarding: LOOPBREAKER_BINARY names ${path}, which is not an absolute path, so a project could put a program there. Write the whole path, or unset it. ${UNGUARDED}.`;

/** @param {string} platformPackage @param {string} bundled */
export const binaryMissing = (platformPackage, bundled) =>
  `Loopbreaker is not guarding: its program was not found. Install ${platformPackage}, or build it with "go build -o ${bundled} ." in a clone, or set LOOPBREAKER_BINARY to it. ${UNGUARDED}.`;

/** @param {string} platformPackage */
export const optionalOmitted = (platformPackage) =>
  `Loopbreaker is not guarding: its program, the package ${platformPackage}, was not installed, as npm does with --omit=optional. Install again without that (see "npm config get omit"). ${UNGUARDED}.`;

/** @param {string} installed @param {string} platform */
export const forAnotherPlatform = (installed, platform) =>
  `Loopbreaker is not guarding: it was installed for ${installed}, and this is ${platform}. On this machine remove it and install it again (pi remove, pi install). ${UNGUARDED}.`;

/** @param {string} platform */
export const notForThisPlatform = (platform) =>
  `Loopbreaker is not guarding: there is no package with its program for ${platform}. Build it with "go build" in a clone of its sources, and set LOOPBREAKER_BINARY to it. ${UNGUARDED}.`;

/** @param {string} path */
export const notExecutable = (path) =>
  `Loopbreaker is not guarding: ${path} may not be executed. Allow it (chmod +x), or install again where programs may run. ${UNGUARDED}.`;

// What becomes of the program in a clone, where it is built from the sources.

/** @param {string} root */
export const building = (root) => `Loopbreaker is building its program, once, with "go build" in ${root}. Calls run unguarded until it is ready.`;

export const built = "Loopbreaker is built, and guards from now on.";

/** @param {string} root */
export const noGo = (root) =>
  `Loopbreaker is not guarding: its program is not built yet, and there is no Go to build it with in ${root}. Install Go 1.26 or later and start Pi again, or set LOOPBREAKER_BINARY. ${UNGUARDED}.`;

/** @param {string} folder @param {string} root @param {string} why */
export const cannotWrite = (folder, root, why) =>
  `Loopbreaker is not guarding: its program is not built yet, and ${folder} cannot be written to (${why}). Build it elsewhere ("go build -o FILE ." in ${root}) and set LOOPBREAKER_BINARY to that file. ${UNGUARDED}.`;

/** @param {string} root @param {string} why */
export const buildFailed = (root, why) =>
  `Loopbreaker is not guarding: its program could not be built with "go build" in ${root}: ${why}. Correct that and start Pi again. ${UNGUARDED}.`;

/** @param {string} path @param {number} ours @param {unknown} error what it answered, if it refused @param {unknown} theirs its protocol, if it did not */
export const wrongProtocol = (path, ours, error, theirs) =>
  `Loopbreaker is not guarding: ${path} is of another version (this package speaks protocol ${ours}; ` +
  (error === undefined ? `the program speaks ${JSON.stringify(theirs)}` : `it answers ${JSON.stringify(error)}`) +
  `). Install program and package of one version; after an upgrade, /reload. ${UNGUARDED}.`;

export const tooOld = `Loopbreaker is not guarding: it needs Pi 1.3.0 or later. ${UNGUARDED}.`;

/** @param {string} error */
export const notRegistered = (error) => `Loopbreaker is not guarding: this version of Pi is not one it works with (${error}). ${UNGUARDED}.`;

/** @param {string} why */
export const notRunning = (why) => `Loopbreaker's guard stopped: ${why}. Calls run unguarded until it is back; it starts again with a later call.`;

/** @param {number} ms */
export const late = (ms) => `Loopbreaker's guard did not answer within ${ms} ms. Calls run unguarded until it answers again.`;

/** @param {string} value @param {number} used */
export const badDeadline = (value, used) =>
  `Loopbreaker: LOOPBREAKER_DEADLINE_MS is "${value}", which is no whole number of milliseconds above 0. Waiting ${used} ms.`;

/** @param {string} path */
export const tracing = (path) => `Loopbreaker writes a trace to ${path}`;

// What the model reads of a call that the operator was asked about, where the guard cannot say it.

export const declined = "The operator declined this call. Do not make it again; take a different action, or ask the operator how to go on.";
export const unanswered = "The run was ended before the operator had answered, so this call was not made.";

/** Answers /loopbreaker while there is no guard to ask. */
export const noAnswer = "Loopbreaker's guard does not answer; calls run unguarded.";

/** Describes /loopbreaker and its arguments. */
export const command = "Loop guard: status, why, off, on, reset, preset, settings, set, unset, help";

// The view of the settings.

export const settingsTitle = "Loopbreaker's settings";
export const settingsKeys = "Up, Down: select   Enter: change   Backspace: take back   Esc: close";
/** @param {string} path @param {string} shown its value @param {string} help */
export const settingTitle = (path, shown, help) => `${path}, now ${shown}: ${help}`;
/** @param {string} allowed */
export const settingAllowed = (allowed) => `Must be ${allowed}. A change is saved, and holds from the next call on.`;

/** Describes the flag. */
export const traceFlag = "Write Loopbreaker's messages to a file; =true picks one in the temp folder";

/**
 * Shows a refusal in the transcript.
 *
 * @param {string} tool @param {number} repeats @param {number} blockedSoFar
 */
export const refusal = (tool, repeats, blockedSoFar) =>
  `Loopbreaker refused ${tool}: ${repeats} ${repeats === 1 ? "repeat" : "repeats"} came before` + (blockedSoFar > 1 ? `, refused ${blockedSoFar} times` : "");

// What the model reads of a tool of the guard that gave no result.

/** @param {string} tool */
export const toolCancelled = (tool) => `${tool} was cancelled. Nothing was saved.`;
/** @param {string} tool @param {unknown} error what the guard answered, if it did */
export const toolFailed = (tool, error) =>
  `${tool} gave no result: ` + (typeof error === "string" ? error : "Loopbreaker's guard stopped or does not answer. Try again once, then go on without it") + ".";

// What the guard may have done, for `notRunning`.

/** @param {string} message */
export const cannotStart = (message) => `it cannot be started (${message})`;
/** @param {number | null} code @param {string | null} signal @param {string} lastWords */
export const ended = (code, signal, lastWords) =>
  (signal ? `it was ended by ${signal}` : `it ended with code ${code}`) + (lastWords ? ` (${lastWords})` : "");
/** @param {string} text */
export const wroteRubbish = (text) => `it wrote what is not the protocol (${JSON.stringify(text.slice(0, 80))})`;
/** @param {number} ms */
export const hung = (ms) => `it did not answer for ${ms} ms`;
