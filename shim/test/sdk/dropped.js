// A host that embeds Pi, opens one session after another, and disposes of each
// without telling its extensions, as AgentSession.dispose() does. Started by
// pi-many.test.js; takes the extension's path and how many. Says how many guards
// are left some time after.

import { setTimeout as pause } from "node:timers/promises";
import { createAgentSession, DefaultResourceLoader, getAgentDir, SessionManager } from "@earendil-works/pi-coding-agent";
import { held } from "./held.js";

const [extension = "", count = ""] = process.argv.slice(2);
const cwd = process.cwd();
const agentDir = getAgentDir();
for (let n = 0; n < Number(count); n++) {
  const resourceLoader = new DefaultResourceLoader({ cwd, agentDir, additionalExtensionPaths: [extension] });
  await resourceLoader.reload();
  const { session } = await createAgentSession({ cwd, agentDir, resourceLoader, sessionManager: SessionManager.create(cwd) });
  await session.bindExtensions({});
  await session.prompt("go");
  session.dispose();
}
for (let patience = 100; patience > 0 && held().processes > 0; patience--) await pause(100);
process.stdout.write(JSON.stringify({ left: held().processes }));
