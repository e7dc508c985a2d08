// Every sentence the shim itself shows to a person stands here. All others come
// from the guard, which cannot speak while it is missing or broken.

const notGuarding = (/** @type {string} */ why) => `Loopbreaker is not guarding: ${why}. Pi works on without it.`;

// Why there is no program, and what to do.

export const configuredBinaryMissing = (/** @type {string} */ path) =>
  notGuarding(`LOOPBREAKER_BINARY names ${path}, which is no file that can be run. Correct or unset it`);
export const configuredBinaryRelative = (/** @type {string} */ path) =>
  notGuarding(`LOOPBREAKER_BINARY names ${path}, which is not an absolute path, so a project could put a program there. Write the whole path, or unset it`);
export const binaryMissing = (/** @type {string} */ platformPackage, /** @type {string} */ bundled) =>
  notGuarding(`its program was not found. Install ${platformPackage}, or build it with "go build -o ${bundled} ." in a clone, or set LOOPBREAKER_BINARY to it`);
export const optionalOmitted = (/** @type {string} */ platformPackage) =>
  notGuarding(`its program, the package ${platformPackage}, was not installed, as npm does with --omit=optional. Install again without that (see "npm config get omit")`);
export const forAnotherPlatform = (/** @type {string} */ installed, /** @type {string} */ platform) =>
  notGuarding(`it was installed for ${installed}, and this is ${platform}. On this machine remove it and install it again (pi remove, pi install)`);
export const notForThisPlatform = (/** @type {string} */ platform) =>
  notGuarding(`there is no package with its program for ${platform}. Build it with "go build" in a clone of its sources, and set LOOPBREAKER_BINARY to it`);
export const notExecutable = (/** @type {string} */ path) =>
  notGuarding(`${path} may not be executed. Allow it (chmod +x), or install again where programs may run`);

// What becomes of the program in a clone, where it is built from the sources.

export const building = (/** @type {string} */ root) =>
  `Loopbreaker is building its program, once, with "go build" in ${root}. Calls run unguarded until it is ready.`;
export const built = "Loopbreaker is built, and guards from now on.";
export const noGo = (/** @type {string} */ root) =>
  notGuarding(`its program is not built yet, and there is no Go to build it with in ${root}. Install Go 1.26 or later and start Pi again, or set LOOPBREAKER_BINARY`);
export const cannotWrite = (/** @type {string} */ folder, /** @type {string} */ root, /** @type {string} */ why) =>
  notGuarding(`its program is not built yet, and ${folder} cannot be written to (${why}). Build it elsewhere ("go build -o FILE ." in ${root}) and set LOOPBREAKER_BINARY to that file`);
export const buildFailed = (/** @type {string} */ root, /** @type {string} */ why) =>
  notGuarding(`its program could not be built with "go build" in ${root}: ${why}. Correct that and start Pi again`);

// What the command line says of it.

/** Where Pi would build it. */
export const notBuilt = (/** @type {string} */ root) =>
  `Loopbreaker's program is not built yet: start Pi with it once, or run "go build -o shim/bin/loopbreaker ." in ${root}.`;
export const programFailed = (/** @type {string} */ path, /** @type {string} */ why) => `Loopbreaker's program ${path} cannot be started: ${why}.`;

// What keeps a program that is there from guarding.

/** `error` is what it answered, if it refused, `theirs` its protocol, if it did not. @type {(path: string, ours: number, error: unknown, theirs: unknown) => string} */
export const wrongProtocol = (path, ours, error, theirs) => {
  const answer = error === undefined ? `the program speaks ${JSON.stringify(theirs)}` : `it answers ${JSON.stringify(error)}`;
  return notGuarding(`${path} is of another version (this package speaks protocol ${ours}; ${answer}). Install program and package of one version; after an upgrade, /reload`);
};
export const tooOld = notGuarding("it needs Pi 1.3.0 or later");
export const notRegistered = (/** @type {string} */ error) => notGuarding(`this version of Pi is not one it works with (${error})`);
export const notRunning = (/** @type {string} */ why) =>
  `Loopbreaker's guard stopped: ${why}. Calls run unguarded until it is back; it starts again with a later call.`;
export const late = (/** @type {number} */ ms) =>
  `Loopbreaker's guard did not answer within ${ms} ms. Calls run unguarded until it answers again.`;

// What the guard may have done, for `notRunning`.

export const cannotStart = (/** @type {string} */ message) => `it cannot be started (${message})`;
/** @type {(code: number | null, signal: string | null, lastWords: string) => string} */
export const ended = (code, signal, lastWords) =>
  (signal ? `it was ended by ${signal}` : `it ended with code ${code}`) + (lastWords ? ` (${lastWords})` : "");
export const wroteRubbish = (/** @type {string} */ text) => `it wrote what is not the protocol (${JSON.stringify(text.slice(0, 80))})`;
export const hung = (/** @type {number} */ ms) => `it did not answer for ${ms} ms`;

// What the model reads where the guard cannot say it: of a call that the operator
// was asked about, and of a tool of the guard that gave no result.

export const declined = "The operator declined this call. Do not make it again; take a different action, or ask the operator how to go on.";
export const unanswered = "The run was ended before the operator had answered, so this call was not made.";
export const toolCancelled = (/** @type {string} */ tool) => `${tool} was cancelled. Nothing was saved.`;
/** `error` is what the guard answered, if it did. @type {(tool: string, error: unknown) => string} */
export const toolFailed = (tool, error) =>
  `${tool} gave no result: ${typeof error === "string" ? error : "Loopbreaker's guard stopped or does not answer. Try again once, then go on without it"}.`;

// The flag, the variable, the command and the transcript.

export const traceFlag = "Write Loopbreaker's messages to a file; =true picks one in the temp folder";
export const badDeadline = (/** @type {string} */ value, /** @type {number} */ used) =>
  `Loopbreaker: LOOPBREAKER_DEADLINE_MS is "${value}", which is no whole number of milliseconds above 0. Waiting ${used} ms.`;
export const command = "Loop guard: status, why, measures, off, on, reset, preset, settings, set, unset, help";
export const noAnswer = "Loopbreaker's guard does not answer; calls run unguarded.";
/** @type {(tool: string, repeats: number, blockedSoFar: number) => string} */
export const refusal = (tool, repeats, blockedSoFar) =>
  `Loopbreaker refused ${tool}: ${repeats} ${repeats === 1 ? "repeat" : "repeats"} came before` + (blockedSoFar > 1 ? `, refused ${blockedSoFar} times` : "");

// The view of the settings.

export const settingsTitle = "Loopbreaker's settings";
export const settingsKeys = "Up, Down: select   Enter: change   Backspace: take back   Esc: close";
export const settingTitle = (/** @type {string} */ path, /** @type {string} */ shown, /** @type {string} */ help) => `${path}, now ${shown}: ${help}`;
export const settingAllowed = (/** @type {string} */ allowed) => `Must be ${allowed}. A change is saved, and holds from the next call on.`;
export const noView = (/** @type {string} */ error) =>
  `Loopbreaker's view of the settings cannot be shown (${error}), so here is a list. Was the package replaced? Then /reload, or start Pi again.`;
