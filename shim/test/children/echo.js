// A guard that answers each request with what it was asked.

import { eachLine, hello, say } from "./lines.js";

await eachLine((line) => {
  const { id, method, params } = JSON.parse(line);
  say({ id, result: method === "initialize" ? hello(1) : { method, params } });
});
