// Drives the npm package dsh-repeat-tool-breaker, as its host would, through call
// sequences: one JSON array of events a line on stdin, one line of codes on stdout.
// The codes are those of the test that runs this.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { apply } = await import(pathToFileURL(process.argv[2]).href);

/** A host with one agent. @param {object} config */
function host(config) {
  const hooks = new Map();
  let guard = () => undefined;
  apply({
    on: (name, hook) => (hooks.set(name, hook), () => {}),
    tools: { guard: (given) => ((guard = given), () => {}) },
  }, config);
  return { hooks, guard: (exec) => guard(exec), agent: {} };
}

/** The result as that host's tools give it. */
function result({ kind, code, text }) {
  const content = [{ type: "text", text }];
  switch (kind) {
    case "exit": return { isError: false, value: { kind: "foreground", exitCode: code }, content };
    case "timeout": return { isError: false, value: { kind: "foreground", timedOut: true, timeoutMs: 1000 }, content };
    case "error": return { isError: true, error: { name: "Error" }, content };
    case "abort": return { isError: true, error: { name: "AbortError" }, content };
    case "status": return { isError: false, value: { statusCode: code }, content };
    case "background": return { isError: false, value: { kind: "background", jobId: "b1" }, content };
    case "text": return { isError: false, value: {}, content };
  }
  return { isError: false, value: { kind: "foreground", exitCode: 0 }, content };
}

/** What the advice that goes with a result is about. */
function advice(decision) {
  return (decision?.additionalContexts ?? []).map(({ content: [{ text }] }) =>
    text.includes("failed") && text.includes("in a row") ? "F" : text.includes("summarise") ? "S" : "W").join("");
}

async function call({ hooks, guard, agent }, { tool, input, outcome, approve }) {
  const exec = { name: tool, arguments: input, agent };
  const settle = (given) => hooks.get("tools/post-execute")(exec, given, async () => undefined);
  const asked = await hooks.get("tools/pre-execute")(exec, async () => undefined);
  if (asked?.kind === "ask" && !approve) {
    await settle({ isError: true, content: [{ type: "text", text: "declined" }] });
    return "D";
  }
  const denial = guard(exec);
  if (denial !== undefined) {
    await settle({ isError: true, content: [{ type: "text", text: denial }] });
    return asked?.kind === "ask" ? "Ab" : "b";
  }
  return (asked?.kind === "ask" ? "A" : "r") + advice(await settle(result(outcome)));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { config, events } = JSON.parse(line);
  const h = host(config);
  const codes = [];
  for (const event of events) {
    if (event.user) {
      await h.hooks.get("agent/pre-step")({ agent: h.agent, messages: [{ source: { kind: "user" } }] }, () => undefined);
      codes.push("|");
    } else {
      codes.push(await call(h, event));
    }
  }
  console.log(codes.join(" "));
}
