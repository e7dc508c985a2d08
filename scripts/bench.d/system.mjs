// What the system says of a process.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The resident memory of a process, in KiB. @param {number | undefined} pid */
export function resident(pid) {
  if (process.platform !== "linux") return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** The most that a process has held in memory, in KiB; 0 where the system does not tell. @param {number | undefined} pid */
export function high(pid) {
  return Number(/VmHWM:\s*(\d+)/.exec(read(pid, "status"))?.[1] ?? 0);
}

/** How long a process has had the processor, in seconds; 0 where the system does not tell. @param {number | undefined} pid */
export function worked(pid) {
  const fields = read(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100; // in ticks of the kernel's interface
}

/** @param {number | undefined} pid @param {string} file */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it has just ended, or there is no such file system
  }
}
