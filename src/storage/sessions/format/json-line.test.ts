import fc from "fast-check";
import { expect, it } from "vitest";
import { toJsonLine } from "./json-line.ts";

const long = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 30 }), fc.nat({ max: 200_000 }))
  .map(([text, length]) => text.repeat(Math.ceil(length / text.length)));
const value = fc.oneof(long, fc.jsonValue());

it("is the line that JSON.stringify writes, and reads as that line does, however long its texts are", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(value, fc.array(value))), (record) => {
      const line = toJsonLine(record);
      const text = [...line.pieces()].join("");
      expect(text === JSON.stringify(record)).toBe(true);
      expect(line.bytes).toBe(Buffer.byteLength(text));
      expect(line.read()).toEqual(JSON.parse(text));
    }),
  );
});

it("cuts what is long into pieces that can be written one after the other", () => {
  const { pieces } = toJsonLine({ text: "\u0000😀".repeat(100_000), list: Array(50_000).fill("你好") });
  for (const piece of pieces()) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(400 * 1024);
});
