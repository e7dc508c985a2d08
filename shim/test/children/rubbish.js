// A program that is no guard at all: it prints before it is asked, and answers
// every line with things that are not JSON, not JSON-RPC, or not to the point.

import { eachLine } from "./lines.js";

const rubbish = [
  "Welcome to something else entirely!",
  "{",
  "null",
  "[]",
  '"text"',
  '{"jsonrpc":"2.0","id":"never asked","result":{}}',
  '{"jsonrpc":"2.0","id":null,"error":"not an object"}',
  '{"jsonrpc":"2.0","method":42}',
  "\u2028\u0000",
  "x".repeat(100_000),
];

process.stdout.write(`${rubbish.join("\n")}\n`);
process.stderr.write("rubbish on stderr as well\n");
await eachLine(() => process.stdout.write(Buffer.concat([Buffer.from(`${rubbish.join("\n")}\n`), Buffer.from([0xff, 0xfe, 0x0a])])));
