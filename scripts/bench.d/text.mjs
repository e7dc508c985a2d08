// Texts and inputs of a given length, in bytes or about so; n makes each another one.

/** @param {number} length @param {number} n */
export function code(length, n) {
  return filled(length, n, (i) => `  if (parse(tokens[${i}], "${(i * 2654435761) % 99991}") !== undefined) {\n    return fail(\`line ${i}\`);\n  }\n`);
}

/** @param {number} length @param {number} n */
export function words(length, n) {
  return filled(length, n, (i) => `src/parser/file${i}.go:${(i * 40503) % 997}: the parser reads one statement at a time\n`);
}

/** Beyond Latin-1. @param {number} length @param {number} n */
export function letters(length, n) {
  return filled(length, n, (i) => `Строка ${i}: разбор ${(i * 2654435761) % 99991} идёт дальше, 文 ${i}\n`);
}

/** An object of many small members, none in order. @param {number} length @param {number} n */
export function keys(length, n) {
  /** @type {Record<string, unknown>} */
  const object = { number: n };
  for (let i = 0, written = 0; written < length; i++) {
    const name = `k${(i * 7919) % 99991}`;
    const value = { name: `item ${i}`, id: (i * 40503) % 65521, done: i % 3 === 0, size: i / 4 };
    object[name] = value;
    written += name.length + 60;
  }
  return object;
}

/** @param {number} length @param {number} n @param {(i: number) => string} line */
function filled(length, n, line) {
  let text = `${n}\n`;
  for (let i = 0; text.length < length; i++) text += line(i);
  return Buffer.from(text.slice(0, length)).toString(); // flat, as what comes over a network is
}
