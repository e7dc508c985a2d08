// Builds a release: stamps the version, compiles the guard for each platform,
// packs the npm packages, looks into each, and writes an SBOM and checksums.
// The same sources and the same Go, Node and npm give the same bytes anywhere.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bill } from "./sbom.mjs";

/** Another patch of Go makes other bytes; with this name the go command gets this one. */
const GO = "go1.26.8";

/** As Node calls them, for that is what the shim and npm go by; and as Go does. */
const PLATFORMS = [
  { name: "linux-x64", goos: "linux", goarch: "amd64" },
  { name: "linux-arm64", goos: "linux", goarch: "arm64" },
  { name: "darwin-x64", goos: "darwin", goarch: "amd64" },
  { name: "darwin-arm64", goos: "darwin", goarch: "arm64" },
  { name: "win32-x64", goos: "windows", goarch: "amd64" },
  { name: "win32-arm64", goos: "windows", goarch: "arm64" },
];

/** The most that a binary (one that is not stripped weighs more) and the packed shim may weigh, in bytes. */
const BINARY_BUDGET = 11 << 20;
const SHIM_BUDGET = 100 << 10;

const USAGE = `Usage: scripts/release VERSION [--only OS-ARCH]

Builds what is published to npm, and publishes nothing. Writes VERSION into main.go,
shim/package.json, its lock file and the newest section of CHANGELOG.md; then into dist/:

  *.tgz          pi-loopbreaker, and @loopbreaker/OS-ARCH with one binary each
  sbom.cdx.json  what is in them (CycloneDX)
  SHA256SUMS     for: sha256sum -c SHA256SUMS
  packages/      what was packed

OS-ARCH is one of ${PLATFORMS.map(({ name }) => name).join(", ")}.

Exit code: 0 fine, 1 something failed, 2 wrong usage.

Example:
  scripts/release 0.1.0 --only linux-x64
`;

/** @typedef {typeof PLATFORMS[number]} Platform */
/** @typedef {{ folder: string, manifest: any, files: string[], budget: number }} Package what is to be packed, and what must be in it */

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const { version, platforms } = readArguments();
stamp();
rmSync(dist, { recursive: true, force: true });
const built = platforms.map((platform) => ({ platform, ...packageOfPlatform(platform) }));
const packages = [packageOfShim(), ...built];
const tarballs = pack(packages);
const sbom = bill({
  version,
  packages: packages.map(({ manifest }, n) => ({ manifest, tarball: bytesOf(tarballs[n]) })),
  binaries: built.map(({ platform, binary }) => ({ package: `@loopbreaker/${platform.name}`, linked: modules(binary) })),
  tools: { go: GO, node: process.version, npm: npm("--version").trim() },
});
writeFileSync(join(dist, "sbom.cdx.json"), json(sbom));
const sums = [...tarballs, "sbom.cdx.json"].map((name) => `${sha256(bytesOf(name))}  ${name}\n`);
writeFileSync(join(dist, "SHA256SUMS"), sums.join(""));
process.stdout.write(sums.join(""));

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { only: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const [version = "", ...more] = positionals;
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version) || more.length > 0) throw new Error("one VERSION is needed, such as 0.1.0");
    const platforms = PLATFORMS.filter(({ name }) => name === (values.only ?? name));
    if (platforms.length === 0) throw new Error(`--only: there is no ${values.only}`);
    return { version, platforms };
  } catch (error) {
    console.error(`scripts/release: ${/** @type {Error} */ (error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** Writes the version wherever it stands in the sources; nowhere if one place is missing. */
function stamp() {
  /** @type {[path: string, place: RegExp][]} what stands before and after the version */
  const places = [
    ["main.go", /^(const version = ")[^"]*(")$/m],
    ["shim/package.json", /^( {2}"version": ")[^"]*(",)$/m],
    ["shim/package-lock.json", /^( {2}"version": ")[^"]*(",)$/m],
    ["shim/package-lock.json", /^( {4}"": \{\n {6}"name": "pi-loopbreaker",\n {6}"version": ")[^"]*(",)$/m],
    ["CHANGELOG.md", new RegExp(`^(## )(?:Unreleased|${version.replaceAll(".", "\\.")}(?:, unreleased)?)()$`, "m")],
  ];
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const [path, place] of places) {
    const text = texts.get(path) ?? readFileSync(join(root, path), "utf8");
    if (!place.test(text)) throw new Error(`${path}: no place for ${version}`);
    texts.set(path, text.replace(place, `$1${version}$2`));
  }
  for (const [path, text] of texts) writeFileSync(join(root, path), text);
}

/** @param {Platform} platform @returns {Package & { binary: string }} */
function packageOfPlatform({ name, goos, goarch }) {
  const [os, cpu] = name.split("-");
  const exe = goos === "windows" ? "bin/loopbreaker.exe" : "bin/loopbreaker";
  const folder = join(dist, "packages", name);
  const binary = join(folder, exe);
  console.error(`Building ${name}...`);
  go(["build", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-ldflags=-s -w -buildid=", "-o", binary, "."], { GOOS: goos, GOARCH: goarch });
  chmodSync(binary, 0o755);
  const linked = modules(binary);
  checkBinary(binary, linked, { GOOS: goos, GOARCH: goarch });
  const { license, repository } = shimManifest();
  const manifest = {
    name: `@loopbreaker/${name}`,
    version,
    description: `The guard's program of pi-loopbreaker for ${name}.`,
    license,
    repository,
    os: [os],
    cpu: [cpu], // and no engines: npm leaves an optional package out that does not fit the Node npm runs on
    files: ["bin", "THIRD-PARTY-LICENSES"],
    publishConfig: { access: "public" },
  };
  put(folder, "package.json", json(manifest));
  put(folder, "README.md", `The program of [pi-loopbreaker](${homepage(repository)}) for ${name}. npm installs it with that package.\n`);
  put(folder, "LICENSE", readFileSync(join(root, "LICENSE")));
  put(folder, "THIRD-PARTY-LICENSES", licences(linked));
  return { folder, manifest, binary, files: ["LICENSE", "README.md", "THIRD-PARTY-LICENSES", exe, "package.json"], budget: BINARY_BUDGET };
}

/** @returns {Package} */
function packageOfShim() {
  const { devDependencies: _tests, allowScripts: _theirs, ...manifest } = shimManifest();
  manifest.optionalDependencies = Object.fromEntries(PLATFORMS.map(({ name }) => [`@loopbreaker/${name}`, version]));
  const lock = JSON.parse(readFileSync(join(root, "shim", "package-lock.json"), "utf8"));
  const needed = Object.keys(lock.packages).filter((path) => path !== "" && !lock.packages[path].dev);
  assert.deepEqual(needed, [], "the shim needs packages, of which the SBOM says nothing");
  const folder = join(dist, "packages", "pi-loopbreaker");
  const code = readdirSync(join(root, "shim")).filter((name) => name.endsWith(".js"));
  put(folder, "package.json", json(manifest));
  for (const name of [...code, "schema.json"]) put(folder, name, readFileSync(join(root, "shim", name)));
  for (const name of Object.values(manifest.bin)) chmodSync(join(folder, name), 0o755); // as npm packs it
  const words = ["CHANGELOG.md", "LICENSE", "README.md"];
  for (const name of words) put(folder, name, readFileSync(join(root, name)));
  return { folder, manifest, files: [...words, ...code, "package.json", "schema.json"].sort(), budget: SHIM_BUDGET };
}

function shimManifest() {
  return JSON.parse(readFileSync(join(root, "shim", "package.json"), "utf8"));
}

/** @param {{ url: string }} repository */
function homepage({ url }) {
  return url.replace(/^git\+|\.git$/g, "");
}

/** Modes go into a tarball, and must not depend on anybody's umask. @param {string} folder @param {string} name @param {string | Buffer} text */
function put(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** @param {Package[]} packages @returns {string[]} the names of their tarballs */
function pack(packages) {
  npm("pack", ...packages.map(({ folder }) => folder), "--pack-destination", dist, "--ignore-scripts", "--silent");
  return packages.map((p) => {
    const tarball = `${p.manifest.name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    checkTarball(tarball, p);
    return tarball;
  });
}

/**
 * Unpacks a tarball as npm would, and compares: nothing is missing, nothing more
 * is in it, no byte and no mode differs.
 *
 * @param {string} tarball @param {Package} wanted
 */
function checkTarball(tarball, { folder, files, budget }) {
  const size = statSync(join(dist, tarball)).size;
  assert.ok(size <= budget, `${tarball} has ${size} bytes, more than ${budget}`);
  const temp = mkdtempSync(join(tmpdir(), "loopbreaker-release-"));
  try {
    execFileSync("tar", ["-xzf", tarball, "-C", temp], { cwd: dist });
    assert.deepEqual(readdirSync(temp), ["package"], tarball);
    const unpacked = join(temp, "package");
    const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
    const names = entries.map(({ parentPath, name }) => join(parentPath, name).slice(unpacked.length + 1).replaceAll("\\", "/"));
    assert.deepEqual(names.sort(), [...files].sort(), tarball);
    for (const name of names) {
      const [is, was] = [join(unpacked, name), join(folder, name)];
      assert.ok(readFileSync(is).equals(readFileSync(was)), `${tarball}: ${name} is not what was packed`);
      if (process.platform !== "win32") assert.equal(statSync(is).mode & 0o111, statSync(was).mode & 0o111, `${tarball}: the mode of ${name}`);
    }
  } finally {
    rmSync(temp, { recursive: true });
  }
}

/**
 * What a binary says of itself must be what was asked for.
 *
 * @param {string} path @param {ReturnType<typeof modules>} linked @param {Record<string, string>} target
 */
function checkBinary(path, { go: compiler, settings }, target) {
  assert.equal(compiler, GO, path);
  assert.deepEqual(settings, {
    "-buildmode": "exe",
    "-compiler": "gc",
    "-tags": "nethttpomithttp2", // the fetcher speaks HTTP/1.1 only, and this is 0.36 MB
    "-trimpath": "true",
    CGO_ENABLED: "0",
    ...target,
    ...(target.GOARCH === "amd64" ? { GOAMD64: "v1" } : { GOARM64: "v8.0" }),
  }, path);
  const bytes = readFileSync(path);
  assert.ok(bytes.length <= BINARY_BUDGET, `${path} has ${bytes.length} bytes, more than ${BINARY_BUDGET}`);
  assert.ok(!bytes.includes(root), `${path} names the folder it was built in`);
}

/**
 * What is linked into a binary, as it says.
 *
 * @param {string} path
 * @returns {{ go: string, settings: Record<string, string>, deps: { path: string, version: string, sum: string }[] }}
 */
function modules(path) {
  const lines = go(["version", "-m", path]).trimEnd().split("\n");
  const fields = lines.map((line) => line.trim().split("\t"));
  return {
    go: lines[0]?.slice(path.length + 2) ?? "",
    settings: Object.fromEntries(fields.filter(([kind]) => kind === "build").map(([, setting = ""]) => {
      const at = setting.indexOf("=");
      return [setting.slice(0, at), setting.slice(at + 1).replace(/^"(.*)"$/, "$1")];
    })),
    deps: fields.filter(([kind]) => kind === "dep").map(([, path = "", version = "", sum = ""]) => ({ path, version, sum })),
  };
}

/** The licences of what is linked in, which ask to go with it. @param {ReturnType<typeof modules>} linked */
function licences({ deps }) {
  const folders = go(["list", "-m", "-f", "{{.Dir}}", ...deps.map(({ path }) => path)]).trimEnd().split("\n");
  const parts = [
    { name: `The Go standard library, ${GO}`, folder: go(["env", "GOROOT"]).trim() },
    ...deps.map(({ path, version }, n) => ({ name: `${path} ${version}`, folder: folders[n] ?? "" })),
  ];
  return parts.map(({ name, folder }) => {
    const files = readdirSync(folder).filter((file) => /^(un)?(licen[cs]e|copying|notice)/i.test(file)).sort();
    assert.notEqual(files.length, 0, `${name} has no licence`);
    return [`== ${name}`, ...files.map((file) => readFileSync(join(folder, file), "utf8").trim())].join("\n\n");
  }).join("\n\n").concat("\n");
}

/** @param {string[]} args @param {Record<string, string>} [target] */
function go(args, target) {
  return execFileSync("go", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, GOTOOLCHAIN: GO, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0", GOAMD64: "v1", GOARM64: "v8.0", ...target },
  });
}

/** @param {string[]} args */
function npm(...args) {
  // A .cmd file, which npm is on Windows, needs a shell.
  return execFileSync("npm", args, { cwd: dist, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], shell: process.platform === "win32" });
}

/** @param {string | undefined} name */
function bytesOf(name = "") {
  return readFileSync(join(dist, name));
}

/** @param {Buffer} bytes */
function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
