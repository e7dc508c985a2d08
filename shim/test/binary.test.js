// Where the guard's program is looked for, and what is said when it is nowhere.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { environment, folder } from "./guard.js";

const EXE = process.platform === "win32" ? "loopbreaker.exe" : "loopbreaker";
const PLATFORM = `@loopbreaker/${process.platform}-${process.arch}`;

/**
 * A copy of the search in a package of its own, and all the places it looks in.
 *
 * @param {import("node:test").TestContext} t
 */
async function install(t) {
  const root = folder(t);
  const shim = join(root, "node_modules", "pi-loopbreaker");
  for (const name of ["binary.js", "host.js", "sentences.js", "package.json"]) {
    cpSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(shim, name));
  }
  const places = {
    configured: join(root, "configured", "my-guard"),
    platform: join(root, "node_modules", PLATFORM, "bin", EXE),
    bundled: join(shim, "bin", EXE),
    firstOnPath: join(root, "path-1", EXE),
    secondOnPath: join(root, "path-2", EXE),
  };
  const searched = ["", join(root, "nowhere"), dirname(places.firstOnPath), dirname(places.secondOnPath)];
  environment(t, { PATH: searched.join(delimiter), LOOPBREAKER_BINARY: undefined });
  /** @type {typeof import("../binary.js")} */
  const { findBinary } = await import(pathToFileURL(join(shim, "binary.js")).href);
  /** As it is published. @param {string[]} platforms */
  const offer = (...platforms) => {
    const manifest = JSON.parse(readFileSync(join(shim, "package.json"), "utf8"));
    manifest.optionalDependencies = Object.fromEntries(platforms.map((name) => [name, manifest.version]));
    writeFileSync(join(shim, "package.json"), JSON.stringify(manifest));
  };
  return { root, places, findBinary, offer };
}

/** @param {string} path */
function program(path, mode = 0o755) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
}

describe("the guard's program", () => {
  it("is LOOPBREAKER_BINARY, then the platform's package, then bin/, then on PATH", async (t) => {
    const { places, findBinary } = await install(t);
    for (const path of Object.values(places)) program(path);
    process.env.LOOPBREAKER_BINARY = places.configured;
    assert.deepEqual(findBinary(), { path: places.configured });
    delete process.env.LOOPBREAKER_BINARY;
    for (const path of [places.platform, places.bundled, places.firstOnPath, places.secondOnPath]) {
      assert.deepEqual(findBinary(), { path });
      rmSync(path);
    }
    assert.ok("missing" in findBinary());
  });

  it("is not a folder, and not a file that may not be run", async (t) => {
    const { places, findBinary } = await install(t);
    mkdirSync(places.bundled, { recursive: true });
    program(places.firstOnPath, 0o644);
    program(places.secondOnPath);
    assert.deepEqual(findBinary(), { path: places.secondOnPath });
  });

  it("is not looked for in relative folders of PATH, for they lie in the project", async (t) => {
    const { places, findBinary } = await install(t);
    program(places.secondOnPath);
    const inProject = relative("", dirname(places.secondOnPath));
    process.env.PATH = inProject;
    assert.ok("missing" in findBinary());
    program(places.firstOnPath);
    process.env.PATH = [inProject, dirname(places.firstOnPath)].join(delimiter);
    assert.deepEqual(findBinary(), { path: places.firstOnPath });
  });

  it("is not looked for in relative folders of NODE_PATH either", (t) => {
    const root = folder(t);
    program(join(root, PLATFORM, "bin", EXE));
    const look = (/** @type {string} */ NODE_PATH) => {
      const code = `import(${JSON.stringify(new URL("../binary.js", import.meta.url).href)}).then(({ findBinary }) => console.log(JSON.stringify(findBinary())));`;
      return execFileSync(process.execPath, ["-e", code], { cwd: root, env: { NODE_PATH }, encoding: "utf8" });
    };
    assert.ok(look(root).includes(root));
    assert.ok(!look(".").includes(root));
  });

  it("is not looked for where an empty LOOPBREAKER_BINARY points", async (t) => {
    const { places, findBinary } = await install(t);
    program(places.bundled);
    process.env.LOOPBREAKER_BINARY = "";
    assert.deepEqual(findBinary(), { path: places.bundled });
  });

  it("is to be built where the sources are beside it, unless there is one", async (t) => {
    const { root, places, findBinary } = await install(t);
    const beside = join(root, "node_modules");
    writeFileSync(join(beside, "go.mod"), "module example.org/other\n");
    assert.ok("missing" in findBinary());
    writeFileSync(join(beside, "go.mod"), "module github.com/loopbreaker/loopbreaker\n\ngo 1.26.0\n");
    assert.deepEqual(findBinary(), { sources: { root: beside, target: places.bundled } });
    program(places.secondOnPath);
    assert.deepEqual(findBinary(), { path: places.secondOnPath });
  });

  it("may be missing without a PATH", async (t) => {
    const { findBinary } = await install(t);
    environment(t, { PATH: undefined });
    assert.ok("missing" in findBinary());
  });
});

describe("what is said", () => {
  it("when LOOPBREAKER_BINARY is wrong names it and its value, and nothing else is tried", async (t) => {
    const { root, places, findBinary } = await install(t);
    program(places.bundled);
    program(places.configured, 0o644);
    for (const wrong of [places.configured, root, join(root, "nothing")]) {
      process.env.LOOPBREAKER_BINARY = wrong;
      assert.deepEqual(findBinary(), {
        missing: `Loopbreaker is not guarding: LOOPBREAKER_BINARY names ${wrong}, which is no file that can be run. Correct or unset it. Pi works on without it.`,
      });
    }
  });

  it("when LOOPBREAKER_BINARY is a relative path says so, though a program is there", async (t) => {
    const { places, findBinary } = await install(t);
    program(places.bundled);
    program(places.configured);
    const path = relative("", places.configured);
    process.env.LOOPBREAKER_BINARY = path;
    assert.deepEqual(findBinary(), {
      missing: `Loopbreaker is not guarding: LOOPBREAKER_BINARY names ${path}, which is not an absolute path, so a project could put a program there. Write the whole path, or unset it. Pi works on without it.`,
    });
  });

  it("when nothing is found names three ways to mend it", async (t) => {
    const { places, findBinary } = await install(t);
    assert.deepEqual(findBinary(), {
      missing: `Loopbreaker is not guarding: its program was not found. Install ${PLATFORM}, or build it with "go build -o ${places.bundled} ." in a clone, or set LOOPBREAKER_BINARY to it. Pi works on without it.`,
    });
  });

  it("of what npm has not brought is why", async (t) => {
    const { root, places, findBinary, offer } = await install(t);
    offer("@loopbreaker/plan9-sparc");
    assert.deepEqual(findBinary(), {
      missing: `Loopbreaker is not guarding: there is no package with its program for ${process.platform}-${process.arch}. Build it with "go build" in a clone of its sources, and set LOOPBREAKER_BINARY to it. Pi works on without it.`,
    });
    offer("@loopbreaker/plan9-sparc", PLATFORM);
    const missing = () => /** @type {{ missing: string }} */ (findBinary()).missing;
    assert.match(missing(), new RegExp(`the package ${PLATFORM}, was not installed, as npm does with --omit=optional`));
    mkdirSync(join(root, "node_modules", "@loopbreaker", "something-else"), { recursive: true });
    assert.match(missing(), /--omit=optional/);
    mkdirSync(join(root, "node_modules", "@loopbreaker", "plan9-sparc"));
    assert.match(missing(), /it was installed for plan9-sparc, and this is /);
    program(places.platform, 0o644);
    assert.match(missing(), /may not be executed\. Allow it \(chmod \+x\)/);
  });
});
