// A small npm registry on this machine, that has what scripts/release has built.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { serveFiles } from "./files.js";

/**
 * Serves packages until the test has ended. `publish` adds what is in a dist/
 * folder. Packages for other platforms, which are not built, have a manifest and
 * no tarball: npm is to see that they are not for this one.
 *
 * @param {{ after(close: () => unknown): void }} t
 */
export async function startRegistry(t) {
  /** @type {Map<string, { manifest: any, tarball?: Buffer }[]>} by name, oldest first */
  const packages = new Map();
  const add = (/** @type {any} */ manifest, /** @type {Buffer | undefined} */ tarball) =>
    packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { manifest, tarball }]);

  const { url, requests } = await serveFiles(t, (request, response) => {
    const [name = "", file] = decodeURIComponent(request.url ?? "").slice(1).split("/-/");
    const versions = packages.get(name) ?? [];
    const tarball = versions.find(({ manifest }) => file === `${manifest.version}.tgz`)?.tarball;
    const body = file === undefined && versions.length > 0 ? JSON.stringify(document(url, name, versions)) : tarball;
    // A version that is published while the test runs must be seen.
    response.writeHead(body ? 200 : 404, { "cache-control": "no-store" }).end(body);
  });
  return {
    url,
    requests,
    /** @param {string} dist */
    publish(dist) {
      const [shim, ...platforms] = ["pi-loopbreaker", ...readdirSync(join(dist, "packages")).filter((name) => name !== "pi-loopbreaker")].map((name) => {
        const manifest = JSON.parse(readFileSync(join(dist, "packages", name, "package.json"), "utf8"));
        add(manifest, readFileSync(join(dist, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`)));
        return manifest;
      });
      for (const name of Object.keys(shim.optionalDependencies)) {
        const [os, cpu] = name.slice("@loopbreaker/".length).split("-");
        if (!platforms.some((manifest) => manifest.name === name)) add({ ...platforms[0], name, os: [os], cpu: [cpu] }, undefined);
      }
    },
  };
}

/** @param {string} url @param {string} name @param {{ manifest: any, tarball?: Buffer }[]} versions */
function document(url, name, versions) {
  const entries = versions.map(({ manifest, tarball = Buffer.alloc(0) }) => {
    const hash = (/** @type {string} */ algorithm) => createHash(algorithm).update(tarball);
    const dist = {
      tarball: `${url}/${name}/-/${manifest.version}.tgz`,
      shasum: hash("sha1").digest("hex"),
      integrity: `sha512-${hash("sha512").digest("base64")}`,
    };
    return [manifest.version, { ...manifest, dist }];
  });
  return { name, "dist-tags": { latest: entries.at(-1)?.[0] }, versions: Object.fromEntries(entries) };
}
