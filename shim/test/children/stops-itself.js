// A guard that is well until it is asked for a decision: there it stops, as if
// someone had sent it SIGSTOP in the middle of the call.

import { eachLine, hello, say } from "./lines.js";

await eachLine((line) => {
  const { id, method } = JSON.parse(line);
  if (method === "tool/call") process.kill(process.pid, "SIGSTOP");
  else if (id !== undefined) say({ id, result: method === "initialize" ? hello(1) : {} });
});
