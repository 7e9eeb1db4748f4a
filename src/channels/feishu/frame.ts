// The frames of Feishu's long connection: one small protobuf message, written and read by hand.
//
//   Frame  1 SeqID uint64 · 2 LogID uint64 · 3 service int32 · 4 method int32 (0 control, 1 data) · 5 headers Header[]
//          6 payload_encoding string · 7 payload_type string · 8 payload bytes · 9 LogIDNew string
//   Header 1 key string · 2 value string
//
// A field is a varint tag (number * 8 + kind), then a varint (kind 0) or a length and that many bytes (kind 2).

export interface Frame {
  sequence: bigint;
  logId: bigint;
  service: number;
  method: number;
  headers: Array<{ key: string; value: string }>;
  payload: Uint8Array;
  /** Fields 6, 7 and 9: sent back as they came. */
  others: Array<{ field: number; value: string }>;
}

export const method = { control: 0, data: 1 } as const;

export class FrameError extends Error {
  override name = "FrameError";
}

export function headerOf({ headers }: Frame, key: string): string {
  return headers.find((header) => header.key === key)?.value ?? "";
}

export function encodeFrame(frame: Frame): Uint8Array {
  const headers = frame.headers.map(({ key, value }) =>
    encodeBytes(5, Buffer.concat([encodeText(1, key), encodeText(2, value)])),
  );
  return Buffer.concat([
    encodeNumber(1, frame.sequence),
    encodeNumber(2, frame.logId),
    encodeNumber(3, BigInt(frame.service)),
    encodeNumber(4, BigInt(frame.method)),
    ...headers,
    ...frame.others.map(({ field, value }) => encodeText(field, value)),
    encodeBytes(8, frame.payload),
  ]);
}

/** Throws a FrameError if it is not one. Fields that are not known are passed over. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const frame: Frame = {
    sequence: 0n,
    logId: 0n,
    service: 0,
    method: -1,
    headers: [],
    payload: new Uint8Array(),
    others: [],
  };
  for (const { number, value } of readFields(bytes)) {
    if (typeof value === "bigint") {
      if (number === 1) frame.sequence = value;
      else if (number === 2) frame.logId = value;
      else if (number === 3) frame.service = Number(BigInt.asIntN(32, value));
      else if (number === 4) frame.method = Number(BigInt.asIntN(32, value));
    } else if (number === 5) frame.headers.push(decodeHeader(value));
    else if (number === 8) frame.payload = value;
    else if (number === 6 || number === 7 || number === 9)
      frame.others.push({ field: number, value: toText(value) });
  }
  if (frame.method === -1) throw new FrameError("a frame without a method");
  return frame;
}

function decodeHeader(bytes: Uint8Array): { key: string; value: string } {
  const header = { key: "", value: "" };
  for (const { number, value } of readFields(bytes)) {
    if (typeof value === "bigint") continue;
    if (number === 1) header.key = toText(value);
    else if (number === 2) header.value = toText(value);
  }
  return header;
}

function* readFields(bytes: Uint8Array): Generator<{ number: number; value: bigint | Uint8Array }> {
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new FrameError("a frame that ends in the middle");
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new FrameError("a number that does not end");
  };
  const readBytes = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new FrameError("a frame that ends in the middle");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const kind = tag % 8;
    const number = Math.floor(tag / 8);
    if (kind === 0) yield { number, value: readVarint() };
    else if (kind === 2) yield { number, value: readBytes(Number(readVarint())) };
    else if (kind === 1) readBytes(8);
    else if (kind === 5) readBytes(4);
    else throw new FrameError(`a field of kind ${kind}`);
  }
}

function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

function encodeNumber(field: number, value: bigint): Uint8Array {
  return Buffer.concat([encodeVarint(BigInt(field * 8)), encodeVarint(value)]);
}

function encodeBytes(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([encodeVarint(BigInt(field * 8 + 2)), encodeVarint(BigInt(bytes.length)), bytes]);
}

function encodeText(field: number, text: string): Uint8Array {
  return encodeBytes(field, Buffer.from(text, "utf8"));
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
