// Takes what the guard exports over OTLP, on loopback. It reads as much of protobuf as
// that takes; what is in it by the official definitions is for the tests in Go.

import { createServer } from "node:http";
import { once } from "node:events";

export class Receiver {
  /** All bodies. */
  raw = Buffer.alloc(0);
  /** The events that have come: names and attributes. @type {Record<string, string | number>[]} */
  events = [];
  /** The sums of the last metrics, by name. @type {Record<string, number>} */
  sums = {};
  /** What the last resource says of itself. @type {Record<string, string | number>} */
  resource = {};
  #server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    this.raw = Buffer.concat([this.raw, body]);
    const isMetrics = request.url === "/v1/metrics";
    for (const resource of messages(body, 1)) {
      this.resource = attributes(messages(resource, 1)[0] ?? Buffer.alloc(0), 1);
      for (const scope of messages(resource, 2)) {
        for (const item of messages(scope, 2)) {
          if (isMetrics) this.#metric(item);
          else this.events.push({ event: text(item, 12), ...attributes(item, 6) });
        }
      }
    }
    response.end();
  });

  /** @param {{ after(close: () => unknown): void }} t */
  async listen(t) {
    t.after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url() {
    return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (this.#server.address()).port}`;
  }

  /** @param {Buffer} metric */
  #metric(metric) {
    const points = messages(metric, 7).flatMap((sum) => messages(sum, 1));
    const total = points.flatMap((point) => fields(point).filter(({ number }) => number === 6)).reduce((n, { value }) => n + Number(value), 0);
    if (points.length > 0) this.sums[text(metric, 1)] = total;
  }
}

/**
 * The fields of a message: texts and messages as bytes, all else as numbers.
 *
 * @param {Buffer} bytes
 */
function fields(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  /** @type {{ number: number, value: Buffer | bigint }[]} */
  const found = [];
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        found.push({ number, value: varint() });
        break;
      case 1:
        found.push({ number, value: bytes.readBigUInt64LE(at) });
        at += 8;
        break;
      case 2: {
        const length = Number(varint());
        if (at + length > bytes.length) throw new Error("a message that is cut off");
        found.push({ number, value: bytes.subarray(at, at + length) });
        at += length;
        break;
      }
      default:
        throw new Error(`wire type ${tag & 7}`);
    }
  }
  return found;
}

/** @param {Buffer} bytes @param {number} number */
const messages = (bytes, number) => fields(bytes).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []));

/** @param {Buffer} bytes @param {number} number */
const text = (bytes, number) => messages(bytes, number)[0]?.toString() ?? "";

/** @param {Buffer} bytes @param {number} number @returns {Record<string, string | number>} */
const attributes = (bytes, number) =>
  Object.fromEntries(
    messages(bytes, number).map((pair) => {
      const [value] = fields(messages(pair, 2)[0] ?? Buffer.alloc(0));
      return [text(pair, 1), Buffer.isBuffer(value?.value) ? value.value.toString() : Number(value?.value)];
    }),
  );
