import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFrame, encodeFrame, type Frame, FrameError } from "./frame.ts";

/** Tag, value; tag, length, bytes: put together by the rules of protobuf and not by our own code. */
const ping = Buffer.from("08001000180720002a0c0a0474797065120470696e674200", "hex");
const event = Buffer.from(
  "0801108580808080808080800118ffffffffffffffffff0120012a0d0a04747970651205" +
    "6576656e74320467" +
    "7a6970420378797a4a0161",
  "hex",
);

const frame = fc.record<Frame>({
  sequence: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  logId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  service: fc.integer(),
  method: fc.constantFrom(0, 1),
  headers: fc.array(
    fc.record({ key: fc.string({ unit: "grapheme" }), value: fc.string({ unit: "grapheme" }) }),
  ),
  payload: fc.uint8Array({ maxLength: 300 }),
  others: fc.array(fc.record({ field: fc.constantFrom(6, 7, 9), value: fc.string() })),
});

describe("a frame of the long connection", () => {
  it("is written as protobuf has it", () => {
    const written = encodeFrame({
      sequence: 0n,
      logId: 0n,
      service: 7,
      method: 0,
      headers: [{ key: "type", value: "ping" }],
      payload: new Uint8Array(),
      others: [],
    });
    expect(Buffer.from(written).toString("hex")).toBe(ping.toString("hex"));
  });

  it("is read as protobuf has it", () => {
    expect(decodeFrame(event)).toMatchObject({
      sequence: 1n,
      logId: 2n ** 63n + 5n,
      service: -1,
      method: 1,
      headers: [{ key: "type", value: "event" }],
      others: [
        { field: 6, value: "gzip" },
        { field: 9, value: "a" },
      ],
    });
    expect(Buffer.from(decodeFrame(event).payload).toString()).toBe("xyz");
  });

  it("is the same after it was written and read", () => {
    fc.assert(
      fc.property(frame, (given) => {
        const read = decodeFrame(encodeFrame(given));
        expect({ ...read, payload: [...read.payload] }).toEqual({ ...given, payload: [...given.payload] });
      }),
    );
  });

  it("that is none is refused, whatever it is", () => {
    const isRefused = (bytes: Uint8Array) => {
      try {
        decodeFrame(bytes);
      } catch (error) {
        return error instanceof FrameError;
      }
      return true;
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => isRefused(bytes)));
    expect(() => decodeFrame(Buffer.from("42ffffffffffffffffff01", "hex"))).toThrow(FrameError);
    expect(() => decodeFrame(Buffer.from("0affffffff", "hex"))).toThrow(FrameError);
    expect(() => decodeFrame(new Uint8Array())).toThrow(FrameError);
  });
});
