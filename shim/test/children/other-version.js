// A guard of another protocol version. It goes on answering, and would refuse
// every call: nothing it says after its version may be believed.

import { eachLine, hello, say } from "./lines.js";

await eachLine((line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  say({ id, result: method === "initialize" ? hello(999) : { block: true, reason: "from another time" } });
});
