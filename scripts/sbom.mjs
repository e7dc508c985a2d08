// Writes down what a release is made of, as CycloneDX 1.6: the npm packages with
// the hashes of their tarballs, and, for each binary, what it says is linked into
// it. It has neither a time nor a serial number, which would make every one another.

import { createHash } from "node:crypto";

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {{ manifest: any, tarball: Buffer }[]} packages the shim's first
 * @property {{ package: string, linked: { go: string, deps: { path: string, version: string, sum: string }[] } }[]} binaries by the package that holds them
 * @property {Record<string, string>} tools what it was built with, by name
 */

/** @param {Release} release */
export function bill({ version, packages, binaries, tools }) {
  const [shim, ...platforms] = packages.map(({ manifest, tarball }) => ({
    type: "application",
    "bom-ref": npmUrl(manifest.name, version),
    name: manifest.name,
    version,
    description: manifest.description,
    licenses: [{ license: { id: manifest.license } }],
    hashes: ["SHA-256", "SHA-512"].map((alg) => ({ alg, content: createHash(alg.replace("-", "")).update(tarball).digest("hex") })),
    purl: npmUrl(manifest.name, version),
  }));
  if (!shim) throw new Error("there is nothing to write down");
  /** @type {Map<string, object>} one for each module, though it is in several binaries */
  const modules = new Map();
  const contents = binaries.map(({ package: name, linked }) => {
    const parts = [standardLibrary(linked.go), ...linked.deps.map(goModule)];
    for (const part of parts) modules.set(part.purl, part);
    return { ref: npmUrl(name, version), dependsOn: parts.map(({ purl }) => purl).sort() };
  });
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      tools: { components: Object.entries(tools).map(([name, version]) => ({ type: "application", name, version })) },
      component: shim,
    },
    components: [...platforms, ...[...modules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, module]) => module)],
    dependencies: [{ ref: npmUrl(shim.name, version), dependsOn: platforms.map(({ purl }) => purl) }, ...contents],
  };
}

/** @param {string} name @param {string} version */
const npmUrl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {{ path: string, version: string, sum: string }} module */
function goModule({ path, version, sum }) {
  const purl = `pkg:golang/${path}@${version}`;
  // Go's h1 is the SHA-256 of the hashes of all files, in base64.
  const content = Buffer.from(sum.replace(/^h1:/, ""), "base64").toString("hex");
  return { type: "library", "bom-ref": purl, name: path, version, hashes: [{ alg: "SHA-256", content }], purl };
}

/** @param {string} go */
function standardLibrary(go) {
  const version = go.replace(/^go/, "");
  const purl = `pkg:golang/std@${version}`;
  return { type: "library", "bom-ref": purl, name: "std", version, purl };
}
