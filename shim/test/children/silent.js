// A guard that hears everything and never says a word. It ends when its input does.

import { eachLine } from "./lines.js";

await eachLine(() => {});
