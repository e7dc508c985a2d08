// A host that embeds Pi: two sessions in one process, both open at the same
// time, with the extension in both. Started by pi-sessions.test.js; takes the
// extension's path.

import { createAgentSession, DefaultResourceLoader, getAgentDir, SessionManager } from "@earendil-works/pi-coding-agent";

const cwd = process.cwd();
const agentDir = getAgentDir();

async function open() {
  const additionalExtensionPaths = process.argv.slice(2);
  const resourceLoader = new DefaultResourceLoader({ cwd, agentDir, additionalExtensionPaths });
  await resourceLoader.reload();
  const sessionManager = SessionManager.create(cwd);
  const { session } = await createAgentSession({ cwd, agentDir, resourceLoader, sessionManager });
  // Extensions hear of the session only after this.
  await session.bindExtensions({});
  return session;
}

const sessions = [await open(), await open()];
for (const session of sessions) await session.prompt("go");
for (const session of sessions) session.dispose();
// No process.exit(): a guard that keeps its host alive has to show.
